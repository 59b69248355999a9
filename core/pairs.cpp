#include "pairs.hpp"

#include <cmath>
#include <limits>
#include <tuple>

namespace treefront {

Pairs::Pairs(const Objective& objective, const Kernels& kernels, std::optional<Lane> lane,
             Limits& limits, Shortcuts use)
    : objective_(objective), alpha_(*objective.alpha), child_stumps_(kernels, lane),
      limits_(limits), use_(use) {}

TwoLevels Pairs::best(const Subset& state, double cut) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    TwoLevels best;
    best.value = state.leaf_errors() < cut ? state.leaf_errors() : kNone;
    best.point = {0, state.leaf_errors(), 1};
    double bar = std::min(cut, state.leaf_errors());
    const std::uint32_t least = objective_.min_samples_leaf, n = state.n_rows();
    const double test_price = alpha_ * objective_.price(state.weight());
    best.lower = bar;
    if (state.pure() || state.n_slots() == 0 || n < 2 * least ||
        test_price * state.lowest_cost() >= bar) {
        return best;
    }

    row_cost_ = objective_.row_cost(1, state.data());
    const LeftWeights weights(state);
    open_.clear();
    for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
        Interval all;
        all.slot = slot;
        all.forced = state.forced(slot) != 0;
        all.own = test_price * state.cost(slot);
        std::tie(all.first, all.last) = allowed_positions(state, weights, slot, objective_.least());
        all.above.left_weight = state.weight();
        open_.push_back(all);
    }
    choose_first_points(state);
    evaluate(state, weights, best, bar);
    if (use_.undivided) {
        for (Interval& interval : open_) {
            interval.below.right = interval.above.left = undivided_;
            if (!interval.forced) continue;
            bound_forced_ends(state, interval.slot, interval.below, interval.above);
        }
    }
    split_intervals();
    for (;;) {
        next_.clear();
        for (Interval& interval : open_) {
            interval.narrow(bar, row_cost_, weights, use_);
            if (!interval.empty()) next_.push_back(interval);
        }
        open_.swap(next_);
        if (open_.empty()) break;
        if (limits_.stopped()) {
            best.lower = bar;
            for (const Interval& interval : open_) {
                best.lower = std::min(best.lower, interval.own + interval.least);
            }
            return best;
        }
        choose_points(state, bar);
        if (!points_.empty()) evaluate(state, weights, best, bar);
        split_intervals();
    }
    best.lower = bar;
    return best;
}

void Pairs::choose_first_points(const Subset& state) {
    points_.clear();
    const std::size_t n_slots = open_.size();
    const auto each = static_cast<std::uint32_t>(std::max<std::size_t>(1, (kBatch - 1) / n_slots));
    for (std::size_t k = 0; k < n_slots && points_.size() + each < kBatch; ++k) {
        add_points(state, k, each);
    }
}

// Slot by slot, since a batch of few slots is cheap to set up. An interval whose ends lie far
// above the bar is likely to close with few points, one whose ends are near it needs many.
void Pairs::choose_points(const Subset& state, double bar) {
    points_.clear();
    for (std::size_t k = 0; k < open_.size() && points_.size() < kBatch; ++k) {
        const Interval& interval = open_[k];
        const double slack = (interval.sum(interval.below, interval.below) + interval.own - bar) +
                             (interval.sum(interval.above, interval.above) + interval.own - bar) +
                             row_cost_;
        const double wanted =
            std::ceil(interval.width() * row_cost_ / std::max(slack, row_cost_ * 8));
        const auto room = static_cast<double>(kBatch - points_.size());
        add_points(state, k, static_cast<std::uint32_t>(std::clamp(wanted, 1.0, room)));
    }
}

// Evenly spaced over the interval, as far as it has boundaries.
void Pairs::add_points(const Subset& state, std::size_t k, std::uint32_t count) {
    Interval& interval = open_[k];
    const std::uint32_t span = interval.last - interval.first + 1;
    count = std::min(count, span);
    std::uint32_t from = interval.first;
    for (std::uint32_t j = 0; j < count && from <= interval.last; ++j) {
        const auto target = static_cast<std::uint32_t>(
            interval.first + (2 * std::uint64_t{j} + 1) * span / (2 * std::uint64_t{count}));
        const std::uint32_t at =
            nearest_boundary(state, interval.slot, from, interval.last, std::max(target, from));
        if (at == 0) {
            interval.last = from - 1; // no boundary is left from there on
            break;
        }
        points_.push_back({k, at});
        from = at + 1;
    }
}

