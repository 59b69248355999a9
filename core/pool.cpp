#include "pool.hpp"

#include <algorithm>
#include <exception>

namespace treefront {

Pool::Pool(int n_threads, int max_depth) {
    threads_.reserve(static_cast<std::size_t>(std::max(n_threads - 1, 0)));
    try {
        for (int worker = 1; worker < n_threads; ++worker) {
            threads_.emplace_back(stack_for(max_depth), [this, worker] { work(worker); });
        }
    } catch (const std::exception&) {
        // There is no room for more threads. The results are the same with fewer.
    }
}

Pool::~Pool() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    for (Thread& thread : threads_) thread.join();
}

void Pool::for_each(int worker, std::size_t n, const Body& body) {
    if (threads_.empty() || n <= 1) {
        for (std::size_t i = 0; i < n; ++i) body(worker, i);
        return;
    }
    std::unique_lock lock(mutex_);
    Loop loop{&body, ++n_opened_, 0, n, 0};
    open_.push_back(&loop);
    changed_.notify_all();
    while (loop.next < loop.end || loop.running > 0) {
        if (!run_one(worker, lock, &loop)) changed_.wait(lock);
    }
}

// A free thread takes the oldest loop, whose bodies are the largest. One that waits for its own
// loop takes only younger ones: what holds it up may be in there, and they are soon done.
Pool::Loop* Pool::choose(Loop* own) {
    if (own && own->next < own->end) return own;
    if (open_.empty()) return nullptr;
    if (!own) return open_.front();
    return open_.back()->opened > own->opened ? open_.back() : nullptr;
}

bool Pool::run_one(int worker, std::unique_lock<std::mutex>& lock, Loop* own) {
    Loop* loop = choose(own);
    if (!loop) return false;
    const std::size_t i = loop->next++;
    ++loop->running;
    if (loop->next == loop->end) open_.erase(std::find(open_.begin(), open_.end(), loop));
    lock.unlock();
    (*loop->body)(worker, i);
    lock.lock();
    if (--loop->running == 0 && loop->next == loop->end) changed_.notify_all();
    return true;
}

void Pool::work(int worker) {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (run_one(worker, lock, nullptr)) continue;
        if (closing_) return;
        changed_.wait(lock);
    }
}

} // namespace treefront
