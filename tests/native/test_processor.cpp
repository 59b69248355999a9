// Which instructions the processor has, against the compiler's own knowledge.
#include "check.hpp"
#include "processor.hpp"

using namespace treefront;

TEST("processor: has what the compiler's library says it has") {
#if defined(__x86_64__)
    CHECK_EQ(has_avx2(), __builtin_cpu_supports("avx2") != 0);
    CHECK_EQ(has_avx512(),
             __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                 __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"));
#else
    CHECK(!has_avx2());
    CHECK(!has_avx512());
#endif
}
