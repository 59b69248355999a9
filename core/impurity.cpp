#include "impurity.hpp"

#include <algorithm>
#include <cmath>

namespace treefront {

// n log2(n) stays below 2^36 for n < 2^31, so 24 fractional bits leave sums of six far below 2^63.
EntropyTable::EntropyTable(std::size_t n_rows) : table_(n_rows + 1, 0) {
    for (std::size_t i = 2; i <= n_rows; ++i) {
        const double x = static_cast<double>(i);
        table_[i] = std::llround(x * std::log2(x) * 0x1p24);
    }
}

BoundaryScanner::BoundaryScanner(Criterion criterion, std::uint32_t min_samples_leaf,
                                 int n_classes, const EntropyTable* table,
                                 const Kernels& kernels)
    : criterion_(criterion), min_samples_leaf_(min_samples_leaf), n_classes_(n_classes),
      table_(table), kernels_(kernels.table()) {}

template <class Id>
ScoredBoundaries BoundaryScanner::scan(std::span<const Id> entries, const NodeRows& node) {
    const auto n = static_cast<std::uint32_t>(entries.size());
    if (positions_.size() <= n) {
        positions_.resize(n + 1);
        ones_.resize(n + 1);
        scores_.resize(n + 1);
        sums_.resize(2 * n + 2);
    }
    // Every path stores at each row and keeps what it stored only at a boundary: no branch, since
    // in data with ties the start of a run is not to be predicted.
    const std::size_t kept = !node.weights.empty() ? weighted(entries, node)
                             : n_classes_ == 2     ? two_classes(entries, node)
                                                   : many_classes(entries, node);
    const auto begin = positions_.begin(), end = begin + static_cast<std::ptrdiff_t>(kept);
    const auto first = std::lower_bound(begin, end, min_samples_leaf_);
    const auto last = n < min_samples_leaf_
                          ? first
                          : std::upper_bound(first, end, n - min_samples_leaf_);
    const auto skip = static_cast<std::size_t>(first - begin);
    const auto count = static_cast<std::size_t>(last - first);
    return {{positions_.data() + skip, count}, {scores_.data() + skip, count}};
}

namespace {

// Minus the weighted impurity of one side, from its class weights.
double side_score(Criterion criterion, std::span<const double> weights) {
    double total = 0, sum = 0;
    for (double w : weights) total += w;
    if (total <= 0) return 0;
    for (double w : weights) {
        if (criterion == Criterion::gini) sum += w * w / total;
        else if (w > 0) sum += w * std::log2(w / total);
    }
    return sum;
}

} // namespace

double BoundaryScanner::own_score(const NodeRows& node, std::uint32_t n_rows) const {
    const auto& w = node.class_weights;
    if (!node.weights.empty()) return side_score(criterion_, w);
    if (criterion_ == Criterion::entropy) {
        std::int64_t sum = -(*table_)[n_rows];
        for (double count : w) sum += (*table_)[static_cast<std::size_t>(count)];
        return static_cast<double>(sum);
    }
    if (n_classes_ == 2) return -(w[0] * w[1] / n_rows);
    return side_score(criterion_, w);
}

template <class Id>
std::size_t BoundaryScanner::two_classes(std::span<const Id> entries, const NodeRows& node) {
    std::size_t kept = 0;
    std::uint32_t ones = 0;
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        positions_[kept] = i;
        ones_[kept] = ones;
        kept += (i > 0) & (entries[i] >> (Entry<Id>::kBits - 1));
        ones += node.labels[entries[i] & Entry<Id>::kMask];
    }
    const auto n = static_cast<std::uint32_t>(entries.size());
    if (criterion_ == Criterion::entropy) {
        const EntropyTable& t = *table_;
        for (std::size_t k = 0; k < kept; ++k) {
            const std::uint32_t l = positions_[k], l1 = ones_[k], r = n - l, r1 = ones - l1;
            scores_[k] = static_cast<double>((t[l1] + t[l - l1] - t[l]) +
                                             (t[r1] + t[r - r1] - t[r]));
        }
    } else {
        kernels_.gini_scores(positions_.data(), ones_.data(), kept, n, ones, scores_.data());
    }
    return kept;
}

