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

BoundaryScanner::BoundaryScanner(Criterion criterion, LeastLeaf least, int n_classes,
                                 const EntropyTable* table, const Kernels& kernels)
    : criterion_(criterion), least_(least), n_classes_(n_classes), table_(table),
      kernels_(kernels.table()) {}

template <class Id>
void BoundaryScanner::enter(std::span<const Id> entries, const NodeRows& node) {
    if (node.state.data().loss() == Loss::absolute) medians_.enter(node.state, entries, {});
    if (by_table(node)) enter_table(node, entries.size());
}

bool BoundaryScanner::by_table(const NodeRows& node) const {
    return criterion_ == Criterion::entropy && !node.by_moments() && node.weights().empty();
}

// The same for all slots of the node, which then look up half as much as both sides' t, or less.
void BoundaryScanner::enter_table(const NodeRows& node, std::size_t n_rows) {
    const EntropyTable& t = *table_;
    of_rows_.resize(n_rows + 1);
    for (std::size_t l = 0; l <= n_rows; ++l) of_rows_[l] = t[l] + t[n_rows - l];
    of_classes_.clear();
    for (double sum : node.sums) {
        const auto all = static_cast<std::size_t>(sum), begin = of_classes_.size();
        if (n_classes_ == 2) {
            of_classes_.resize(begin + all + 1);
            for (std::size_t l = 0; l <= all; ++l) of_classes_[begin + l] = t[l] + t[all - l];
        } else {
            of_classes_.resize(begin + all);
            for (std::size_t l = 0; l < all; ++l) {
                of_classes_[begin + l] = (t[l + 1] - t[l]) - (t[all - l] - t[all - l - 1]);
            }
        }
    }
}

template <class Id>
ScoredBoundaries BoundaryScanner::scan(std::span<const Id> entries, const NodeRows& node,
                                       std::uint32_t slot, bool for_best) {
    const auto n = static_cast<std::uint32_t>(entries.size());
    if (positions_.size() <= n) {
        positions_.resize(n + 1);
        scores_.resize(n + 1);
        if (n_classes_ == 2) {
            ones_.resize(n + 1);
        } else {
            left_sums_.resize(n + 1);
            right_sums_.resize(n + 1);
        }
    }
    // A boundary that is no peak is worse than one next to it, but for rounding: only while that
    // one may be made.
    const bool peaks_only = for_best && !least_.any() && !node.state.data().signed_features();
    std::size_t kept = node.state.data().loss() == Loss::absolute ? medians(entries)
                       : node.by_moments()                        ? numbers(entries, node)
                       : !node.weights().empty()                  ? weighted(entries, node)
                       : n_classes_ == 2 ? two_classes(entries, node, peaks_only)
                                         : many_classes(entries, node, peaks_only);
    if (node.state.data().signed_features()) kept = drop_unordered(entries, node, slot, kept);
    if (least_.weight > 0) kept = drop_light(entries, node, kept);
    const auto begin = positions_.begin(), end = begin + static_cast<std::ptrdiff_t>(kept);
    const auto first = std::lower_bound(begin, end, least_.rows);
    const auto last = n < least_.rows ? first : std::upper_bound(first, end, n - least_.rows);
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
        if (criterion == Criterion::gini)
            sum += w * w / total;
        else if (w > 0)
            sum += w * std::log2(w / total);
    }
    return sum;
}

// Of the squares of rows with these sums, what their mean explains.
double explained(double weight, std::span<const double> moments) {
    double sum = 0;
    for (double m : moments) sum += m * m;
    return weight > 0 ? sum / weight : 0;
}

} // namespace

// Costs: the impurity of the classes, since costs alone see few boundaries apart.
double BoundaryScanner::moments_score(const NodeRows& node, std::span<const double> sums) const {
    const auto moments = sums.subspan(kMoments);
    if (node.state.data().loss() == Loss::squared) return explained(sums[0], moments);
    return side_score(criterion_, moments.subspan(node.state.data().n_outputs()));
}

double BoundaryScanner::own_score(const NodeRows& node, std::uint32_t n_rows) const {
    const auto& w = node.sums;
    if (node.state.data().loss() == Loss::absolute) return -medians_.all().loss;
    if (node.by_moments()) return moments_score(node, w);
    if (!node.weights().empty()) return side_score(criterion_, w);
    if (criterion_ == Criterion::entropy) {
        std::int64_t sum = -(*table_)[n_rows];
        for (double count : w) sum += (*table_)[static_cast<std::size_t>(count)];
        return static_cast<double>(sum);
    }
    if (n_classes_ == 2) return -(w[0] * w[1] / n_rows);
    return side_score(criterion_, w);
}

