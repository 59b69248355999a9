#include "single_tests.hpp"

#include <algorithm>
#include <numeric>

namespace treefront {

namespace {

// Of class weights, where all rows but those of one class are wrong.
double errors_as(std::span<const double> sums, int label) {
    return std::accumulate(sums.begin(), sums.end(), 0.0) - sums[static_cast<std::size_t>(label)];
}

} // namespace

void SingleTests::scan(const Subset& state, LeastLeaf least) {
    least_ = least;
    boundaries_.clear();
    left_weights_.clear();
    first_.assign(1, 0);
    by_price_.clear();
    // Exactly what is needed: for a large state this is the most memory of the search.
    const auto runs = state.run_counts();
    boundaries_.reserve(std::accumulate(runs.begin(), runs.end(), std::size_t{0}));
    if (state.data().loss() == Loss::absolute) medians_.enter(state, state.bounds());
    for (const Subset::PriceGroup& group : state.price_groups()) {
        Best& best = by_price_.emplace_back();
        for (std::uint32_t slot = group.first; slot < group.last; ++slot) {
            state.with_entries([&](auto id) { find_boundaries<decltype(id)>(state, slot); });
            first_.push_back(static_cast<std::uint32_t>(boundaries_.size()));
            for (std::uint32_t at = first(slot); at < last(slot); ++at) {
                const double errors = boundaries_[at].errors();
                if (best.any && errors >= best.errors) continue;
                best = {true, candidate(slot, at), errors};
            }
            if (least_.any() || !state.free_levels(slot)) continue;
            const Boundary set = best_set(state, slot);
            if (set.errors() >= best.errors || set.errors() >= state.leaf_errors()) continue;
            best = {true, {slot, set, 0}, set.errors()};
        }
    }
}

double SingleTests::least_errors() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Best& best : by_price_) least = std::min(least, best.errors);
    return least;
}

template <class Id>
void SingleTests::find_boundaries(const Subset& state, std::uint32_t slot) {
    const std::size_t first = boundaries_.size();
    switch (state.data().loss()) {
    case Loss::absolute:
        find_medians<Id>(state, slot);
        break;
    case Loss::squared:
    case Loss::cheapest:
        find_numbers<Id>(state, slot);
        break;
    case Loss::classes:
        if (state.sums().size() == 2)
            find_two_classes<Id>(state, slot);
        else
            find_many_classes<Id>(state, slot);
    }
    if (state.weights().empty()) return;
    // For prices, and for what leaves must keep.
    const auto entries = state.order<Id>(slot);
    double left = 0;
    std::uint32_t i = 0;
    std::size_t kept = first;
    for (std::size_t at = first; at < boundaries_.size(); ++at) {
        for (; i < boundaries_[at].position; ++i) {
            left += state.weights()[entries[i] & Entry<Id>::kMask];
        }
        if (left < least_.weight || state.weight() - left < least_.weight) continue;
        boundaries_[kept++] = boundaries_[at];
        left_weights_.push_back(left);
    }
    boundaries_.resize(kept);
}

template <class Id>
void SingleTests::find_numbers(const Subset& state, std::uint32_t slot) {
    const auto entries = state.order<Id>(slot);
    const auto totals = state.sums();
    const bool keeps_order = state.keeps_bounds() && state.signs()[slot] != 0;
    const Sums sums(state);
    running_.assign(sums.size(), 0.0);
    rest_.resize(sums.size());
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        if (is_boundary(entries, i)) {
            for (std::size_t k = 0; k < rest_.size(); ++k) rest_[k] = totals[k] - running_[k];
            if (!keeps_order ||
                state.child_bounds(slot, sums.value(running_.data()), sums.value(rest_.data()))) {
                boundaries_.push_back({sums.loss(running_.data()), sums.loss(rest_.data()), i});
            }
        }
        sums.add(running_.data(), entries[i] & Entry<Id>::kMask);
    }
}

template <class Id>
void SingleTests::find_medians(const Subset& state, std::uint32_t slot) {
    const auto entries = state.order<Id>(slot);
    positions_.clear();
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        if (is_boundary(entries, i)) positions_.push_back(i);
    }
    medians_.leaves(entries, positions_, before_, behind_);
    for (std::size_t k = 0; k < positions_.size(); ++k) {
        if (!state.child_bounds(slot, before_[k].value, behind_[k].value)) continue;
        boundaries_.push_back({before_[k].loss, behind_[k].loss, positions_[k]});
    }
}

