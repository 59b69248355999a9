// Thresholds of one feature that are still open between two that were evaluated, and what the
// values at both ends say about them (design: similarity and interval bounds).
#pragma once

#include "subset.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace treefront {

// What the exact search prunes and remembers by. All are on but in tests, which switch them off in
// turn: none may change a result.
struct Shortcuts {
    bool monotone = true;  // fewer rows cost no more
    bool similar = true;   // moving a row changes a value by no more than it weighs
    bool undivided = true; // two levels: every child against the whole state with one test
    bool margin = true;    // asking for values above the bar, to close the neighbours too
    bool memo = true;
};

// The first position in [begin, end) at which `holds` no longer holds, end where it always does;
// once it does not hold it never does again. (std::ranges::partition_point over std::views::iota is
// more than Clang 14 makes of libstdc++.)
template <class Predicate>
std::uint32_t first_without(std::uint32_t begin, std::uint32_t end, const Predicate& holds) {
    while (begin < end) {
        const std::uint32_t middle = begin + (end - begin) / 2;
        if (holds(middle))
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// Lower bounds on the values of both children of a boundary.
struct ChildBounds {
    double left = 0, right = 0;
    double left_weight = 0;               // of the rows left of the boundary
    double left_leaf = 0, right_leaf = 0; // as leaves, where one side must be one

    // On both children together, of a test that has at least the left child of one boundary and the
    // right child of another; `forced`: one side is a leaf, see Subset::forced.
    static double sum(const ChildBounds& of_left, const ChildBounds& of_right, bool forced) {
        return forced ? std::min(of_left.left_leaf + of_right.right,
                                 of_left.left + of_right.right_leaf)
                      : of_left.left + of_right.right;
    }
};

// Weight of the first rows of a slot.
class LeftWeights {
public:
    explicit LeftWeights(const Subset& state);
    double operator()(std::uint32_t slot, std::uint32_t position) const {
        return sums_.empty() ? position : sums_[std::size_t{slot} * stride_ + position];
    }

private:
    std::size_t stride_ = 0;
    std::vector<double> sums_; // empty where all rows count 1
};

// Positions [first, last] of a slot; below.left_weight and above.left_weight tell where the ends
// lie. An end may lie beyond positions that were trimmed away.
struct Interval {
    std::uint32_t slot = 0;
    std::uint32_t first = 1, last = 0;
    ChildBounds below, above;
    bool forced = false; // one side must be a leaf of a given class, see Subset::forced
    double own = 0;      // what the test itself costs
    double least = 0;    // lower bound on the sum of both children for each position

    bool empty() const { return first > last; }
    double width() const { return above.left_weight - below.left_weight; }
    double sum(const ChildBounds& of_left, const ChildBounds& of_right) const {
        return ChildBounds::sum(of_left, of_right, forced);
    }

    // Drops what cannot come below `bar`, with the test's own cost. A row that changes sides
    // changes the sum of both children by at most `row_cost` times its weight; more rows never make
    // a child better.
    void narrow(double bar, double row_cost, const LeftWeights& weights, Shortcuts use);
};

// What the ends of a slot with a forced test cost where one side is the whole state as a leaf.
void bound_forced_ends(const Subset& state, std::uint32_t slot, ChildBounds& below,
                       ChildBounds& above);

// The first and the last position of a slot that keep enough on both sides; the last is smaller
// where none does.
std::pair<std::uint32_t, std::uint32_t> allowed_positions(const Subset& state,
                                                          const LeftWeights& weights,
                                                          std::uint32_t slot, LeastLeaf least);

// A boundary of the slot within [first, last], as near to `wanted` as runs of equal values allow;
// 0 where there is none.
std::uint32_t nearest_boundary(const Subset& state, std::uint32_t slot, std::uint32_t first,
                               std::uint32_t last, std::uint32_t wanted);

} // namespace treefront