double BoundaryScanner::rounding(const NodeRows& node, double score) const {
    // Half a unit for every entry of the table that enters one of two scores.
    if (node.state.data().loss() == Loss::absolute) return 1e-10 * medians_.all().loss;
    if (node.by_moments()) return 1e-10 * (std::fabs(score) + node.sums[1]);
    const bool table = criterion_ == Criterion::entropy && node.weights().empty();
    double weight = 0;
    for (double w : node.sums) weight += w;
    return 1e-10 * (std::fabs(score) + weight) + (table ? 2.0 * n_classes_ + 4 : 0);
}

template <class Id>
std::size_t BoundaryScanner::two_classes(std::span<const Id> entries, const NodeRows& node,
                                         bool peaks_only) {
    const auto ones_from = static_cast<std::uint32_t>(node.state.sums()[0]); // rows stand by class
    const std::size_t kept =
        kernels_.two_class_boundaries({entries.data(), entries.size(), sizeof(Id) == 2, ones_from},
                                      peaks_only, positions_.data(), ones_.data());
    if (criterion_ == Criterion::gini) {
        kernels_.gini_scores(positions_.data(), ones_.data(), kept,
                             static_cast<double>(entries.size()), node.sums[1], scores_.data());
        return kept;
    }
    const std::int64_t* const of_zeros = of_classes_.data();
    const std::int64_t* const of_ones = of_zeros + static_cast<std::size_t>(node.sums[0]) + 1;
    for (std::size_t k = 0; k < kept; ++k) {
        const std::uint32_t l = positions_[k], l1 = ones_[k];
        scores_[k] = static_cast<double>(of_zeros[l - l1] + of_ones[l1] - of_rows_[l]);
    }
    return kept;
}

namespace {

// Walks over a sorted segment from one end, row by row: what a row costs does not depend on the
// number of classes.

// Gini: the squared counts of both sides. The far side's go down as rows come to the near one.
struct SquaresWalk {
    const std::uint32_t* totals;
    std::uint32_t* near_counts; // all 0 at first
    std::int64_t near_sum, far_sum;
    std::int64_t *near_sums, *far_sums; // of the boundaries

    void add(std::uint16_t label) {
        const std::int64_t before = near_counts[label]++;
        near_sum += 2 * before + 1;
        far_sum -= 2 * (std::int64_t{totals[label]} - before) - 1;
    }
    void put(std::ptrdiff_t k) const {
        near_sums[k] = near_sum;
        far_sums[k] = far_sum;
    }
};

// Entropy: how the classes are divided, see of_classes_. A cursor per class stands behind what its
// rows so far have added.
struct TermsUp {
    const std::int64_t* of_classes;
    std::uint32_t* cursors; // where each class begins, at first
    std::int64_t sum;
    std::int64_t* sums;

    void add(std::uint16_t label) { sum += of_classes[cursors[label]++]; }
    void put(std::ptrdiff_t k) const { sums[k] = sum; }
};
struct TermsDown {
    const std::int64_t* of_classes;
    std::uint32_t* cursors; // where each class ends, at first
    std::int64_t sum;
    std::int64_t* sums;

    void add(std::uint16_t label) { sum -= of_classes[--cursors[label]]; }
    void put(std::ptrdiff_t k) const { sums[k] = sum; }
};

} // namespace

template <class Id>
std::size_t BoundaryScanner::many_classes(std::span<const Id> entries, const NodeRows& node,
                                          bool peaks_only) {
    const auto k_classes = static_cast<std::size_t>(n_classes_);
    total_counts_.assign(node.sums.begin(), node.sums.end());
    std::int64_t all = 0;
    if (criterion_ == Criterion::gini) {
        near_counts_.assign(2 * k_classes, 0);
        for (const std::int64_t count : total_counts_) all += count * count;
        const std::uint32_t* const totals = total_counts_.data();
        const std::size_t kept = walk_classes(
            entries, node, peaks_only,
            SquaresWalk{totals, near_counts_.data(), 0, all, left_sums_.data(), right_sums_.data()},
            SquaresWalk{totals, near_counts_.data() + k_classes, 0, all, right_sums_.data(),
                        left_sums_.data()});
        kernels_.side_scores(positions_.data(), left_sums_.data(), right_sums_.data(), kept,
                             static_cast<double>(entries.size()), scores_.data());
        return kept;
    }
    near_counts_.resize(2 * k_classes); // cursors
    std::uint32_t begin = 0;
    for (std::size_t c = 0; c < k_classes; ++c) {
        near_counts_[c] = begin;
        near_counts_[k_classes + c] = begin += total_counts_[c];
        all += (*table_)[total_counts_[c]];
    }
    const std::size_t kept = walk_classes(
        entries, node, peaks_only,
        TermsUp{of_classes_.data(), near_counts_.data(), all, left_sums_.data()},
        TermsDown{of_classes_.data(), near_counts_.data() + k_classes, all, left_sums_.data()});
    for (std::size_t k = 0; k < kept; ++k) {
        scores_[k] = static_cast<double>(left_sums_[k] - of_rows_[positions_[k]]);
    }
    return kept;
}

