#include "exact_front.hpp"

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <queue>

namespace treefront {

namespace {

// A direction a E + b C in which a front is supported. With whole numbers every value is whole
// too, so that comparisons are exact.
struct Slope {
    double a, b;
    double target; // the least value of the front in hand

    double value(const Point& p) const { return a * p.errors + b * p.complexity; }
    double least(const Front& front) const {
        double best = std::numeric_limits<double>::infinity();
        for (const Vertex& v : front.vertices()) best = std::min(best, value(v));
        return best;
    }
};

// The edges of the front, and the horizontal below its last vertex.
std::vector<Slope> slopes_of(std::span<const Vertex> front) {
    std::vector<Slope> slopes;
    slopes.push_back({1, 0, front.back().errors});
    for (std::size_t i = 1; i < front.size(); ++i) {
        Slope slope{front[i].complexity - front[i - 1].complexity,
                    front[i - 1].errors - front[i].errors, 0};
        slope.target = slope.value(front[i]);
        slopes.push_back(slope);
    }
    return slopes;
}

// Fewest errors of a front with at most so many splits.
double errors_within(std::span<const Vertex> front, double size) {
    double best = front.front().errors;
    for (const Vertex& v : front) {
        if (v.complexity > size) break;
        best = v.errors;
    }
    return best;
}

FrontPtr nothing() {
    std::vector<Vertex> vertices(1);
    vertices[0].errors = 0;
    return std::make_shared<const Front>(std::move(vertices), true, nullptr);
}

} // namespace

// Bounds on the fronts of both children of a boundary.
struct ExactFront::Ends {
    FrontPtr left, right;
    double left_weight = 0;
    double left_leaf = 0, right_leaf = 0; // errors as leaves, where one side must be one
};

struct ExactFront::OpenInterval {
    std::uint32_t slot = 0, first = 1, last = 0; // positions [first, last]
    Ends below, above;
    std::uint64_t seen = 0; // version of the front it was last compared with
    double width = 0;

    bool empty() const { return first > last; }
};

struct ExactFront::Frontier {
    struct Narrower {
        bool operator()(const OpenInterval& x, const OpenInterval& y) const {
            return std::pair(x.width, std::pair(y.slot, y.first)) <
                   std::pair(y.width, std::pair(x.slot, x.first));
        }
    };

    FrontBuilder front;
    const LeftWeights weights;
    const Shortcuts use;
    Keep keep;
    std::vector<double> prices; // by slot
    std::vector<bool> forced;   // by slot: one side must be a leaf
    const double unit_loss;
    double child_price; // complexity that a unit of weight may add to a child; 0 for splits
    std::vector<Slope> slopes;
    std::uint64_t slopes_version = 0;
    std::priority_queue<OpenInterval, std::vector<OpenInterval>, Narrower> open; // widest first
    std::mutex mutex;
    std::condition_variable changed;
    int n_busy = 0;

    Frontier(const Subset& state, FrontBuilder start, Shortcuts shortcuts, Keep kept,
             double test_price, int levels)
        : front(std::move(start)), weights(state), use(shortcuts), keep(kept),
          unit_loss(state.data().unit_loss()), child_price(levels * state.data().highest_cost()) {
        for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
            prices.push_back(test_price * state.cost(slot));
            forced.push_back(state.forced(slot) != 0);
        }
    }

    // How much weight may change sides before a sum of a tree of `left` and one of `right` could
    // come below the front in hand; negative where one does already.
    double slack(std::uint32_t slot, const Ends& of_left, const Ends& of_right) {
        const Front &left = *of_left.left, &right = *of_right.right;
        if (keep == Keep::every_size) return size_slack(left, right);
        if (slopes_version != front.version()) {
            slopes = slopes_of(front.vertices());
            slopes_version = front.version();
        }
        double least = std::numeric_limits<double>::infinity();
        for (const Slope& s : slopes) {
            const double sides = forced[slot] ? std::min(s.a * of_left.left_leaf + s.least(right),
                                                         s.least(left) + s.a * of_right.right_leaf)
                                              : s.least(left) + s.least(right);
            const double over = sides + s.b * prices[slot] - s.target;
            least = std::min(least, over / (s.a * unit_loss + s.b * child_price));
        }
        return least;
    }
    double size_slack(const Front& left, const Front& right) const {
        const auto& known = front.vertices();
        const double most =
            std::max(known.back().complexity,
                     1 + left.vertices().back().complexity + right.vertices().back().complexity);
        double least = std::numeric_limits<double>::infinity();
        for (double size = 1; size <= most; ++size) {
            for (const Vertex& l : left.vertices()) {
                const double rest = size - 1 - l.complexity;
                if (rest < 0) break;
                const double over =
                    l.errors + errors_within(right.vertices(), rest) - errors_within(known, size);
                least = std::min(least, over / unit_loss);
            }
        }
        return least;
    }

