// A register's worth of numbers, and which of them a row concerns. Included only by the kernels,
// once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace treefront::TREEFRONT_VARIANT {

namespace {

#if defined(__AVX512BW__)
#define TREEFRONT_LANE_MASKS 1
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

template <class T>
struct BitsOf;
template <>
struct BitsOf<std::int16_t> {
    using type = std::int16_t;
};
template <>
struct BitsOf<std::int32_t> {
    using type = std::int32_t;
};
template <>
struct BitsOf<double> {
    using type = std::int64_t;
};

// The compiler's vector extension (GCC and Clang) lowers these to the target's instructions; only
// where it does not find the right one do they say which.
template <class T>
struct Vectors {
    using Bits = typename BitsOf<T>::type;
    typedef T Value __attribute__((vector_size(kVectorBytes)));
    typedef Bits Mask __attribute__((vector_size(kVectorBytes)));
    static constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

    static Value all(T x) { return x - Value{}; }
    static Value only(Value x, Mask mask) { return (Value)((Mask)x & mask); }

    static Value min(Value a, Value b) {
#if defined(__AVX512BW__)
        if constexpr (sizeof(T) == 8) return _mm512_min_pd(a, b);
#elif defined(__AVX2__)
        if constexpr (sizeof(T) == 8) return _mm256_min_pd(a, b);
#endif
        return a < b ? a : b;
    }
    static Value max(Value a, Value b) {
#if defined(__AVX512BW__)
        if constexpr (sizeof(T) == 8) return _mm512_max_pd(a, b);
#elif defined(__AVX2__)
        if constexpr (sizeof(T) == 8) return _mm256_max_pd(a, b);
#endif
        return a > b ? a : b;
    }
};

// Which lanes a row adds to: a mask register where the processor has them, else a vector.
template <class T>
class Lanes {
    using V = Vectors<T>;
    using Value = typename V::Value;

public:
#ifdef TREEFRONT_LANE_MASKS
    // Lane k is on where bit k of bits is set.
    explicit Lanes(std::uint32_t bits) : on_(bits) {}

    Value add(Value sum, Value x) const {
        if constexpr (sizeof(T) == 2) {
            return (Value)_mm512_mask_add_epi16((__m512i)sum, on_, (__m512i)sum, (__m512i)x);
        } else if constexpr (sizeof(T) == 4) {
            return (Value)_mm512_mask_add_epi32((__m512i)sum, static_cast<__mmask16>(on_),
                                                (__m512i)sum, (__m512i)x);
        } else {
            return _mm512_mask_add_pd(sum, static_cast<__mmask8>(on_), sum, x);
        }
    }
    Lanes others() const { return Lanes(~on_); }

private:
    std::uint32_t on_;
#else
    using Mask = typename V::Mask;
    // Lane k is on where bits[k] and lane_bit[k] share a bit.
    Lanes(Mask bits, Mask lane_bit) : on_((bits & lane_bit) == lane_bit) {}

    Value add(Value sum, Value x) const { return sum + V::only(x, on_); }
    Lanes others() const { return Lanes(~on_); }

private:
    explicit Lanes(Mask on) : on_(on) {}
    Mask on_;
#endif
};

} // namespace

} // namespace treefront::TREEFRONT_VARIANT
