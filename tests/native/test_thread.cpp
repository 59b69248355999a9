// A thread with the stack it asks for.
#include "check.hpp"
#include "thread.hpp"

#include <atomic>
#include <limits>
#include <numeric>

using namespace treefront;

namespace {

// Fills about a kilobyte of stack per level.
int descend(int levels) {
    volatile char filled[1024];
    for (volatile char& c : filled) c = static_cast<char>(levels);
    return levels == 0 ? filled[0] : descend(levels - 1) + (filled[1023] == char(levels));
}

} // namespace

TEST("thread: runs its work once, and join waits for it") {
    for (int repeat = 0; repeat < 20; ++repeat) {
        int runs = 0; // not atomic: join orders it
        Thread thread(stack_for(4), [&] { ++runs; });
        Thread moved = std::move(thread);
        moved.join();
        CHECK_EQ(runs, 1);
    }
}

TEST("thread: the stack grows with the depth, far beyond what platforms give") {
    CHECK(stack_for(0) >= std::size_t{8} << 20);
    CHECK(stack_for(10'000) > stack_for(1'000));
    CHECK_EQ(stack_for(std::numeric_limits<int>::max()), std::size_t{1} << 30);
    constexpr int kLevels = 20'000; // 20 MB
    int seen = 0;
    Thread thread(stack_for(kLevels), [&] { seen = descend(kLevels); });
    thread.join();
    CHECK_EQ(seen, kLevels);
}
