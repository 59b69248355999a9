#include "medians.hpp"

#include "subset.hpp"

#include <algorithm>

namespace treefront {

void Medians::start(const Subset& state, const ValueBounds& bounds) {
    data_ = &state.data();
    bounds_ = bounds;
    outputs_.resize(data_->n_outputs());
    values_.resize(data_->n_outputs());
    all_ = {};
}

void Medians::enter(const Subset& state, const ValueBounds& bounds) {
    start(state, bounds);
    for (std::size_t d = 0; d < outputs_.size(); ++d) fill(state, d, state.by_number(d));
    finish();
}

template <class Id>
void Medians::enter(const Subset& state, std::span<const Id> entries, const ValueBounds& bounds) {
    start(state, bounds);
    is_member_.assign(state.n_rows(), 0);
    for (const Id entry : entries) is_member_[entry & Entry<Id>::kMask] = 1;
    for (std::size_t d = 0; d < outputs_.size(); ++d) {
        ids_.clear();
        for (std::uint32_t id : state.by_number(d)) {
            if (is_member_[id]) ids_.push_back(id);
        }
        fill(state, d, ids_);
    }
    finish();
}

void Medians::fill(const Subset& state, std::size_t d, std::span<const std::uint32_t> ids) {
    Output& output = outputs_[d];
    const auto n = static_cast<std::uint32_t>(ids.size());
    n_rows_ = n;
    output.place.resize(state.n_rows());
    for (auto* column : {&output.number, &output.weight, &output.moment}) column->resize(n);
    Rest& full = output.full;
    full = Rest{};
    full.next.resize(n + 1);
    full.previous.resize(n + 1);
    const std::size_t n_outputs = outputs_.size();
    for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t id = ids[k];
        output.place[id] = k;
        output.number[k] = state.numbers()[id * n_outputs + d];
        output.weight[k] = state.weights().empty() ? 1.0 : state.weights()[id];
        output.moment[k] = state.moments()[id * n_outputs + d];
        full.next[k] = k + 1;
        full.previous[k + 1] = k;
        full.weight += output.weight[k];
        full.moment += output.moment[k];
    }
    full.next[n] = 0;
    full.previous[0] = n;
    const auto first_not_below = [&](double bound) {
        return static_cast<std::uint32_t>(
            std::lower_bound(output.number.begin(), output.number.end(), bound) -
            output.number.begin());
    };
    const auto sum_below = [&](std::uint32_t place) {
        Below below;
        for (std::uint32_t k = 0; k < place; ++k) {
            below.weight += output.weight[k];
            below.moment += output.moment[k];
        }
        return below;
    };
    output.low = output.high = 0;
    if (!bounds_.none()) {
        output.low = first_not_below(bounds_.low);
        output.high = first_not_below(bounds_.high);
        full.below_low = sum_below(output.low);
        full.below_high = sum_below(output.high);
    }
    move_to_median(output, full);
}

void Medians::finish() {
    for (std::size_t d = 0; d < outputs_.size(); ++d) {
        const MedianLeaf leaf = this->leaf(outputs_[d], outputs_[d].full);
        values_[d] = leaf.value;
        all_.loss += leaf.loss;
    }
    all_.value = values_[0];
}

// The first place up to which there is half of the weight.
void Medians::move_to_median(const Output& output, Rest& rest) {
    const auto n = static_cast<std::uint32_t>(output.number.size());
    while (2 * rest.below.weight >= rest.weight && rest.previous[rest.median] != n) {
        rest.median = rest.previous[rest.median];
        rest.below.weight -= output.weight[rest.median];
        rest.below.moment -= output.moment[rest.median];
    }
    while (2 * (rest.below.weight + output.weight[rest.median]) < rest.weight) {
        rest.below.weight += output.weight[rest.median];
        rest.below.moment += output.moment[rest.median];
        rest.median = rest.next[rest.median];
    }
}

