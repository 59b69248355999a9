#include "tail.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace treefront {

Tail::Tail(const Objective& objective, const Kernels& kernels, std::optional<Lane> lane,
           Limits& limits)
    : objective_(objective), limits_(limits), single_(objective.least()),
      child_stumps_(kernels, lane) {}

Origin Tail::origin_of(const Subset& state, const Candidate& candidate) const {
    Origin origin;
    origin.feature = state.feature(candidate.slot);
    origin.cut = candidate.boundary.position == Boundary::kBestSet
                     ? Origin::kBestSet
                     : state.rank_at(candidate.slot, candidate.boundary.position - 1);
    return origin;
}

void Tail::add_single(const Subset& state, const Candidate& candidate, FrontBuilder& front) const {
    const Boundary& at = candidate.boundary;
    const Origin origin = origin_of(state, candidate);
    front.add({objective_.price(state.weight()) * state.cost(candidate.slot),
               at.left_errors + at.right_errors, 2},
              origin.feature, origin.cut);
}

void Tail::stump(const Subset& state, FrontBuilder& front) {
    single_.scan(state);
    for (const SingleTests::Best& best : single_.by_price()) {
        if (best.any) add_single(state, best.candidate, front);
    }
}

Origin Tail::last_test(const Subset& state, std::uint32_t group) {
    single_.scan(state);
    const auto groups = state.price_groups();
    std::size_t k = 0;
    while (k < groups.size() && groups[k].group != group) ++k;
    if (k == groups.size() || !single_.by_price()[k].any) {
        throw std::logic_error("no test of the price group that a tree names");
    }
    return origin_of(state, single_.by_price()[k].candidate);
}

std::vector<Candidate> Tail::describe_all(const Subset& state, std::span<const Test> tests) {
    std::vector<Test> sorted(tests.begin(), tests.end());
    std::sort(sorted.begin(), sorted.end());
    std::vector<Candidate> candidates;
    for (Test test : sorted) candidates.push_back(single_.describe(state, test));
    return candidates;
}

void Tail::best_of(const Subset& state, std::span<const Test> tests, FrontBuilder& front) {
    for (const Candidate& candidate : describe_all(state, tests)) {
        add_single(state, candidate, front);
    }
}

std::vector<BatchOutput> Tail::best_stumps(const Subset& state, std::span<const Candidate> batch,
                                           LeastLeaf least) {
    tests_.clear();
    for (const Candidate& candidate : batch) {
        tests_.push_back({candidate.slot, candidate.boundary.position});
    }
    return child_stumps_.best(state, tests_, least);
}

namespace {

// The least errors of a single test, whatever it costs.
double least_errors(const std::vector<BatchOutput>& best, std::size_t b, bool left) {
    double least = left ? best[0].left[b] : best[0].right[b];
    for (const BatchOutput& output : best) {
        least = std::min(least, left ? output.left[b] : output.right[b]);
    }
    return least;
}

} // namespace

void Tail::options(const Subset& state, std::uint32_t slot, double weight, double leaf_errors,
                   const std::vector<BatchOutput>& best, std::size_t b, bool left,
                   std::vector<Option>& result) const {
    result.assign(1, {0, leaf_errors, 0});
    const std::uint32_t tested = state.data().group(state.feature(slot));
    for (std::size_t g = 0; g < best.size(); ++g) {
        const Subset::PriceGroup& group = state.price_groups()[g];
        // The test at hand buys its group for both sides.
        const bool is_free = state.data().once() && group.group == tested;
        const Option option{is_free ? 0 : objective_.price(weight) * group.cost,
                            left ? best[g].left[b] : best[g].right[b], group.group + 1};
        // Of groups that cost the same one is enough.
        const auto same = std::find_if(result.begin() + 1, result.end(),
                                       [&](const Option& o) { return o.price == option.price; });
        if (same == result.end())
            result.push_back(option);
        else if (option.errors < same->errors)
            *same = option;
    }
}

// From the losses of the best single tests of both sides.
Tail::Outlook Tail::outlook(const Subset& state, const Candidate& candidate, double left,
                            double right) const {
    const Boundary& at = candidate.boundary;
    const double weight = state.weight(), left_weight = candidate.left_weight;
    const double right_weight = weight - left_weight;
    const double lowest =
        state.data().once() ? 0 : state.lowest_cost(); // the test may buy what its sides use
    const double price = objective_.price(weight) * state.cost(candidate.slot);
    const double left_price = objective_.price(left_weight) * lowest;
    const double right_price = objective_.price(right_weight) * lowest;
    // Where one side must be a leaf, no tree has tests on both.
    const double both =
        state.forced(candidate.slot) ? std::numeric_limits<double>::infinity() : left + right;
    return {{candidate.slot, at.position},
            {Point{price, at.left_errors + at.right_errors, 2},
             Point{price + left_price, left + at.right_errors, 3},
             Point{price + right_price, at.left_errors + right, 3},
             Point{price + left_price + right_price, both, 4}},
            at.left_errors,
            at.right_errors};
}

