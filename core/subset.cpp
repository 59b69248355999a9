#include "subset.hpp"

#include "medians.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace treefront {

Subset::Subset(const Dataset& data, Partition partition) : partition_(partition) {
    std::vector<RowId> rows(data.n_rows());
    for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = RowId{i};
    std::stable_sort(rows.begin(), rows.end(),
                     [&](RowId a, RowId b) { return data.label(a) < data.label(b); });
    adopt_rows(data, std::move(rows));
    for (RowId row : rows_) hash_ ^= data.row_hash(row);
    if (data.loss() == Loss::absolute) order_numbers();
    settle();
    with_entries([&](auto id) { sort_all<decltype(id)>(); });
}

void Subset::order_numbers() {
    const std::size_t n_outputs = data_->n_outputs();
    by_number_.resize(n_outputs * rows_.size());
    for (std::size_t d = 0; d < n_outputs; ++d) {
        const auto begin = by_number_.begin() + static_cast<std::ptrdiff_t>(d * rows_.size());
        const auto end = begin + static_cast<std::ptrdiff_t>(rows_.size());
        std::iota(begin, end, 0u);
        std::stable_sort(begin, end, [&](std::uint32_t a, std::uint32_t b) {
            return numbers_[a * n_outputs + d] < numbers_[b * n_outputs + d];
        });
    }
}

void Subset::adopt_rows(const Dataset& data, std::vector<RowId> rows) {
    data_ = &data;
    rows_ = std::move(rows);
    const std::size_t n = rows_.size(), n_outputs = data.n_outputs();
    labels_.resize(n);
    for (std::size_t i = 0; i < n; ++i) labels_[i] = data.label(rows_[i]);
    if (data.weighted()) {
        weights_.resize(n);
        for (std::size_t i = 0; i < n; ++i) weights_[i] = data.weight(rows_[i]);
    }
    if (data.priced()) {
        loss_weights_.resize(n);
        for (std::size_t i = 0; i < n; ++i) loss_weights_[i] = data.loss_weight(rows_[i]);
    }
    if (data.by_moments()) {
        moments_.reserve(n * n_outputs);
        squares_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const auto moments = data.moments(rows_[i]);
            moments_.insert(moments_.end(), moments.begin(), moments.end());
            squares_[i] = data.square(rows_[i]);
            if (data.loss() != Loss::absolute) continue;
            const auto numbers = data.numbers(rows_[i]);
            numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
        }
    }
}

// What follows from the rows and the bounds.
void Subset::settle() {
    const Dataset& data = *data_;
    const std::size_t n = rows_.size();
    const Sums sums(*this);
    sums_.assign(sums.size(), 0.0);
    if (!data.by_moments() && loss_weights().empty()) {
        auto begin = labels_.begin();
        for (std::size_t c = 0; c < sums_.size(); ++c) {
            const auto end = std::upper_bound(begin, labels_.end(), c);
            sums_[c] = static_cast<double>(end - begin);
            begin = end;
        }
    } else {
        for (std::uint32_t i = 0; i < n; ++i) sums.add(sums_.data(), i);
    }
    if (data.loss() == Loss::absolute) {
        Medians medians;
        medians.enter(*this, bounds_);
        leaf_errors_ = medians.all().loss;
        for (std::size_t d = 0; d < data.n_outputs(); ++d) medians_.push_back(medians.value(d));
    } else {
        leaf_errors_ = sums.loss(sums_.data());
    }
    if (data.by_moments()) {
        weight_ = loss_weight_ = sums_[0];
        pure_ = leaf_errors_ == 0;
    } else {
        const auto total = [](std::span<const double> x) {
            return std::accumulate(x.begin(), x.end(), 0.0);
        };
        loss_weight_ = total(sums_);
        weight_ = !data.priced()    ? loss_weight_
                  : data.weighted() ? total(weights_)
                                    : static_cast<double>(n);
        pure_ = std::count_if(sums_.begin(), sums_.end(), [](double w) { return w > 0; }) <= 1;
    }
}

