// Exact search: what it proves is what full enumeration finds.
#include "certify.hpp"
#include "check.hpp"
#include "interval.hpp"
#include "oracle.hpp"
#include "pairs.hpp"
#include "problems.hpp"
#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace treefront;
using oracle::Price;
using oracle::Prices;

namespace {

Dataset small(std::uint64_t seed, std::uint32_t rows) {
    // Real weights are not exact enough for the twin's plain products.
    const Weights weights[] = {Weights::none, Weights::whole, Weights::none, Weights::eighths};
    return random_problem(seed, {.rows = rows,
                                 .features = 3,
                                 .levels = static_cast<std::uint32_t>(seed % 3) * 4,
                                 .classes = static_cast<int>(2 + seed % 2),
                                 .weights = weights[seed / 2 % 4]})
        .dataset();
}

double least_value(const std::vector<Price>& prices, double alpha) {
    double least = kForever;
    for (const auto& [c, e] : prices) least = std::min(least, e + alpha * c);
    return least;
}

std::vector<Price> every_vertex(const Dataset& data, int depth, const Objective& objective) {
    return oracle::front(oracle::every_tree(data, oracle::all_rows(data), depth, objective,
                                            oracle::all_tests(data, objective.min_samples_leaf)),
                         objective.keep);
}

FrontPtr leaf_front(const Subset& root, Keep keep = Keep::hull) {
    return FrontBuilder({0, root.leaf_errors(), 1}, {}, keep).finish(true, nullptr);
}

constexpr double kAlphas[] = {0.0, 0.03125, 0.125, 0.5, 2.0}; // dyadic: values are exact

} // namespace

TEST("exact: two levels at one price, below a cut") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Dataset data = small(seed, 12 + static_cast<std::uint32_t>(seed % 14));
        const Subset root = root_of(data);
        for (double alpha : kAlphas) {
            const Objective objective =
                objective_of(seed % 2 ? Complexity::tests : Complexity::splits,
                             1 + static_cast<std::uint32_t>(seed % 3), alpha);
            const check::Context context("seed", seed, "alpha", alpha);
            const double least = least_value(every_vertex(data, 2, objective), alpha);
            Limits limits(kForever);
            Pairs pairs(objective, kernels, {}, limits);
            const TwoLevels found = pairs.best(root, kForever);
            CHECK_EQ(found.value, least);
            CHECK_EQ(found.lower, least);
            CHECK_EQ(found.point.errors + alpha * found.point.complexity, least);
            // Nothing below the best, and something just above it.
            const TwoLevels none = pairs.best(root, least);
            CHECK_EQ(none.value, kForever);
            CHECK(none.lower >= least);
            CHECK_EQ(pairs.best(root, least + 0.5).value, least);
        }
    }
}

TEST("exact: two levels at one price, on more rows") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Dataset data = small(seed, 100 + 5 * static_cast<std::uint32_t>(seed));
        const Subset root = root_of(data);
        Objective objective =
            objective_of(seed % 5 ? Complexity::tests : Complexity::splits, seed % 4 ? 1 : 4);
        Tail tail(objective, kernels, {}, no_limits());
        FrontBuilder front({0, root.leaf_errors(), 1}, {});
        tail.all_pairs(root, front);
        for (double alpha : {0.0, 0.0078125, 0.03125, 0.0625, 0.125, 0.25, 0.5}) {
            const check::Context context("seed", seed, "alpha", alpha);
            const double least = least_value(oracle::prices(front.vertices()), alpha);
            objective.alpha = alpha;
            Pairs pairs(objective, kernels, {}, no_limits());
            CHECK_EQ(pairs.best(root, kForever).value, least);
            CHECK_EQ(pairs.best(root, least + 1.0 / 64).value, least);
            CHECK(pairs.best(root, least).lower >= least);
        }
    }
}

TEST("exact: the best tree at one price, and every vertex of the front") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        for (int depth = 0; depth <= 3; ++depth) {
            const Dataset data = small(seed, depth < 3 ? 20 : 10);
            const Subset root = root_of(data);
            Objective objective = objective_of(seed % 2 ? Complexity::tests : Complexity::splits,
                                               1 + static_cast<std::uint32_t>(seed % 3), 0.0);
            const auto expected = every_vertex(data, depth, objective);
            for (int threads : {1, 3}) {
                for (double alpha : kAlphas) {
                    const check::Context context("seed", seed, "depth", depth, "threads", threads,
                                                 "alpha", alpha);
                    objective.alpha = alpha;
                    const ExactSettings settings{depth, objective, threads, 1 << 20, {}};
                    Limits limits(kForever);
                    const Certificate proof =
                        certify_tree(root, settings, kernels, limits, leaf_front(root));
                    const auto prices = oracle::prices(proof.front->vertices());
                    CHECK_EQ(proof.lower, least_value(expected, alpha));
                    CHECK_EQ(least_value(prices, alpha), proof.lower);
                }
                const check::Context context("seed", seed, "depth", depth, "threads", threads);
                const ExactSettings settings{depth, objective, threads, 1 << 20, {}};
                Limits limits(kForever);
                const Certificate proof =
                    certify_front(root, settings, kernels, limits, leaf_front(root));
                CHECK_EQ(oracle::prices(proof.front->vertices()), expected);
                CHECK_EQ(proof.proved, std::vector<bool>(expected.size(), true));
            }
        }
    }
}

