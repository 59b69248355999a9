#include "exact.hpp"

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <queue>
#include <tuple>

namespace treefront {

namespace {

// A memo entry with its tree, about.
constexpr std::int64_t kProofBytes = 512;

constexpr double kNone = std::numeric_limits<double>::infinity();

FrontPtr single_tree(const Point& point, Origin origin) {
    std::vector<Vertex> vertices;
    vertices.push_back({point, std::move(origin)});
    return std::make_shared<const Front>(std::move(vertices), true, nullptr);
}

} // namespace

// Intervals by their lower bound, the smallest first: its bound is that of the whole state.
struct Exact::Frontier {
    struct Later {
        bool operator()(const Interval& a, const Interval& b) const {
            return std::pair(a.own + a.least, std::pair(a.slot, a.first)) >
                   std::pair(b.own + b.least, std::pair(b.slot, b.first));
        }
    };

    const LeftWeights weights;
    const Shortcuts use;
    double row_cost = 1; // of a child
    double bar = 0;      // what a tree must come below
    FrontPtr tree;
    double value = kNone;
    std::priority_queue<Interval, std::vector<Interval>, Later> open;
    std::mutex mutex;
    std::condition_variable changed;
    int n_busy = 0;           // threads that may still push
    std::vector<double> busy; // by thread: the bound of the interval it works on

    Frontier(const Subset& state, Shortcuts shortcuts) : weights(state), use(shortcuts) {}

