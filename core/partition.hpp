// What crosses from a split to its vector code: plain pointers only (see batch.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace treefront {

// Where a row goes: bit 0 whether to the left, the bits above its id there.
struct Place {
    std::uint32_t packed;

    static Place left(std::uint32_t id) { return {id << 1 | 1u}; }
    static Place right(std::uint32_t id) { return {id << 1}; }
    bool goes_left() const { return packed & 1u; }
    std::uint32_t id() const { return packed >> 1; }
};

// Outputs may be written this many entries past what they keep.
inline constexpr std::size_t kPartitionSlack = 16;

struct PartitionInput {
    const void* entries; // n of them, 16 bits where narrow, else 32: see Entry
    std::size_t n;
    bool narrow;
    const Place* places; // by id
    void* left;          // may be `entries` itself; null where the side is not wanted, as for right
    bool left_narrow;
    void* right;
    bool right_narrow;
};

// How many runs of equal values each wanted side has.
struct PartitionRuns {
    std::uint32_t left, right;
};

// Divides sorted entries, stable on both sides, with new ids and new marks at the starts of runs.
using Partition = PartitionRuns (*)(const PartitionInput&);

} // namespace treefront
