// Exact search: branch and bound over the thresholds of every feature (design.md, section 6).
#pragma once

#include "front.hpp"
#include "interval.hpp"
#include "kernels.hpp"
#include "limits.hpp"
#include "memo.hpp"
#include "objective.hpp"
#include "pairs.hpp"
#include "pool.hpp"
#include "subset.hpp"
#include "tail.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace treefront {

// What is known of a state's smallest regularised loss V = min E + alpha C.
struct Proof {
    double lower = 0; // V is at least this
    double value = 0; // a tree of this value exists; infinite where none below the cut was found
    FrontPtr tree;    // that tree, as the only vertex of a front
};

struct ExactSettings {
    int max_depth = 3;
    Objective objective; // with alpha
    int n_threads = 1;
    std::int64_t memo_bytes = std::int64_t{1} << 30;
    std::optional<Lane> lane;
    Shortcuts use = {};
};

class Exact {
public:
    Exact(const ExactSettings& settings, const Kernels& kernels, Limits& limits);

    // Looks for a tree of the whole data whose value is below `cut`, that of a tree in hand. When
    // no limit ended it, either the tree returned is optimal or the one in hand was.
    Proof prove(const Subset& root, double cut);

private:
    // The open thresholds of one state, shared by the threads that work on it.
    struct Frontier;

    Proof solve(int worker, const Subset& state, int remaining, double cut);
    Proof branch(int worker, const Subset& state, int remaining, double cut);
    Proof two_levels(int worker, const Subset& state, double cut);
    Proof divide(int worker, const Subset& state, int remaining, double cut);
    Proof stump(int worker, const Subset& state, double cut);
    void evaluate(int worker, const Subset& state, int remaining, Frontier& frontier,
                  const Interval& interval, std::uint32_t position);

    const ExactSettings settings_;
    const double alpha_;
    Limits& limits_;
    Pool pool_;
    std::vector<Tail> tails_;  // by worker
    std::vector<Pairs> pairs_; // by worker
    // The same search without a minimum leaf size, for bounds; null where there is none. More rows
    // never make a tree of free tests better, but with a minimum they may, by allowing a test.
    std::unique_ptr<Exact> free_;

    struct Hash {
        std::size_t operator()(const StateKey& key) const {
            return static_cast<std::size_t>(key.rows.low + 0x9e3779b97f4a7c15u * key.level);
        }
    };
    std::size_t memo_states_ = 0; // most it may hold
    std::mutex memo_mutex_;
    std::unordered_map<StateKey, Proof, Hash> memo_;
};

} // namespace treefront
