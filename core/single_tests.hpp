// r = 1: every boundary of a state, what both its sides get wrong as leaves, and the best of them.
#pragma once

#include "medians.hpp"
#include "subset.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace treefront {

// A test that keeps enough on both sides, and what leaves would get wrong there. A state
// has one per cell: they are kept small.
struct Boundary {
    // Stands for the set of levels of a slot that is best, see Subset::split_by_majority.
    static constexpr std::uint32_t kBestSet = 0xffffffffu;

    double left_errors, right_errors;
    std::uint32_t position;

    double errors() const { return left_errors + right_errors; }
};

struct Candidate {
    std::uint32_t slot;
    Boundary boundary;
    double left_weight;
};

// One per thread: its buffers are reused from state to state.
class SingleTests {
public:
    explicit SingleTests(LeastLeaf least) : own_least_(least) {}

    // Finds the boundaries of every slot whose sides are in order, and the best of each price
    // group; with a limit in place of the own one.
    void scan(const Subset& state) { scan(state, own_least_); }
    void scan(const Subset& state, LeastLeaf least);

    // What the last scan found. Boundaries [first(slot), last(slot)) are those of a slot.
    struct Best {
        bool any = false;
        Candidate candidate;
        double errors = std::numeric_limits<double>::infinity();
    };
    const std::vector<Best>& by_price() const { return by_price_; } // as Subset::price_groups
    double least_errors() const;
    std::uint32_t first(std::uint32_t slot) const { return first_[slot]; }
    std::uint32_t last(std::uint32_t slot) const { return first_[slot + 1]; }
    const Boundary& operator[](std::uint32_t at) const { return boundaries_[at]; }
    double left_weight(std::uint32_t at) const {
        return left_weights_.empty() ? boundaries_[at].position : left_weights_[at];
    }
    Candidate candidate(std::uint32_t slot, std::uint32_t at) const {
        return {slot, boundaries_[at], left_weight(at)};
    }

    // Without a scan: the same of one test whose sides are in order.
    Candidate describe(const Subset& state, Test test);

private:
    template <class Id>
    void find_boundaries(const Subset& state, std::uint32_t slot);
    template <class Id>
    void find_numbers(const Subset& state, std::uint32_t slot);
    template <class Id>
    void find_medians(const Subset& state, std::uint32_t slot);
    template <class Id>
    void find_two_classes(const Subset& state, std::uint32_t slot);
    template <class Id>
    void find_many_classes(const Subset& state, std::uint32_t slot);
    template <class Id>
    bool is_boundary(std::span<const Id> entries, std::uint32_t i) const {
        return i >= least_.rows && i + least_.rows <= entries.size() &&
               (entries[i] & Entry<Id>::kStart);
    }
    Boundary best_set(const Subset& state, std::uint32_t slot) const;

    const LeastLeaf own_least_;
    LeastLeaf least_; // of the scan at hand
    std::vector<Best> by_price_;
    std::vector<Boundary> boundaries_;
    std::vector<double> left_weights_; // empty where all rows count 1
    std::vector<std::uint32_t> first_;
    std::vector<double> running_, rest_;
    Medians medians_;
    std::vector<std::uint32_t> positions_;
    std::vector<MedianLeaf> before_, behind_;
};

} // namespace treefront