template <class Id>
void SingleTests::find_two_classes(const Subset& state, std::uint32_t slot) {
    const auto entries = state.order<Id>(slot);
    const auto labels = state.labels();
    const auto weights = state.loss_weights();
    const double all_zeros = state.sums()[0], all_ones = state.sums()[1];
    const int sign = state.forced(slot);
    double zeros = 0, ones = 0; // on the left
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        if (is_boundary(entries, i)) {
            const double right_zeros = all_zeros - zeros, right_ones = all_ones - ones;
            if (sign == 0) {
                boundaries_.push_back(
                    {std::min(zeros, ones), std::min(right_zeros, right_ones), i});
            } else if (sign > 0) {
                boundaries_.push_back({ones, right_zeros, i});
            } else {
                boundaries_.push_back({zeros, right_ones, i});
            }
        }
        const std::uint32_t id = entries[i] & Entry<Id>::kMask;
        (labels[id] ? ones : zeros) += weights.empty() ? 1.0 : weights[id];
    }
}

template <class Id>
void SingleTests::find_many_classes(const Subset& state, std::uint32_t slot) {
    const auto entries = state.order<Id>(slot);
    const auto labels = state.labels();
    const auto weights = state.loss_weights();
    const auto weight_of = [&](std::uint32_t id) { return weights.empty() ? 1.0 : weights[id]; };
    const std::size_t first = boundaries_.size();
    double left = 0, heaviest = 0;
    running_.assign(state.sums().size(), 0.0);
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        if (is_boundary(entries, i)) boundaries_.push_back({left - heaviest, 0, i});
        const std::uint32_t id = entries[i] & Entry<Id>::kMask;
        left += weight_of(id);
        heaviest = std::max(heaviest, running_[labels[id]] += weight_of(id));
    }
    running_.assign(state.sums().size(), 0.0);
    double right = 0;
    heaviest = 0;
    auto i = static_cast<std::uint32_t>(entries.size());
    for (std::size_t at = boundaries_.size(); at-- > first;) {
        while (i > boundaries_[at].position) {
            const std::uint32_t id = entries[--i] & Entry<Id>::kMask;
            right += weight_of(id);
            heaviest = std::max(heaviest, running_[labels[id]] += weight_of(id));
        }
        boundaries_[at].right_errors = right - heaviest;
    }
}

Boundary SingleTests::best_set(const Subset& state, std::uint32_t slot) const {
    Boundary best{0, 0, Boundary::kBestSet};
    state.with_entries([&](auto id_type) {
        using Id = decltype(id_type);
        double of_class[2] = {0, 0};
        const auto end_level = [&] {
            if (of_class[1] > of_class[0])
                best.right_errors += of_class[0];
            else
                best.left_errors += of_class[1];
            of_class[0] = of_class[1] = 0;
        };
        for (const Id entry : state.order<Id>(slot)) {
            if (entry & Entry<Id>::kStart) end_level();
            const std::uint32_t id = entry & Entry<Id>::kMask;
            of_class[state.labels()[id]] +=
                state.loss_weights().empty() ? 1.0 : state.loss_weights()[id];
        }
        end_level();
    });
    return best;
}

Candidate SingleTests::describe(const Subset& state, Test test) {
    return state.with_entries([&](auto id_type) -> Candidate {
        using Id = decltype(id_type);
        const auto entries = state.order<Id>(test.slot);
        // A list of tests is short: one walk over the smaller side each.
        const bool left_side = 2 * test.position <= state.n_rows();
        const auto smaller =
            left_side ? entries.first(test.position) : entries.subspan(test.position);
        const Sums sums(state);
        running_.assign(sums.size(), 0.0);
        double here_weight = 0;
        for (const Id entry : smaller) {
            const std::uint32_t id = entry & Entry<Id>::kMask;
            sums.add(running_.data(), id);
            here_weight += state.weights().empty() ? 1.0 : state.weights()[id];
        }
        rest_.resize(sums.size());
        for (std::size_t k = 0; k < rest_.size(); ++k) rest_[k] = state.sums()[k] - running_[k];
        const auto& left_sums = left_side ? running_ : rest_;
        const auto& right_sums = left_side ? rest_ : running_;
        const double left_weight = left_side ? here_weight : state.weight() - here_weight;
        const auto described = [&](double left, double right) {
            return Candidate{test.slot, {left, right, test.position}, left_weight};
        };
        if (state.data().loss() == Loss::absolute) {
            medians_.enter(state, entries.first(test.position), state.bounds());
            const double left = medians_.all().loss;
            medians_.enter(state, entries.subspan(test.position), state.bounds());
            return described(left, medians_.all().loss);
        }
        if (const int sign = state.forced(test.slot)) {
            return described(errors_as(left_sums, sign < 0), errors_as(right_sums, sign > 0));
        }
        return described(sums.loss(left_sums.data()), sums.loss(right_sums.data()));
    });
}

} // namespace treefront
