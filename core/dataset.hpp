// The training rows, rank-compressed once: per feature the distinct values and each row's rank.
#pragma once

#include <span>
#include <vector>

#include "limits.hpp"
#include "types.hpp"

namespace treefront {

// One column of a matrix with any stride (in elements).
struct Column {
    const double* first;
    std::ptrdiff_t stride;

    double operator[](std::size_t row) const {
        return first[static_cast<std::ptrdiff_t>(row) * stride];
    }
};

class Dataset {
  public:
    // Labels are class indices in [0, n_classes); `weights` is empty (all rows count 1) or one
    // positive finite number per row.
    // Throws InvalidInput for sizes that do not fit, labels out of range, weights or values that
    // are not finite.
    Dataset(std::span<const Column> columns, std::span<const std::int32_t> labels,
            std::span<const double> weights, int n_classes, const Limits& limits);

    std::size_t n_rows() const { return labels_.size(); }
    std::size_t n_features() const { return values_.size(); }
    int n_classes() const { return n_classes_; }

    std::uint16_t label(RowId row) const { return labels_[index(row)]; }
    bool weighted() const { return !weights_.empty(); }
    // Sums of weights are exact: see adopt_weights.
    double weight(RowId row) const { return weighted() ? weights_[index(row)] : 1.0; }
    double total_weight() const { return total_weight_; }
    // Every weight a whole number and the total below 2^46.
    bool whole_weights() const { return whole_weights_; }

    // rank(f, row) < rank(f, other) exactly where the value of `row` is smaller.
    std::uint32_t rank(std::size_t feature, RowId row) const {
        return ranks_[feature * n_rows() + index(row)];
    }
    // The distinct values of a feature, ascending; values(f)[rank(f, row)] is the row's value.
    std::span<const double> values(std::size_t feature) const { return values_[feature]; }
    RowSetHash row_hash(RowId row) const { return hashes_[index(row)]; }

    // A number t with low <= t < high, halfway where float64 has room.
    static double midpoint(double low, double high);

  private:
    void adopt_weights(std::span<const double> weights);

    int n_classes_;
    std::vector<std::uint16_t> labels_;
    std::vector<double> weights_;
    double total_weight_ = 0;
    bool whole_weights_ = true;
    std::vector<std::uint32_t> ranks_;
    std::vector<std::vector<double>> values_;
    std::vector<RowSetHash> hashes_;
};

} // namespace treefront
