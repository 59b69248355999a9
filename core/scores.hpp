// What crosses from a scan to its vector code: plain pointers only (see batch.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace treefront {

// A sorted feature of rows of two classes.
struct TwoClassRows {
    const void* entries; // n of them, 16 bits where narrow, else 32: see Entry
    std::size_t n;
    bool narrow;
    std::uint32_t ones_from; // rows with these ids or higher are of class 1
};

// Its boundaries, and the rows of class 1 before each; how many there are. With peaks_only those
// between two rows of one class, each alone with its value, are left out: where an impurity is
// strictly concave they are worse than a boundary next to them (Fayyad and Irani, 1992), but for
// rounding where both gain next to nothing.
// positions and ones have room for n.
using TwoClassBoundaries = std::size_t (*)(const TwoClassRows&, bool peaks_only,
                                           std::uint32_t* positions, std::uint32_t* ones);

// With two classes Gini's weighted impurity of a side is 2 l0 l1 / l: of each boundary minus half
// of both sides' sum. positions: rows on the left; ones: those of class 1 among them; n rows in
// all, n1 of class 1.
using GiniScores = void (*)(const std::uint32_t* positions, const std::uint32_t* ones,
                            std::size_t count, double n, double n1, double* scores);

// left / l + right / r, for l rows on the left and r = n - l on the right.
using SideScores = void (*)(const std::uint32_t* positions, const std::int64_t* left,
                            const std::int64_t* right, std::size_t count, double n, double* scores);

// The index of the first largest; count is at least 1.
using FirstBest = std::size_t (*)(const double* scores, std::size_t count);

} // namespace treefront
