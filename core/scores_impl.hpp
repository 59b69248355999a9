// Scoring many boundaries at once, compiled for each instruction set like the batched pass.

#include "entry.hpp"
#include "lanes.hpp"
#include "scores.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

double gini_score(double l, double l1, double n, double n1) {
    const double r = n - l, r1 = n1 - l1;
    return -(l1 * (l - l1) * r + r1 * (r - r1) * l) / (l * r);
}

#ifdef TREEFRONT_LANE_MASKS

// Of a register's worth of rows, a bit each.
struct RowBits {
    std::uint32_t starts, ones;
};

RowBits row_bits(const std::uint16_t* entries, std::size_t n, std::uint32_t ones_from) {
    const auto there = static_cast<__mmask32>((std::uint64_t{1} << n) - 1);
    const __m512i entry = _mm512_maskz_loadu_epi16(there, entries);
    const __m512i id = _mm512_and_si512(entry, _mm512_set1_epi16(Entry<std::uint16_t>::kMask));
    const __m512i first = _mm512_set1_epi16(static_cast<short>(ones_from));
    return {_mm512_movepi16_mask(entry), _mm512_mask_cmpge_epu16_mask(there, id, first)};
}

RowBits row_bits(const std::uint32_t* entries, std::size_t n, std::uint32_t ones_from) {
    const auto there = static_cast<__mmask16>((1u << n) - 1);
    const __m512i entry = _mm512_maskz_loadu_epi32(there, entries);
    const __m512i id =
        _mm512_and_si512(entry, _mm512_set1_epi32(static_cast<int>(Entry<std::uint32_t>::kMask)));
    const __m512i first = _mm512_set1_epi32(static_cast<int>(ones_from));
    return {_mm512_movepi32_mask(entry), _mm512_mask_cmpge_epu32_mask(there, id, first)};
}

template <class Id>
std::size_t boundaries_as(const TwoClassRows& rows, bool peaks_only, std::uint32_t* positions,
                          std::uint32_t* ones) {
    constexpr std::size_t kRows = 512 / Entry<Id>::kBits;
    const Id* entries = static_cast<const Id*>(rows.entries);
    std::size_t kept = 0;
    std::uint32_t before = 0;
    // Bit 0: of the row before, which the first row has not.
    std::uint32_t start_before = 0, one_before = 0;
    for (std::size_t begin = 0; begin < rows.n; begin += kRows) {
        const std::size_t n = rows.n - begin < kRows ? rows.n - begin : kRows;
        const auto [starts, row_ones] = row_bits(entries + begin, n, rows.ones_from);
        std::uint32_t keep = begin == 0 ? starts & ~1u : starts;
        if (peaks_only) {
            const bool next =
                begin + n == rows.n || entries[begin + n] >> (Entry<Id>::kBits - 1) != 0;
            const std::uint32_t starts_after = starts >> 1 | std::uint32_t{next} << (n - 1);
            const std::uint32_t starts_before = starts << 1 | start_before;
            const std::uint32_t ones_before = row_ones << 1 | one_before;
            keep &= (row_ones ^ ones_before) | ~(starts_before & starts_after);
            start_before = starts >> (kRows - 1) & 1u;
            one_before = row_ones >> (kRows - 1) & 1u;
        }
        for (; keep != 0; keep &= keep - 1, ++kept) {
            const int row = __builtin_ctz(keep);
            positions[kept] = static_cast<std::uint32_t>(begin) + static_cast<std::uint32_t>(row);
            ones[kept] = before + static_cast<std::uint32_t>(
                                      __builtin_popcount(row_ones & ((1u << row) - 1)));
        }
        before += static_cast<std::uint32_t>(__builtin_popcount(row_ones));
    }
    return kept;
}

#else

