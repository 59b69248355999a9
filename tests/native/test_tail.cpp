// The last two levels, against every pair of tests.
#include "check.hpp"
#include "oracle.hpp"
#include "problems.hpp"
#include "tail.hpp"

#include <limits>

using namespace treefront;
using oracle::Cut;
using oracle::Price;
using oracle::Prices;
using oracle::Rows;

namespace {

struct Case {
    Dataset data;
    Objective objective;
};

// Small data of all kinds, in both complexities.
Case random_case(std::uint64_t seed) {
    Random random(seed);
    return {random_problem(seed, {.rows = random.between(2, 60),
                                  .features = random.between(1, 3),
                                  .levels = random.below(3) * 6,
                                  .classes = static_cast<int>(2 + seed % 3),
                                  .weights = kAllWeights[seed % 8 < 4 ? 0 : seed / 8 % 3]})
                .dataset(),
            objective_of(seed % 2 ? Complexity::tests : Complexity::splits, random.between(1, 3))};
}

FrontBuilder leaf_of(const Subset& state, std::optional<double> alpha = {}) {
    return FrontBuilder({0, state.leaf_errors(), 1}, alpha);
}

// Every tree of two levels that starts with one of `tests`, and the leaf: each side a leaf or its
// best single test, which is all that a hull of such trees can use.
Prices every_pair(const Subset& state, const Objective& objective, const std::vector<Test>& tests) {
    const Dataset& data = state.data();
    const std::size_t least = objective.min_samples_leaf;
    Prices found{{0, state.leaf_errors()}};
    const auto side = [&](const Rows& rows) {
        const double weight = oracle::weight(data, rows);
        return Prices{{0, oracle::leaf_errors(data, rows)},
                      {objective.price(weight), weight - oracle::best_stump(data, rows, least)}};
    };
    for (Test test : tests) {
        const auto [left, right] =
            oracle::divide(data, oracle::rows_of(state), oracle::as_cut(state, test));
        const Prices lefts = side(left), rights = side(right);
        for (const Price& l : lefts) {
            for (const Price& r : rights) {
                found.emplace(objective.price(state.weight()) + l.first + r.first,
                              l.second + r.second);
            }
        }
    }
    return found;
}

std::vector<Test> tests_of(const Subset& state, const Objective& objective) {
    return oracle::as_tests(
        state, oracle::all_cuts(state.data(), oracle::rows_of(state), objective.min_samples_leaf));
}

// Calls body for each instruction set and each lane that can hold the weights.
template <class Body>
void for_each_variant(const Dataset& data, Body&& body) {
    const Lane narrowest =
        Kernels::narrowest(data.whole_weights(), data.total_weight(), data.n_rows());
    for (const auto& [name, kernels] : all_kernels()) {
        for (Lane lane : {Lane::int16, Lane::int32, Lane::real}) {
            if (lane < narrowest) continue;
            const check::Context context("kernels", name, "lane", lane);
            body(kernels, lane);
        }
    }
}

} // namespace

TEST("tail: the best single test of all, and of some") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const check::Context context("seed", seed);
        const auto [data, objective] = random_case(seed);
        const Subset root = root_of(data);
        Limits limits(kForever);
        Tail tail(objective, kernels, {}, limits);
        auto tests = tests_of(root, objective);
        FrontBuilder all = leaf_of(root), same = leaf_of(root), some = leaf_of(root);
        tail.stump(root, all);
        tail.best_of(root, tests, same);
        Prices expected{{0, root.leaf_errors()}};
        const double price = objective.price(root.weight());
        expected.emplace(price, root.weight() - oracle::best_stump(data, oracle::rows_of(root),
                                                                   objective.min_samples_leaf));
        CHECK_EQ(oracle::prices(all.vertices()), oracle::hull(expected));
        CHECK_EQ(oracle::prices(same.vertices()), oracle::hull(expected));
        // The same test too: fewest errors, then lowest feature, then lowest cut.
        if (all.vertices().size() > 1 && same.vertices().size() > 1) {
            CHECK_EQ(all.vertices()[1].origin.feature, same.vertices()[1].origin.feature);
            CHECK_EQ(all.vertices()[1].origin.cut, same.vertices()[1].origin.cut);
        }

        std::erase_if(tests, [](Test test) { return test.position % 3 == 0; });
        tail.best_of(root, tests, some);
        expected = {{0, root.leaf_errors()}};
        for (Test test : tests) {
            const auto [left, right] =
                oracle::divide(data, oracle::rows_of(root), oracle::as_cut(root, test));
            expected.emplace(price,
                             oracle::leaf_errors(data, left) + oracle::leaf_errors(data, right));
        }
        CHECK_EQ(oracle::prices(some.vertices()), oracle::hull(expected));
    }
}

TEST("tail: pairs of tests equal brute force, from all tests and from some") {
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        const check::Context context("seed", seed);
        const auto [data, drawn] = random_case(seed);
        const Objective& objective = drawn; // Clang 14 captures no structured binding
        const Subset root = root_of(data);
        auto some = tests_of(root, objective);
        const auto everything = oracle::hull(every_pair(root, objective, some));
        std::erase_if(some, [](Test test) { return test.position % 3 == 0; });
        const auto less = oracle::hull(every_pair(root, objective, some));
        for_each_variant(data, [&](const Kernels& kernels, Lane lane) {
            Limits limits(kForever);
            Tail tail(objective, kernels, lane, limits);
            FrontBuilder all = leaf_of(root), given = leaf_of(root);
            CHECK(tail.all_pairs(root, all));
            CHECK_EQ(oracle::prices(all.vertices()), everything);
            CHECK(tail.pairs(root, some, given));
            CHECK_EQ(oracle::prices(given.vertices()), less);
        });
    }
}