std::vector<Tail::Outlook> Tail::outlooks(const Subset& state, std::span<const Test> tests) {
    const std::vector<Candidate> candidates = describe_all(state, tests);
    // A pass takes one test as long as 32: the sides of a single one are sooner searched.
    if (candidates.size() == 1) return {outlook(state, candidates[0], 0, 0)};
    std::vector<Outlook> result;
    for (std::size_t begin = 0; begin < candidates.size(); begin += kBatch) {
        const auto batch =
            std::span<const Candidate>(candidates)
                .subspan(begin, std::min<std::size_t>(kBatch, candidates.size() - begin));
        const auto best = best_stumps(state, batch, objective_.least());
        for (std::size_t b = 0; b < batch.size(); ++b) {
            result.push_back(outlook(state, batch[b], least_errors(best, b, true),
                                     least_errors(best, b, false)));
        }
    }
    std::stable_sort(result.begin(), result.end(), [](const Outlook& a, const Outlook& b) {
        return a.least_errors() < b.least_errors();
    });
    return result;
}

void Tail::evaluate(const Subset& state, std::span<const Candidate> batch, FrontBuilder& front,
                    std::vector<ChildBounds>& bounds) {
    const auto best = best_stumps(state, batch, objective_.least());
    // More rows never make a subtree of free tests better; with a minimum leaf size they may, by
    // allowing a test. So bounds come from free tests.
    const auto free = objective_.least().any() ? best_stumps(state, batch, {}) : best;
    bounds.clear();
    for (std::size_t b = 0; b < batch.size(); ++b) {
        const auto& [slot, at, on_left] = batch[b];
        bounds.push_back({least_errors(free, b, true), least_errors(free, b, false), on_left,
                          at.left_errors, at.right_errors});
        options(state, slot, on_left, at.left_errors, best, b, true, left_options_);
        options(state, slot, state.weight() - on_left, at.right_errors, best, b, false,
                right_options_);
        const double own = objective_.price(state.weight()) * state.cost(slot);
        for (const Option& right : right_options_) {
            for (const Option& left : left_options_) {
                if (left.vertex && right.vertex && state.forced(slot)) continue;
                const Point point{own + left.price + right.price, left.errors + right.errors,
                                  2u + (left.vertex > 0) + (right.vertex > 0)};
                if (!front.admits(point.complexity, point.errors)) continue;
                front.add(point, state.feature(slot), state.rank_at(slot, at.position - 1),
                          left.vertex, right.vertex);
            }
        }
    }
}

bool Tail::pairs(const Subset& state, std::span<const Test> tests, FrontBuilder& front) {
    const std::vector<Candidate> candidates = describe_all(state, tests);
    std::vector<ChildBounds> unused;
    for (std::size_t begin = 0; begin < candidates.size(); begin += kBatch) {
        if (limits_.stopped()) return false;
        const std::size_t size = std::min<std::size_t>(kBatch, candidates.size() - begin);
        evaluate(state, std::span<const Candidate>(candidates).subspan(begin, size), front, unused);
    }
    return true;
}

bool Tail::all_pairs(const Subset& state, FrontBuilder& front) {
    stump(state, front);
    if (limits_.stopped()) return false;
    if (state.keeps_bounds()) return all_pairs_without_bounds(state, front);
    // Left of the first row and right of the last a test is the state with one test fewer.
    const bool free = !objective_.least().any();
    const double undivided = free ? std::min(state.leaf_errors(), single_.least_errors()) : 0;
    std::vector<Interval> open;
    for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
        if (single_.first(slot) == single_.last(slot)) continue;
        Interval all{slot,
                     single_.first(slot),
                     single_.last(slot),
                     {0, undivided, 0},
                     {undivided, 0, state.weight()}};
        all.forced = state.forced(slot) != 0;
        if (all.forced) {
            bound_forced_ends(state, slot, all.below, all.above);
        }
        open.push_back(all);
    }

    std::vector<Candidate> batch;
    std::vector<ChildBounds> bounds;
    std::vector<Interval> next;
    for (;;) {
        std::erase_if(open, [&](Interval& i) { return !narrow_down(state, i, front); });
        if (open.empty()) return true;
        if (limits_.stopped()) return false;

        const std::vector<std::uint32_t> points = allot(open);
        batch.clear();
        for (std::size_t k = 0; k < open.size(); ++k) {
            const Interval& interval = open[k];
            for (std::uint32_t j = 1; j <= points[k]; ++j) {
                const std::uint64_t span = interval.last - interval.first;
                const auto at =
                    interval.first +
                    static_cast<std::uint32_t>((2 * j - 1) * span / (2 * std::uint64_t{points[k]}));
                batch.push_back(single_.candidate(interval.slot, at));
            }
        }
        evaluate(state, batch, front, bounds);

        next.clear();
        std::size_t b = 0;
        for (std::size_t k = 0; k < open.size(); ++k) {
            Interval rest = open[k];
            for (std::uint32_t j = 1; j <= points[k]; ++j, ++b) {
                const std::uint64_t span = open[k].last - open[k].first;
                const auto at =
                    open[k].first +
                    static_cast<std::uint32_t>((2 * j - 1) * span / (2 * std::uint64_t{points[k]}));
                Interval part = rest;
                part.seen = 0;
                part.last = at;
                part.above = bounds[b];
                if (part.first < part.last) next.push_back(part);
                rest.first = at + 1;
                rest.below = bounds[b];
                rest.seen = 0;
            }
            if (rest.first < rest.last) next.push_back(rest);
        }
        open.swap(next);
    }
}

