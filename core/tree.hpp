// Following a tree.
#pragma once

#include "dataset.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace treefront {

// The one comparison: it alone decides in search, prediction and every export.
inline bool goes_left(double x, double threshold) {
    return x <= threshold;
}

// See TreeArrays.
struct TreeView {
    std::span<const std::int32_t> feature; // negative at leaves
    std::span<const double> threshold;     // NaN where levels are tested
    std::span<const std::int32_t> left, right;
    std::span<const std::uint8_t> missing_left;
    std::span<const std::int64_t> level_start;
    std::span<const std::int32_t> left_levels;
};

// Throws InvalidInput unless every node but the root is the child of an earlier node, and every
// tested feature is one of n_features.
void check_tree(const TreeView& tree, std::size_t n_features);

// The leaf each row arrives at. The tree must have passed check_tree. NaN is a missing value, and
// so is a level that is not a whole number from 0 on.
void apply(const TreeView& tree, std::span<const Column> columns, std::span<std::int32_t> leaves);

} // namespace treefront