template <class Id, class Up, class Down>
std::size_t BoundaryScanner::walk_classes(std::span<const Id> entries, const NodeRows& node,
                                          bool peaks_only, Up up, Down down) {
    // Each walk covers half of the rows. Alone it would wait for its own counters where rows of
    // one class follow each other; two interleaved fill each other's waits. Plain pointers, since
    // the compiler must not expect the stores to change them. Both store at each row and keep what
    // they stored only at a boundary: no branch, since in data with ties the start of a run is not
    // to be predicted.
    const Id* const entry = entries.data();
    const std::uint16_t* const labels = node.labels().data();
    const std::ptrdiff_t n = std::ssize(entries), middle = n / 2;
    std::uint32_t* const positions = positions_.data();
    std::ptrdiff_t kept = 0, first_kept = n - 1; // up fills [0, kept), down (first_kept, n)
    const auto start = [](Id e) { return std::uint32_t{e} >> (Entry<Id>::kBits - 1); };
    const auto label = [&](Id e) { return labels[e & Entry<Id>::kMask]; };
    // Whether a boundary is no peak: see TwoClassBoundaries.
    const auto inside = [&](Id before, std::uint16_t label_before, std::uint16_t own, Id after) {
        return peaks_only & (label_before == own) & start(before) & start(after);
    };
    // The row that the next step down comes to, and the one behind it.
    Id below = entry[n - 1], above = Entry<Id>::kStart;
    std::uint16_t label_below = label(below);
    const auto step_down = [&](std::ptrdiff_t i) {
        const Id e = below;
        const std::uint16_t own = label_below;
        below = entry[i - 1];
        label_below = label(below);
        down.add(own);
        positions[first_kept] = static_cast<std::uint32_t>(i);
        down.put(first_kept);
        first_kept -= start(e) & (inside(below, label_below, own, above) ^ 1u);
        above = e;
    };
    // The first entry starts a run but is no boundary.
    Id before = entry[0];
    std::uint16_t label_before = label(before);
    up.add(label_before);
    for (std::ptrdiff_t i = 1; i < middle; ++i) {
        const Id e = entry[i];
        const std::uint16_t own = label(e);
        positions[kept] = static_cast<std::uint32_t>(i);
        up.put(kept);
        kept += start(e) & (inside(before, label_before, own, entry[i + 1]) ^ 1u);
        up.add(own);
        before = e;
        label_before = own;
        step_down(n - i);
    }
    for (std::ptrdiff_t i = n - middle; i >= middle; --i) step_down(i);
    auto count = static_cast<std::size_t>(kept);
    for (std::ptrdiff_t k = first_kept + 1; k < n; ++k, ++count) {
        positions[count] = positions[k];
        left_sums_[count] = left_sums_[static_cast<std::size_t>(k)];
        right_sums_[count] = right_sums_[static_cast<std::size_t>(k)];
    }
    return count;
}

template <class Id>
std::size_t BoundaryScanner::weighted(std::span<const Id> entries, const NodeRows& node) {
    const auto k_classes = static_cast<std::size_t>(n_classes_);
    left_weights_.assign(k_classes, 0.0);
    right_weights_.assign(node.sums.begin(), node.sums.end());
    std::size_t kept = 0;
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        if (i > 0 && entries[i] & Entry<Id>::kStart) {
            positions_[kept] = i;
            scores_[kept++] =
                side_score(criterion_, left_weights_) + side_score(criterion_, right_weights_);
        }
        const std::uint32_t id = entries[i] & Entry<Id>::kMask;
        left_weights_[node.labels()[id]] += node.weights()[id];
        right_weights_[node.labels()[id]] -= node.weights()[id];
    }
    return kept;
}

template <class Id>
std::size_t BoundaryScanner::numbers(std::span<const Id> entries, const NodeRows& node) {
    const Sums sums(node.state);
    left_weights_.assign(sums.size(), 0.0);
    right_weights_.resize(sums.size());
    std::size_t kept = 0;
    for (std::uint32_t i = 0; i < entries.size(); ++i) {
        if (i > 0 && entries[i] & Entry<Id>::kStart) {
            for (std::size_t k = 0; k < sums.size(); ++k) {
                right_weights_[k] = node.sums[k] - left_weights_[k];
            }
            positions_[kept] = i;
            scores_[kept++] =
                moments_score(node, left_weights_) + moments_score(node, right_weights_);
        }
        sums.add(left_weights_.data(), entries[i] & Entry<Id>::kMask);
    }
    return kept;
}

