// The generators: which tests a state admits.
#include "candidates.hpp"
#include "cart.hpp"
#include "check.hpp"
#include "oracle.hpp"
#include "problems.hpp"

#include <cmath>
#include <limits>

using namespace treefront;
using oracle::Cut;
using Kind = GeneratorSpec::Kind;

namespace {

// States of random data, above and below a split.
template <class Body>
void for_each_state(std::uint64_t n_seeds, Body&& body) {
    for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
        Random random(seed);
        const std::uint32_t least = random.between(1, 3);
        const check::Context context("seed", seed, "least", least);
        const Dataset data = random_problem(seed, {.rows = random.between(4, 50),
                                                   .features = 3,
                                                   .levels = random.below(3) * 5,
                                                   .classes = static_cast<int>(2 + seed % 3)})
                                 .dataset();
        const Subset root = root_of(data);
        body(root, least, random);
        const auto cuts = oracle::all_cuts(data, oracle::all_rows(data));
        if (cuts.empty()) continue;
        const auto halves = root.split(oracle::as_test(root, cuts[cuts.size() / 2]));
        if (halves.left->n_slots()) body(*halves.left, least, random);
        if (halves.right->n_slots()) body(*halves.right, least, random);
    }
}

GeneratorSpec spec_of(Kind kind, std::uint32_t size = 0, std::vector<Criterion> criteria = {}) {
    GeneratorSpec spec;
    spec.kind = kind;
    spec.size = size;
    spec.criteria = std::move(criteria);
    return spec;
}

std::vector<Test> generate(const GeneratorSpec& spec, const Subset& state, std::uint32_t least) {
    const EntropyTable table(state.data().n_rows());
    const Kernels kernels("auto");
    return make_generator(spec, least, state.data().n_classes(), &table, kernels, no_limits())
        ->tests(state);
}

std::vector<Test> all_tests(const Subset& state, std::uint32_t least) {
    return oracle::as_tests(state, oracle::all_cuts(state.data(), oracle::rows_of(state), least));
}

// Without repetition: the first of equals stays.
std::vector<Test> distinct(const std::vector<Test>& tests) {
    std::vector<Test> kept;
    for (Test test : tests) {
        if (std::find(kept.begin(), kept.end(), test) == kept.end()) kept.push_back(test);
    }
    return kept;
}

void keep_allowed(std::vector<Test>& tests, const Subset& state, std::uint32_t least) {
    std::erase_if(tests, [&](Test test) {
        return test.position < least || state.n_rows() - test.position < least;
    });
}

} // namespace

TEST("candidates: all boundaries, by feature and threshold") {
    for_each_state(20, [](const Subset& state, std::uint32_t least, Random&) {
        CHECK_EQ(generate(spec_of(Kind::all), state, least), all_tests(state, least));
    });
}

TEST("candidates: the best tests by impurity, ties by feature and threshold") {
    for_each_state(30, [](const Subset& state, std::uint32_t least, Random& random) {
        for (Criterion criterion : {Criterion::entropy, Criterion::gini}) {
            const auto score = [&](Test test) {
                const auto [left, right] = oracle::divide(state.data(), oracle::rows_of(state),
                                                          oracle::as_cut(state, test));
                return oracle::score(criterion, true, oracle::class_weights(state.data(), left),
                                     oracle::class_weights(state.data(), right));
            };
            std::vector<std::pair<double, Test>> scored;
            for (Test test : all_tests(state, least)) scored.emplace_back(-score(test), test);
            std::sort(scored.begin(), scored.end());
            const std::uint32_t size = random.between(1, 12);
            std::vector<Test> expected;
            for (std::size_t k = 0; k < std::min<std::size_t>(size, scored.size()); ++k) {
                expected.push_back(scored[k].second);
            }
            CHECK_EQ(generate(spec_of(Kind::top, size, {criterion}), state, least), expected);
        }
    });
}

TEST("candidates: quantiles cut below the quantile's value, or above the smallest") {
    for_each_state(30, [](const Subset& state, std::uint32_t least, Random& random) {
        const std::uint32_t size = random.between(1, 12), n = state.n_rows();
        std::vector<Test> expected;
        for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
            std::vector<std::uint32_t> ranks;
            for (RowId row : state.rows()) {
                ranks.push_back(state.data().rank(state.feature(slot), row));
            }
            std::sort(ranks.begin(), ranks.end());
            for (std::uint32_t k = 1; k <= size; ++k) {
                const std::uint32_t value = ranks[k * n / (size + 1)];
                const auto run = std::equal_range(ranks.begin(), ranks.end(), value);
                const auto at = value == ranks.front() ? run.second : run.first;
                expected.push_back({slot, static_cast<std::uint32_t>(at - ranks.begin())});
            }
        }
        keep_allowed(expected, state, least);
        CHECK_EQ(generate(spec_of(Kind::quantile, size), state, least), distinct(expected));
    });
}

