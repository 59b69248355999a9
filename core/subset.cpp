#include "subset.hpp"

#include <algorithm>
#include <numeric>

namespace treefront {

Subset::Subset(const Dataset& data) {
    std::vector<RowId> rows(data.n_rows());
    for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = RowId{i};
    adopt_rows(data, std::move(rows));
    for (RowId row : rows_) hash_ ^= data.row_hash(row);
    with_entries([&](auto id) { sort_all<decltype(id)>(); });
}

void Subset::adopt_rows(const Dataset& data, std::vector<RowId> rows) {
    data_ = &data;
    rows_ = std::move(rows);
    labels_.resize(rows_.size());
    class_weights_.assign(static_cast<std::size_t>(data.n_classes()), 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i) labels_[i] = data.label(rows_[i]);
    if (data.weighted()) {
        weights_.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) weights_[i] = data.weight(rows_[i]);
        for (std::size_t i = 0; i < rows_.size(); ++i) class_weights_[labels_[i]] += weights_[i];
    } else {
        for (std::uint16_t label : labels_) class_weights_[label] += 1.0;
    }
    weight_ = std::accumulate(class_weights_.begin(), class_weights_.end(), 0.0);
    n_present_ = static_cast<int>(std::count_if(class_weights_.begin(), class_weights_.end(),
                                                [](double w) { return w > 0; }));
}

