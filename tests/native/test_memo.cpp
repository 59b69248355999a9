// The memo: keeps everything within its budget, forgets beyond, and never fails.
#include "check.hpp"
#include "memo.hpp"
#include "problems.hpp"

#include <thread>

using namespace treefront;

namespace {

StateKey key_of(std::uint64_t i, std::uint32_t level = 1) {
    Random random(i); // keys look like hashes: all shards are used
    return {{random.word(), random.word()}, level};
}

// A front that tells by its errors which state it belongs to.
FrontPtr front_of(std::uint64_t i, Memo& memo) {
    return FrontBuilder({0, static_cast<double>(i), 1}, {}).finish(true, memo.live_bytes());
}

} // namespace

TEST("memo: finds what was inserted, by rows and level") {
    Memo memo(std::int64_t{1} << 30);
    CHECK(!memo.find(key_of(0)));
    for (std::uint64_t i = 0; i < 500; ++i) memo.insert(key_of(i), front_of(i, memo));
    for (std::uint64_t i = 0; i < 500; ++i) {
        const FrontPtr found = memo.find(key_of(i));
        CHECK(found);
        if (found) CHECK_EQ((*found)[0].errors, static_cast<double>(i));
        CHECK(!memo.find(key_of(i, 2)));
    }
    memo.insert(key_of(7), front_of(8, memo)); // the first one stays
    CHECK_EQ((*memo.find(key_of(7)))[0].errors, 7.0);
}

TEST("memo: beyond its budget it forgets, and what it gave stays alive") {
    constexpr std::int64_t kBudget = 200'000;
    Memo memo(kBudget);
    std::vector<FrontPtr> held;
    std::int64_t most = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        memo.insert(key_of(i), front_of(i, memo));
        if (i % 500 == 0) held.push_back(memo.find(key_of(i)));
        most = std::max(most, memo.live_bytes()->load());
    }
    CHECK(most < 2 * kBudget);
    std::uint64_t found = 0, found_lately = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const FrontPtr front = memo.find(key_of(i));
        if (!front) continue;
        CHECK_EQ((*front)[0].errors, static_cast<double>(i));
        ++found;
        found_lately += i >= 19'900;
    }
    CHECK(found < 4'000);
    CHECK(found_lately > 50); // what came last is kept
    for (std::size_t k = 0; k < held.size(); ++k) {
        CHECK(held[k]); // asked for right after it was inserted
        if (held[k]) CHECK_EQ((*held[k])[0].errors, 500.0 * static_cast<double>(k));
    }
}

TEST("memo: what is asked for again and again is not forgotten") {
    Memo memo(400'000);
    memo.insert(key_of(0), front_of(0, memo));
    for (std::uint64_t i = 1; i < 20'000; ++i) {
        memo.insert(key_of(i), front_of(i, memo));
        CHECK(memo.find(key_of(0)));
    }
}

TEST("memo: no budget at all is no failure") {
    Memo memo(0);
    for (std::uint64_t i = 0; i < 1'000; ++i) {
        memo.insert(key_of(i), front_of(i, memo));
        const FrontPtr front = memo.find(key_of(i));
        if (front) CHECK_EQ((*front)[0].errors, static_cast<double>(i));
    }
}

TEST("memo: is shared by threads") {
    Memo memo(300'000);
    std::atomic<std::uint64_t> wrong{0};
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            for (std::uint64_t k = 0; k < 3'000; ++k) {
                const std::uint64_t i = (k * (t + 1)) % 4'000;
                const FrontPtr front = memo.find(key_of(i));
                if (front && (*front)[0].errors != static_cast<double>(i)) ++wrong;
                if (!front) memo.insert(key_of(i), front_of(i, memo));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK_EQ(wrong.load(), 0);
}
