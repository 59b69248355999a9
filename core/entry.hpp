// How a sorted feature is stored.
#pragma once

#include <cstdint>

namespace treefront {

// An entry of a sorted feature: the local id of a row, and in the top bit whether the row starts a
// new run of equal values. 16 bits serve while a state has fewer than 2^15 rows (half the memory,
// twice the rows in the cache), 32 above.
template <class Id>
struct Entry {
    static constexpr int kBits = 8 * sizeof(Id);
    static constexpr Id kStart = static_cast<Id>(Id{1} << (kBits - 1));
    static constexpr Id kMask = static_cast<Id>(~kStart);
};

} // namespace treefront
