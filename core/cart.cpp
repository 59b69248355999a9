#include "cart.hpp"

#include <algorithm>
#include <queue>
#include <type_traits>

namespace treefront {

// Rows [begin, end) of every slot's order are this node's, sorted by that slot's feature.
struct CartGrower::Node {
    std::uint32_t begin = 0, end = 0;
    int depth = 0;
    std::vector<double> sums;
    std::vector<std::uint32_t> slots; // those with two different values here, or not known better
    bool divisible = false;
    double gain = 0;                      // decrease of the weighted impurity by the best split
    std::uint32_t slot = 0, position = 0; // the best split
    std::vector<Test> tied;               // others that score the same, where they are wanted
    // Of numbers that its leaves predict, as scikit-learn bounds them. Shares of two classes are
    // not bounded: the search only asks for classes in order, and tests that keep shares apart are
    // few.
    ValueBounds bounds;
    ValueBounds left_bounds, right_bounds; // of the best split's sides

    std::uint32_t size() const { return end - begin; }
};

CartGrower::CartGrower(Criterion criterion, CartLimits size, int n_classes,
                       const EntropyTable* table, const Kernels& kernels, Limits& limits)
    : size_(size), limits_(limits), scanner_(criterion, size.least, n_classes, table, kernels),
      partition_(kernels.table().partition) {}

namespace {

// Larger copies of a state's sorted rows are not kept from state to state.
constexpr std::size_t kKeptEntries = std::size_t{1} << 21;

} // namespace

std::vector<Test> CartGrower::tests(const Subset& state) {
    std::vector<Test> tests =
        state.with_entries([&](auto id) { return grow<decltype(id)>(state); });
    if (narrow_orders_.size() > kKeptEntries) std::vector<std::uint16_t>().swap(narrow_orders_);
    if (wide_orders_.size() > kKeptEntries) std::vector<std::uint32_t>().swap(wide_orders_);
    return tests;
}

template <class Id>
std::vector<Id>& CartGrower::orders() {
    if constexpr (sizeof(Id) == 2)
        return narrow_orders_;
    else
        return wide_orders_;
}

template <class Id>
std::vector<Test> CartGrower::grow(const Subset& state) {
    const std::uint32_t n = state.n_rows();
    auto& orders = this->orders<Id>();
    orders.resize(std::max(orders.size(), std::size_t{n} * state.n_slots() + kPartitionSlack));
    for (std::uint32_t s = 0; s < state.n_slots(); ++s) {
        const auto order = state.order<Id>(s);
        std::copy(order.begin(), order.end(), orders.begin() + std::ptrdiff_t{n} * s);
    }

    Node root;
    root.end = n;
    root.sums.assign(state.sums().begin(), state.sums().end());
    root.bounds = state.bounds();
    root.slots.resize(state.n_slots());
    for (std::uint32_t s = 0; s < state.n_slots(); ++s) root.slots[s] = s;
    find_split<Id>(state, root);

    // Best first, and in order of creation among equals; without a limit on the leaves the order
    // does not change the tree.
    std::vector<Node> nodes;
    const auto later = [&nodes](std::size_t a, std::size_t b) {
        return nodes[a].gain != nodes[b].gain ? nodes[a].gain < nodes[b].gain : a > b;
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> open(later);
    nodes.push_back(std::move(root));
    if (nodes[0].divisible) open.push(0);

    std::vector<Test> tests, tied;
    while (!open.empty() && tests.size() + 1 < size_.max_leaves && !limits_.stopped()) {
        const std::size_t at = open.top();
        open.pop();
        const Node& node = nodes[at];
        tests.push_back(as_test_of_state<Id>(state, node, {node.slot, node.position}));
        for (Test split : node.tied) tied.push_back(as_test_of_state<Id>(state, node, split));
        if (node.depth + 1 < size_.max_depth && tests.size() + 1 < size_.max_leaves) {
            Node left, right;
            split<Id>(state, nodes[at], left, right);
            for (Node* child : {&left, &right}) {
                find_split<Id>(state, *child);
                if (!child->divisible) continue;
                nodes.push_back(std::move(*child));
                open.push(nodes.size() - 1);
            }
        }
    }
    tests.insert(tests.end(), tied.begin(), tied.end());
    return tests;
}

// The midpoint may separate values that the state has and the node has not.
template <class Id>
Test CartGrower::as_test_of_state(const Subset& state, const Node& node, Test split) {
    const Dataset& data = state.data();
    const std::uint32_t feature = state.feature(split.slot);
    const Id* order = orders<Id>().data() + std::size_t{state.n_rows()} * split.slot + node.begin;
    const auto rank = [&](std::uint32_t i) {
        return data.rank(feature, state.rows()[order[i] & Entry<Id>::kMask]);
    };
    const std::uint32_t cut =
        data.cut_between(feature, rank(split.position - 1), rank(split.position));
    return {split.slot, state.count_up_to(split.slot, cut)};
}

bool CartGrower::worth_dividing(const Subset& state, const Node& node) const {
    const auto& w = node.sums;
    if (state.data().loss() == Loss::absolute) { // find_split sees whether there is any loss
        return node.size() >= 2 * size_.least.rows;
    }
    if (state.data().by_moments()) {
        return node.size() >= 2 * size_.least.rows && Sums(state).loss(w.data()) > 0;
    }
    return node.size() >= 2 * size_.least.rows &&
           std::count_if(w.begin(), w.end(), [](double x) { return x > 0; }) > 1;
}

template <class Id>
void CartGrower::find_split(const Subset& state, Node& node) {
    if (!worth_dividing(state, node)) return;
    const NodeRows rows{state, node.sums, node.bounds};
    const auto& orders = this->orders<Id>();
    const auto entries_of = [&](std::uint32_t slot) {
        return std::span<const Id>(orders.data() + std::size_t{state.n_rows()} * slot + node.begin,
                                   node.size());
    };
    if (node.slots.empty()) return;
    scanner_.enter(entries_of(node.slots[0]), rows);
    if (state.data().loss() == Loss::absolute && scanner_.own_score(rows, node.size()) == 0) return;
    double best = 0;
    for (std::uint32_t slot : node.slots) {
        if (limits_.stopped()) break;
        const ScoredBoundaries boundaries = scanner_.scan(entries_of(slot), rows, slot, true);
        if (boundaries.positions.empty()) continue;
        const std::size_t k = scanner_.best(boundaries);
        if (node.divisible && boundaries.scores[k] <= best) continue;
        node.divisible = true;
        best = boundaries.scores[k];
        node.slot = slot;
        node.position = boundaries.positions[k];
    }
    if (node.divisible && size_.ties) find_ties<Id>(state, rows, best, node);
    if (!node.divisible) return;
    node.gain = best - scanner_.own_score(rows, node.size());
    node.left_bounds = node.right_bounds = node.bounds;
    const int sign = state.signs()[node.slot];
    if (sign == 0 || !state.keeps_bounds()) return;
    const auto [left, right] = scanner_.values(entries_of(node.slot), rows, node.position);
    const double middle = left / 2 + right / 2;
    (sign > 0 ? node.left_bounds.high : node.left_bounds.low) = middle;
    (sign > 0 ? node.right_bounds.low : node.right_bounds.high) = middle;
}

// Scores that are equal but for rounding, of which another CART may see another part.
template <class Id>
void CartGrower::find_ties(const Subset& state, const NodeRows& rows, double best, Node& node) {
    const double least = best - scanner_.rounding(rows, best);
    for (std::uint32_t slot : node.slots) {
        const std::span<const Id> entries(
            orders<Id>().data() + std::size_t{state.n_rows()} * slot + node.begin, node.size());
        const ScoredBoundaries boundaries = scanner_.scan(entries, rows, slot);
        for (std::size_t k = 0; k < boundaries.positions.size(); ++k) {
            const Test split{slot, boundaries.positions[k]};
            if (boundaries.scores[k] >= least && split != Test{node.slot, node.position}) {
                node.tied.push_back(split);
            }
        }
    }
}

template <class Id>
void CartGrower::split(const Subset& state, Node& node, Node& left, Node& right) {
    const std::size_t n = state.n_rows();
    auto& orders = this->orders<Id>();
    places_.resize(std::max(places_.size(), n));
    left.begin = node.begin;
    left.end = right.begin = node.begin + node.position;
    right.end = node.end;
    left.depth = right.depth = node.depth + 1;
    left.bounds = node.left_bounds;
    right.bounds = node.right_bounds;
    const Sums sums(state);
    left.sums.assign(sums.size(), 0.0);
    right.sums.assign(sums.size(), 0.0);
    const Id* key = orders.data() + n * node.slot;
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
        const std::uint32_t id = key[i] & Entry<Id>::kMask;
        const bool is_left = i < left.end;
        places_[id] = is_left ? Place::left(id) : Place::right(id);
        sums.add((is_left ? left : right).sums.data(), id);
    }
    // Counts decide whether a child can be divided; what cannot be needs no sorted rows.
    if (!worth_dividing(state, left) && !worth_dividing(state, right)) return;
    auto& spare = [&]() -> std::vector<Id>& {
        if constexpr (sizeof(Id) == 2)
            return narrow_spare_;
        else
            return wide_spare_;
    }();
    spare.resize(std::max(spare.size(), n + kPartitionSlack));
    constexpr bool narrow = sizeof(Id) == 2;
    for (std::uint32_t slot : node.slots) {
        // The left side stays in place, the right side waits in spare.
        Id* order = orders.data() + n * slot + node.begin;
        const PartitionRuns runs = partition_(
            {order, node.size(), narrow, places_.data(), order, narrow, spare.data(), narrow});
        std::copy_n(spare.begin(), right.size(), order + left.size());
        if (runs.left > 1) left.slots.push_back(slot);
        if (runs.right > 1) right.slots.push_back(slot);
    }
}

} // namespace treefront