void Pairs::evaluate(const Subset& state, const LeftWeights& weights, TwoLevels& best,
                     double& bar) {
    tests_.clear();
    for (const Chosen& point : points_) {
        tests_.push_back({open_[point.interval].slot, point.position});
    }
    // One lane more, where there is room: no row goes left, so its right child is the state.
    const bool with_whole = points_.size() < kBatch;
    const auto found = child_stumps_.best(state, tests_, objective_.least(), with_whole);
    // A minimum leaf size can make more rows better, by allowing a test: bounds do without it.
    const auto free =
        objective_.least().any() ? child_stumps_.best(state, tests_, {}, with_whole) : found;

    const double weight = state.weight();
    const bool once = state.data().once();
    struct Side {
        double complexity, errors, value;
        std::uint32_t vertex;
    };
    // The best way to go on with one side of a test of a group, all others being paid for.
    const auto side = [&](const std::vector<BatchOutput>& outputs, std::size_t b, bool is_left,
                          double side_weight, std::uint32_t tested) -> Side {
        const double leaf = is_left ? outputs[0].left_leaf[b] : outputs[0].right_leaf[b];
        Side way{0, leaf, leaf, 0};
        for (std::size_t g = 0; g < outputs.size(); ++g) {
            const Subset::PriceGroup& group = state.price_groups()[g];
            const double errors = is_left ? outputs[g].left[b] : outputs[g].right[b];
            const double price =
                once && group.group == tested ? 0 : objective_.price(side_weight) * group.cost;
            const double value = errors + alpha_ * price;
            if (value < way.value) way = {price, errors, value, group.group + 1};
        }
        return way;
    };
    if (with_whole) {
        // Of any group, since it may be the one that the test buys.
        const std::size_t b = points_.size();
        undivided_ = std::numeric_limits<double>::infinity();
        for (const Subset::PriceGroup& group : state.price_groups()) {
            undivided_ = std::min(undivided_, side(free, b, false, weight, group.group).value);
        }
    }
    bounds_.clear();
    for (std::size_t b = 0; b < points_.size(); ++b) {
        const Interval& interval = open_[points_[b].interval];
        const Test test{interval.slot, points_[b].position};
        const std::uint32_t tested = state.data().group(state.feature(test.slot));
        const double left_weight = weights(test.slot, test.position);
        const double right_weight = weight - left_weight;
        Side left = side(found, b, true, left_weight, tested);
        Side right = side(found, b, false, right_weight, tested);
        ChildBounds bounds{side(free, b, true, left_weight, tested).value,
                           side(free, b, false, right_weight, tested).value, left_weight};
        if (interval.forced) {
            const Subset::LeafErrors leaves = state.forced_leaves(test);
            bounds.left_leaf = leaves.left;
            bounds.right_leaf = leaves.right;
            if (leaves.left + right.value < left.value + leaves.right) {
                left = {0, leaves.left, leaves.left, 0};
            } else {
                right = {0, leaves.right, leaves.right, 0};
            }
        }
        bounds_.push_back(bounds);
        const double value = interval.own + left.value + right.value;
        if (value >= bar) continue;
        bar = value;
        best = {
            0,
            value,
            {objective_.price(weight) * state.cost(test.slot) + left.complexity + right.complexity,
             left.errors + right.errors, 2u + (left.vertex > 0) + (right.vertex > 0)},
            test,
            left.vertex,
            right.vertex};
    }
}

void Pairs::split_intervals() {
    next_.clear();
    std::size_t b = 0;
    for (std::size_t k = 0; k < open_.size(); ++k) {
        Interval rest = open_[k];
        for (; b < points_.size() && points_[b].interval == k; ++b) {
            Interval part = rest;
            part.last = points_[b].position - 1;
            part.above = bounds_[b];
            if (!part.empty()) next_.push_back(part);
            rest.first = points_[b].position + 1;
            rest.below = bounds_[b];
        }
        if (!rest.empty()) next_.push_back(rest);
    }
    open_.swap(next_);
}

} // namespace treefront