void Medians::remove(const Output& output, Rest& rest, std::uint32_t place) {
    const double weight = output.weight[place], moment = output.moment[place];
    const auto take_from = [&](Below& below, std::uint32_t from) {
        if (place >= from) return;
        below.weight -= weight;
        below.moment -= moment;
    };
    take_from(rest.below, rest.median);
    take_from(rest.below_low, output.low);
    take_from(rest.below_high, output.high);
    rest.weight -= weight;
    rest.moment -= moment;
    const std::uint32_t next = rest.next[place], previous = rest.previous[place];
    rest.next[previous] = next;
    rest.previous[next] = previous;
    const auto n = static_cast<std::uint32_t>(output.number.size());
    if (place == rest.median) {
        if (next != n) {
            rest.median = next;
        } else if (previous != n) {
            rest.median = previous;
            rest.below.weight -= output.weight[previous];
            rest.below.moment -= output.moment[previous];
        } else {
            return; // nothing is left
        }
    }
    move_to_median(output, rest);
}

MedianLeaf Medians::leaf(const Output& output, const Rest& rest) const {
    const auto n = static_cast<std::uint32_t>(output.number.size());
    const double middle = output.number[rest.median];
    // Equal numbers cost nothing, whatever rounding makes of their moments.
    const double smallest = output.number[rest.next[n]];
    const double largest = output.number[rest.previous[n]];
    const auto against = [&](double number, const Below& below) {
        const double loss =
            number * (2 * below.weight - rest.weight) + (rest.moment - 2 * below.moment);
        return std::max(data_->on_loss_grid(loss), 0.0);
    };
    double value = middle;
    if (2 * (rest.below.weight + output.weight[rest.median]) == rest.weight) {
        value = middle / 2 + output.number[rest.next[rest.median]] / 2;
    }
    if (value < bounds_.low) return {against(bounds_.low, rest.below_low), bounds_.low};
    if (value > bounds_.high) return {against(bounds_.high, rest.below_high), bounds_.high};
    return {smallest == largest ? 0.0 : against(middle, rest.below), value};
}

template <class Id>
void Medians::leaves(std::span<const Id> entries, std::span<const std::uint32_t> boundaries,
                     std::vector<MedianLeaf>& before, std::vector<MedianLeaf>& behind) {
    const std::size_t count = boundaries.size();
    before.assign(count, {});
    behind.assign(count, {});
    for (std::size_t d = 0; d < outputs_.size(); ++d) {
        const Output& output = outputs_[d];
        const auto take = [&](std::uint32_t i) {
            remove(output, rest_, output.place[entries[i] & Entry<Id>::kMask]);
        };
        const auto add = [&](MedianLeaf& sum) {
            const MedianLeaf part = leaf(output, rest_);
            sum.loss += part.loss;
            if (d == 0) sum.value = part.value;
        };
        rest_ = output.full;
        auto left = static_cast<std::uint32_t>(entries.size());
        for (std::size_t k = count; k-- > 0;) {
            while (left > boundaries[k]) take(--left);
            add(before[k]);
        }
        rest_ = output.full;
        std::uint32_t gone = 0;
        for (std::size_t k = 0; k < count; ++k) {
            while (gone < boundaries[k]) take(gone++);
            add(behind[k]);
        }
    }
}

template void Medians::enter(const Subset&, std::span<const std::uint16_t>, const ValueBounds&);
template void Medians::enter(const Subset&, std::span<const std::uint32_t>, const ValueBounds&);
template void Medians::leaves(std::span<const std::uint16_t>, std::span<const std::uint32_t>,
                              std::vector<MedianLeaf>&, std::vector<MedianLeaf>&);
template void Medians::leaves(std::span<const std::uint32_t>, std::span<const std::uint32_t>,
                              std::vector<MedianLeaf>&, std::vector<MedianLeaf>&);

} // namespace treefront
