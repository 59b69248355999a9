// States that were solved once: row set and remaining tests -> front.
#pragma once

#include "front.hpp"
#include "types.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace treefront {

struct StateKey {
    RowSetHash rows;
    std::uint32_t level; // remaining tests, and which search of a fit (their fronts may differ)

    bool operator==(const StateKey&) const = default;
};

// Shared by all threads. Within its budget it keeps everything; beyond, it forgets the half that
// was not asked for lately. Forgetting costs time, never a result.
class Memo {
public:
    explicit Memo(std::int64_t budget_bytes) : budget_(budget_bytes) {}

    FrontPtr find(const StateKey& key); // null if not known
    void insert(const StateKey& key, const FrontPtr& front);

    // Counts the bytes of every living front of the search.
    std::atomic<std::int64_t>* live_bytes() { return &live_bytes_; }

private:
    struct Hash {
        std::size_t operator()(const StateKey& key) const {
            return static_cast<std::size_t>(key.rows.low + 0x9e3779b97f4a7c15u * key.level);
        }
    };
    using Map = std::unordered_map<StateKey, FrontPtr, Hash>;
    struct Shard {
        std::mutex mutex;
        Map recent, older;
    };

    Shard& shard(const StateKey& key) { return shards_[key.rows.high % kShards]; }
    std::int64_t bytes() const;

    static constexpr std::size_t kShards = 32;
    // A map entry: key, pointer, control block of the front, hash node.
    static constexpr std::int64_t kEntryBytes = 160;

    std::int64_t budget_;
    std::atomic<std::int64_t> live_bytes_{0}; // before shards_: fronts count down when they go
    std::atomic<std::int64_t> entries_{0};
    std::array<Shard, kShards> shards_;
};

} // namespace treefront