TEST("candidates: as many quantiles as rows are all boundaries") {
    for_each_state(10, [](const Subset& state, std::uint32_t least, Random&) {
        auto tests = generate(spec_of(Kind::quantile, 2 * state.n_rows()), state, least);
        std::sort(tests.begin(), tests.end());
        CHECK_EQ(tests, all_tests(state, least));
    });
}

TEST("candidates: the test nodes of a CART per criterion, each once") {
    for_each_state(20, [](const Subset& state, std::uint32_t least, Random& random) {
        GeneratorSpec spec = spec_of(Kind::cart, 0, {Criterion::gini, Criterion::entropy});
        spec.max_depth = static_cast<int>(random.below(4));            // 0: no limit
        spec.max_leaves = random.one_in(2) ? 0 : random.between(2, 6); // likewise
        spec.ties = random.one_in(3);
        const EntropyTable table(state.data().n_rows());
        const Kernels kernels("auto");
        std::vector<Test> expected;
        for (Criterion criterion : spec.criteria) {
            const CartLimits limits{spec.max_depth ? spec.max_depth : 1000,
                                    spec.max_leaves ? spec.max_leaves : 1000, least, spec.ties};
            CartGrower grower(criterion, limits, state.data().n_classes(), &table, kernels,
                              no_limits());
            const auto tests = grower.tests(state);
            expected.insert(expected.end(), tests.begin(), tests.end());
        }
        keep_allowed(expected, state, least);
        CHECK_EQ(generate(spec, state, least), distinct(expected));
    });
}

TEST("candidates: a function sees the state's rows, and its thresholds become tests") {
    for_each_state(20, [](const Subset& state, std::uint32_t least, Random& random) {
        const Dataset& data = state.data();
        std::vector<std::pair<std::uint32_t, double>> proposed;
        std::vector<Test> expected;
        for (int k = 0; k < 12; ++k) {
            const std::uint32_t feature =
                random.below(static_cast<std::uint32_t>(data.n_features()));
            const double threshold = random.one_in(2)
                                         ? random.unit() * 3 - 1.5
                                         : data.values(feature)[0] + random.below(3) / 4.0;
            proposed.emplace_back(feature, threshold);
            for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
                if (state.feature(slot) != feature) continue;
                std::uint32_t position = 0;
                for (RowId row : state.rows()) {
                    position += data.values(feature)[data.rank(feature, row)] <= threshold;
                }
                expected.push_back({slot, position});
            }
        }
        keep_allowed(expected, state, least);
        GeneratorSpec spec = spec_of(Kind::function);
        spec.function = [&](std::span<const RowId> rows) {
            auto ascending = oracle::rows_of(state);
            std::sort(ascending.begin(), ascending.end());
            CHECK_EQ(list(rows), ascending);
            return proposed;
        };
        CHECK_EQ(generate(spec, state, least), distinct(expected));
    });
}

TEST("candidates: a function's mistakes are refused, infinite thresholds divide nothing") {
    const Dataset data = Problem{{{1, 2, 3}, {4, 4, 4}}, {0, 1, 0}, {}, 2}.dataset();
    const Subset root = root_of(data);
    const auto answer = [&](std::uint32_t feature, double threshold) {
        GeneratorSpec spec = spec_of(Kind::function);
        spec.function = [=](std::span<const RowId>) {
            return std::vector<std::pair<std::uint32_t, double>>{{feature, threshold}};
        };
        return generate(spec, root, 1);
    };
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_THROWS(InvalidInput, answer(2, 1.5));
    CHECK_THROWS(InvalidInput, answer(0, std::nan("")));
    CHECK_EQ(answer(0, infinity), std::vector<Test>{});
    CHECK_EQ(answer(0, -infinity), std::vector<Test>{});
    CHECK_EQ(answer(0, 3.0), std::vector<Test>{});
    CHECK_EQ(answer(1, 4.0), std::vector<Test>{}); // a constant feature
    CHECK_EQ(answer(0, 2.0), (std::vector<Test>{{0, 2}}));
    CHECK_EQ(answer(0, std::nextafter(2.0, 0.0)), (std::vector<Test>{{0, 1}}));
}