TEST("exact: on more rows the same as the search over all tests") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const check::Context context("seed", seed);
        for (int depth : {2, 3}) {
            const Dataset data = small(seed, depth == 2 ? 150 : 36);
            const Subset root = root_of(data);
            SearchSettings all;
            all.max_depth = depth;
            all.generators.emplace_back().kind = GeneratorSpec::Kind::all;
            all.objective =
                objective_of(seed % 2 ? Complexity::tests : Complexity::splits, seed % 4 ? 1 : 3);
            Search search(data, all, kernels, no_limits());
            const auto expected = oracle::prices(search.run()->vertices());
            for (double alpha : kAlphas) {
                Objective objective = all.objective;
                objective.alpha = alpha;
                const ExactSettings settings{depth, objective, 1, 1 << 20, {}};
                const Certificate tree =
                    certify_tree(root, settings, kernels, no_limits(), leaf_front(root));
                CHECK_EQ(tree.lower, least_value(expected, alpha));
                CHECK_EQ(least_value(oracle::prices(tree.front->vertices()), alpha), tree.lower);
                if (alpha > 0) continue;
                const Certificate front =
                    certify_front(root, settings, kernels, no_limits(), leaf_front(root));
                CHECK_EQ(oracle::prices(front.front->vertices()), expected);
            }
        }
    }
}

TEST("exact: the best tree for every number of splits") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        for (int depth = 1; depth <= 3; ++depth) {
            const check::Context context("seed", seed, "depth", depth);
            const Dataset data = small(seed, depth < 3 ? 20 : 11);
            const Subset root = root_of(data);
            Objective objective = objective_of(Complexity::splits, seed % 3 ? 1 : 2, 0.0);
            objective.keep = Keep::every_size;
            const ExactSettings settings{depth, objective, 1, 1 << 20, {}};
            Limits limits(kForever);
            const Certificate proof =
                certify_front(root, settings, kernels, limits, leaf_front(root, Keep::every_size));
            const auto expected = every_vertex(data, depth, objective);
            CHECK_EQ(oracle::prices(proof.front->vertices()), expected);
            CHECK_EQ(proof.proved, std::vector<bool>(expected.size(), true));
        }
    }
}

TEST("exact: a state that no test divides is a leaf") {
    const Dataset data = Problem{{{1, 1, 1, 1}}, {0, 1, 1, 0}, {}, 2}.dataset();
    const Subset root = root_of(data);
    const Kernels kernels("auto");
    const Objective objective = objective_of(Complexity::tests, 1, 0.0);
    Limits limits(kForever);
    Pairs pairs(objective, kernels, {}, limits);
    const TwoLevels found = pairs.best(root, kForever);
    CHECK_EQ(found.value, 2.0);
    CHECK_EQ(found.lower, 2.0);
    CHECK(!found.test);
}

TEST("exact: a search that is stopped keeps the tree in hand and a true bound") {
    const Dataset data = random_problem(5, {.rows = 60, .features = 3, .levels = 0}).dataset();
    const Subset root = root_of(data);
    const Kernels kernels("auto");
    const Objective objective = objective_of(Complexity::tests, 1, 0.0);
    for (int depth : {2, 3}) {
        const ExactSettings settings{depth, objective, 1, 1 << 20, {}};
        Limits unlimited(kForever), stopped(kForever);
        stopped.cancel();
        const double least =
            certify_tree(root, settings, kernels, unlimited, leaf_front(root)).lower;
        const Certificate tree = certify_tree(root, settings, kernels, stopped, leaf_front(root));
        CHECK(tree.lower <= least);
        CHECK(!std::count(tree.proved.begin(), tree.proved.end(), true));
        const Certificate front = certify_front(root, settings, kernels, stopped, leaf_front(root));
        CHECK(front.lower <= least);
        CHECK(!front.front->complete());
        CHECK(!std::count(front.proved.begin(), front.proved.end(), true));
    }
}