template <class Id>
std::size_t BoundaryScanner::many_classes(std::span<const Id> entries, const NodeRows& node) {
    const auto k_classes = static_cast<std::size_t>(n_classes_);
    left_counts_.assign(k_classes, 0);
    total_counts_.resize(k_classes);
    // A side's sum over its classes of count^2 (Gini) or count log2 count (entropy), kept up to
    // date as rows move over: the cost of a row does not depend on the number of classes.
    const bool entropy = criterion_ == Criterion::entropy;
    std::int64_t left_sum = 0, right_sum = 0;
    for (std::size_t c = 0; c < k_classes; ++c) {
        total_counts_[c] = static_cast<std::int32_t>(node.class_weights[c]);
        const std::int64_t count = total_counts_[c];
        right_sum += entropy ? (*table_)[static_cast<std::size_t>(count)] : count * count;
    }
    std::size_t kept = 0;
    const auto walk = [&](auto gain) {
        std::int32_t* left_counts = left_counts_.data();
        const std::int32_t* total_counts = total_counts_.data();
        for (std::uint32_t i = 0; i < entries.size(); ++i) {
            positions_[kept] = i;
            sums_[2 * kept] = left_sum;
            sums_[2 * kept + 1] = right_sum;
            kept += (i > 0) & (entries[i] >> (Entry<Id>::kBits - 1));
            const std::uint16_t c = node.labels[entries[i] & Entry<Id>::kMask];
            const std::int32_t before = left_counts[c];
            left_counts[c] = before + 1;
            left_sum += gain(before);
            right_sum -= gain(total_counts[c] - before - 1);
        }
    };
    const auto n = static_cast<std::int64_t>(entries.size());
    if (entropy) {
        const EntropyTable& t = *table_;
        walk([&t](std::int32_t count) {
            const auto c = static_cast<std::size_t>(count);
            return t[c + 1] - t[c];
        });
        for (std::size_t k = 0; k < kept; ++k) {
            const std::size_t l = positions_[k];
            scores_[k] = static_cast<double>(sums_[2 * k] - t[l] + sums_[2 * k + 1] -
                                             t[static_cast<std::size_t>(n) - l]);
        }
    } else {
        walk([](std::int32_t count) { return 2 * std::int64_t{count} + 1; });
        for (std::size_t k = 0; k < kept; ++k) {
            const auto l = static_cast<double>(positions_[k]);
            scores_[k] = static_cast<double>(sums_[2 * k]) / l +
                         static_cast<double>(sums_[2 * k + 1]) / (static_cast<double>(n) - l);
        }
    }
    return kept;
}

template <class Id>
std::size_t BoundaryScanner::weighted(std::span<const Id> entries, const NodeRows& node) {
    const auto k_classes = static_cast<std::size_t>(n_classes_);
    left_weights_.assign(k_classes, 0.0);
    right_weights_.assign(node.class_weights.begin(), node.class_weights.end());
    std::size_t kept = 0;
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        if (i > 0 && entries[i] & Entry<Id>::kStart) {
            positions_[kept] = i;
            scores_[kept++] = side_score(criterion_, left_weights_) +
                              side_score(criterion_, right_weights_);
        }
        const std::uint32_t id = entries[i] & Entry<Id>::kMask;
        left_weights_[node.labels[id]] += node.weights[id];
        right_weights_[node.labels[id]] -= node.weights[id];
    }
    return kept;
}

template ScoredBoundaries BoundaryScanner::scan(std::span<const std::uint16_t>, const NodeRows&);
template ScoredBoundaries BoundaryScanner::scan(std::span<const std::uint32_t>, const NodeRows&);

} // namespace treefront