template <class Id>
std::size_t boundaries_as(const TwoClassRows& rows, bool peaks_only, std::uint32_t* positions,
                          std::uint32_t* ones) {
    const Id* entries = static_cast<const Id*>(rows.entries);
    std::size_t kept = 0;
    std::uint32_t before = 0, start_before = 0, one_before = 0;
    // It stores at each row and keeps what it stored only at a boundary: no branch, since in data
    // with ties the start of a run is not to be predicted.
    for (std::size_t i = 0; i < rows.n; ++i) {
        const std::uint32_t start = entries[i] >> (Entry<Id>::kBits - 1);
        const std::uint32_t one = (entries[i] & Entry<Id>::kMask) >= rows.ones_from;
        const std::uint32_t start_after =
            i + 1 == rows.n ? 1u : entries[i + 1] >> (Entry<Id>::kBits - 1);
        const std::uint32_t inside =
            peaks_only & (one ^ one_before ^ 1u) & start_before & start_after;
        positions[kept] = static_cast<std::uint32_t>(i);
        ones[kept] = before;
        kept += (i > 0) & start & (inside ^ 1u);
        before += one;
        start_before = start;
        one_before = one;
    }
    return kept;
}

#endif

} // namespace

std::size_t two_class_boundaries(const TwoClassRows& rows, bool peaks_only,
                                 std::uint32_t* positions, std::uint32_t* ones) {
    return rows.narrow ? boundaries_as<std::uint16_t>(rows, peaks_only, positions, ones)
                       : boundaries_as<std::uint32_t>(rows, peaks_only, positions, ones);
}

void gini_scores(const std::uint32_t* positions, const std::uint32_t* ones, std::size_t count,
                 double n, double n1, double* scores) {
    using V = Vectors<double>;
    typedef std::int32_t Halves __attribute__((vector_size(kVectorBytes / 2)));
    std::size_t k = 0;
    for (; k + V::kLanes <= count; k += V::kLanes) {
        Halves position, one;
        __builtin_memcpy(&position, positions + k, sizeof(Halves));
        __builtin_memcpy(&one, ones + k, sizeof(Halves));
        const V::Value l = __builtin_convertvector(position, V::Value);
        const V::Value l1 = __builtin_convertvector(one, V::Value);
        const V::Value r = n - l, r1 = n1 - l1;
        const V::Value score = -(l1 * (l - l1) * r + r1 * (r - r1) * l) / (l * r);
        __builtin_memcpy(scores + k, &score, sizeof(score));
    }
    for (; k < count; ++k) scores[k] = gini_score(positions[k], ones[k], n, n1);
}

void side_scores(const std::uint32_t* positions, const std::int64_t* left,
                 const std::int64_t* right, std::size_t count, double n, double* scores) {
    using V = Vectors<double>;
    typedef std::int32_t Halves __attribute__((vector_size(kVectorBytes / 2)));
    std::size_t k = 0;
    for (; k + V::kLanes <= count; k += V::kLanes) {
        Halves position;
        V::Mask left_whole, right_whole;
        __builtin_memcpy(&position, positions + k, sizeof(Halves));
        __builtin_memcpy(&left_whole, left + k, sizeof(left_whole));
        __builtin_memcpy(&right_whole, right + k, sizeof(right_whole));
        const V::Value left_sum = __builtin_convertvector(left_whole, V::Value);
        const V::Value right_sum = __builtin_convertvector(right_whole, V::Value);
        const V::Value l = __builtin_convertvector(position, V::Value), r = n - l;
        const V::Value score = (left_sum * r + right_sum * l) / (l * r);
        __builtin_memcpy(scores + k, &score, sizeof(score));
    }
    for (; k < count; ++k) {
        const double l = positions[k], r = n - l;
        scores[k] =
            (static_cast<double>(left[k]) * r + static_cast<double>(right[k]) * l) / (l * r);
    }
}

std::size_t first_best(const double* scores, std::size_t count) {
    using V = Vectors<double>;
    double best = scores[0];
    std::size_t k = 0;
    if (count >= V::kLanes) {
        V::Value most;
        __builtin_memcpy(&most, scores, sizeof(most));
        for (; k + V::kLanes <= count; k += V::kLanes) {
            V::Value here;
            __builtin_memcpy(&here, scores + k, sizeof(here));
            most = V::max(most, here);
        }
        for (int lane = 0; lane < V::kLanes; ++lane) best = most[lane] > best ? most[lane] : best;
    }
    for (; k < count; ++k) best = scores[k] > best ? scores[k] : best;
    for (k = 0; scores[k] != best; ++k) {
    }
    return k;
}

} // namespace treefront::TREEFRONT_VARIANT