// Counting sort by rank: rows of equal rank keep their order.
template <class Id> void Subset::sort_all() {
    const std::uint32_t n = n_rows();
    std::vector<std::uint32_t> next;
    for (std::size_t f = 0; f < data_->n_features(); ++f) {
        const std::size_t n_values = data_->values(f).size();
        if (n_values < 2) continue;
        next.assign(n_values + 1, 0);
        for (RowId row : rows_) ++next[data_->rank(f, row) + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        auto& orders = this->orders<Id>();
        const std::size_t base = orders.size();
        orders.resize(base + n);
        for (std::uint32_t r = 0; r < n_values; ++r) orders[base + next[r]] = Entry<Id>::kStart;
        for (std::uint32_t i = 0; i < n; ++i) {
            orders[base + next[data_->rank(f, rows_[i])]++] |= static_cast<Id>(i);
        }
        features_.push_back(static_cast<std::uint32_t>(f));
        runs_.push_back(static_cast<std::uint32_t>(n_values));
    }
}

int Subset::majority() const {
    return static_cast<int>(
        std::max_element(class_weights_.begin(), class_weights_.end()) - class_weights_.begin());
}

std::uint32_t Subset::local_id(std::uint32_t slot, std::uint32_t position) const {
    return with_entries([&](auto id) -> std::uint32_t {
        using Id = decltype(id);
        return order<Id>(slot)[position] & Entry<Id>::kMask;
    });
}

std::uint32_t Subset::rank_at(std::uint32_t slot, std::uint32_t position) const {
    return data_->rank(features_[slot], rows_[local_id(slot, position)]);
}

std::uint32_t Subset::count_up_to(std::uint32_t slot, std::uint32_t cut) const {
    std::uint32_t low = 0, high = n_rows(); // entries before low are <= cut, from high on > cut
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (rank_at(slot, middle) <= cut) low = middle + 1;
        else high = middle;
    }
    return low;
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

Subset::Halves Subset::split(Test test, bool want_left, bool want_right) const {
    return with_entries([&](auto id) {
        return split_entries<decltype(id)>(test, want_left, want_right);
    });
}

namespace {

// Where a row of the parent goes: its side, and its local id there.
struct Place {
    std::uint32_t packed;
    static Place left(std::uint32_t id) { return {id << 1 | 1u}; }
    static Place right(std::uint32_t id) { return {id << 1}; }
    std::uint32_t goes_left() const { return packed & 1u; }
    std::uint32_t id() const { return packed >> 1; }
};

struct Runs {
    std::uint32_t left, right;
};

// Both sides are written for every entry and only one cursor moves: no branch to mispredict.
// left_fresh and right_fresh: a run of the parent began since that side last took an entry.
// Each output needs room for one entry more than it keeps.
template <class From, class Left, class Right>
Runs partition(std::span<const From> entries, const Place* places, Left* left, Right* right) {
    std::uint32_t left_fresh = 0, right_fresh = 0, left_runs = 0, right_runs = 0;
    for (const From entry : entries) {
        const std::uint32_t start = entry >> (Entry<From>::kBits - 1);
        const Place place = places[entry & Entry<From>::kMask];
        const std::uint32_t goes_left = place.goes_left(), goes_right = goes_left ^ 1u;
        left_fresh |= start;
        right_fresh |= start;
        *left = static_cast<Left>(place.id() | left_fresh << (Entry<Left>::kBits - 1));
        *right = static_cast<Right>(place.id() | right_fresh << (Entry<Right>::kBits - 1));
        left += goes_left;
        right += goes_right;
        left_runs += left_fresh & goes_left;
        right_runs += right_fresh & goes_right;
        left_fresh &= goes_right;
        right_fresh &= goes_left;
    }
    return {left_runs, right_runs};
}

} // namespace

template <class From>
Subset::Halves Subset::split_entries(Test test, bool want_left, bool want_right) const {
    const auto key = order<From>(test.slot);
    std::vector<Place> places(n_rows(), Place::right(0));
    for (std::uint32_t i = 0; i < test.position; ++i) {
        places[key[i] & Entry<From>::kMask] = Place::left(0);
    }
    std::vector<RowId> left_rows, right_rows;
    left_rows.reserve(test.position);
    right_rows.reserve(n_rows() - test.position);
    RowSetHash left_hash;
    for (std::uint32_t i = 0; i < n_rows(); ++i) {
        if (places[i].goes_left()) {
            places[i] = Place::left(static_cast<std::uint32_t>(left_rows.size()));
            left_rows.push_back(rows_[i]);
            left_hash ^= data_->row_hash(rows_[i]);
        } else {
            places[i] = Place::right(static_cast<std::uint32_t>(right_rows.size()));
            right_rows.push_back(rows_[i]);
        }
    }

    Halves halves;
    halves.left.reset(new Subset());
    halves.right.reset(new Subset());
    Subset& left = *halves.left;
    Subset& right = *halves.right;
    left.hash_ = left_hash;
    right.hash_ = hash_ ^ left_hash;
    left.adopt_rows(*data_, std::move(left_rows));
    right.adopt_rows(*data_, std::move(right_rows));

    // A side that is not wanted, or that no test can divide further, keeps no sorted entries.
    const bool fill_left = want_left && !left.pure(), fill_right = want_right && !right.pure();
    const auto fill = [&](auto left_id, auto right_id) {
        using Left = decltype(left_id);
        using Right = decltype(right_id);
        auto& to_left = left.orders<Left>();
        auto& to_right = right.orders<Right>();
        const std::size_t nl = left.n_rows(), nr = right.n_rows();
        to_left.resize(fill_left ? nl * n_slots() + 1 : nl + 1);
        to_right.resize(fill_right ? nr * n_slots() + 1 : nr + 1);
        std::size_t kept_left = 0, kept_right = 0;
        for (std::uint32_t slot = 0; slot < n_slots(); ++slot) {
            const Runs runs = partition<From>(order<From>(slot), places.data(),
                                              to_left.data() + kept_left * nl,
                                              to_right.data() + kept_right * nr);
            if (fill_left && runs.left > 1) {
                left.features_.push_back(features_[slot]);
                left.runs_.push_back(runs.left);
                ++kept_left;
            }
            if (fill_right && runs.right > 1) {
                right.features_.push_back(features_[slot]);
                right.runs_.push_back(runs.right);
                ++kept_right;
            }
        }
    };
    if (fill_left || fill_right) {
        left.with_entries([&](auto left_id) {
            right.with_entries([&](auto right_id) { fill(left_id, right_id); });
        });
    }
    if (!want_left) halves.left.reset();
    if (!want_right) halves.right.reset();
    return halves;
}

std::size_t Subset::bytes() const {
    return rows_.capacity() * sizeof(RowId) + labels_.capacity() * sizeof(std::uint16_t) +
           weights_.capacity() * sizeof(double) + class_weights_.capacity() * sizeof(double) +
           narrow_orders_.capacity() * sizeof(std::uint16_t) +
           wide_orders_.capacity() * sizeof(std::uint32_t);
}

} // namespace treefront
