// Absolute errors: what rows cost against their median, and every first part of a sorted feature.
//
// Weights and moments are on grids, so their sums are exact, and which of equal numbers is the
// median depends on the rows alone: a part has the same loss wherever it is looked at.
#pragma once

#include "dataset.hpp"
#include "entry.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace treefront {

class Subset;

// Of rows as a leaf that predicts the median of every output: their loss, and the first median.
// Half the rows' weight is below a median and half above; of an interval of them it is the middle.
struct MedianLeaf {
    double loss = 0;
    double value = 0;
};

// One per thread: its buffers are reused. A median outside the bounds is moved to them.
class Medians {
public:
    // The rows that all segments hold: everything in a state, or those with these local ids.
    void enter(const Subset& state, const ValueBounds& bounds);
    template <class Id>
    void enter(const Subset& state, std::span<const Id> entries, const ValueBounds& bounds);
    // All of them as a leaf.
    MedianLeaf all() const { return all_; }
    double value(std::size_t output) const { return values_[output]; } // of all

    // Of a sorted segment, for every position of a boundary (ascending): the rows before it, and
    // those from it on.
    template <class Id>
    void leaves(std::span<const Id> entries, std::span<const std::uint32_t> boundaries,
                std::vector<MedianLeaf>& before, std::vector<MedianLeaf>& behind);

private:
    // Sums over the rows below a place in the order of an output's numbers.
    struct Below {
        double weight = 0, moment = 0;
    };
    // What is left of an output's rows, as places in the order of its numbers.
    struct Rest {
        std::vector<std::uint32_t> next, previous; // a ring through the place n_rows
        std::uint32_t median = 0;
        Below below, below_low, below_high; // the median and the two bounds
        double weight = 0, moment = 0;
    };
    struct Output {
        std::vector<std::uint32_t> place;           // by local id
        std::vector<double> number, weight, moment; // by place
        std::uint32_t low = 0, high = 0; // places from which on numbers are at least the bounds
        Rest full;
    };

    void start(const Subset& state, const ValueBounds& bounds);
    void fill(const Subset& state, std::size_t d, std::span<const std::uint32_t> ids);
    static void remove(const Output& output, Rest& rest, std::uint32_t place);
    static void move_to_median(const Output& output, Rest& rest);
    MedianLeaf leaf(const Output& output, const Rest& rest) const;
    void finish();

    const Dataset* data_ = nullptr;
    ValueBounds bounds_;
    std::uint32_t n_rows_ = 0;
    std::vector<Output> outputs_;
    std::vector<double> values_;
    MedianLeaf all_;
    Rest rest_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::uint8_t> is_member_;
};

} // namespace treefront
