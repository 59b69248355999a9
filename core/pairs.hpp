// The best tree of at most two levels for one alpha, over all boundaries: what exact search asks
// for most, so it keeps no front and looks at leaves only where they are evaluated.
#pragma once

#include "child_stumps.hpp"
#include "front.hpp"
#include "interval.hpp"
#include "kernels.hpp"
#include "limits.hpp"
#include "objective.hpp"
#include "subset.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace treefront {

// The regularised loss E + alpha C of the best tree of a state: known where value == lower.
struct TwoLevels {
    double lower = 0;         // no tree has less
    double value = 0;         // of the best tree found; infinite where none is below the cut
    Point point;              // its complexity and errors
    std::optional<Test> test; // none: a leaf
    // How the sides go on: 0 as a leaf, else with the best test of a price group, and 1.
    std::uint32_t left = 0, right = 0;
};

// One per thread.
class Pairs {
public:
    // objective.alpha must be set.
    Pairs(const Objective& objective, const Kernels& kernels, std::optional<Lane> lane,
          Limits& limits, Shortcuts use = {});

    // Looks for a tree below `cut`. Without one, lower >= cut unless a limit ended the search.
    TwoLevels best(const Subset& state, double cut);

private:
    struct Chosen {
        std::size_t interval; // in open_
        std::uint32_t position;
    };

    // A first, even look at every slot, which also bounds the ends of all intervals.
    void choose_first_points(const Subset& state);
    void choose_points(const Subset& state, double bar);
    void add_points(const Subset& state, std::size_t interval, std::uint32_t count);
    void evaluate(const Subset& state, const LeftWeights& weights, TwoLevels& best, double& bar);
    void split_intervals();
    double undivided_ = 0; // lower bound of the state with one test fewer

    const Objective objective_;
    const double alpha_;
    ChildStumps child_stumps_;
    Limits& limits_;
    const Shortcuts use_;
    std::vector<Interval> open_, next_;
    std::vector<Chosen> points_;      // of the batch, by interval and position
    std::vector<ChildBounds> bounds_; // of the batch
    std::vector<Test> tests_;         // of the batch
    double row_cost_;
};

} // namespace treefront