    void narrow(OpenInterval& interval) {
        if (interval.seen == front.version()) return;
        interval.seen = front.version();
        interval.width =
            weights(interval.slot, interval.last) - weights(interval.slot, interval.first) + 1;
        if (use.monotone && slack(interval.slot, interval.below, interval.above) >= 0) {
            interval.first = interval.last + 1;
        }
        if (interval.empty() || !use.similar) return;
        const double reach_up =
            interval.below.left_weight + slack(interval.slot, interval.below, interval.below);
        const double reach_down =
            interval.above.left_weight - slack(interval.slot, interval.above, interval.above);
        while (!interval.empty() && weights(interval.slot, interval.first) <= reach_up) {
            const std::uint32_t rest = interval.last - interval.first;
            interval.first += std::max(1u, skip(interval, rest, reach_up));
        }
        while (!interval.empty() && weights(interval.slot, interval.last) >= reach_down) {
            --interval.last;
        }
        interval.width = interval.empty() ? 0
                                          : weights(interval.slot, interval.last) -
                                                weights(interval.slot, interval.first) + 1;
    }
    // Positions that may be passed over at once without passing reach_up.
    std::uint32_t skip(const OpenInterval& interval, std::uint32_t rest, double reach_up) const {
        std::uint32_t low = 0, high = rest;
        while (low < high) {
            const std::uint32_t middle = low + (high - low + 1) / 2;
            if (weights(interval.slot, interval.first + middle) <= reach_up)
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    }
    void push(OpenInterval interval) {
        interval.seen = 0;
        if (!interval.empty()) narrow(interval);
        if (!interval.empty()) open.push(std::move(interval));
    }
    // What is open costs at least the left child of its lower end and the right of its upper.
    double lower_bound(double alpha) {
        double lower = best_value(front.vertices(), alpha);
        while (const std::optional<OpenInterval> interval = pop()) {
            lower = std::min(lower, alpha * prices[interval->slot] +
                                        best_value(interval->below.left->vertices(), alpha) +
                                        best_value(interval->above.right->vertices(), alpha));
        }
        return lower;
    }
    std::optional<OpenInterval> pop() {
        while (!open.empty()) {
            OpenInterval interval = open.top();
            open.pop();
            narrow(interval);
            if (!interval.empty()) return interval;
        }
        return std::nullopt;
    }
};

ExactFront::ExactFront(const ExactSettings& settings, const Kernels& kernels, Limits& limits)
    : settings_(settings), limits_(limits), pool_(settings.n_threads, settings.max_depth),
      // With a minimum leaf size there are two searches, and one budget.
      memo_(settings.memo_bytes / (settings.objective.least().any() ? 2 : 1)) {
    Objective objective = settings.objective;
    objective.alpha.reset();
    for (int w = 0; w < pool_.n_threads(); ++w) {
        tails_.emplace_back(objective, kernels, settings.lane, limits);
    }
    if (objective.least().any()) {
        ExactSettings free = settings_;
        free.objective.min_samples_leaf = 1;
        free.objective.min_weight_leaf = 0;
        free.memo_bytes /= 2;
        free_ = std::make_unique<ExactFront>(free, kernels, limits);
    }
}

FrontPtr ExactFront::prove(const Subset& root, const FrontPtr& found) {
    FrontBuilder front({0, root.leaf_errors(), 1}, std::nullopt, settings_.objective.keep);
    front.add_front(*found);
    const auto& objective = settings_.objective;
    if (root.pure() || root.n_rows() < 2 * objective.min_samples_leaf || settings_.max_depth <= 2) {
        const FrontPtr all = solve(0, root, settings_.max_depth);
        front.add_front(*all);
        if (all->complete()) lower_ = best_value(front.vertices(), *objective.alpha);
        return front.finish(all->complete(), nullptr);
    }
    return branch(0, root, settings_.max_depth, std::move(front));
}

FrontPtr ExactFront::solve(int worker, const Subset& state, int remaining) {
    FrontBuilder front({0, state.leaf_errors(), 1}, std::nullopt, settings_.objective.keep);
    if (remaining == 0 || state.pure() ||
        state.n_rows() < 2 * settings_.objective.min_samples_leaf) {
        return front.finish(true, memo_.live_bytes());
    }
    const StateKey key{state.key(), static_cast<std::uint32_t>(remaining)};
    if (settings_.use.memo) {
        if (FrontPtr known = memo_.find(key)) return known;
    }
    FrontPtr result;
    if (remaining <= 2) {
        ++limits_.n_states;
        Tail& tail = tails_[static_cast<std::size_t>(worker)];
        bool complete = true;
        if (remaining == 2)
            complete = tail.all_pairs(state, front);
        else
            tail.stump(state, front);
        result = front.finish(complete, memo_.live_bytes());
    } else {
        result = branch(worker, state, remaining, std::move(front));
    }
    if (result->complete()) memo_.insert(key, result);
    return result;
}

FrontPtr ExactFront::branch(int worker, const Subset& state, int remaining, FrontBuilder start) {
    ++limits_.n_states;
    const auto& objective = settings_.objective;
    // A path may end here with a set of levels that is no cut of their orders.
    if (state.any_free_levels()) tails_[static_cast<std::size_t>(worker)].stump(state, start);
    Frontier frontier(state, std::move(start), settings_.use, objective.keep,
                      objective.price(state.weight()),
                      objective.complexity == Complexity::tests ? remaining - 1 : 0);
    const FrontPtr none = nothing();
    for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
        const auto [begin, end] =
            allowed_positions(state, frontier.weights, slot, objective.least());
        frontier.push({slot, begin, end, {none, none, 0}, {none, none, state.weight()}});
    }
    const bool is_root = remaining == settings_.max_depth;
    const std::size_t n_runners = is_root ? static_cast<std::size_t>(pool_.n_threads()) : 1;
    bool complete = true;
    pool_.for_each(worker, n_runners, [&](int thread, std::size_t) {
        std::unique_lock lock(frontier.mutex);
        for (;;) {
            std::optional<OpenInterval> next = frontier.pop();
            if (!next) {
                if (frontier.n_busy == 0) return;
                frontier.changed.wait(lock);
                continue;
            }
            if (limits_.stopped()) {
                complete = false;
                frontier.open.push(std::move(*next));
                return;
            }
            ++frontier.n_busy;
            lock.unlock();
            const std::uint32_t middle = next->first + (next->last - next->first) / 2;
            const std::uint32_t at =
                nearest_boundary(state, next->slot, next->first, next->last, middle);
            try {
                if (at != 0) evaluate(thread, state, remaining, frontier, std::move(*next), at);
            } catch (...) { // out of memory: the other threads must not wait for this one
                limits_.fail(std::current_exception());
            }
            lock.lock();
            --frontier.n_busy;
            frontier.changed.notify_all();
        }
    });
    if (is_root) lower_ = frontier.lower_bound(*objective.alpha);
    return frontier.front.finish(complete, is_root ? nullptr : memo_.live_bytes());
}

