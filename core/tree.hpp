// Following a tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dataset.hpp"

namespace treefront {

// The one comparison: it alone decides in search, prediction and every export.
inline bool goes_left(double x, double threshold) { return x <= threshold; }

struct TreeView {
    std::span<const std::int32_t> feature; // negative at leaves
    std::span<const double> threshold;
    std::span<const std::int32_t> left, right;
};

// Throws InvalidInput unless every node but the root is the child of an earlier node, and every
// tested feature is one of n_features.
void check_tree(const TreeView& tree, std::size_t n_features);

// The leaf each row arrives at. The tree must have passed check_tree.
void apply(const TreeView& tree, std::span<const Column> columns, std::span<std::int32_t> leaves);

} // namespace treefront
