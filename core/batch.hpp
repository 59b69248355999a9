// What crosses from the search to a batched kernel: plain pointers only. The kernels are compiled
// once per instruction set, and an inline function they shared with the rest could reach a
// processor that lacks the instructions.
#pragma once

#include <cstdint>

namespace treefront {

inline constexpr int kBatch = 32;

// The number type of a lane; a batch result is the same in each that can hold the weights.
enum class Lane { int16, int32, real };

struct BatchInput {
    // The state: see Subset.
    std::uint32_t n_rows;
    // Slots [group_ends[g - 1], group_ends[g]) have an output of their own.
    const std::uint32_t* group_ends;
    std::uint32_t n_groups;
    bool narrow;                     // entries of 16 bits, else 32
    const void* orders;              // [slot][position]
    const std::uint32_t* n_runs;     // [slot]
    const std::uint8_t* free_levels; // [slot], see Subset
    const std::uint8_t* twins;       // [slot], see Subset
    const std::int8_t* signs;        // [slot], see Subset; only with two classes
    const std::uint16_t* labels;     // [local id]
    const double* weights;           // [local id], loss weights, or null where all are 1
    int n_classes;
    // See Dataset: n_outputs moments by local id, 0 where losses come of classes. With moments
    // weights are those of the rows, and the loss is squared or that of the cheapest output.
    const double* moments;
    const double* squares;
    int n_outputs;
    bool squared;
    // The tests: bit b of bits[local id] says whether test b sends the row left.
    const std::uint32_t* bits;
    int n_tests;                    // at most kBatch
    std::uint32_t min_samples_leaf; // of each of the four grandchildren
    // Buffers, aligned to 64 bytes; their sizes are in Kernels::best_stumps.
    void* cells;
    void* counters;
    void* stored;
};

// Per test and side the loss with the side's best test or, where none is better or allowed, as a
// leaf.
struct BatchOutput {
    double left[kBatch];
    double right[kBatch];
    double left_leaf[kBatch]; // as a leaf
    double right_leaf[kBatch];
};

} // namespace treefront
