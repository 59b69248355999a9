// What ends a search early: a deadline, a caller who cancels, a failure.
#include "check.hpp"
#include "limits.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

using namespace treefront;

TEST("limits: without a deadline nothing stops until the caller does") {
    Limits limits(std::numeric_limits<double>::infinity());
    CHECK(!limits.stopped());
    CHECK(!limits.cancelled());
    limits.cancel();
    CHECK(limits.stopped());
    CHECK(limits.cancelled());
    limits.rethrow(); // nothing failed
}

TEST("limits: a deadline stops for good, and is no cancellation") {
    Limits limits(0);
    CHECK(limits.stopped());
    CHECK(!limits.cancelled());
    CHECK(!Limits(1e18).stopped()); // longer than the clock can count
    CHECK(!Limits(3600).stopped());
}

TEST("limits: a deadline can be ignored for a while, a cancellation cannot") {
    Limits limits(0);
    limits.ignore_deadline(true);
    CHECK(!limits.stopped());
    limits.ignore_deadline(false);
    CHECK(limits.stopped());
    limits.ignore_deadline(true);
    CHECK(!limits.stopped());
    limits.cancel();
    CHECK(limits.stopped());
}

TEST("limits: an interruption acts as a deadline, and is told apart") {
    Limits limits(std::numeric_limits<double>::infinity());
    CHECK(!limits.interrupted());
    limits.interrupt();
    CHECK(limits.stopped());
    CHECK(limits.interrupted());
    CHECK(!limits.cancelled());
    limits.ignore_deadline(true);
    CHECK(!limits.stopped());
}

TEST("limits: the first failure is kept, stops the search and is raised again") {
    Limits limits(std::numeric_limits<double>::infinity());
    limits.fail(std::make_exception_ptr(std::runtime_error("first")));
    limits.fail(std::make_exception_ptr(std::logic_error("second")));
    CHECK(limits.stopped());
    CHECK(limits.cancelled());
    std::string what;
    try {
        limits.rethrow();
    } catch (const std::exception& error) {
        what = error.what();
    }
    CHECK_EQ(what, "first");
}

TEST("limits: shares add up to what is done") {
    Limits limits(std::numeric_limits<double>::infinity());
    for (int i = 0; i < 8; ++i) limits.advance(0.125);
    CHECK_EQ(limits.done(), 1.0);
}
