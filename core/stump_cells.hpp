// What a batched pass reads: cells of rows, lanes of tests, and counts of rows.
//
// Compiled for each instruction set, see kernels_impl.hpp.
#pragma once

#include "batch.hpp"
#include "lanes.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

// Vectors per sum: as many as leave the running sums in registers.
template <class T>
inline constexpr int kParts = sizeof(T) == 2 && kVectorBytes > 16 ? 1 : 2;
// With two classes there are registers for more.
template <class T>
inline constexpr int kPartsOfTwo = sizeof(T) == 8 && kVectorBytes > 32 ? 4 : kParts<T>;
// Tests per pass.
template <class T, int kCount = kParts<T>>
inline constexpr int kGroup = kCount * Vectors<T>::kLanes;
static_assert(kGroup<std::int16_t> <= kBatch);

// A row as a pass reads it: which tests of the group send it left, and its weight (with two
// classes minus the weight for class 0), each a word that is broadcast from memory without a
// shuffle: halves of a word repeat where lanes have 16 bits.
template <class T>
struct Cell {
    std::uint32_t bits;
    std::uint32_t weight;
};
template <>
struct Cell<double> {
    std::int64_t bits;
    double weight;
};

template <class T>
Cell<T> make_cell(std::uint32_t bits, double weight) {
    if constexpr (sizeof(T) == 2) {
        const auto w = static_cast<std::uint16_t>(static_cast<std::int16_t>(weight));
#ifndef TREEFRONT_LANE_MASKS
        bits = (bits & 0xffffu) * 0x10001u;
#endif
        return {bits, w * 0x10001u};
    } else if constexpr (sizeof(T) == 4) {
        return {bits, static_cast<std::uint32_t>(static_cast<std::int32_t>(weight))};
    } else {
        return {bits, weight};
    }
}

// How a cell is read by the lanes of a group.
template <class T, int kCount = kParts<T>>
class Reader {
    using V = Vectors<T>;
    using Value = typename V::Value;

public:
    static Value weight(const Cell<T>& cell) {
        if constexpr (sizeof(T) == 2)
            return (Value)(cell.weight - Words{});
        else
            return V::all(static_cast<T>(cell.weight));
    }
#ifdef TREEFRONT_LANE_MASKS
    Lanes<T> left(const Cell<T>& cell, int part) const {
        return Lanes<T>(static_cast<std::uint32_t>(cell.bits) >> (part * V::kLanes));
    }
#else
    Reader() {
        for (int p = 0; p < kCount; ++p) {
            for (int k = 0; k < V::kLanes; ++k) {
                lane_bit_[p][k] = static_cast<typename V::Bits>(1u << (p * V::kLanes + k));
            }
        }
    }
    Lanes<T> left(const Cell<T>& cell, int part) const {
        using Mask = typename V::Mask;
        if constexpr (sizeof(T) == 2) {
            return Lanes<T>((Mask)(cell.bits - Words{}), lane_bit_[part]);
        } else {
            return Lanes<T>(static_cast<typename V::Bits>(cell.bits) - Mask{}, lane_bit_[part]);
        }
    }
#endif

private:
    typedef std::uint32_t Words __attribute__((vector_size(kVectorBytes)));
#ifndef TREEFRONT_LANE_MASKS
    typename V::Mask lane_bit_[kCount];
#endif
};

// Whether both sides of a boundary inside a child keep enough rows.
template <class T, int kCount = kParts<T>>
struct RowCounts {
    using V = Vectors<T>;
    using Value = typename V::Value;
    static constexpr int parts = kCount;

    Value left[parts] = {}, total_left[parts] = {}; // of the left child: so far, and in all
    Value right[parts] = {}, total_right[parts] = {};
    Value least;

    explicit RowCounts(std::uint32_t min_rows) : least(V::all(static_cast<T>(min_rows))) {}
    void restart() {
        for (int p = 0; p < parts; ++p) left[p] = right[p] = Value{};
    }
    void add(int p, const Lanes<T>& goes_left) {
        left[p] = goes_left.add(left[p], V::all(T{1}));
        right[p] = goes_left.others().add(right[p], V::all(T{1}));
    }
    void keep_totals() {
        for (int p = 0; p < parts; ++p) {
            total_left[p] = left[p];
            total_right[p] = right[p];
        }
    }
    Value only_left(int p, Value x) const {
        return V::only(x, (left[p] >= least) & (total_left[p] - left[p] >= least));
    }
    Value only_right(int p, Value x) const {
        return V::only(x, (right[p] >= least) & (total_right[p] - right[p] >= least));
    }
};

template <class T>
void fill_cells(const BatchInput& input, int first, int here, bool sign) {
    auto* cells = static_cast<Cell<T>*>(input.cells);
    const std::uint32_t used = here == 32 ? ~0u : (1u << here) - 1u;
    for (std::uint32_t i = 0; i < input.n_rows; ++i) {
        const double w = input.weights ? input.weights[i] : 1.0;
        cells[i] = make_cell<T>((input.bits[i] >> first) & used, sign && !input.labels[i] ? -w : w);
    }
}

} // namespace

} // namespace treefront::TREEFRONT_VARIANT
