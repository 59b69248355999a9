// The last levels are cheap, so they are exact: r = 1 in one scan, r = 2 by batches of tests.
#pragma once

#include "child_stumps.hpp"
#include "front.hpp"
#include "interval.hpp"
#include "kernels.hpp"
#include "limits.hpp"
#include "objective.hpp"
#include "single_tests.hpp"
#include "subset.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace treefront {

// One per thread: its buffers are reused from state to state.
class Tail {
public:
    // Without a lane the narrowest that fits each state is used.
    Tail(const Objective& objective, const Kernels& kernels, std::optional<Lane> lane,
         Limits& limits);

    // r = 1: the best test over all boundaries, of each price group.
    void stump(const Subset& state, FrontBuilder& front);
    // The best of one group alone; there must be one.
    Origin last_test(const Subset& state, std::uint32_t group);

    // r = 1: the best of the given tests.
    void best_of(const Subset& state, std::span<const Test> tests, FrontBuilder& front);

    // r = 2: the given tests, each side a leaf or its best single test.
    // False where a limit ended it early.
    bool pairs(const Subset& state, std::span<const Test> tests, FrontBuilder& front);

    // r = 2: the same over all boundaries.
    bool all_pairs(const Subset& state, FrontBuilder& front);

    // r = 2: four points for a test that no tree below it beats, whatever tests its children may
    // use: each side a leaf or its best single test, at the lowest price.
    struct Outlook {
        Test test;
        std::array<Point, 4> points; // bit 0 of the index: a test on the left, bit 1: on the right
        double left_errors, right_errors; // of leaves

        const Point& leaves() const { return points[0]; }
        const Point& left_test() const { return points[1]; }
        const Point& right_test() const { return points[2]; }
        const Point& both_tests() const { return points[3]; }
        double least_errors() const {
            return std::min({points[1].errors, points[2].errors, points[3].errors});
        }
    };
    // The most promising first. Where there is one test alone its sides are not looked at: as if
    // their best single tests left no errors.
    std::vector<Outlook> outlooks(const Subset& state, std::span<const Test> tests);

private:
    // Boundaries [first, last) of the state, all of one slot, that may still hold a new vertex,
    // between two for which bounds are known.
    struct Interval {
        std::uint32_t slot;
        std::uint32_t first, last;
        ChildBounds below, above; // on errors, whatever single tests the sides make
        double least_errors = 0;  // of any tree with one of these boundaries
        std::uint64_t seen = 0;   // the version of the front it was last compared with
        bool forced = false;      // one side must be a leaf of a given class

        double sum(const ChildBounds& of_left, const ChildBounds& of_right) const {
            return ChildBounds::sum(of_left, of_right, forced);
        }
    };

    std::vector<Candidate> describe_all(const Subset& state, std::span<const Test> tests);
    void add_single(const Subset& state, const Candidate& candidate, FrontBuilder& front) const;
    bool all_pairs_without_bounds(const Subset& state, FrontBuilder& front);
    // The batch must be sorted by slot and position.
    std::vector<BatchOutput> best_stumps(const Subset& state, std::span<const Candidate> batch,
                                         LeastLeaf least);
    // How one side of a test may go on: as a leaf, or with the best test of a price group.
    struct Option {
        double price, errors;
        std::uint32_t vertex; // 0: a leaf; else the group and 1
    };
    void options(const Subset& state, std::uint32_t slot, double weight, double leaf_errors,
                 const std::vector<BatchOutput>& best, std::size_t b, bool left,
                 std::vector<Option>& result) const;
    Origin origin_of(const Subset& state, const Candidate& candidate) const;
    Outlook outlook(const Subset& state, const Candidate& candidate, double left,
                    double right) const;
    void evaluate(const Subset& state, std::span<const Candidate> batch, FrontBuilder& front,
                  std::vector<ChildBounds>& bounds);
    // Shrinks an interval from both ends; false where nothing of it is left.
    bool narrow_down(const Subset& state, Interval& interval, const FrontBuilder& front) const;
    // Picks the next batch from the open intervals and says how many points each one gets.
    std::vector<std::uint32_t> allot(std::vector<Interval>& open) const;

    const Objective objective_;
    Limits& limits_;
    SingleTests single_;
    ChildStumps child_stumps_;
    std::vector<Test> tests_; // of a batch
    std::vector<Option> left_options_, right_options_;
};

} // namespace treefront
