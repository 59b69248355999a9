// A thread whose stack is as large as it says. What platforms give by default differs: 8 MB with
// glibc, 2 MB in Windows' Python, 512 kB on macOS, 128 kB with musl; a search needs more the deeper
// it goes.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace treefront {

// Stack of a thread that searches trees of this depth.
std::size_t stack_for(int max_depth);

class Thread {
public:
    // Starts `work`, which must not throw; std::system_error where there are no threads left.
    Thread(std::size_t stack_bytes, std::function<void()> work);
    Thread(Thread&&) noexcept;
    ~Thread(); // joins, if nobody did

    void join();

private:
    struct Handle;
    std::unique_ptr<Handle> handle_;
};

} // namespace treefront