TEST("exact: stopped at any moment, the bound is below every tree and the front of real trees") {
    const Kernels kernels("auto");
    int n_stopped = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Dataset data =
            random_problem(seed, seed % 2 ? Shape{.rows = 40, .features = 3, .levels = 0}
                                          : Shape{.rows = 80, .features = 5, .levels = 2})
                .dataset();
        const Subset root = root_of(data);
        const double alpha = seed % 3 ? 0.0 : 1.0 / 32;
        const Objective objective =
            objective_of(Complexity::tests, 1 + static_cast<std::uint32_t>(seed % 2), alpha);
        const ExactSettings settings{seed % 2 ? 3 : 4, objective, 1, 1 << 20, {}};
        Limits unlimited(kForever);
        const double least =
            certify_tree(root, settings, kernels, unlimited, leaf_front(root)).lower;
        for (double seconds = 5e-6; seconds < 0.01; seconds *= 1.1) {
            const check::Context context("seed", seed, "seconds", seconds);
            Limits one(seconds), all(seconds);
            const Certificate tree = certify_tree(root, settings, kernels, one, leaf_front(root));
            CHECK(tree.lower <= least);
            CHECK(best_value(tree.front->vertices(), alpha) >= least);
            const Certificate front = certify_front(root, settings, kernels, all, leaf_front(root));
            CHECK(front.lower <= least);
            CHECK(best_value(front.front->vertices(), alpha) >= least);
            n_stopped += !front.front->complete() && front.lower > 0;
        }
    }
    CHECK(n_stopped > 20); // or the bounds of stopped searches were not looked at
}

TEST("exact: each bound and cache switched off in turn changes no result") {
    const Kernels kernels("auto");
    bool Shortcuts::* const all[] = {&Shortcuts::monotone, &Shortcuts::similar,
                                     &Shortcuts::undivided, &Shortcuts::margin, &Shortcuts::memo};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Dataset data = small(seed, 30);
        const Subset root = root_of(data);
        for (int depth : {2, 3}) {
            for (double alpha : {0.0, 1.0 / 32}) {
                const Objective objective = objective_of(
                    seed % 2 ? Complexity::tests : Complexity::splits, seed % 4 ? 1 : 3, alpha);
                ExactSettings settings{depth, objective, 1, 1 << 20, {}};
                Limits limits(kForever);
                const auto prices = [&](auto certify) {
                    const Certificate found =
                        certify(root, settings, kernels, limits, leaf_front(root));
                    return std::pair(found.lower, oracle::prices(found.front->vertices()));
                };
                const double least = prices(certify_tree).first;
                const auto front = prices(certify_front);
                CHECK_EQ(front.first, least);
                for (std::size_t i = 0; i < std::size(all); ++i) {
                    const check::Context context("seed", seed, "depth", depth, "alpha", alpha,
                                                 "shortcut", i);
                    settings.use = {};
                    settings.use.*all[i] = false;
                    CHECK_EQ(prices(certify_tree).first, least);
                    CHECK_EQ(prices(certify_front), front);
                }
            }
        }
    }
}

TEST("exact: the weight left of a position, and the boundary nearest to it") {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data =
            random_problem(seed, {.rows = 30, .levels = 12, .weights = kAllWeights[seed % 4]})
                .dataset();
        const Subset root = root_of(data);
        const LeftWeights weights(root);
        for (std::uint32_t slot = 0; slot < root.n_slots(); ++slot) {
            std::vector<std::uint32_t> boundaries;
            double left = 0;
            for (std::uint32_t i = 0; i < root.n_rows(); ++i) {
                CHECK_EQ(weights(slot, i), left);
                left += data.weight(root.rows()[root.local_id(slot, i)]);
                if (i && root.rank_at(slot, i) != root.rank_at(slot, i - 1))
                    boundaries.push_back(i);
            }
            CHECK_EQ(weights(slot, root.n_rows()), root.weight());
            Random random(seed);
            for (int repeat = 0; repeat < 50; ++repeat) {
                const std::uint32_t first = random.between(1, 29), last = random.between(first, 29);
                const std::uint32_t wanted = random.between(first, last);
                std::uint32_t distance = 99;
                for (std::uint32_t b : boundaries) {
                    if (b < first || b > last) continue;
                    distance = std::min(distance, b > wanted ? b - wanted : wanted - b);
                }
                const std::uint32_t at = nearest_boundary(root, slot, first, last, wanted);
                if (distance == 99) {
                    CHECK_EQ(at, 0);
                } else {
                    CHECK(at >= first && at <= last);
                    CHECK_EQ(at > wanted ? at - wanted : wanted - at, distance);
                    CHECK(std::count(boundaries.begin(), boundaries.end(), at) == 1);
                }
            }
        }
    }
}