    void push(Interval interval) {
        interval.narrow(bar, row_cost, weights, use);
        if (!interval.empty()) open.push(interval);
    }
    // The next interval that is still open.
    std::optional<Interval> pop() {
        while (!open.empty()) {
            Interval interval = open.top();
            open.pop();
            interval.narrow(bar, row_cost, weights, use);
            if (!interval.empty()) return interval;
        }
        return std::nullopt;
    }
};

Exact::Exact(const ExactSettings& settings, const Kernels& kernels, Limits& limits)
    : settings_(settings), alpha_(*settings.objective.alpha), limits_(limits),
      pool_(settings.n_threads, settings.max_depth) {
    for (int w = 0; w < pool_.n_threads(); ++w) {
        tails_.emplace_back(settings_.objective, kernels, settings_.lane, limits_);
        pairs_.emplace_back(settings_.objective, kernels, settings_.lane, limits_, settings_.use);
    }
    memo_states_ =
        static_cast<std::size_t>(std::max<std::int64_t>(settings.memo_bytes / kProofBytes, 1));
    if (settings_.objective.least().any()) {
        ExactSettings free = settings_;
        free.objective.min_samples_leaf = 1;
        free.objective.min_weight_leaf = 0;
        // Two searches, one budget.
        memo_states_ = (memo_states_ + 1) / 2;
        free.memo_bytes /= 2;
        free_ = std::make_unique<Exact>(free, kernels, limits);
    }
}

Proof Exact::prove(const Subset& root, double cut) {
    return solve(0, root, settings_.max_depth, cut);
}

Proof Exact::solve(int worker, const Subset& state, int remaining, double cut) {
    const double leaf = state.leaf_errors();
    const FrontPtr as_leaf = leaf < cut ? single_tree({0, leaf, 1}, {}) : nullptr;
    const double price = alpha_ * settings_.objective.price(state.weight()) * state.lowest_cost();
    const bool divisible = remaining > 0 && !state.pure() &&
                           state.n_rows() >= 2 * settings_.objective.min_samples_leaf;
    if (!divisible || price >= std::min(leaf, cut)) {
        // Nothing but a leaf can come below the cut.
        const double lower = divisible ? std::min(leaf, price) : leaf;
        return {as_leaf ? leaf : std::min(leaf, std::max(lower, cut)), as_leaf ? leaf : kNone,
                as_leaf};
    }
    if (remaining == 1) return stump(worker, state, cut);
    if (!state.any_free_levels()) return divide(worker, state, remaining, cut);
    // A path may end here with a set of levels that is no cut of their orders.
    const Proof single = stump(worker, state, cut);
    Proof proof = divide(worker, state, remaining, std::min(cut, single.value));
    if (proof.tree || !single.tree) return proof;
    proof.tree = single.tree;
    proof.value = single.value;
    proof.lower = std::min(proof.lower, single.value);
    return proof;
}

Proof Exact::divide(int worker, const Subset& state, int remaining, double cut) {
    if (remaining == 2) return two_levels(worker, state, cut);
    const StateKey key{state.key(), static_cast<std::uint32_t>(remaining)};
    if (settings_.use.memo) {
        const std::lock_guard lock(memo_mutex_);
        const auto known = memo_.find(key);
        if (known != memo_.end()) {
            const Proof& proof = known->second;
            if (proof.lower >= cut || proof.value == proof.lower) return proof;
        }
    }
    Proof proof = branch(worker, state, remaining, cut);
    if (!limits_.stopped()) {
        const std::lock_guard lock(memo_mutex_);
        // A full memo starts anew: forgetting costs time, never a result.
        if (memo_.size() >= memo_states_) memo_.clear();
        memo_[key] = proof;
    }
    return proof;
}

Proof Exact::two_levels(int worker, const Subset& state, double cut) {
    ++limits_.n_states;
    const TwoLevels found = pairs_[static_cast<std::size_t>(worker)].best(state, cut);
    if (found.value == kNone) return {found.lower, kNone, nullptr};
    Origin origin;
    if (found.test) {
        origin.feature = state.feature(found.test->slot);
        origin.cut = state.rank_at(found.test->slot, found.test->position - 1);
        origin.left = found.left;
        origin.right = found.right;
    }
    return {found.lower, found.value, single_tree(found.point, std::move(origin))};
}

Proof Exact::stump(int worker, const Subset& state, double cut) {
    FrontBuilder front({0, state.leaf_errors(), 1}, alpha_);
    tails_[static_cast<std::size_t>(worker)].stump(state, front);
    const Vertex& best = front.vertices().front();
    const double value = best.errors + alpha_ * best.complexity;
    if (value >= cut) return {value, kNone, nullptr};
    return {value, value, single_tree(best, best.origin)};
}

Proof Exact::branch(int worker, const Subset& state, int remaining, double cut) {
    ++limits_.n_states;
    const auto& objective = settings_.objective;
    Frontier frontier(state, settings_.use);
    frontier.busy.assign(static_cast<std::size_t>(pool_.n_threads()), kNone);
    frontier.row_cost = objective.row_cost(remaining - 1, state.data());
    frontier.bar = std::min(cut, state.leaf_errors());
    if (state.leaf_errors() < cut) {
        frontier.value = state.leaf_errors();
        frontier.tree = single_tree({0, state.leaf_errors(), 1}, {});
    }
    for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
        Interval all;
        all.slot = slot;
        all.forced = state.forced(slot) != 0;
        all.own = alpha_ * objective.price(state.weight()) * state.cost(slot);
        std::tie(all.first, all.last) =
            allowed_positions(state, frontier.weights, slot, objective.least());
        all.above.left_weight = state.weight();
        frontier.push(all);
    }
    // At the root every thread takes the next interval; below, threads are busy with other states.
    const bool is_root = remaining == settings_.max_depth;
    const std::size_t n_runners = is_root ? static_cast<std::size_t>(pool_.n_threads()) : 1;
    pool_.for_each(worker, n_runners, [&](int thread, std::size_t) {
        std::unique_lock lock(frontier.mutex);
        for (;;) {
            const std::optional<Interval> next = frontier.pop();
            if (is_root) {
                limits_.value = frontier.bar;
                double bound =
                    next ? std::min(frontier.bar, next->own + next->least) : frontier.bar;
                for (double other : frontier.busy) bound = std::min(bound, other);
                limits_.bound = bound;
            }
            if (!next) {
                if (frontier.n_busy == 0) return;
                frontier.changed.wait(lock);
                continue;
            }
            if (limits_.stopped()) {
                frontier.open.push(*next);
                return;
            }
            ++frontier.n_busy;
            frontier.busy[static_cast<std::size_t>(thread)] = next->own + next->least;
            lock.unlock();
            const std::uint32_t middle = next->first + (next->last - next->first) / 2;
            const std::uint32_t at =
                nearest_boundary(state, next->slot, next->first, next->last, middle);
            try {
                if (at != 0) evaluate(thread, state, remaining, frontier, *next, at);
            } catch (...) { // out of memory: the other threads must not wait for this one
                limits_.fail(std::current_exception());
            }
            lock.lock();
            --frontier.n_busy;
            frontier.busy[static_cast<std::size_t>(thread)] = kNone;
            frontier.changed.notify_all();
        }
    });
    const std::optional<Interval> still_open = frontier.pop();
    Proof proof;
    proof.value = frontier.value;
    proof.tree = frontier.tree;
    proof.lower = frontier.bar;
    if (still_open) proof.lower = std::min(proof.lower, still_open->own + still_open->least);
    return proof;
}

