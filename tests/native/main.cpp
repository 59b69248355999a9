// treefront_tests [part of a name ...]: runs the tests whose name contains one of the parts.
#include "check.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace {

// Whether the test passed.
bool run(const check::Case& test) {
    check::failures = 0;
    try {
        test.body();
    } catch (const std::exception& error) {
        check::fail(test.name, 0, std::string("unexpected exception: ") + error.what());
    }
    check::contexts().clear();
    if (check::failures > 0) {
        std::cout << "FAILED: " << test.name << " (" << check::failures << " checks)\n";
    }
    return check::failures == 0;
}

} // namespace

int main(int argc, char** argv) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds kSlow{5};
    std::size_t passed = 0, failed = 0;
    for (const check::Case& test : check::cases()) {
        const bool wanted =
            argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* part) {
                return std::string_view(test.name).find(part) != std::string_view::npos;
            });
        if (!wanted) continue;
        const auto begin = Clock::now();
        ++(run(test) ? passed : failed);
        const std::chrono::duration<double> took = Clock::now() - begin;
        if (took > kSlow) std::cout << "slow: " << test.name << ", " << took.count() << " s\n";
    }
    std::cout << passed << " passed, " << failed << " failed" << std::endl;
    return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
