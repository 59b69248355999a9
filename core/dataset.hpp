// The training rows, rank-compressed once: per feature the distinct values and each row's rank.
//
// A feature of the search is a column of X in one order. A complete column of numbers has one; one
// with missing values has two, with the missing rows behind and before the numbers, so that a test
// may send them to either side, alone if it likes; a column of categories has those of levels.hpp.
#pragma once

#include "limits.hpp"
#include "types.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace treefront {

// One column of a matrix with any stride (in elements).
struct Column {
    const double* first;
    std::ptrdiff_t stride;

    double operator[](std::size_t row) const {
        return first[static_cast<std::ptrdiff_t>(row) * stride];
    }
};

// What is to be predicted, and what each row costs where it is predicted wrong.
struct Targets {
    // Classes: indices in [0, n_classes).
    std::span<const std::int32_t> labels;
    int n_classes = 1;
    // Price of a wrong prediction, by row; empty where it is the row's weight.
    std::span<const double> loss_weights = {};
    // Row by row n_outputs of them. Numbers: the loss is the squared distance, and all labels are
    // 0. Costs: what each prediction costs per unit of the row's weight.
    std::span<const double> numbers = {};
    std::size_t n_outputs = 0;
    bool costs = false;
    bool absolute = false; // of numbers: the loss is the distance, not its square
};

// What a test of a column costs, by column. Columns of one group are bought together: after the
// first test of one, tests of any are free on the rest of the path. Without groups every test
// costs.
struct FeatureCosts {
    std::span<const double> costs = {}; // empty: all 1
    std::span<const std::int32_t> groups = {};
};

// What a leaf's loss is. classes: the weight of what is not its heaviest class. squared, absolute:
// of numbers, to their mean or median. cheapest: of the prediction that costs least.
enum class Loss { classes, squared, absolute, cheapest };

// presence: whether there is a value. Only a column with a sign has it, whose other orders are
// tests of how large the value is.
enum class Order { numbers, missing_last, missing_first, presence, levels };

// What the leaves of a state may predict; see Subset::child_bounds.
struct ValueBounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    double clip(double value) const { return std::min(std::max(value, low), high); }
    bool hold(double value) const { return low <= value && value <= high; }
    bool none() const { return low == -std::numeric_limits<double>::infinity() && high == -low; }
};

class Dataset {
public:
    // `weights` is empty (all rows count 1) or one
    // positive finite number per row. NaN is a missing value. n_levels is empty or tells of each
    // column how many levels it has, coded 0, 1, .. in its cells; 0 where they are numbers.
    // signs is empty or tells of each column whether predictions must not fall (1) or not rise
    // (-1) with its values; 0: neither. With classes there must be two then, and no moments.
    // Throws InvalidInput for sizes that do not fit, labels or levels out of range, weights,
    // targets or values that are infinite.
    Dataset(std::span<const Column> columns, const Targets& targets,
            std::span<const double> weights, const Limits& limits,
            std::span<const std::int32_t> n_levels = {}, const FeatureCosts& feature_costs = {},
            std::span<const std::int32_t> signs = {});
    Dataset(std::span<const Column> columns, std::span<const std::int32_t> labels,
            std::span<const double> weights, int n_classes, const Limits& limits,
            std::span<const std::int32_t> n_levels = {})
        : Dataset(columns, {labels, n_classes}, weights, limits, n_levels) {}

    std::size_t n_rows() const { return labels_.size(); }
    std::size_t n_columns() const { return n_columns_; }
    std::size_t n_features() const { return values_.size(); }
    std::uint32_t column(std::size_t feature) const { return columns_[feature]; }
    Order order(std::size_t feature) const { return orders_[feature]; }
    // Whether it is the first of its column's features.
    bool leads(std::size_t feature) const {
        return feature == 0 || columns_[feature] != columns_[feature - 1];
    }
    int n_classes() const { return n_classes_; }
    // Whether predictions must rise (1) or fall (-1) with the feature.
    int sign(std::size_t feature) const { return signs_[feature]; }
    bool signed_features() const { return any_sign_; }

    std::uint16_t label(RowId row) const { return labels_[index(row)]; }
    bool weighted() const { return !weights_.empty(); }
    // Sums of weights are exact: see adopt_weights.
    double weight(RowId row) const { return weighted() ? weights_[index(row)] : 1.0; }
    double total_weight() const { return total_weight_; }
    // Features are ordered by price group: those of a group cost the same in every state.
    double cost(std::size_t feature) const { return costs_[feature]; }
    std::uint32_t group(std::size_t feature) const { return groups_[feature]; }
    std::size_t n_groups() const { return n_groups_; }
    // Whether a group is paid for once on every path.
    bool once() const { return once_; }
    double highest_cost() const { return highest_cost_; }
    RowSetHash group_hash(std::uint32_t group) const { return group_hashes_[group]; }

