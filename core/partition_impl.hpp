// Stable partition of a sorted feature, compiled for each instruction set like the batched pass.

#include "entry.hpp"
#include "lanes.hpp"
#include "partition.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

// Marks of one side: fresh while a run of the parent began since the side last took an entry.
struct Side {
    std::uint32_t fresh = 0;
    std::uint32_t runs = 0;
};

// Both sides are written for every entry and only one cursor moves: no branch to mispredict.
template <class From, class Left, class Right>
void partition_rest(const From* entries, std::size_t begin, std::size_t end, const Place* places,
                    Left* left, Right* right, Side& l, Side& r) {
    Left unwanted_left;
    Right unwanted_right;
    const std::uint32_t left_step = left != nullptr, right_step = right != nullptr;
    if (!left) left = &unwanted_left;
    if (!right) right = &unwanted_right;
    for (std::size_t i = begin; i < end; ++i) {
        const From entry = entries[i];
        const std::uint32_t start = entry >> (Entry<From>::kBits - 1);
        const std::uint32_t packed = places[entry & Entry<From>::kMask].packed;
        const std::uint32_t goes_left = packed & 1u, goes_right = goes_left ^ 1u, id = packed >> 1;
        l.fresh |= start;
        r.fresh |= start;
        *right = static_cast<Right>(id | r.fresh << (Entry<Right>::kBits - 1));
        *left = static_cast<Left>(id | l.fresh << (Entry<Left>::kBits - 1));
        left += goes_left & left_step;
        right += goes_right & right_step;
        l.runs += l.fresh & goes_left;
        r.runs += r.fresh & goes_right;
        l.fresh &= goes_right;
        r.fresh &= goes_left;
    }
}

#ifdef TREEFRONT_LANE_MASKS

// Which of the kept lanes start a run of their side. A start on a lane that is not kept passes on
// to the next lane that is: added to the block of ones it stands in, it carries out at its end.
inline std::uint32_t fresh_lanes(std::uint32_t starts, std::uint32_t kept, Side& side) {
    const std::uint32_t others = ~kept & 0xffffu, all = starts | side.fresh;
    const std::uint32_t carried = (all & others) + others;
    side.fresh = carried >> 16;
    const std::uint32_t fresh = (all | carried) & kept;
    side.runs += static_cast<std::uint32_t>(__builtin_popcount(fresh));
    return fresh;
}

template <class To>
To* store_kept(To* to, __m512i ids, std::uint32_t kept, std::uint32_t fresh) {
    const __m512i start =
        _mm512_set1_epi32(static_cast<int>(std::uint32_t{1} << (Entry<To>::kBits - 1)));
    const __m512i marked = _mm512_mask_or_epi32(ids, static_cast<__mmask16>(fresh), ids, start);
    const __m512i packed = _mm512_maskz_compress_epi32(static_cast<__mmask16>(kept), marked);
    if constexpr (sizeof(To) == 2) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(packed));
    } else {
        _mm512_storeu_si512(to, packed);
    }
    return to + __builtin_popcount(kept);
}

template <class From, class Left, class Right>
PartitionRuns partition_as(const PartitionInput& input) {
    const auto* entries = static_cast<const From*>(input.entries);
    auto* left = static_cast<Left*>(input.left);
    auto* right = static_cast<Right*>(input.right);
    Side l, r;
    std::size_t i = 0;
    for (; i + 16 <= input.n; i += 16) {
        __m512i wide;
        if constexpr (sizeof(From) == 2) {
            wide = _mm512_cvtepu16_epi32(
                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(entries + i)));
        } else {
            wide = _mm512_loadu_si512(entries + i);
        }
        const std::uint32_t starts =
            _mm512_test_epi32_mask(wide, _mm512_set1_epi32(static_cast<int>(Entry<From>::kStart)));
        const __m512i ids = _mm512_and_si512(wide, _mm512_set1_epi32(Entry<From>::kMask));
        const __m512i places = _mm512_i32gather_epi32(ids, input.places, 4);
        const std::uint32_t kept = _mm512_test_epi32_mask(places, _mm512_set1_epi32(1));
        const __m512i new_ids = _mm512_srli_epi32(places, 1);
        // The left side may overwrite entries already read.
        if (left) left = store_kept(left, new_ids, kept, fresh_lanes(starts, kept, l));
        if (right) {
            const std::uint32_t others = ~kept & 0xffffu;
            right = store_kept(right, new_ids, others, fresh_lanes(starts, others, r));
        }
    }
    partition_rest(entries, i, input.n, input.places, left, right, l, r);
    return {l.runs, r.runs};
}

#else

template <class From, class Left, class Right>
PartitionRuns partition_as(const PartitionInput& input) {
    Side l, r;
    partition_rest(static_cast<const From*>(input.entries), 0, input.n, input.places,
                   static_cast<Left*>(input.left), static_cast<Right*>(input.right), l, r);
    return {l.runs, r.runs};
}

#endif

} // namespace

PartitionRuns partition(const PartitionInput& input) {
    using Narrow = std::uint16_t;
    using Wide = std::uint32_t;
    if (input.narrow) return partition_as<Narrow, Narrow, Narrow>(input);
    if (input.left_narrow && input.right_narrow) return partition_as<Wide, Narrow, Narrow>(input);
    if (input.left_narrow) return partition_as<Wide, Narrow, Wide>(input);
    if (input.right_narrow) return partition_as<Wide, Wide, Narrow>(input);
    return partition_as<Wide, Wide, Wide>(input);
}

} // namespace treefront::TREEFRONT_VARIANT
