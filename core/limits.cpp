#include "limits.hpp"

#include <cmath>

namespace treefront {

namespace {

// Longer than this is as good as no limit, and still fits the clock's count.
constexpr double kEndless = 1e9;

} // namespace

Limits::Limits(double seconds) : has_deadline_(seconds < kEndless) {
    if (has_deadline_) {
        deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(seconds));
    }
}

bool Limits::stopped() {
    if (stop_.load(std::memory_order_relaxed)) return !deadline_ignored_ || cancelled();
    if (!has_deadline_ || deadline_ignored_ || Clock::now() < deadline_) return false;
    stop_ = true;
    return true;
}

void Limits::fail(std::exception_ptr failure) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = failure;
    cancel();
}

void Limits::rethrow() const {
    const std::lock_guard lock(failure_mutex_);
    if (failure_) std::rethrow_exception(failure_);
}

} // namespace treefront
