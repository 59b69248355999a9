// The test nodes of a greedy tree, against a CART of row lists.
#include "cart.hpp"
#include "check.hpp"
#include "oracle.hpp"
#include "problems.hpp"

using namespace treefront;
using oracle::Cut;
using oracle::Rows;

namespace {

struct Node {
    Rows rows;
    int depth = 0;
    bool divisible = false;
    Cut cut{};                  // by the ranks of this node's rows
    std::vector<Cut> tied = {}; // others that score the same
    double gain = 0;
};

// The first best test by feature and threshold.
Node best_split(const Dataset& data, Rows rows, int depth, Criterion criterion,
                std::uint32_t least) {
    Node node{std::move(rows), depth};
    const bool counted = !data.weighted();
    const auto all = oracle::class_weights(data, node.rows);
    if (oracle::leaf_errors(data, node.rows) == 0) return node;
    double best = 0;
    std::vector<std::pair<double, Cut>> scored;
    for (Cut cut : oracle::all_cuts(data, node.rows, least)) {
        const auto [left, right] = oracle::divide(data, node.rows, cut);
        const double score = oracle::score(criterion, counted, oracle::class_weights(data, left),
                                           oracle::class_weights(data, right));
        scored.emplace_back(score, cut);
        if (node.divisible && score <= best) continue;
        node.divisible = true;
        node.cut = cut;
        best = score;
    }
    // What is equal but for the rounding of the scores: some units of the table, or of a double.
    const double rounding = counted && criterion == Criterion::entropy ? 16 : 1e-9;
    for (const auto& [score, cut] : scored) {
        if (score >= best - rounding && cut != node.cut) node.tied.push_back(cut);
    }
    const auto [own, own_total] = oracle::side_score(criterion, counted, all);
    node.gain = best - own / own_total;
    return node;
}

// The threshold lies midway between the node's values; the state may have values in between.
Test as_test_of(const Subset& state, const Node& node, Cut cut) {
    const Dataset& data = state.data();
    std::uint32_t above = 0xffffffffu;
    for (RowId row : node.rows) {
        const std::uint32_t rank = data.rank(cut.feature, row);
        if (rank > cut.rank) above = std::min(above, rank);
    }
    const auto values = data.values(cut.feature);
    const double threshold = Dataset::midpoint(values[cut.rank], values[above]);
    std::uint32_t rank = cut.rank;
    while (rank + 1 < values.size() && values[rank + 1] <= threshold) ++rank;
    return oracle::as_test(state, {cut.feature, rank});
}

// Best first, in order of creation among equals.
std::vector<Test> naive_cart(const Subset& state, Criterion criterion, const CartLimits& limits) {
    const Dataset& data = state.data();
    std::vector<Node> open{
        best_split(data, oracle::rows_of(state), 0, criterion, limits.least.rows)};
    std::vector<Test> tests, tied;
    while (tests.size() + 1 < limits.max_leaves) {
        std::erase_if(open, [](const Node& node) { return !node.divisible; });
        if (open.empty()) break;
        const auto best = std::max_element(
            open.begin(), open.end(), [](const Node& a, const Node& b) { return a.gain < b.gain; });
        const Node node = *best;
        open.erase(best);
        tests.push_back(as_test_of(state, node, node.cut));
        for (Cut cut : node.tied) tied.push_back(as_test_of(state, node, cut));
        if (node.depth + 1 >= limits.max_depth) continue;
        const auto [left, right] = oracle::divide(data, node.rows, node.cut);
        for (const Rows& side : {left, right}) {
            open.push_back(best_split(data, side, node.depth + 1, criterion, limits.least.rows));
        }
    }
    if (limits.ties) tests.insert(tests.end(), tied.begin(), tied.end());
    return tests;
}

constexpr std::uint32_t kManyLeaves = 1u << 30;

void check_cart(const Subset& state, Criterion criterion, const CartLimits& limits,
                const Kernels& kernels) {
    const EntropyTable table(state.data().n_rows());
    CartGrower grower(criterion, limits, state.data().n_classes(), &table, kernels, no_limits());
    auto got = grower.tests(state), expected = naive_cart(state, criterion, limits);
    CHECK_EQ(grower.tests(state), got); // a grower is used again and again
    // Gains of two nodes may differ by rounding: only whole numbers order them for certain.
    if (criterion == Criterion::gini) {
        std::sort(got.begin(), got.end());
        std::sort(expected.begin(), expected.end());
    }
    CHECK_EQ(got, expected);
}

Dataset cart_data(std::uint64_t seed) {
    // Weights are real or none: with whole ones, different partitions tie up to rounding.
    return random_problem(seed, {.rows = 10 + static_cast<std::uint32_t>(seed) * 2,
                                 .features = 3,
                                 .levels = static_cast<std::uint32_t>(seed % 3) * 6,
                                 .classes = 2 + static_cast<int>(seed % 4),
                                 .weights = seed % 5 == 0 ? Weights::real : Weights::none})
        .dataset();
}

} // namespace

