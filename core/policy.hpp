// From vertices to trees: the extraction routine of the paper (section 4), for all at once.
#pragma once

#include "search.hpp"

#include <cstdint>
#include <vector>

namespace treefront {

// A tree as parallel arrays; nodes in preorder, the root first.
struct TreeArrays {
    static constexpr std::int32_t kLeaf = -1;

    std::size_t n_values = 0;          // per node
    std::vector<std::int32_t> feature; // kLeaf at leaves
    std::vector<double> threshold;     // NaN at leaves; a row goes left iff x <= threshold
    std::vector<std::int32_t> left, right;
    std::vector<std::uint8_t> missing_left; // whether a row without a value goes left
    // Tests of categories have NaN as threshold, and these levels go left: of node i those from
    // level_start[i] to level_start[i + 1]. Levels never seen go where missing values go.
    std::vector<std::int64_t> level_start{0};
    std::vector<std::int32_t> left_levels;
    // [node][class]: weight of the training rows that arrive; or [node][output]: what they predict
    std::vector<double> value;
    std::vector<std::int32_t> decision; // class that a leaf predicts
    std::vector<std::int64_t> n_rows;
    std::vector<double> weight;
    std::vector<double> loss; // of the node as a leaf, summed over its rows
};

// One tree per vertex of a front of the whole data. Thresholds lie midway between the values of
// the training rows on either side.
// Throws Cancelled where `limits` says so.
std::vector<TreeArrays> extract_trees(const Dataset& data, const FrontPtr& front, Search& search,
                                      const Limits& limits);

} // namespace treefront
