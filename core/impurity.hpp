// The information a test gives: one pass over a sorted feature scores each of its boundaries.
#pragma once

#include "kernels.hpp"
#include "medians.hpp"
#include "subset.hpp"
#include "types.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace treefront {

// x log2(x) by count, in fixed point: sums are exact, so equal partitions score equal whatever
// the order in which their rows were added.
class EntropyTable {
public:
    explicit EntropyTable(std::size_t n_rows);
    std::int64_t operator[](std::size_t count) const { return table_[count]; }

private:
    std::vector<std::int64_t> table_;
};

// A node of a greedy tree inside a state: what a scan needs to know of its rows.
struct NodeRows {
    const Subset& state;
    std::span<const double> sums; // of the node's rows, see Subset::sums
    // Of numbers that leaves may predict, where a feature has a sign.
    ValueBounds bounds = {};

    std::span<const std::uint16_t> labels() const { return state.labels(); }
    std::span<const double> weights() const { return state.loss_weights(); }
    bool by_moments() const { return state.data().by_moments(); }
};

// The boundaries of one sorted segment and the score of each: minus the weighted impurity of both
// sides, up to a constant of the row set, so scores compare across the features of a node. With
// numbers to predict the impurity is the loss, whatever the criterion.
struct ScoredBoundaries {
    std::span<const std::uint32_t> positions; // rows on the left, ascending
    std::span<const double> scores;
};

// Scans segments of sorted entries. One per thread; results live until the next call.
class BoundaryScanner {
public:
    // `table` is needed for entropy over counts and must outlive the scanner.
    BoundaryScanner(Criterion criterion, LeastLeaf least, int n_classes, const EntropyTable* table,
                    const Kernels& kernels);

    // Before the slots of a node are scanned: its rows, in any order.
    template <class Id>
    void enter(std::span<const Id> entries, const NodeRows& node);
    // Boundaries that leave enough on each side. Where features have signs,
    // what the sides predict is within the node's bounds and in the slot's order. For the best
    // alone some that can't be it may be left out.
    template <class Id>
    ScoredBoundaries scan(std::span<const Id> entries, const NodeRows& node, std::uint32_t slot,
                          bool for_best = false);
    // What both sides of a boundary would predict as leaves.
    template <class Id>
    std::pair<double, double> values(std::span<const Id> entries, const NodeRows& node,
                                     std::uint32_t position);
    // The index of the first best; there must be one.
    std::size_t best(const ScoredBoundaries& found) const {
        return kernels_.first_best(found.scores.data(), found.scores.size());
    }
    // Scores of one node that differ by no more may be equal but for rounding.
    double rounding(const NodeRows& node, double score) const;
    // The score of the undivided node, on the scale of scan's.
    double own_score(const NodeRows& node, std::uint32_t n_rows) const;

private:
    bool by_table(const NodeRows& node) const;
    void enter_table(const NodeRows& node, std::size_t n_rows);
    template <class Id>
    std::size_t two_classes(std::span<const Id> entries, const NodeRows& node, bool peaks_only);
    template <class Id>
    std::size_t many_classes(std::span<const Id> entries, const NodeRows& node, bool peaks_only);
    // From both ends. A walk has add(label) for a row that it passes and put(k) for a boundary.
    template <class Id, class Up, class Down>
    std::size_t walk_classes(std::span<const Id> entries, const NodeRows& node, bool peaks_only,
                             Up up, Down down);
    template <class Id>
    std::size_t weighted(std::span<const Id> entries, const NodeRows& node);
    // Of sums of moments, for numbers the squares that their mean explains.
    double moments_score(const NodeRows& node, std::span<const double> sums) const;
    template <class Id>
    std::size_t numbers(std::span<const Id> entries, const NodeRows& node);
    template <class Id>
    std::size_t medians(std::span<const Id> entries);
    // Of the first `kept` boundaries keeps those for which keep(place) is true; how many they are.
    template <class Keep>
    std::size_t keep_where(std::size_t kept, const Keep& keep);
    // Of the first `kept` boundaries keeps those that leave enough weight on each side.
    template <class Id>
    std::size_t drop_light(std::span<const Id> entries, const NodeRows& node, std::size_t kept);
    // Of the first `kept` boundaries keeps those that are in order.
    template <class Id>
    std::size_t drop_unordered(std::span<const Id> entries, const NodeRows& node,
                               std::uint32_t slot, std::size_t kept);

    Criterion criterion_;
    LeastLeaf least_;
    int n_classes_;
    const EntropyTable* table_;
    KernelTable kernels_;
    std::vector<std::uint32_t> positions_, ones_;
    std::vector<double> scores_;
    std::vector<std::int64_t> left_sums_, right_sums_;
    std::vector<std::uint32_t> near_counts_, total_counts_;
    // Entropy of a node's counts. Of l rows on the left and the rest on the right, with the table's
    // t: the sum of both sides' t; class by class what one more on the left adds to it, or with
    // two classes the sum itself.
    std::vector<std::int64_t> of_rows_, of_classes_;
    std::vector<double> left_weights_, right_weights_;
    Medians medians_;
    std::vector<MedianLeaf> before_, behind_;
};

} // namespace treefront
