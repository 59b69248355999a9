// The loops that take the time, each compiled for several instruction sets and chosen at run time.
#pragma once

#include "batch.hpp"
#include "partition.hpp"
#include "scores.hpp"
#include "subset.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace treefront {

// The code of one instruction set.
struct KernelTable {
    void (*best_stumps)(const BatchInput&, Lane, BatchOutput*); // one output per group of slots
    TwoClassBoundaries two_class_boundaries;
    GiniScores gini_scores;
    SideScores side_scores;
    FirstBest first_best;
    Partition partition;
};

// Grown when needed, aligned for vectors, contents not kept.
class AlignedBuffer {
public:
    void* at_least(std::size_t bytes);

private:
    std::vector<std::byte> bytes_;
};

// Buffers of one thread.
struct KernelScratch {
    AlignedBuffer cells, counters, stored;
};

class Kernels {
public:
    // "auto" or one of available(); throws InvalidInput where this processor lacks it.
    explicit Kernels(std::string_view variant);
    static std::vector<std::string_view> available();

    // The narrowest lane that holds all sums over rows of this total loss weight, and their number.
    static Lane narrowest(bool whole_weights, double loss_weight, std::size_t n_rows);
    static Lane narrowest(const Subset& state) {
        return narrowest(state.data().whole_weights(), state.loss_weight(), state.n_rows());
    }

    // The kernel everything stands on: for a batch of tests of one state, the best single test of
    // both children, in one pass over the state's sorted features and without the children.
    // bits[local id]: bit b tells whether test b (of n_tests, at most kBatch) sends the row left.
    BatchOutput best_stumps(const Subset& state, const std::vector<std::uint32_t>& bits,
                            int n_tests, std::uint32_t min_samples_leaf, Lane lane,
                            KernelScratch& scratch) const;
    // The same by price group of the state: the best test of its slots alone.
    std::vector<BatchOutput> best_stumps_by_price(const Subset& state,
                                                  const std::vector<std::uint32_t>& bits,
                                                  int n_tests, std::uint32_t min_samples_leaf,
                                                  Lane lane, KernelScratch& scratch) const;

    const KernelTable& table() const { return table_; }

private:
    void best_stumps(const Subset& state, const std::vector<std::uint32_t>& bits, int n_tests,
                     std::uint32_t min_samples_leaf, Lane lane, KernelScratch& scratch,
                     std::span<const std::uint32_t> group_ends, BatchOutput* outputs) const;

    KernelTable table_;
};

} // namespace treefront
