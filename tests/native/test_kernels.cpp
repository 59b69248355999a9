// The batched kernel: the best single test of both children of up to 32 tests, every instruction
// set and lane against a walk over all boundaries of each child.
#include "check.hpp"
#include "oracle.hpp"
#include "problems.hpp"

using namespace treefront;
using oracle::Rows;

namespace {

constexpr const char* kLaneNames[] = {"int16", "int32", "real"};

// One slow answer for all variants: the errors on each side of each test, with the side's best test
// and as a leaf.
struct Expected {
    std::vector<double> left, right, left_leaf, right_leaf;
};

Expected brute_force(const Subset& state, const std::vector<std::uint32_t>& bits, int n_tests,
                     std::uint32_t least) {
    Expected expected;
    for (int b = 0; b < n_tests; ++b) {
        Rows left, right;
        for (std::uint32_t i = 0; i < state.n_rows(); ++i) {
            (bits[i] >> b & 1u ? left : right).push_back(state.rows()[i]);
        }
        const double left_weight = oracle::weight(state.data(), left);
        const double right_weight = oracle::weight(state.data(), right);
        expected.left.push_back(left_weight - oracle::best_stump(state.data(), left, least));
        expected.right.push_back(right_weight - oracle::best_stump(state.data(), right, least));
        expected.left_leaf.push_back(left_weight - oracle::heaviest(state.data(), left));
        expected.right_leaf.push_back(right_weight - oracle::heaviest(state.data(), right));
    }
    return expected;
}

void check_variants(const Subset& state, const std::vector<std::uint32_t>& bits, int n_tests,
                    std::uint32_t least, const Expected& expected) {
    const Lane narrowest = Kernels::narrowest(state);
    for (const auto& [name, kernels] : all_kernels()) {
        for (Lane lane : {Lane::int16, Lane::int32, Lane::real}) {
            if (lane < narrowest) continue;
            const check::Context context("kernels", name, "lane",
                                         kLaneNames[static_cast<int>(lane)], "tests", n_tests,
                                         "least", least, "rows", state.n_rows());
            KernelScratch scratch;
            const BatchOutput got = kernels.best_stumps(state, bits, n_tests, least, lane, scratch);
            for (int b = 0; b < n_tests; ++b) {
                const auto k = static_cast<std::size_t>(b);
                CHECK_EQ(got.left[b], expected.left[k]);
                CHECK_EQ(got.right[b], expected.right[k]);
                CHECK_EQ(got.left_leaf[b], expected.left_leaf[k]);
                CHECK_EQ(got.right_leaf[b], expected.right_leaf[k]);
            }
        }
    }
}

void check_random_batch(const Subset& state, Random& random) {
    const int n_tests = static_cast<int>(random.between(1, kBatch));
    const std::uint32_t least = random.between(1, 4);
    std::vector<std::uint32_t> bits; // whatever stands above n_tests is to be ignored
    for (std::uint32_t i = 0; i < state.n_rows(); ++i) {
        const auto word = static_cast<std::uint32_t>(random.word());
        bits.push_back(random.one_in(3) ? word & static_cast<std::uint32_t>(random.word()) : word);
    }
    check_variants(state, bits, n_tests, least, brute_force(state, bits, n_tests, least));
}

// Few rows of the given weights and labels, in one sorted feature.
void check_extreme(const std::vector<double>& weights, const std::vector<std::int32_t>& labels,
                   int n_classes) {
    const check::Context context("weights", weights, "labels", labels);
    Problem problem{{{}}, labels, weights, n_classes};
    for (std::size_t i = 0; i < labels.size(); ++i) {
        problem.columns[0].push_back(static_cast<double>(i));
    }
    const Dataset data = problem.dataset();
    const Subset root = root_of(data);
    std::vector<std::uint32_t> bits; // test 0 sends all left, test 1 all right, the others some
    for (std::uint32_t i = 0; i < labels.size(); ++i) bits.push_back(1u | i % 4 << 2);
    check_variants(root, bits, 4, 1, brute_force(root, bits, 4, 1));
}

} // namespace