template <class Id>
std::size_t BoundaryScanner::medians(std::span<const Id> entries) {
    std::size_t kept = 0;
    for (std::uint32_t i = 1; i < entries.size(); ++i) {
        if (entries[i] & Entry<Id>::kStart) positions_[kept++] = i;
    }
    medians_.leaves(entries, std::span<const std::uint32_t>(positions_).first(kept), before_,
                    behind_);
    for (std::size_t k = 0; k < kept; ++k) scores_[k] = -(before_[k].loss + behind_[k].loss);
    return kept;
}

template <class Keep>
std::size_t BoundaryScanner::keep_where(std::size_t kept, const Keep& keep) {
    std::size_t next = 0;
    for (std::size_t k = 0; k < kept; ++k) {
        if (!keep(k)) continue;
        positions_[next] = positions_[k];
        scores_[next++] = scores_[k];
    }
    return next;
}

template <class Id>
std::size_t BoundaryScanner::drop_light(std::span<const Id> entries, const NodeRows& node,
                                        std::size_t kept) {
    const auto weights = node.state.weights();
    const auto weight_of = [&](std::uint32_t i) {
        return weights.empty() ? 1.0 : weights[entries[i] & Entry<Id>::kMask];
    };
    double total = 0, left = 0;
    for (std::uint32_t i = 0; i < entries.size(); ++i) total += weight_of(i);
    std::uint32_t i = 0;
    return keep_where(kept, [&](std::size_t k) {
        for (; i < positions_[k]; ++i) left += weight_of(i);
        return left >= least_.weight && total - left >= least_.weight;
    });
}

template <class Id>
std::size_t BoundaryScanner::drop_unordered(std::span<const Id> entries, const NodeRows& node,
                                            std::uint32_t slot, std::size_t kept) {
    const int sign = node.state.signs()[slot];
    if (sign == 0 && node.bounds.none()) return kept;
    const Sums sums(node.state);
    const bool absolute = node.state.data().loss() == Loss::absolute;
    left_weights_.assign(sums.size(), 0.0);
    right_weights_.assign(node.sums.begin(), node.sums.end());
    std::uint32_t i = 0;
    return keep_where(kept, [&](std::size_t k) {
        for (; !absolute && i < positions_[k]; ++i) {
            sums.add(left_weights_.data(), entries[i] & Entry<Id>::kMask);
        }
        for (std::size_t m = 0; m < left_weights_.size(); ++m) {
            right_weights_[m] = node.sums[m] - left_weights_[m];
        }
        const double left = absolute ? before_[k].value : sums.value(left_weights_.data());
        const double right = absolute ? behind_[k].value : sums.value(right_weights_.data());
        return node.bounds.hold(left) && node.bounds.hold(right) && sign * (left - right) <= 0;
    });
}

template <class Id>
std::pair<double, double> BoundaryScanner::values(std::span<const Id> entries, const NodeRows& node,
                                                  std::uint32_t position) {
    if (node.state.data().loss() == Loss::absolute) {
        const std::uint32_t at[] = {position};
        medians_.leaves(entries, at, before_, behind_);
        return {before_[0].value, behind_[0].value};
    }
    const Sums sums(node.state);
    left_weights_.assign(sums.size(), 0.0);
    right_weights_.resize(sums.size());
    for (const Id entry : entries.first(position)) {
        sums.add(left_weights_.data(), entry & Entry<Id>::kMask);
    }
    for (std::size_t m = 0; m < sums.size(); ++m) {
        right_weights_[m] = node.sums[m] - left_weights_[m];
    }
    return {sums.value(left_weights_.data()), sums.value(right_weights_.data())};
}

#define TREEFRONT_FOR_ENTRIES(Id)                                                                  \
    template void BoundaryScanner::enter(std::span<const Id>, const NodeRows&);                    \
    template ScoredBoundaries BoundaryScanner::scan(std::span<const Id>, const NodeRows&,          \
                                                    std::uint32_t, bool);                          \
    template std::pair<double, double> BoundaryScanner::values(std::span<const Id>,                \
                                                               const NodeRows&, std::uint32_t);
TREEFRONT_FOR_ENTRIES(std::uint16_t)
TREEFRONT_FOR_ENTRIES(std::uint32_t)
#undef TREEFRONT_FOR_ENTRIES

} // namespace treefront
