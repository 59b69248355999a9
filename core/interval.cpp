#include "interval.hpp"

namespace treefront {

LeftWeights::LeftWeights(const Subset& state) {
    const auto weights = state.weights();
    if (weights.empty()) return;
    stride_ = std::size_t{state.n_rows()} + 1;
    sums_.reserve(stride_ * state.n_slots());
    for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
        double sum = 0;
        sums_.push_back(0);
        state.with_entries([&](auto id_type) {
            using Id = decltype(id_type);
            for (const Id entry : state.order<Id>(slot)) {
                sums_.push_back(sum += weights[entry & Entry<Id>::kMask]);
            }
        });
    }
}

void Interval::narrow(double bar, double row_cost, const LeftWeights& weights, Shortcuts use) {
    bar -= own;
    // What lies between is at least the left child of the lower end and the right of the upper;
    // and coming from either end it falls by row_cost per unit of weight at most.
    const double monotone = sum(below, above);
    const double at_below = sum(below, below), at_above = sum(above, above);
    const double similar = (at_below + at_above - row_cost * width()) / 2;
    if (use.monotone) least = std::max(least, monotone);
    if (use.similar) least = std::max(least, similar);
    if (least >= bar) first = last + 1;
    if (empty() || !use.similar) return;
    const double reach_up = below.left_weight + (at_below - bar) / row_cost;
    const double reach_down = above.left_weight - (at_above - bar) / row_cost;
    const std::uint32_t start = first, end = last + 1;
    first =
        first_without(start, end, [&](std::uint32_t at) { return weights(slot, at) <= reach_up; });
    last = first_without(start, end,
                         [&](std::uint32_t at) { return weights(slot, at) < reach_down; }) -
           1;
}

void bound_forced_ends(const Subset& state, std::uint32_t slot, ChildBounds& below,
                       ChildBounds& above) {
    below.right_leaf = state.forced_leaves({slot, 0}).right;
    above.left_leaf = state.forced_leaves({slot, state.n_rows()}).left;
}

std::pair<std::uint32_t, std::uint32_t> allowed_positions(const Subset& state,
                                                          const LeftWeights& weights,
                                                          std::uint32_t slot, LeastLeaf least) {
    const std::uint32_t n = state.n_rows();
    if (n < 2 * least.rows) return {1, 0};
    const std::uint32_t start = least.rows, end = n - least.rows + 1;
    if (!(least.weight > 0)) return {start, end - 1};
    const double most = state.weight() - least.weight; // on the left
    const std::uint32_t enough = first_without(
        start, end, [&](std::uint32_t at) { return weights(slot, at) < least.weight; });
    const std::uint32_t too_much =
        first_without(start, end, [&](std::uint32_t at) { return weights(slot, at) <= most; });
    if (too_much == start) return {1, 0};
    return {enough, too_much - 1};
}

std::uint32_t nearest_boundary(const Subset& state, std::uint32_t slot, std::uint32_t first,
                               std::uint32_t last, std::uint32_t wanted) {
    return state.with_entries([&](auto id_type) -> std::uint32_t {
        using Id = decltype(id_type);
        const auto entries = state.order<Id>(slot);
        const auto starts = [&](std::uint32_t i) { return entries[i] & Entry<Id>::kStart; };
        const std::int64_t low = first, high = last;
        for (std::int64_t up = wanted, down = wanted; up <= high || down >= low; ++up, --down) {
            if (up <= high && starts(static_cast<std::uint32_t>(up))) {
                return static_cast<std::uint32_t>(up);
            }
            if (down >= low && starts(static_cast<std::uint32_t>(down))) {
                return static_cast<std::uint32_t>(down);
            }
        }
        return 0;
    });
}

} // namespace treefront
