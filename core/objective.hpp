// What a tree costs.
#pragma once

#include "front.hpp"
#include "subset.hpp"
#include "types.hpp"

#include <optional>

namespace treefront {

// E + alpha C, where C sums a price over the test nodes: the weight that passes the node (then
// C / W is the paper's average number of tests), or 1 (the number of splits).
struct Objective {
    Complexity complexity = Complexity::tests;
    std::optional<double> alpha; // empty: every alpha at once
    Keep keep = Keep::hull;      // of a front over all alphas
    std::uint32_t min_samples_leaf = 1;
    double min_weight_leaf = 0; // 0 where all rows count 1

    LeastLeaf least() const { return {min_samples_leaf, min_weight_leaf}; }

    // How much the best tree of `remaining` levels can lose, per unit of weight, by one more row:
    // the row's errors, and with complexity "tests" the tests that it passes. alpha must be set.
    double row_cost(int remaining, const Dataset& data) const {
        const double tests = *alpha * data.highest_cost() * remaining;
        return data.unit_loss() + (complexity == Complexity::tests ? tests : 0.0);
    }
    // Of a test that costs 1, made by rows of this weight.
    double price(double weight) const { return complexity == Complexity::tests ? weight : 1.0; }
};

} // namespace treefront