TEST("kernels: best stumps equal brute force for every instruction set and lane") {
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        const check::Context context("seed", seed);
        Random random(seed);
        const Dataset data = random_problem(seed, {.rows = random.between(1, 50),
                                                   .features = random.between(1, 4),
                                                   .levels = random.below(4) * 4,
                                                   .classes = static_cast<int>(2 + seed % 5),
                                                   .weights = kAllWeights[seed / 5 % 4]})
                                 .dataset();
        const Subset root = root_of(data);
        check_random_batch(root, random);
        const auto cuts = oracle::all_cuts(data, oracle::all_rows(data));
        if (cuts.empty()) continue;
        const auto cut = cuts[random.below(static_cast<std::uint32_t>(cuts.size()))];
        const auto halves = root.split(oracle::as_test(root, cut));
        check_random_batch(*halves.left, random);
        check_random_batch(*halves.right, random);
    }
}

TEST("kernels: every number of tests in a batch") {
    for (int classes : {2, 3}) {
        const Dataset data =
            random_problem(7, {.rows = 20, .features = 2, .levels = 9, .classes = classes})
                .dataset();
        const Subset root = root_of(data);
        Random random(8);
        std::vector<std::uint32_t> bits;
        for (int i = 0; i < 20; ++i) bits.push_back(static_cast<std::uint32_t>(random.word()));
        for (std::uint32_t least : {1u, 2u}) {
            const Expected expected = brute_force(root, bits, kBatch, least);
            for (int n_tests = 1; n_tests <= kBatch; ++n_tests) {
                check_variants(root, bits, n_tests, least, expected);
            }
        }
    }
}

TEST("kernels: wide entries") {
    for (int classes : {2, 3}) {
        Problem problem =
            random_problem(3, {.rows = 33000, .features = 1, .levels = 40, .classes = classes});
        const Dataset data = problem.dataset();
        const Subset root = root_of(data);
        Random random(4);
        std::vector<std::uint32_t> bits;
        for (std::uint32_t i = 0; i < root.n_rows(); ++i) {
            bits.push_back(static_cast<std::uint32_t>(random.word()));
        }
        check_variants(root, bits, 2, 3, brute_force(root, bits, 2, 3));
    }
}

TEST("kernels: sums at the ends of a lane's range") {
    const std::vector<std::vector<double>> all_weights{
        {32765, 1, 1},           {1, 32765, 1},
        {16383, 16383, 1}, // 2^15 - 1: int16 still holds
        {0x1p31 - 3, 1, 1},      {1, 0x1p31 - 3, 1},
        {0x1p30, 0x1p30 - 2, 1},                           // int32
        {0x1p46 - 3, 1, 1},      {0x1p45, 1, 0x1p45 - 2}}; // real
    for (const auto& weights : all_weights) {
        for (std::int32_t a = 0; a < 3; ++a) {
            for (std::int32_t b = 0; b < 3; ++b) {
                check_extreme(weights, {a, b, 0}, 3);
                if (a < 2 && b < 2) {
                    check_extreme(weights, {a, b, 0}, 2);
                    check_extreme(weights, {a, b, 1}, 2);
                }
            }
        }
    }
}

TEST("kernels: the narrowest lane holds the total weight") {
    CHECK(Kernels::narrowest(true, 0x1p15 - 1, 1) == Lane::int16);
    CHECK(Kernels::narrowest(true, 0x1p15, 1) == Lane::int32);
    CHECK(Kernels::narrowest(true, 0x1p31 - 1, 1) == Lane::int32);
    CHECK(Kernels::narrowest(true, 0x1p31, 1) == Lane::real);
    CHECK(Kernels::narrowest(true, 1, 0x8000) == Lane::int32); // and the number of rows
    CHECK(Kernels::narrowest(false, 3, 1) == Lane::real);
}

TEST("kernels: a variant this processor lacks is refused") {
    CHECK_THROWS(InvalidInput, Kernels("abacus"));
    CHECK_EQ(Kernels::available().front(), "portable");
    for (std::string_view name : Kernels::available()) Kernels{name};
    const auto best = Kernels(Kernels::available().back()).table().best_stumps;
    CHECK(Kernels("auto").table().best_stumps == best);
}
