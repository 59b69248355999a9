// For a batch of tests of one state: the best single test of both children.
#pragma once

#include "kernels.hpp"
#include "single_tests.hpp"
#include "subset.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace treefront {

// One per thread: its buffers are reused from state to state.
class ChildStumps {
public:
    // Without a lane the narrowest that fits each state is used.
    ChildStumps(const Kernels& kernels, std::optional<Lane> lane)
        : kernels_(kernels), lane_(lane), single_(1) {}

    // At most kBatch tests, sorted by slot and position; by price group of the state. Where
    // `undivided`, there is one output more, whose right child is the whole state.
    std::vector<BatchOutput> best(const Subset& state, std::span<const Test> tests, LeastLeaf least,
                                  bool undivided = false);

private:
    void spread(const Subset& state, std::span<const Test> tests);
    std::vector<BatchOutput> one_by_one(const Subset& state, std::span<const Test> tests,
                                        LeastLeaf least, bool undivided);

    const Kernels& kernels_;
    std::optional<Lane> lane_;
    SingleTests single_;
    KernelScratch scratch_;
    std::vector<std::uint32_t> bits_;
};

} // namespace treefront