    // What a row costs where its class is not predicted: its weight, or a price of its own.
    bool priced() const { return !loss_weights_.empty(); }
    double loss_weight(RowId row) const {
        return priced() ? loss_weights_[index(row)] : weight(row);
    }
    double total_loss_weight() const { return priced() ? total_loss_weight_ : total_weight_; }
    // Every loss weight a whole number and the total below 2^46.
    bool whole_weights() const { return whole_weights_; }

    Loss loss() const { return loss_; }
    // Whether losses come of sums of moments rather than of class weights alone.
    bool by_moments() const { return loss_ != Loss::classes; }
    bool regression() const { return loss_ == Loss::squared || loss_ == Loss::absolute; }
    // Moments per row; 0 where there are none.
    std::size_t n_outputs() const { return n_outputs_; }
    // weight * number (or cost), and of numbers the sum over the outputs of weight * number^2; sums
    // of both are exact.
    std::span<const double> moments(RowId row) const {
        return {moments_.data() + index(row) * n_outputs_, n_outputs_};
    }
    double square(RowId row) const { return squares_[index(row)]; }
    // Absolute loss: the numbers themselves.
    std::span<const double> numbers(RowId row) const {
        return {numbers_.data() + index(row) * n_outputs_, n_outputs_};
    }
    // The loss of rows as a leaf, squared or cheapest: of their weight, sum of squares, and sums of
    // moments. On a grid, so that sums of losses are exact. Bounds need one output.
    double leaf_loss(double weight, double square, const double* moments,
                     const ValueBounds& bounds = {}) const;
    double on_loss_grid(double loss) const;
    // The most that one unit of weight adds to the loss of any tree.
    double unit_loss() const { return unit_loss_; }

    // rank(f, row) < rank(f, other) exactly where the value of `row` is smaller.
    std::uint32_t rank(std::size_t feature, RowId row) const {
        return ranks_[feature * n_rows() + index(row)];
    }
    // The distinct values of a feature in its order, NaN for missing; values(f)[rank(f, row)] is
    // the row's value.
    std::span<const double> values(std::size_t feature) const { return values_[feature]; }
    bool missing(std::size_t feature, RowId row) const {
        return is_missing(values_[feature][rank(feature, row)]);
    }
    // Of two ranks of one state between which a test divides: the last rank that goes left, of all
    // the feature has.
    std::uint32_t cut_between(std::size_t feature, std::uint32_t low, std::uint32_t high) const;
    static bool is_missing(double value) { return value != value; }
    RowSetHash row_hash(RowId row) const { return hashes_[index(row)]; }
    static RowSetHash hash_of(const ValueBounds& bounds);

    // A number t with low <= t < high, halfway where float64 has room.
    static double midpoint(double low, double high);

private:
    void adopt_weights(std::span<const double> weights);
    void adopt_loss_weights(std::span<const double> weights);
    void adopt_moments(std::span<const double> numbers);
    void adopt_numbers(std::span<const double> numbers);
    void add_numbers(std::uint32_t column, const Column& cells, int sign);
    std::vector<std::vector<std::uint32_t>> orders_of(std::span<const std::uint32_t> levels,
                                                      std::size_t n_levels) const;
    void add_levels(std::uint32_t column, const Column& cells, std::int32_t n_levels);
    // Makes room for one more feature and returns where the ranks of its rows go.
    std::uint32_t* add_feature(std::uint32_t column, Order order, std::vector<double> values);

    int n_classes_;
    std::size_t n_columns_;
    std::vector<std::uint16_t> labels_;
    std::vector<double> weights_;
    double total_weight_ = 0;
    bool whole_weights_ = true;
    std::vector<double> loss_weights_;
    double total_loss_weight_ = 0;
    std::size_t n_outputs_;
    Loss loss_;
    std::vector<double> moments_, squares_, numbers_;
    double loss_grid_ = 1, unit_loss_ = 1;
    std::vector<std::uint32_t> ranks_;
    std::vector<std::vector<double>> values_;
    std::vector<std::uint32_t> columns_;
    std::vector<Order> orders_;
    std::vector<std::int8_t> signs_;
    bool any_sign_ = false;
    std::vector<RowSetHash> hashes_;
    std::vector<double> costs_;
    std::vector<std::uint32_t> groups_;
    std::size_t n_groups_ = 1;
    bool once_;
    double highest_cost_ = 1;
    std::vector<RowSetHash> group_hashes_;
};

} // namespace treefront
