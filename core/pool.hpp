// Threads that share loops. A loop's body may open further loops; a thread that waits for its own
// loop helps with the others.
#pragma once

#include "thread.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace treefront {

class Pool {
public:
    // The calling thread is worker 0; n_threads - 1 more are started, or as many as there may be.
    explicit Pool(int n_threads, int max_depth = 0);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int n_threads() const { return static_cast<int>(threads_.size()) + 1; }

    // Runs body(worker, i) for each i in [0, n) and returns when all have ended. `worker` tells
    // which thread calls, so that a body can use that thread's buffers; it must not rely on them
    // across a nested loop. Bodies must not throw.
    using Body = std::function<void(int worker, std::size_t i)>;
    void for_each(int worker, std::size_t n, const Body& body);

private:
    struct Loop {
        const Body* body;
        std::uint64_t opened; // counts up
        std::size_t next, end, running;
    };

    void work(int worker);
    Loop* choose(Loop* own);
    bool run_one(int worker, std::unique_lock<std::mutex>& lock, Loop* own);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Loop*> open_; // loops with indices left to hand out, oldest first
    std::uint64_t n_opened_ = 0;
    bool closing_ = false;
    std::vector<Thread> threads_;
};

} // namespace treefront