std::size_t Sums::size() const {
    const Dataset& data = state_.data();
    const auto n_classes = static_cast<std::size_t>(data.n_classes());
    switch (data.loss()) {
    case Loss::classes:
        return n_classes;
    case Loss::squared:
    case Loss::absolute:
        return kMoments + data.n_outputs();
    case Loss::cheapest:
        return kMoments + data.n_outputs() + n_classes;
    }
    return 0;
}

void Sums::add(double* sums, std::uint32_t id) const {
    const Dataset& data = state_.data();
    if (!data.by_moments()) {
        const auto weights = state_.loss_weights();
        sums[state_.labels()[id]] += weights.empty() ? 1.0 : weights[id];
        return;
    }
    const std::size_t n_outputs = data.n_outputs();
    const double weight = state_.weights().empty() ? 1.0 : state_.weights()[id];
    sums[0] += weight;
    sums[1] += state_.squares()[id];
    double* moments = sums + kMoments;
    for (std::size_t d = 0; d < n_outputs; ++d) moments[d] += state_.moments()[id * n_outputs + d];
    if (data.loss() == Loss::cheapest) moments[n_outputs + state_.labels()[id]] += weight;
}

double Sums::loss(const double* sums) const {
    const Dataset& data = state_.data();
    if (data.by_moments()) {
        return data.leaf_loss(sums[0], sums[1], sums + kMoments, state_.bounds());
    }
    double total = 0, heaviest = 0;
    for (std::size_t c = 0; c < size(); ++c) {
        total += sums[c];
        heaviest = std::max(heaviest, sums[c]);
    }
    return total - heaviest;
}

double Sums::value(const double* sums) const {
    return state_.data().by_moments() ? state_.bounds().clip(sums[kMoments] / sums[0])
                                      : sums[1] / (sums[0] + sums[1]);
}

double Subset::value(std::size_t output) const {
    if (data_->loss() == Loss::absolute) return medians_[output];
    return bounds_.clip(sums_[kMoments + output] / sums_[0]);
}

