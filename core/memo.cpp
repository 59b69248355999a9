#include "memo.hpp"

namespace treefront {

FrontPtr Memo::find(const StateKey& key) {
    Shard& s = shard(key);
    const std::lock_guard lock(s.mutex);
    if (const auto at = s.recent.find(key); at != s.recent.end()) return at->second;
    const auto at = s.older.find(key);
    if (at == s.older.end()) return nullptr;
    auto node = s.older.extract(at);
    FrontPtr front = node.mapped();
    s.recent.insert(std::move(node));
    return front;
}

void Memo::insert(const StateKey& key, const FrontPtr& front) {
    Shard& s = shard(key);
    Map forgotten; // freed after the lock is gone
    const std::lock_guard lock(s.mutex);
    if (s.recent.emplace(key, front).second) ++entries_;
    // Each shard turns over by itself; a turn comes once the recent half fills the budget's half.
    const auto recent = static_cast<std::int64_t>(s.recent.size() * kShards);
    const std::int64_t entries = entries_.load();
    if (bytes() <= budget_ || entries == 0 || 2 * recent < entries) return;
    forgotten.swap(s.older);
    s.older.swap(s.recent);
    entries_ -= static_cast<std::int64_t>(forgotten.size());
}

std::int64_t Memo::bytes() const {
    return live_bytes_ + entries_ * kEntryBytes;
}

} // namespace treefront
