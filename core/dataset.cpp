#include "dataset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

namespace treefront {

namespace {

// splitmix64: the row words only have to look independent; they are the same in every run.
std::uint64_t scramble(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

struct Keyed {
    double value;
    std::uint32_t row;
};

} // namespace

Dataset::Dataset(std::span<const Column> columns, std::span<const std::int32_t> labels,
                 std::span<const double> weights, int n_classes)
    : n_classes_(n_classes), values_(columns.size()) {
    const std::size_t n = labels.size();
    if (n == 0) throw InvalidInput("the training data has no rows");
    if (n > std::numeric_limits<std::int32_t>::max()) {
        throw InvalidInput("more than 2^31 - 1 rows are not supported");
    }
    if (n_classes < 1 || n_classes > std::numeric_limits<std::uint16_t>::max()) {
        throw InvalidInput("the number of classes must lie between 1 and 65535, got " +
                           std::to_string(n_classes));
    }
    if (!weights.empty() && weights.size() != n) {
        throw InvalidInput("sample_weight needs one weight per row");
    }

    labels_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (labels[i] < 0 || labels[i] >= n_classes) {
            throw InvalidInput("label of row " + std::to_string(i) + " is not a class index");
        }
        labels_.push_back(static_cast<std::uint16_t>(labels[i]));
    }

    // Weights that are all 1 are counts: drop them, so that both spellings run the same code.
    total_weight_ = static_cast<double>(n);
    if (std::any_of(weights.begin(), weights.end(), [](double w) { return w != 1.0; })) {
        adopt_weights(weights);
    }

    ranks_.resize(columns.size() * n);
    std::vector<Keyed> sorted(n);
    for (std::size_t f = 0; f < columns.size(); ++f) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const double value = columns[f][i];
            if (!std::isfinite(value)) {
                throw InvalidInput("feature " + std::to_string(f) + " of row " +
                                   std::to_string(i) + " is not a finite number");
            }
            sorted[i] = {value, i};
        }
        std::sort(sorted.begin(), sorted.end(),
                  [](const Keyed& a, const Keyed& b) { return a.value < b.value; });
        auto& distinct = values_[f];
        for (const Keyed& entry : sorted) {
            if (distinct.empty() || distinct.back() != entry.value) distinct.push_back(entry.value);
            ranks_[f * n + entry.row] = static_cast<std::uint32_t>(distinct.size() - 1);
        }
        distinct.shrink_to_fit();
    }

    hashes_.reserve(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        hashes_.push_back({scramble(2 * i), scramble(2 * i + 1)});
    }
}

void Dataset::adopt_weights(std::span<const double> weights) {
    weights_.assign(weights.begin(), weights.end());
    total_weight_ = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        if (!(weights_[i] > 0) || !std::isfinite(weights_[i])) {
            throw InvalidInput("weight of row " + std::to_string(i) +
                               " is not a positive finite number");
        }
        total_weight_ += weights_[i];
        whole_weights_ = whole_weights_ && weights_[i] == std::floor(weights_[i]);
    }
    if (!std::isfinite(total_weight_)) throw InvalidInput("the sum of the weights overflows");
    whole_weights_ = whole_weights_ && total_weight_ < 0x1p52;
    if (whole_weights_) return;
    // Real weights are rounded to a common grid of 2^-52 of their sum (less than the error of
    // summing them once). Every sum of them is then exact, in any order: no tolerance anywhere.
    int exponent = 0;
    std::frexp(total_weight_, &exponent);
    const double grid = std::ldexp(1.0, exponent - 52);
    total_weight_ = 0;
    for (double& w : weights_) {
        w = std::nearbyint(w / grid) * grid;
        total_weight_ += w;
    }
}

double Dataset::midpoint(double low, double high) {
    const double middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

} // namespace treefront
