// The search: expand a state's tests, solve the children, back up the front (paper, Algorithm 1
// and section 5.2, depth first and with a memo).
#pragma once

#include "candidates.hpp"
#include "front.hpp"
#include "kernels.hpp"
#include "limits.hpp"
#include "memo.hpp"
#include "objective.hpp"
#include "pool.hpp"
#include "tail.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace treefront {

struct SearchSettings {
    int max_depth = 4;
    std::vector<GeneratorSpec> generators; // one per depth, the last serves all deeper ones
    int exact_tail = 2;                    // how many last levels try every boundary
    Objective objective;
    std::vector<Criterion> baselines; // greedy trees whose prunings join the result
    int n_threads = 1;
    std::int64_t memo_bytes = std::int64_t{1} << 30;
    std::optional<Lane> lane;
};

class Search {
public:
    // All arguments must outlive the search; `limits` may be cancelled from any thread.
    Search(const Dataset& data, const SearchSettings& settings, const Kernels& kernels,
           Limits& limits);

    // The front of the whole data: all trees the generators span, and the baselines' prunings.
    // When a limit ends the search: the front of the trees seen so far, never without the
    // baselines. Rethrows what a generator function threw. The front must not outlive the search,
    // whose memo counts its bytes.
    FrontPtr run();

    // The state of all rows.
    Subset root() const;
    // The best test of a price group at the last level: how vertices without child fronts go on.
    Origin last_test(const Subset& state, std::uint32_t group);

private:
    // One of the searches of a run: the main one, or a baseline.
    struct Pass {
        std::uint32_t id;
        int exact_tail;
        std::vector<GeneratorSpec> generators;
    };
    // What one thread works with.
    struct Worker {
        Tail tail;
        std::vector<std::unique_ptr<Generator>> generators; // [depth]
    };

    FrontPtr search(const Pass& pass, const Subset& root);
    FrontPtr solve(int worker, const StateKey& key, const Subset& state, int remaining,
                   double share);
    // These add the trees of one state to its front, and return false where a limit ended them
    // before everything was seen. `share` is the state's part of the whole search, for progress.
    bool expand(int worker, const Subset& state, int remaining, double share, FrontBuilder& front);
    bool expand_tests(int worker, const Subset& state, int remaining,
                      const std::vector<Test>& tests, double share, FrontBuilder& front);
    bool expand_pairs(int worker, const Subset& state, const std::vector<Test>& tests,
                      FrontBuilder& front);
    // The trees that make the test and go on with those of its children.
    void add_sums(const Subset& state, Test test, const FrontPtr& left, const FrontPtr& right,
                  FrontBuilder& front) const;
    FrontPtr leaf_front(double errors);
    static std::uint32_t cut(const Subset& state, Test test);
    StateKey key(RowSetHash rows, int remaining) const;
    // Which of the pass's generators serves a state with this many tests to go.
    std::size_t depth_index(int remaining) const;
    Generator& generator(int worker, int remaining);
    // Whether states with this many tests to go try every boundary.
    bool exact(int remaining) const;
    bool divisible(const Subset& state, int remaining) const;

    const Dataset& data_;
    const SearchSettings settings_;
    const Kernels& kernels_;
    Limits& limits_;
    EntropyTable table_;
    Memo memo_;
    Pool pool_;
    Pass pass_;
    std::vector<Worker> workers_;
};

} // namespace treefront
