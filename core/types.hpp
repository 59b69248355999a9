// The small types every part of the core speaks in.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace treefront {

// A row of the dataset. A state numbers its own rows 0..n-1 ("local ids"); the two never mix.
enum class RowId : std::uint32_t {};

constexpr std::uint32_t index(RowId row) {
    return static_cast<std::uint32_t>(row);
}

// Fingerprint of a set of rows: the XOR of one random 128-bit word per row.
struct RowSetHash {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    RowSetHash operator^(RowSetHash other) const { return {low ^ other.low, high ^ other.high}; }
    RowSetHash& operator^=(RowSetHash other) { return *this = *this ^ other; }
    // Itself, or that of no rows; without a branch.
    RowSetHash where(bool is_there) const {
        const std::uint64_t mask = ~(std::uint64_t{is_there} - 1);
        return {low & mask, high & mask};
    }
    bool operator==(const RowSetHash&) const = default;
    auto operator<=>(const RowSetHash&) const = default;
};

// A test of one state: the first `position` entries of its feature slot `slot` go left.
struct Test {
    std::uint32_t slot;
    std::uint32_t position;

    bool operator==(const Test&) const = default;
    auto operator<=>(const Test&) const = default;
};

// What every leaf must keep. Rows that all count 1 are limited by their number alone.
struct LeastLeaf {
    std::uint32_t rows;
    double weight;

    LeastLeaf(std::uint32_t least_rows = 1, double least_weight = 0) // NOLINT: a number of rows
        : rows(least_rows), weight(least_weight) {}
    // Whether some tests are not allowed.
    bool any() const { return rows > 1 || weight > 0; }
};

enum class Complexity { tests, splits };
enum class Criterion { entropy, gini };

// The caller broke a documented precondition; the message says which and what to do.
struct InvalidInput : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

} // namespace treefront