void Exact::evaluate(int worker, const Subset& state, int remaining, Frontier& frontier,
                     const Interval& interval, std::uint32_t position) {
    const Test test{interval.slot, position};
    const double left_weight = frontier.weights(test.slot, position);
    const double row_cost = frontier.row_cost;
    const double from_below = row_cost * (left_weight - interval.below.left_weight);
    const double from_above = row_cost * (interval.above.left_weight - left_weight);
    double bar;
    {
        const std::lock_guard lock(frontier.mutex);
        bar = frontier.bar;
    }
    // Values a little above the bar are worth knowing: they close the neighbours too.
    const Shortcuts use = settings_.use;
    const double margin = use.margin ? std::min(from_below, from_above) : 0;
    const double target = bar - interval.own + margin;
    ChildBounds bounds{0, 0, left_weight};
    if (use.monotone) {
        bounds.left = interval.below.left;
        bounds.right = interval.above.right;
    }
    if (use.similar) {
        bounds.left = std::max(bounds.left, interval.above.left - from_above);
        bounds.right = std::max(bounds.right, interval.below.right - from_below);
    }
    const Subset::Halves halves = state.split(test);
    Proof left, right;
    left.value = right.value = kNone;
    if (interval.forced) {
        const Subset::LeafErrors leaves = state.forced_leaves(test);
        bounds.left_leaf = leaves.left;
        bounds.right_leaf = leaves.right;
    }
    const auto sum = [&] { return interval.sum(bounds, bounds); };
    // A side is asked for values that matter beside the least the other one costs.
    const auto solve_side = [&](Exact& search, bool is_left) {
        Proof& side = is_left ? left : right;
        double& bound = is_left ? bounds.left : bounds.right;
        const double other = interval.forced ? (is_left ? bounds.right_leaf : bounds.left_leaf)
                                             : (is_left ? bounds.right : bounds.left);
        if (sum() >= target) return;
        side = search.solve(worker, is_left ? *halves.left : *halves.right, remaining - 1,
                            target - other);
        bound = std::max(bound, side.lower);
    };
    const bool left_first = 2 * position >= state.n_rows();
    solve_side(free_ ? *free_ : *this, left_first);
    solve_side(free_ ? *free_ : *this, !left_first);
    const bool free_closed = free_ && sum() >= target;
    if (free_ && !free_closed) {
        // The bounds stay those of free tests; the trees must keep to the minimum.
        left = solve(worker, *halves.left, remaining - 1,
                     target - (interval.forced ? bounds.right_leaf : bounds.right));
        right = solve(worker, *halves.right, remaining - 1,
                      target - (interval.forced ? bounds.left_leaf : left.lower));
    }
    if (interval.forced) {
        const auto as_leaf = [](double errors) -> Proof {
            return {errors, errors, single_tree({0, errors, 1}, {})};
        };
        if (bounds.left_leaf + right.value < left.value + bounds.right_leaf) {
            left = as_leaf(bounds.left_leaf);
        } else {
            right = as_leaf(bounds.right_leaf);
        }
    }

    const std::lock_guard lock(frontier.mutex);
    const double value = interval.own + left.value + right.value;
    if (!free_closed && left.tree && right.tree && value < frontier.bar) {
        Origin origin;
        origin.feature = state.feature(test.slot);
        origin.cut = state.rank_at(test.slot, position - 1);
        origin.left_front = left.tree;
        origin.right_front = right.tree;
        const Vertex &l = (*left.tree)[0], &r = (*right.tree)[0];
        frontier.tree =
            single_tree({settings_.objective.price(state.weight()) * state.cost(test.slot) +
                             l.complexity + r.complexity,
                         l.errors + r.errors, l.leaves + r.leaves},
                        std::move(origin));
        frontier.value = frontier.bar = value;
    }
    Interval part = interval;
    part.last = position - 1;
    part.above = bounds;
    frontier.push(part);
    part = interval;
    part.first = position + 1;
    part.below = bounds;
    frontier.push(part);
    if (limits_.stopped() && sum() < left.value + right.value) {
        // A limit ended it before its value was known: it stays open, for the bound's sake.
        part.first = part.last = position;
        part.above = bounds;
        frontier.push(part);
    }
}

} // namespace treefront
