// Exact search for every alpha at once: the front of all trees, in one branch and bound.
#pragma once

#include "exact.hpp"
#include "front.hpp"
#include "interval.hpp"
#include "tail.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace treefront {

// Bounds are fronts here. Where A is part of B, every tree of B costs no less than the same tree
// on A, in complexity and in errors: the region above Front(B) lies in that above Front(A). So
// the sums of a left child's front at one boundary and a right child's at a later one bound all
// boundaries between; and d units of weight that change sides move a sum by at most
// (d (r - 1), d) in (complexity, errors). An interval is closed when the sums' vertices, so moved,
// do not lie below the front in hand. All of it is checked at the slopes of that front.
class ExactFront {
public:
    // settings.objective.alpha is the price that lower_bound() is for, no more.
    ExactFront(const ExactSettings& settings, const Kernels& kernels, Limits& limits);

    // The front of all trees; `found` is any front of the same data to start from. Incomplete
    // where a limit ended the search.
    FrontPtr prove(const Subset& root, const FrontPtr& found);
    // After prove(): no tree has less E + alpha C.
    double lower_bound() const { return lower_; }

private:
    struct Ends;
    struct OpenInterval;
    struct Frontier;

    FrontPtr solve(int worker, const Subset& state, int remaining);
    FrontPtr branch(int worker, const Subset& state, int remaining, FrontBuilder front);
    void evaluate(int worker, const Subset& state, int remaining, Frontier& frontier,
                  OpenInterval interval, std::uint32_t position);

    const ExactSettings settings_;
    Limits& limits_;
    Pool pool_;
    std::vector<Tail> tails_;          // by worker
    std::unique_ptr<ExactFront> free_; // without a minimum leaf size, for bounds: see Exact
    Memo memo_;
    double lower_ = 0;
};

} // namespace treefront