// What a child may predict depends on the test that made it: nothing is known of the tests between
// two others.
bool Tail::all_pairs_without_bounds(const Subset& state, FrontBuilder& front) {
    std::vector<Candidate> batch;
    std::vector<ChildBounds> unused;
    for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
        for (std::uint32_t at = single_.first(slot); at < single_.last(slot);) {
            if (limits_.stopped()) return false;
            batch.clear();
            while (at < single_.last(slot) && batch.size() < kBatch) {
                batch.push_back(single_.candidate(slot, at++));
            }
            evaluate(state, batch, front, unused);
        }
    }
    return true;
}

bool Tail::narrow_down(const Subset& state, Interval& interval, const FrontBuilder& front) const {
    if (interval.seen == front.version()) return true;
    interval.seen = front.version();
    const double weight = state.weight();
    const double price = objective_.price(weight) * state.cost(interval.slot);
    // What a test below costs at least; the test at hand may buy what its sides use.
    const double lowest = state.data().once() ? 0 : state.lowest_cost();
    const double both_tests =
        price + lowest * (objective_.complexity == Complexity::tests ? weight : 2.0);
    for (;;) {
        if (interval.first >= interval.last) return false;
        const Boundary& first = single_[interval.first];
        const Boundary& last = single_[interval.last - 1];
        const ChildBounds &below = interval.below, &above = interval.above;
        // Similarity: a row that changes sides changes the errors by at most its weight, in units.
        const double unit = state.data().unit_loss();
        const double moved = unit * (above.left_weight - below.left_weight);
        const double monotone = interval.sum(below, above);
        const double at_below = interval.sum(below, below), at_above = interval.sum(above, above);
        const double similar = (at_below + at_above - moved) / 2;
        interval.least_errors = std::max(monotone, similar);

        // Test on both sides, on the left alone, on the right alone. What one test alone leaves
        // wrong is bounded by the other side's best leaf too.
        const double left_only =
            price + lowest * objective_.price(single_.left_weight(interval.first));
        const double right_only =
            price + lowest * objective_.price(weight - single_.left_weight(interval.last - 1));
        const double both_level = front.level(both_tests);
        const bool both_open = !interval.forced && interval.least_errors < both_level;
        const double left_level = front.level(left_only), right_level = front.level(right_only);
        const bool left_open =
            std::max(interval.least_errors, below.left + last.right_errors) < left_level;
        const bool right_open =
            std::max(interval.least_errors, first.left_errors + above.right) < right_level;
        if (!both_open && !left_open && !right_open) return false;

        // Trim each end by the rows that may move before its own value could come down far enough.
        double target = both_open ? both_level : -std::numeric_limits<double>::infinity();
        if (left_open) target = std::max(target, left_level);
        if (right_open) target = std::max(target, right_level);
        const double reach_up = below.left_weight + (at_below - target) / unit;
        const double reach_down = above.left_weight - (at_above - target) / unit;
        const std::uint32_t kept_first =
            first_without(interval.first, interval.last,
                          [&](std::uint32_t at) { return single_.left_weight(at) <= reach_up; });
        const std::uint32_t kept_last =
            first_without(interval.first, interval.last,
                          [&](std::uint32_t at) { return single_.left_weight(at) < reach_down; });
        if (kept_first == interval.first && kept_last == interval.last) return true;
        interval.first = kept_first;
        interval.last = kept_last;
    }
}

std::vector<std::uint32_t> Tail::allot(std::vector<Interval>& open) const {
    std::vector<std::uint32_t> points(open.size(), 0);
    if (open.size() >= kBatch) {
        // The most promising: their values pull the front down, which closes others unseen.
        std::vector<std::uint32_t> order(open.size());
        std::iota(order.begin(), order.end(), 0u);
        std::nth_element(order.begin(), order.begin() + kBatch - 1, order.end(),
                         [&](std::uint32_t a, std::uint32_t b) {
                             return std::pair(open[a].least_errors, a) <
                                    std::pair(open[b].least_errors, b);
                         });
        for (int k = 0; k < kBatch; ++k) points[order[static_cast<std::size_t>(k)]] = 1;
        return points;
    }
    // One each, then the next to where the boundaries per point are most.
    std::uint32_t total = 0;
    const auto size = [&](std::size_t k) { return open[k].last - open[k].first; };
    for (std::size_t k = 0; k < open.size(); ++k) points[k] = 1, ++total;
    while (total < kBatch) {
        std::size_t widest = open.size();
        double most = 1;
        for (std::size_t k = 0; k < open.size(); ++k) {
            const double per_point = static_cast<double>(size(k)) / points[k];
            if (per_point > most) most = per_point, widest = k;
        }
        if (widest == open.size()) break;
        ++points[widest];
        ++total;
    }
    return points;
}

} // namespace treefront