TEST("tail: on more rows intervals are skipped and nothing is lost") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 9; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data = random_problem(seed, {.rows = 120,
                                                   .features = 3,
                                                   .levels = 0,
                                                   .classes = static_cast<int>(2 + seed % 2),
                                                   .weights = kAllWeights[seed % 3]})
                                 .dataset();
        const Subset root = root_of(data);
        for (Complexity complexity : {Complexity::tests, Complexity::splits}) {
            const Objective objective = objective_of(complexity, seed % 2 ? 5 : 1);
            Limits limits(kForever);
            Tail tail(objective, kernels, {}, limits);
            FrontBuilder front = leaf_of(root);
            CHECK(tail.all_pairs(root, front));
            const Prices all = every_pair(root, objective, tests_of(root, objective));
            CHECK_EQ(oracle::prices(front.vertices()), oracle::hull(all));

            for (double alpha : {0.0, 0.03, 0.5}) {
                Objective one = objective;
                one.alpha = alpha;
                Tail tail_of_one(one, kernels, {}, limits);
                FrontBuilder best = leaf_of(root, alpha);
                CHECK(tail_of_one.all_pairs(root, best));
                double least = kForever;
                for (const auto& [c, e] : all) least = std::min(least, e + alpha * c);
                const Vertex& v = best.vertices()[0];
                CHECK(v.errors + alpha * v.complexity <= least + 1e-9);
                CHECK(all.count({v.complexity, v.errors}) == 1);
            }
        }
    }
}

// Without bounds, a batch at a time: itself checked above.
TEST("tail: all pairs with bounds equal all pairs without") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 45; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data =
            random_problem(seed, {.rows = 100 + 4 * static_cast<std::uint32_t>(seed),
                                  .features = 1 + static_cast<std::uint32_t>(seed % 4),
                                  .levels = seed % 4 < 2 ? 0u : 30u,
                                  .classes = seed % 5 ? 2 : 3,
                                  .weights = kAllWeights[seed % 7 < 4 ? 0 : seed % 4]})
                .dataset();
        const Subset root = root_of(data);
        const Objective objective =
            objective_of(seed % 2 ? Complexity::tests : Complexity::splits, seed % 3 ? 1 : 4);
        Tail tail(objective, kernels, {}, no_limits());
        FrontBuilder bounded = leaf_of(root), plain = leaf_of(root);
        CHECK(tail.all_pairs(root, bounded));
        CHECK(tail.pairs(root, tests_of(root, objective), plain));
        CHECK_EQ(oracle::prices(bounded.vertices()), oracle::prices(plain.vertices()));
    }
}

TEST("tail: outlooks are what exact single tests reach below each test") {
    for (std::uint64_t seed = 0; seed < 32; ++seed) {
        const check::Context context("seed", seed);
        const auto [data, objective] = random_case(seed);
        const Subset root = root_of(data);
        const auto tests = tests_of(root, objective);
        const Kernels kernels("auto");
        Limits limits(kForever);
        Tail tail(objective, kernels, {}, limits);
        const auto outlooks = tail.outlooks(root, tests);
        std::vector<Test> seen;
        double before = 0;
        for (const Tail::Outlook& o : outlooks) {
            seen.push_back(o.test);
            CHECK(o.both_tests().errors >= before); // the most promising first
            before = o.both_tests().errors;
            const auto [left, right] =
                oracle::divide(data, oracle::rows_of(root), oracle::as_cut(root, o.test));
            const double l = oracle::weight(data, left), r = oracle::weight(data, right);
            const double price = objective.price(root.weight());
            const std::size_t least = objective.min_samples_leaf;
            const double left_leaf = oracle::leaf_errors(data, left);
            const double right_leaf = oracle::leaf_errors(data, right);
            const bool alone = tests.size() == 1;
            const double left_test = alone ? 0 : l - oracle::best_stump(data, left, least);
            const double right_test = alone ? 0 : r - oracle::best_stump(data, right, least);
            const Price expected[] = {
                {price, left_leaf + right_leaf},
                {price + objective.price(l), left_test + right_leaf},
                {price + objective.price(r), left_leaf + right_test},
                {price + objective.price(l) + objective.price(r), left_test + right_test}};
            const std::uint32_t leaves[] = {2, 3, 3, 4};
            CHECK_EQ(o.left_errors, left_leaf);
            CHECK_EQ(o.right_errors, right_leaf);
            for (std::size_t k = 0; k < 4; ++k) {
                CHECK_EQ((Price{o.points[k].complexity, o.points[k].errors}), expected[k]);
                CHECK_EQ(o.points[k].leaves, leaves[k]);
            }
        }
        std::sort(seen.begin(), seen.end());
        CHECK_EQ(seen, tests);
    }
}

TEST("tail: a stopped search says so, and what it has is real") {
    const Dataset data = random_problem(1, {.rows = 200, .levels = 0}).dataset();
    const Subset root = root_of(data);
    const Kernels kernels("auto");
    const Objective objective;
    Limits limits(kForever);
    limits.cancel();
    Tail tail(objective, kernels, {}, limits);
    FrontBuilder all = leaf_of(root), given = leaf_of(root);
    CHECK(!tail.all_pairs(root, all));
    CHECK(!tail.pairs(root, tests_of(root, objective), given));
    FrontBuilder stump = leaf_of(root);
    tail.stump(root, stump);
    CHECK_EQ(oracle::prices(all.vertices()), oracle::prices(stump.vertices()));
    CHECK_EQ(given.vertices().size(), 1);
}
