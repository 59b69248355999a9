// A state's rows: sorted once per feature at the root, kept sorted by stable partition below.
#pragma once

#include "dataset.hpp"
#include "entry.hpp"
#include "partition.hpp"
#include "types.hpp"

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace treefront {

// Leaves new entries as they are: every one is written before it is read.
template <class T>
struct Unfilled : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = Unfilled<U>;
    };
    template <class U>
    void construct(U*) noexcept {}
    template <class U, class... Args>
    void construct(U* at, Args&&... args) {
        ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
    }
};
template <class Id>
using Entries = std::vector<Id, Unfilled<Id>>;

inline constexpr std::uint32_t kNarrowRows = 1u << 15;

class Subset;

// Where moments begin among the sums.
inline constexpr std::ptrdiff_t kMoments = 2;

// Sums over rows of which a leaf's loss is made: see Subset::sums.
class Sums {
public:
    explicit Sums(const Subset& state) : state_(state) {}
    std::size_t size() const;
    void add(double* sums, std::uint32_t id) const; // the row with this local id
    // Of the rows summed up as a leaf of this state. Absolute loss is not made of sums.
    double loss(const double* sums) const;
    // What they predict: a number's mean, or the share of class 1.
    double value(const double* sums) const;

private:
    const Subset& state_;
};

class Subset {
public:
    // All rows of the dataset, which must outlive every subset of it.
    Subset(const Dataset& data, Partition partition);

    struct Halves;
    // Splits by `test`, whose sides are in order; a side that is not wanted stays null. Local ids
    // of both sides keep the order of the rows, so a row set has one representation, however it was
    // reached.
    Halves split(Test test, bool want_left = true, bool want_right = true) const;
    // Splits a slot of levels, each by its heavier class: class 0 left, class 1 right. With two
    // classes no test of the column is better, where both sides become leaves.
    Halves split_by_majority(std::uint32_t slot) const;

    const Dataset& data() const { return *data_; }
    std::uint32_t n_rows() const { return static_cast<std::uint32_t>(rows_.size()); }
    std::span<const RowId> rows() const { return rows_; }
    RowSetHash hash() const { return hash_; }
    // What tells this state from others: its rows, and what was bought on the way here.
    RowSetHash key() const { return hash_ ^ bought_hash_ ^ Dataset::hash_of(bounds_); }
    // The key of the side of a test of this slot that has the given rows.
    RowSetHash child_key(RowSetHash rows, std::uint32_t slot, const ValueBounds& bounds) const;
    // Rows stand by class, so labels ascend with the local ids.
    std::span<const std::uint16_t> labels() const { return labels_; }
    // Per local id; empty where all rows count 1.
    std::span<const double> weights() const { return weights_; }
    double weight() const { return weight_; }
    // What a row costs where its class is not predicted; empty where it is 1.
    double loss_weight() const { return loss_weight_; } // their sum
    std::span<const double> loss_weights() const {
        return data_->priced() ? loss_weights_ : weights_;
    }
    // Of numbers to predict: Dataset::moments and square, by local id.
    std::span<const double> moments() const { return moments_; }
    std::span<const double> squares() const { return squares_; }
    // Absolute loss: the numbers by local id, and the local ids in the order of an output's
    // numbers.
    std::span<const double> numbers() const { return numbers_; }
    std::span<const std::uint32_t> by_number(std::size_t output) const {
        return std::span(by_number_).subspan(output * rows_.size(), rows_.size());
    }
    // Of regression, what the state predicts as a leaf.
    double value(std::size_t output) const;
    // What a leaf's loss comes from: the loss weight of every class; or weight, square and moments,
    // and where these are costs the weight of every class besides.
    std::span<const double> sums() const { return sums_; }
    int decision() const; // the class that costs least, the smallest of equals
    double leaf_errors() const { return leaf_errors_; }
    bool pure() const { return pure_; }

    // Slots are the features that still have two different values here, but for those that repeat
    // the tests of the one before: where nothing is missing, or there are two values in all.
    std::uint32_t n_slots() const { return static_cast<std::uint32_t>(features_.size()); }
    std::uint32_t feature(std::uint32_t slot) const { return features_[slot]; }
    std::uint32_t n_runs(std::uint32_t slot) const { return runs_[slot]; }
    std::span<const std::uint32_t> run_counts() const { return runs_; }
    // By slot: whether the best single test is over all sets of levels, see split_by_majority. One
    // slot per column of categories, and with two classes only.
    std::span<const std::uint8_t> free_levels() const { return free_levels_; }
    bool free_levels(std::uint32_t slot) const { return free_levels_[slot]; }
    bool any_free_levels() const;
    // By slot: whether the next slot has the same numbers with the missing rows on the other side.
    std::span<const std::uint8_t> twins() const { return twins_; }
    // By slot: whether predictions must rise (1) or fall (-1) with its feature.
    std::span<const std::int8_t> signs() const { return signs_; }

    // Two classes, a feature with a sign: its tests keep the classes of their sides in order, and
    // that is where one side is a leaf. 0: no such feature.
    int forced(std::uint32_t slot) const { return data_->regression() ? 0 : signs_[slot]; }
    struct LeafErrors {
        double left, right;
    };
    // Of the sides of a test of such a feature, class 0 on the lower side and 1 on the upper.
    LeafErrors forced_leaves(Test test) const;

