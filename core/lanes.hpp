// A register's worth of numbers. Included only by the kernels, once per instruction set.
#pragma once

#include <cstdint>
#include <cstddef>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace treefront::TREEFRONT_VARIANT {

#if defined(__AVX512BW__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

template <class T> struct BitsOf;
template <> struct BitsOf<std::int16_t> { using type = std::int16_t; };
template <> struct BitsOf<std::int32_t> { using type = std::int32_t; };
template <> struct BitsOf<double> { using type = std::int64_t; };

// The compiler's vector extension (GCC and Clang) lowers these to the target's instructions.
template <class T> struct Vectors {
    using Bits = typename BitsOf<T>::type;
    typedef T Value __attribute__((vector_size(kVectorBytes)));
    typedef Bits Mask __attribute__((vector_size(kVectorBytes)));
    static constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

    static Value zero() { return Value{}; }
    static Value all(T x) { return x - Value{}; }
    static Mask all_bits(Bits x) { return x - Mask{}; }
    static Value only(Value x, Mask mask) { return reinterpret_cast<Value>(reinterpret_cast<Mask>(x) & mask); }
    static Value either(Mask mask, Value yes, Value no) {
        return reinterpret_cast<Value>((reinterpret_cast<Mask>(yes) & mask) |
                                       (reinterpret_cast<Mask>(no) & ~mask));
    }
    static Value min(Value a, Value b) {
#if defined(__AVX2__) && !defined(__AVX512BW__)
        if constexpr (sizeof(T) == 8) return _mm256_min_pd(a, b);
#elif defined(__AVX512BW__)
        if constexpr (sizeof(T) == 8) return _mm512_min_pd(a, b);
#endif
        return a < b ? a : b;
    }
    static Value max(Value a, Value b) {
#if defined(__AVX2__) && !defined(__AVX512BW__)
        if constexpr (sizeof(T) == 8) return _mm256_max_pd(a, b);
#elif defined(__AVX512BW__)
        if constexpr (sizeof(T) == 8) return _mm512_max_pd(a, b);
#endif
        return a > b ? a : b;
    }
};

} // namespace treefront::TREEFRONT_VARIANT