void ExactFront::evaluate(int worker, const Subset& state, int remaining, Frontier& frontier,
                          OpenInterval interval, std::uint32_t position) {
    const Test test{interval.slot, position};
    const double left_weight = frontier.weights(test.slot, position);
    Ends ends{interval.below.left, interval.above.right, left_weight};
    if (frontier.forced[test.slot]) {
        const Subset::LeafErrors leaves = state.forced_leaves(test);
        ends.left_leaf = leaves.left;
        ends.right_leaf = leaves.right;
    }
    if (!settings_.use.monotone) ends.left = ends.right = nothing();
    const double margin = settings_.use.margin ? std::min(left_weight - interval.below.left_weight,
                                                          interval.above.left_weight - left_weight)
                                               : 0;
    // Whether one side's front already closes the boundary and its neighbours up to the margin.
    const auto enough = [&] {
        const std::lock_guard lock(frontier.mutex);
        return frontier.slack(test.slot, ends, ends) >= margin;
    };
    const Subset::Halves halves = state.split(test);
    const bool left_first = 2 * position >= state.n_rows();
    ExactFront& bounding = free_ ? *free_ : *this;
    const auto solve_side = [&](ExactFront& search, bool left) {
        return search.solve(worker, left ? *halves.left : *halves.right, remaining - 1);
    };
    const auto bound_side = [&](bool left) {
        const FrontPtr found = solve_side(bounding, left);
        if (found->complete()) (left ? ends.left : ends.right) = found;
        return found;
    };
    FrontPtr first, second;
    if (!enough()) first = bound_side(left_first);
    if (first && !enough()) second = bound_side(!left_first);
    if (free_ && second && !enough()) {
        first = solve_side(*this, left_first);
        second = solve_side(*this, !left_first);
    } else if (free_) {
        first = second = nullptr;
    }

    const std::lock_guard lock(frontier.mutex);
    if (first && second) {
        const FrontPtr &left = left_first ? first : second, &right = left_first ? second : first;
        const double price = frontier.prices[test.slot];
        const std::uint32_t feature = state.feature(test.slot);
        const std::uint32_t cut = state.rank_at(test.slot, position - 1);
        if (frontier.forced[test.slot]) {
            frontier.front.add_sums_with_leaf(price, feature, cut, left, right, ends.left_leaf,
                                              ends.right_leaf);
        } else {
            frontier.front.add_sums(price, feature, cut, left, right);
        }
    }
    if (limits_.stopped()) { // what the children cost may not be known
        frontier.push(std::move(interval));
        return;
    }
    OpenInterval part = interval;
    part.last = position - 1;
    part.above = ends;
    frontier.push(part);
    part = interval;
    part.first = position + 1;
    part.below = ends;
    frontier.push(part);
}

} // namespace treefront
