// What may end a search early, and how far it has come.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>

namespace treefront {

// The caller asked to stop before there was any result.
struct Cancelled {};

// Shared by all threads of one search. A limit that is reached is a result, not an error.
class Limits {
public:
    using Clock = std::chrono::steady_clock;

    // Infinite seconds: no deadline.
    explicit Limits(double seconds);

    // Cheap enough to ask about every 100 microseconds of work. Once true it stays true.
    bool stopped();
    // Whether the caller asked to stop (interrupt or failure), deadline or not.
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
    // For the stages around the search, which have no partial result.
    void throw_if_cancelled() const {
        if (cancelled()) throw Cancelled{};
    }
    void cancel() { cancelled_ = stop_ = true; }
    // The caller asked to stop and to get what was found: as if the deadline were now.
    void interrupt() { interrupted_ = stop_ = true; }
    bool interrupted() const { return interrupted_; }
    // While on, only cancel() stops: for the greedy trees that every result rests on.
    void ignore_deadline(bool on) { deadline_ignored_ = on; }

    // A share in [0, 1] of the whole search that is done.
    void advance(double share) { done_.fetch_add(share, std::memory_order_relaxed); }
    double done() const { return done_.load(std::memory_order_relaxed); }

    // Exact search: the best value in hand and the lower bound, as they move; NaN before.
    std::atomic<double> value{std::numeric_limits<double>::quiet_NaN()};
    std::atomic<double> bound{std::numeric_limits<double>::quiet_NaN()};

    // Keeps the first failure of any thread and stops the search; rethrow() raises it in the
    // caller.
    void fail(std::exception_ptr failure);
    void rethrow() const;

    std::atomic<std::int64_t> n_states{0}; // states expanded
    std::atomic<std::int64_t> n_tests{0};  // admissible tests of those states

private:
    Clock::time_point deadline_;
    bool has_deadline_;
    std::atomic<bool> deadline_ignored_{false};
    std::atomic<bool> stop_{false}, cancelled_{false}, interrupted_{false};
    std::atomic<double> done_{0};
    mutable std::mutex failure_mutex_;
    std::exception_ptr failure_;
};

} // namespace treefront