TEST("cart: tests equal those of a naive CART, by depth") {
    for (const auto& [name, kernels] : all_kernels()) {
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            const Criterion criterion = seed % 2 ? Criterion::entropy : Criterion::gini;
            const Dataset data = cart_data(seed);
            const Subset root = root_of(data);
            for (int depth = 1; depth <= 4; ++depth) {
                const std::uint32_t least = 1 + static_cast<std::uint32_t>(seed + depth) % 3;
                const check::Context context("kernels", name, "seed", seed, "depth", depth, "least",
                                             least);
                check_cart(root, criterion, {depth, kManyLeaves, least, false}, kernels);
            }
        }
    }
}

TEST("cart: tests equal those of a naive CART, by leaves, best first") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Dataset data = cart_data(seed);
        if (data.weighted()) continue;
        const Subset root = root_of(data);
        for (std::uint32_t leaves : {2u, 3u, 5u, 9u}) {
            const check::Context context("seed", seed, "leaves", leaves);
            check_cart(root, Criterion::entropy, {100, leaves, 1, false}, kernels);
            check_cart(root, Criterion::entropy, {3, leaves, 2, false}, kernels);
        }
    }
}

TEST("cart: inside a state below the root thresholds are read as tests of that state") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data = cart_data(seed);
        const Subset root = root_of(data);
        const auto cuts = oracle::all_cuts(data, oracle::all_rows(data));
        if (cuts.empty()) continue;
        const auto halves = root.split(oracle::as_test(root, cuts[cuts.size() / 3]));
        for (const Subset* state : {halves.left.get(), halves.right.get()}) {
            if (state->n_slots() == 0) continue;
            check_cart(*state, Criterion::entropy, {3, kManyLeaves, 1, false}, kernels);
            check_cart(*state, Criterion::gini, {3, kManyLeaves, 1, false}, kernels);
        }
    }
}

TEST("cart: ties of a node's best test, once the tests are listed") {
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data = cart_data(seed);
        const Subset root = root_of(data);
        for (Criterion criterion : {Criterion::entropy, Criterion::gini}) {
            check_cart(root, criterion, {3, kManyLeaves, 1, true}, kernels);
        }
    }
}

TEST("cart: ties of entropy, whatever the rounding of its table") {
    // 3 of class 0 on the left, or 1 of class 0 and 2 of class 1: 8 + 3 log 3 - 7 log 7 bits both.
    const Dataset data = Problem{{{0, 0, 0, 1, 1, 1, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 1, 1, 0, 0, 1}},
                                 {0, 0, 0, 0, 0, 0, 0, 1, 1, 1},
                                 {},
                                 2}
                             .dataset();
    const EntropyTable table(10);
    CartGrower grower(Criterion::entropy, {1, kManyLeaves, 1, true}, 2, &table, Kernels("auto"),
                      no_limits());
    CHECK_EQ(grower.tests(root_of(data)).size(), 2);
}

TEST("cart: wide entries") {
    const Kernels kernels("auto");
    const Dataset data =
        random_problem(11, {.rows = 33000, .features = 2, .levels = 9, .classes = 3}).dataset();
    check_cart(root_of(data), Criterion::entropy, {3, kManyLeaves, 1, false}, kernels);
}