// Counting sort by rank: rows of equal rank keep their order.
template <class Id>
void Subset::sort_all() {
    const std::uint32_t n = n_rows();
    std::vector<std::uint32_t> next;
    for (std::size_t f = 0; f < data_->n_features(); ++f) {
        const std::size_t n_values = data_->values(f).size();
        const auto feature = static_cast<std::uint32_t>(f);
        const auto lowest_rank = [] { return 0u; };
        if (!divides(feature, static_cast<std::uint32_t>(n_values), lowest_rank)) continue;
        next.assign(n_values + 1, 0);
        for (RowId row : rows_) ++next[data_->rank(f, row) + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        auto& orders = this->orders<Id>();
        const std::size_t base = orders.size();
        orders.resize(base + n);
        std::fill(orders.begin() + static_cast<std::ptrdiff_t>(base), orders.end(), Id{0});
        for (std::uint32_t r = 0; r < n_values; ++r) orders[base + next[r]] = Entry<Id>::kStart;
        for (std::uint32_t i = 0; i < n; ++i) {
            orders[base + next[data_->rank(f, rows_[i])]++] |= static_cast<Id>(i);
        }
        add_slot(feature, static_cast<std::uint32_t>(n_values));
    }
}

template <class Rank>
bool Subset::divides(std::uint32_t feature, std::uint32_t runs, const Rank& first_rank) const {
    if (runs < 2) return false;
    return data_->order(feature) != Order::missing_first || (first_rank() == 0 && runs > 2);
}

void Subset::add_slot(std::uint32_t feature, std::uint32_t runs) {
    features_.push_back(feature);
    runs_.push_back(runs);
    twins_.push_back(0);
    signs_.push_back(static_cast<std::int8_t>(data_->sign(feature)));
    // Where something is missing both are slots, or there are no two numbers.
    if (data_->order(feature) == Order::missing_first) twins_[n_slots() - 2] = 1;
    const std::uint32_t group = data_->group(feature), slot = n_slots() - 1;
    if (price_groups_.empty() || price_groups_.back().group != group) {
        price_groups_.push_back({slot, slot, group, cost_of(group, feature)});
    }
    price_groups_.back().last = slot + 1;
    free_levels_.push_back(data_->order(feature) == Order::levels && data_->leads(feature) &&
                           data_->n_classes() == 2);
}

bool Subset::any_free_levels() const {
    return std::any_of(free_levels_.begin(), free_levels_.end(), [](auto f) { return f != 0; });
}

double Subset::lowest_cost() const {
    double lowest = price_groups_.empty() ? 0.0 : price_groups_.front().cost;
    for (const PriceGroup& group : price_groups_) lowest = std::min(lowest, group.cost);
    return lowest;
}

void Subset::buy(const Subset& parent, std::uint32_t slot) {
    bought_hash_ = parent.bought_hash_;
    if (!data_->once()) return;
    const std::uint32_t group = data_->group(parent.features_[slot]);
    bought_ = parent.bought_;
    bought_.resize((data_->n_groups() + 63) / 64);
    if (bought(group)) return;
    bought_[group / 64] |= std::uint64_t{1} << group % 64;
    bought_hash_ ^= data_->group_hash(group);
}

RowSetHash Subset::child_key(RowSetHash rows, std::uint32_t slot, const ValueBounds& bounds) const {
    const std::uint32_t group = data_->group(features_[slot]);
    const RowSetHash key = rows ^ bought_hash_ ^ Dataset::hash_of(bounds);
    return !data_->once() || bought(group) ? key : key ^ data_->group_hash(group);
}

bool Subset::has_missing(std::uint32_t slot) const {
    const std::uint32_t feature = features_[slot];
    switch (data_->order(feature)) {
    case Order::numbers:
        return false;
    case Order::missing_first:
        return true; // else it were no slot
    case Order::presence:
        return true;
    case Order::missing_last:
        return data_->missing(feature, rows_[local_id(slot, n_rows() - 1)]);
    case Order::levels:
        return std::any_of(rows_.begin(), rows_.end(),
                           [&](RowId row) { return data_->missing(feature, row); });
    }
    return false;
}

int Subset::decision() const {
    if (data_->loss() == Loss::cheapest) {
        const auto first = sums_.begin() + kMoments;
        const auto last = first + static_cast<std::ptrdiff_t>(data_->n_outputs());
        return static_cast<int>(std::min_element(first, last) - first);
    }
    return static_cast<int>(std::max_element(sums_.begin(), sums_.end()) - sums_.begin());
}

std::uint32_t Subset::local_id(std::uint32_t slot, std::uint32_t position) const {
    return id_in(std::size_t{slot} * n_rows() + position);
}

std::uint32_t Subset::id_in(std::size_t entry) const {
    return with_entries([&](auto id) -> std::uint32_t {
        using Id = decltype(id);
        return orders<Id>()[entry] & Entry<Id>::kMask;
    });
}

std::uint32_t Subset::rank_at(std::uint32_t slot, std::uint32_t position) const {
    return data_->rank(features_[slot], rows_[local_id(slot, position)]);
}

std::uint32_t Subset::count_up_to(std::uint32_t slot, std::uint32_t cut) const {
    std::uint32_t low = 0, high = n_rows(); // entries before low are <= cut, from high on > cut
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (rank_at(slot, middle) <= cut)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double Subset::left_weight(Test test) const {
    if (weights_.empty()) return test.position;
    return with_entries([&](auto id_type) {
        using Id = decltype(id_type);
        double weight = 0;
        for (const Id entry : order<Id>(test.slot).first(test.position)) {
            weight += weights_[entry & Entry<Id>::kMask];
        }
        return weight;
    });
}

std::vector<RowSetHash> Subset::left_hashes(std::span<const Test> tests) const {
    std::vector<std::uint32_t> by_slot(tests.size());
    std::iota(by_slot.begin(), by_slot.end(), 0u);
    std::sort(by_slot.begin(), by_slot.end(),
              [&](std::uint32_t a, std::uint32_t b) { return tests[a] < tests[b]; });
    std::vector<RowSetHash> hashes(tests.size());
    with_entries([&](auto id) {
        using Id = decltype(id);
        RowSetHash running;
        std::uint32_t done = 0, slot = n_slots();
        for (std::uint32_t k : by_slot) {
            if (tests[k].slot != slot) {
                slot = tests[k].slot;
                done = 0;
                running = {};
            }
            const auto entries = order<Id>(slot);
            for (; done < tests[k].position; ++done) {
                running ^= data_->row_hash(rows_[entries[done] & Entry<Id>::kMask]);
            }
            hashes[k] = running;
        }
    });
    return hashes;
}

Subset::LeafErrors Subset::forced_leaves(Test test) const {
    double left[2] = {0, 0};
    with_entries([&](auto id_type) {
        using Id = decltype(id_type);
        const auto entries = order<Id>(test.slot);
        for (std::uint32_t i = 0; i < test.position; ++i) {
            const std::uint32_t id = entries[i] & Entry<Id>::kMask;
            left[labels_[id]] += loss_weights().empty() ? 1.0 : loss_weights()[id];
        }
    });
    const int lower = forced(test.slot) > 0 ? 0 : 1; // the class on the left
    return {left[1 - lower], sums_[static_cast<std::size_t>(lower)] - left[lower]};
}

std::optional<Subset::Sides> Subset::child_bounds(std::uint32_t slot, double left,
                                                  double right) const {
    const int sign = signs_[slot];
    if (sign == 0) return Sides{bounds_, bounds_};
    if (sign > 0 ? left > right : left < right) return std::nullopt;
    const double middle = left / 2 + right / 2;
    const ValueBounds lower{bounds_.low, middle}, upper{middle, bounds_.high};
    return sign > 0 ? Sides{lower, upper} : Sides{upper, lower};
}

std::optional<Subset::Sides> Subset::child_bounds(Test test) const {
    if (!keeps_bounds() || signs_[test.slot] == 0) return Sides{bounds_, bounds_};
    return with_entries([&](auto id_type) {
        using Id = decltype(id_type);
        const auto entries = order<Id>(test.slot);
        if (data_->loss() == Loss::absolute) {
            Medians left, right;
            left.enter(*this, entries.first(test.position), bounds_);
            right.enter(*this, entries.subspan(test.position), bounds_);
            return child_bounds(test.slot, left.value(0), right.value(0));
        }
        const Sums sums(*this);
        std::vector<double> left(sums.size(), 0.0), right(sums_);
        for (const Id entry : entries.first(test.position)) {
            sums.add(left.data(), entry & Entry<Id>::kMask);
        }
        for (std::size_t k = 0; k < left.size(); ++k) right[k] -= left[k];
        return child_bounds(test.slot, sums.value(left.data()), sums.value(right.data()));
    });
}

Subset::Halves Subset::split(Test test, bool want_left, bool want_right) const {
    const std::optional<Sides> bounds = child_bounds(test);
    if (!bounds) throw std::logic_error("a test whose sides are out of order");
    std::vector<Place> places(n_rows(), Place::right(0));
    with_entries([&](auto id_type) {
        using Id = decltype(id_type);
        const auto key = order<Id>(test.slot);
        for (std::uint32_t i = 0; i < test.position; ++i) {
            places[key[i] & Entry<Id>::kMask] = Place::left(0);
        }
    });
    return split_to(std::move(places), test.position, test.slot, *bounds, want_left, want_right);
}

Subset::Halves Subset::split_by_majority(std::uint32_t slot) const {
    std::vector<Place> places(n_rows(), Place::right(0));
    std::size_t n_left = 0;
    with_entries([&](auto id_type) {
        using Id = decltype(id_type);
        const auto key = order<Id>(slot);
        for (std::uint32_t begin = 0, end = 0; begin < n_rows(); begin = end) {
            double balance = 0; // of class 1 over class 0
            do {
                const std::uint32_t id = key[end] & Entry<Id>::kMask;
                const double weight = loss_weights().empty() ? 1.0 : loss_weights()[id];
                balance += labels_[id] ? weight : -weight;
                ++end;
            } while (end < n_rows() && !(key[end] & Entry<Id>::kStart));
            if (balance > 0) continue;
            n_left += end - begin;
            for (std::uint32_t i = begin; i < end; ++i) {
                places[key[i] & Entry<Id>::kMask] = Place::left(0);
            }
        }
    });
    return split_to(std::move(places), n_left, slot, {bounds_, bounds_}, true, true);
}

// Ids in `places` are filled in here.
Subset::Halves Subset::split_to(std::vector<Place> places, std::size_t n_left, std::uint32_t slot,
                                const Sides& bounds, bool want_left, bool want_right) const {
    // Both sides are written for every row and only one cursor moves: no branch to mispredict. So
    // each has room for one row more.
    std::vector<RowId> left_rows(n_left + 1), right_rows(n_rows() - n_left + 1);
    RowSetHash left_hash;
    std::uint32_t n_on_left = 0, n_on_right = 0;
    for (std::uint32_t i = 0; i < n_rows(); ++i) {
        const RowId row = rows_[i];
        const bool is_left = places[i].goes_left();
        left_rows[n_on_left] = right_rows[n_on_right] = row;
        left_hash ^= data_->row_hash(row).where(is_left);
        places[i] = is_left ? Place::left(n_on_left) : Place::right(n_on_right);
        n_on_left += is_left;
        n_on_right += !is_left;
    }
    left_rows.pop_back();
    right_rows.pop_back();

    Halves halves;
    if (want_left) halves.left = side(std::move(left_rows), left_hash, slot, bounds.left);
    if (want_right) {
        halves.right = side(std::move(right_rows), hash_ ^ left_hash, slot, bounds.right);
    }
    fill(halves, places);
    return halves;
}

// One side of a test, without its orders.
std::unique_ptr<Subset> Subset::side(std::vector<RowId> rows, RowSetHash hash, std::uint32_t slot,
                                     const ValueBounds& bounds) const {
    std::unique_ptr<Subset> side(new Subset());
    side->hash_ = hash;
    side->partition_ = partition_;
    side->adopt_rows(*data_, std::move(rows));
    side->bounds_ = bounds;
    side->buy(*this, slot);
    return side;
}

void Subset::fill(const Halves& halves, const std::vector<Place>& places) const {
    Subset *left = halves.left.get(), *right = halves.right.get();
    // An order that is divided stably needs no sorting again.
    for (Subset* side : {left, right}) {
        if (side) side->by_number_.reserve(side->rows_.size() * by_number_.size() / rows_.size());
    }
    for (std::uint32_t id : by_number_) {
        Subset* side = places[id].goes_left() ? left : right;
        if (side) side->by_number_.push_back(places[id].id());
    }
    // A side that no test can divide further keeps no sorted entries.
    for (Subset** side : {&left, &right}) {
        if (!*side) continue;
        (*side)->settle();
        if ((*side)->pure()) *side = nullptr;
        if (*side) (*side)->make_room(n_slots());
    }
    if (!left && !right) return;
    std::size_t kept_left = 0, kept_right = 0;
    for (std::uint32_t slot = 0; slot < n_slots(); ++slot) {
        const PartitionRuns runs =
            partition_({entries(slot), n_rows(), narrow(), places.data(),
                        left ? left->entries(kept_left) : nullptr, left && left->narrow(),
                        right ? right->entries(kept_right) : nullptr, right && right->narrow()});
        kept_left += left && left->keep_slot(kept_left, features_[slot], runs.left);
        kept_right += right && right->keep_slot(kept_right, features_[slot], runs.right);
    }
}

// Whether the entries at the end make a slot.
bool Subset::keep_slot(std::size_t slot, std::uint32_t feature, std::uint32_t runs) {
    if (runs < 2) return false;
    const auto first_rank = [&] { return data_->rank(feature, rows_[id_in(slot * n_rows())]); };
    if (!divides(feature, runs, first_rank)) return false;
    add_slot(feature, runs);
    return true;
}

void Subset::make_room(std::size_t n_slots) {
    features_.reserve(n_slots);
    runs_.reserve(n_slots);
    free_levels_.reserve(n_slots);
    twins_.reserve(n_slots);
    signs_.reserve(n_slots);
    resize_orders(n_slots);
}

void Subset::resize_orders(std::size_t n_slots) {
    const std::size_t size = n_slots * n_rows() + kPartitionSlack;
    narrow() ? narrow_orders_.resize(size) : wide_orders_.resize(size);
}

void* Subset::entries(std::size_t slot) {
    const std::size_t first = slot * n_rows();
    return narrow() ? static_cast<void*>(narrow_orders_.data() + first)
                    : static_cast<void*>(wide_orders_.data() + first);
}

const void* Subset::entries(std::size_t slot) const {
    return const_cast<Subset*>(this)->entries(slot);
}

} // namespace treefront