    // Numbers to predict, a feature with a sign: as in scikit-learn, what the sides of a test
    // predict as leaves must be in order, and no leaf below passes the middle between the two.
    bool keeps_bounds() const { return data_->regression() && data_->signed_features(); }
    const ValueBounds& bounds() const { return bounds_; }
    struct Sides {
        ValueBounds left, right;
    };
    // Of the sides of a test; nothing where they are out of order.
    std::optional<Sides> child_bounds(Test test) const;
    std::optional<Sides> child_bounds(std::uint32_t slot, double left, double right) const;

    // Whether any row here lacks a value in the column of the slot.
    bool has_missing(std::uint32_t slot) const;

    // What a test of the slot costs, in units of the price of a test.
    double cost(std::uint32_t slot) const {
        return cost_of(data_->group(features_[slot]), features_[slot]);
    }
    // Slots of one price group follow each other.
    struct PriceGroup {
        std::uint32_t first, last; // slots [first, last)
        std::uint32_t group;
        double cost;
    };
    std::span<const PriceGroup> price_groups() const { return price_groups_; }
    double lowest_cost() const;

    bool narrow() const { return n_rows() < kNarrowRows; }
    template <class Id>
    std::span<const Id> order(std::uint32_t slot) const {
        return {orders<Id>().data() + std::size_t{slot} * n_rows(), n_rows()};
    }
    // Calls body with a value of the entry type this state uses.
    template <class Body>
    decltype(auto) with_entries(Body&& body) const {
        return narrow() ? body(std::uint16_t{}) : body(std::uint32_t{});
    }

    std::uint32_t local_id(std::uint32_t slot, std::uint32_t position) const;
    std::uint32_t rank_at(std::uint32_t slot, std::uint32_t position) const;
    // How many rows have a rank of at most `cut` in the slot's feature.
    std::uint32_t count_up_to(std::uint32_t slot, std::uint32_t cut) const;
    // Weight of the rows that a test sends left.
    double left_weight(Test test) const;
    // The hash of the rows that each test sends left; tests of one slot share a walk.
    std::vector<RowSetHash> left_hashes(std::span<const Test> tests) const;

private:
    Subset() = default;

    template <class Id>
    const Entries<Id>& orders() const {
        if constexpr (sizeof(Id) == 2)
            return narrow_orders_;
        else
            return wide_orders_;
    }
    template <class Id>
    Entries<Id>& orders() {
        if constexpr (sizeof(Id) == 2)
            return narrow_orders_;
        else
            return wide_orders_;
    }
    template <class Id>
    void sort_all();
    std::unique_ptr<Subset> side(std::vector<RowId> rows, RowSetHash hash, std::uint32_t slot,
                                 const ValueBounds& bounds) const;
    void fill(const Halves& halves, const std::vector<Place>& places) const;
    bool keep_slot(std::size_t slot, std::uint32_t feature, std::uint32_t runs);
    void make_room(std::size_t n_slots);
    void resize_orders(std::size_t n_slots);
    // The local id in the entry, counted over all slots.
    std::uint32_t id_in(std::size_t entry) const;
    void* entries(std::size_t slot);
    const void* entries(std::size_t slot) const;
    void adopt_rows(const Dataset& data, std::vector<RowId> rows);
    void settle();
    void order_numbers();
    Halves split_to(std::vector<Place> places, std::size_t n_left, std::uint32_t slot,
                    const Sides& bounds, bool want_left, bool want_right) const;
    // Whether a feature that has `runs` runs, the first with this rank, is to be a slot.
    template <class Rank>
    bool divides(std::uint32_t feature, std::uint32_t runs, const Rank& first_rank) const;
    void add_slot(std::uint32_t feature, std::uint32_t runs);

    bool bought(std::uint32_t group) const {
        return !bought_.empty() && (bought_[group / 64] >> group % 64 & 1u);
    }
    double cost_of(std::uint32_t group, std::uint32_t feature) const {
        return bought(group) ? 0.0 : data_->cost(feature);
    }
    void buy(const Subset& parent, std::uint32_t slot);

    const Dataset* data_ = nullptr;
    Partition partition_ = nullptr;
    RowSetHash hash_, bought_hash_;
    std::vector<std::uint64_t> bought_; // bit per price group; empty where nothing is
    std::vector<PriceGroup> price_groups_;
    std::vector<RowId> rows_;
    std::vector<std::uint16_t> labels_;
    std::vector<double> weights_;
    double weight_ = 0, loss_weight_ = 0;
    std::vector<double> loss_weights_;
    std::vector<double> moments_, squares_, numbers_;
    std::vector<std::uint32_t> by_number_;
    ValueBounds bounds_;
    std::vector<double> sums_, medians_;
    double leaf_errors_ = 0;
    bool pure_ = false;
    std::vector<std::uint32_t> features_;
    std::vector<std::uint32_t> runs_;
    std::vector<std::uint8_t> free_levels_, twins_;
    std::vector<std::int8_t> signs_;
    Entries<std::uint16_t> narrow_orders_;
    Entries<std::uint32_t> wide_orders_;
};

struct Subset::Halves {
    std::unique_ptr<Subset> left;
    std::unique_ptr<Subset> right;
};

} // namespace treefront
