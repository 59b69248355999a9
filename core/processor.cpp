// `__builtin_cpu_supports` would do, but with clang-cl it needs a library of Clang's that Windows'
// linker is not given.
#include "processor.hpp"

#include <cstdint>

namespace treefront {

#if defined(__x86_64__)

namespace {

struct Registers {
    std::uint32_t a, b, c, d;
};

Registers cpuid(std::uint32_t leaf) {
    Registers r;
    __asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(0));
    return r;
}

bool all(std::uint32_t word, std::uint32_t bits) {
    return (word & bits) == bits;
}

constexpr std::uint32_t bit(int k) {
    return std::uint32_t{1} << k;
}

// Whether the operating system keeps these registers when it switches between threads.
bool kept_by_system(std::uint32_t registers) {
    constexpr std::uint32_t kOsxsave = bit(27), kAvx = bit(28);
    if (!all(cpuid(1).c, kOsxsave | kAvx)) return false;
    std::uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return all(low, registers);
}

bool has_extended(std::uint32_t features) {
    return cpuid(0).a >= 7 && all(cpuid(7).b, features);
}

constexpr std::uint32_t kXmm = bit(1), kYmm = bit(2), kZmm = bit(5) | bit(6) | bit(7);

} // namespace

bool has_avx2() {
    return kept_by_system(kXmm | kYmm) && has_extended(bit(5));
}

bool has_avx512() {
    constexpr std::uint32_t kF = bit(16), kDq = bit(17), kBw = bit(30), kVl = bit(31);
    return kept_by_system(kXmm | kYmm | kZmm) && has_extended(kF | kDq | kBw | kVl);
}

#else

bool has_avx2() {
    return false;
}
bool has_avx512() {
    return false;
}

#endif

} // namespace treefront
