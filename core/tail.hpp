// The last levels are cheap, so they are exact: r = 1 in one scan, r = 2 by batches of tests.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "front.hpp"
#include "kernels.hpp"
#include "limits.hpp"
#include "objective.hpp"
#include "subset.hpp"

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
    };
    // The most promising first.
    std::vector<Outlook> outlooks(const Subset& state, std::span<const Test> tests);

  private:
    // A test that keeps min_samples_leaf on both sides, and what leaves would get wrong there.
    // A state has one per cell: they are kept small.
    struct Boundary {
        double left_errors, right_errors;
        std::uint32_t position;
    };
    struct Candidate {
        std::uint32_t slot;
        Boundary boundary;
        double left_weight;
    };
    // What scanning every feature of a state found: the best single test of each price group.
    struct Scan {
        struct Best {
            bool any = false;
            Candidate candidate;
            double errors = 0;
        };
        std::vector<Best> by_price; // as Subset::price_groups
        double least_errors() const;
    };
    // Errors below which no single test brings the rows left and right of a boundary.
    struct Bound {
        double left, right;
        double left_weight;
        double both() const { return left + right; }
    };
    // Boundaries [first, last) of the state, all of one slot, that may still hold a new vertex, between two for which
    // bounds are known.
    struct Interval {
        std::uint32_t slot;
        std::uint32_t first, last;
        Bound below, above;
        double least_errors = 0; // of any tree with one of these boundaries
        std::uint64_t seen = 0;  // the version of the front it was last compared with
    };

    // Finds the boundaries of every slot.
    Scan scan(const Subset& state);
    // The best set of levels of a slot: `position` of its boundary is kBestSet.
    static constexpr std::uint32_t kBestSet = 0xffffffffu;
    Boundary best_set(const Subset& state, std::uint32_t slot) const;
    template <class Id> void find_boundaries(const Subset& state, std::uint32_t slot);
    // boundaries_[at] of this state, and the weight on its left.
    Candidate candidate(const Subset& state, std::uint32_t slot, std::uint32_t at) const;
    double left_weight(const Subset& state, std::uint32_t at) const;
    Candidate describe(const Subset& state, Test test);
    std::vector<Candidate> describe_all(const Subset& state, std::span<const Test> tests);
    void add_single(const Subset& state, const Candidate& candidate, FrontBuilder& front) const;
    // The batch must be sorted by slot and position.
    std::vector<BatchOutput> best_stumps(const Subset& state, std::span<const Candidate> batch,
                                         std::uint32_t min_samples_leaf);
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
                  std::vector<Bound>& bounds);
    // Shrinks an interval from both ends; false where nothing of it is left.
    bool narrow_down(const Subset& state, Interval& interval, const FrontBuilder& front) const;
    // Picks the next batch from the open intervals and says how many points each one gets.
    std::vector<std::uint32_t> allot(std::vector<Interval>& open) const;

    const Objective objective_;
    const Kernels& kernels_;
    std::optional<Lane> lane_;
    Limits& limits_;
    KernelScratch scratch_;
    std::vector<std::uint32_t> bits_;
    std::vector<Option> left_options_, right_options_;
    std::vector<Boundary> boundaries_;       // of slot s: [first_[s], first_[s + 1])
    std::vector<double> left_weights_;       // likewise; empty where all rows count 1
    std::vector<std::uint32_t> first_;
    std::vector<double> running_, rest_;
};

} // namespace treefront
