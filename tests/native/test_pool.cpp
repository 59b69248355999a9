// Threads that share loops, also loops within loops.
#include "check.hpp"
#include "pool.hpp"

#include <algorithm>
#include <array>
#include <atomic>

using namespace treefront;

namespace {

using Counts = std::vector<std::atomic<int>>;

bool all_once(const Counts& counts) {
    return std::all_of(counts.begin(), counts.end(), [](const auto& c) { return c == 1; });
}

// A loop of `width` bodies, each of which opens such a loop, `depth` times over. Counts the bodies
// at the end of all, and those that saw a worker's number out of range.
void nest(Pool& pool, int worker, int depth, std::size_t width, std::size_t first, Counts& counts,
          std::atomic<int>& strangers) {
    pool.for_each(worker, width, [&, depth, width, first](int thread, std::size_t i) {
        if (thread < 0 || thread >= pool.n_threads()) ++strangers;
        const std::size_t at = first * width + i;
        if (depth == 1)
            ++counts[at];
        else
            nest(pool, thread, depth - 1, width, at, counts, strangers);
    });
}

} // namespace

TEST("pool: every index exactly once, with any number of threads") {
    for (int n_threads = 1; n_threads <= 4; ++n_threads) {
        Pool pool(n_threads);
        CHECK_EQ(pool.n_threads(), n_threads);
        for (std::size_t n : {0u, 1u, 2u, 3u, 64u, 1000u}) {
            const check::Context context("threads", n_threads, "indices", n);
            Counts counts(n);
            pool.for_each(0, n, [&](int, std::size_t i) { ++counts[i]; });
            CHECK(all_once(counts));
        }
    }
}

TEST("pool: loops within loops end, and run every index exactly once") {
    for (int n_threads = 1; n_threads <= 4; ++n_threads) {
        Pool pool(n_threads);
        for (int repeat = 0; repeat < 10; ++repeat) {
            const check::Context context("threads", n_threads);
            Counts counts(5 * 5 * 5 * 5);
            std::atomic<int> strangers{0};
            nest(pool, 0, 4, 5, 0, counts, strangers);
            CHECK(all_once(counts));
            CHECK_EQ(strangers.load(), 0);
        }
    }
}

TEST("pool: what a body wrote is seen when its loop has ended") {
    Pool pool(4);
    for (int repeat = 0; repeat < 50; ++repeat) {
        std::vector<int> written(100, 0); // not atomic: the loop's end orders it
        pool.for_each(0, written.size(),
                      [&](int, std::size_t i) { written[i] = static_cast<int>(i); });
        for (std::size_t i = 0; i < written.size(); ++i) CHECK_EQ(written[i], i);
    }
}

TEST("pool: two bodies of one worker never overlap, unless one waits for its own loop") {
    constexpr int kThreads = 4;
    Pool pool(kThreads);
    std::array<std::atomic<int>, kThreads> inside{};
    std::atomic<int> overlaps{0};
    pool.for_each(0, 20, [&](int outer, std::size_t) {
        pool.for_each(outer, 20, [&](int worker, std::size_t) {
            auto& here = inside[static_cast<std::size_t>(worker)];
            if (++here != 1) ++overlaps;
            --here;
        });
    });
    CHECK_EQ(overlaps.load(), 0);
}
