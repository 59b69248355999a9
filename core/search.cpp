#include "search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace treefront {

namespace {

// Candidates of a state are solved in waves; what one wave finds lets the next skip children.
// Fixed sizes, so that the work done does not depend on the number of threads.
constexpr std::size_t kWave = 8;

bool needs_entropy(const SearchSettings& settings) {
    const auto entropy = [](const std::vector<Criterion>& criteria) {
        return std::find(criteria.begin(), criteria.end(), Criterion::entropy) != criteria.end();
    };
    return entropy(settings.baselines) ||
           std::any_of(settings.generators.begin(), settings.generators.end(),
                       [&](const GeneratorSpec& g) { return entropy(g.criteria); });
}

// Tests at every boundary: what an exact tail chooses from.
std::int64_t every_test(const Subset& state) {
    const auto runs = state.run_counts();
    return std::accumulate(runs.begin(), runs.end(), std::int64_t{0}) -
           static_cast<std::int64_t>(runs.size());
}

} // namespace

Search::Search(const Dataset& data, const SearchSettings& settings, const Kernels& kernels,
               Limits& limits)
    : data_(data), settings_(settings), kernels_(kernels), limits_(limits),
      table_(needs_entropy(settings) && !data.weighted() && !data.priced() ? data.n_rows() : 0),
      memo_(settings.memo_bytes), pool_(settings.n_threads, settings.max_depth) {}

FrontPtr Search::run() {
    const Subset root = this->root();
    FrontBuilder front({0, root.leaf_errors(), 1}, settings_.objective.alpha,
                       settings_.objective.keep);
    bool complete = true;
    std::uint32_t id = 0;
    limits_.ignore_deadline(true);
    for (Criterion criterion : settings_.baselines) {
        GeneratorSpec greedy;
        greedy.criteria = {criterion};
        greedy.max_depth = 1;
        const Pass pass{id++, std::min(settings_.exact_tail, 1), {greedy}};
        const FrontPtr found = search(pass, root);
        front.add_front(*found);
        complete = complete && found->complete();
    }
    limits_.ignore_deadline(false);
    limits_.n_states = 0;
    limits_.n_tests = 0;
    const FrontPtr found = search({id, settings_.exact_tail, settings_.generators}, root);
    front.add_front(*found);
    complete = complete && found->complete();
    limits_.rethrow();
    return front.finish(complete, nullptr);
}

FrontPtr Search::search(const Pass& pass, const Subset& root) {
    pass_ = pass;
    workers_.clear();
    for (int w = 0; w < pool_.n_threads(); ++w) {
        Worker worker{Tail(settings_.objective, kernels_, settings_.lane, limits_), {}};
        for (const GeneratorSpec& spec : pass.generators) {
            worker.generators.push_back(make_generator(
                spec, settings_.objective.least(), data_.n_classes(), &table_, kernels_, limits_));
        }
        workers_.push_back(std::move(worker));
    }
    const bool is_main = pass.id == settings_.baselines.size();
    return solve(0, key(root.key(), settings_.max_depth), root, settings_.max_depth,
                 is_main ? 1.0 : 0.0);
}

bool Search::divisible(const Subset& state, int remaining) const {
    return remaining > 0 && !state.pure() &&
           state.n_rows() >= 2 * settings_.objective.min_samples_leaf;
}

FrontPtr Search::solve(int worker, const StateKey& key, const Subset& state, int remaining,
                       double share) {
    FrontBuilder front({0, state.leaf_errors(), 1}, settings_.objective.alpha,
                       settings_.objective.keep);
    bool complete = true;
    if (divisible(state, remaining)) {
        try {
            complete = !limits_.stopped() && expand(worker, state, remaining, share, front);
        } catch (...) {
            limits_.fail(std::current_exception());
            complete = false;
        }
    } else {
        limits_.advance(share);
    }
    const FrontPtr result = front.finish(complete, memo_.live_bytes());
    if (complete) memo_.insert(key, result);
    return result;
}

// False where a limit ended it before everything was seen.
bool Search::expand(int worker, const Subset& state, int remaining, double share,
                    FrontBuilder& front) {
    Tail& tail = workers_[static_cast<std::size_t>(worker)].tail;
    ++limits_.n_states;
    if (remaining == 1 && exact(1)) {
        limits_.advance(share);
        limits_.n_tests += every_test(state);
        tail.stump(state, front);
        return true;
    }
    if (remaining == 2 && exact(1) && exact(2)) {
        limits_.advance(share);
        limits_.n_tests += every_test(state);
        return tail.all_pairs(state, front);
    }
    const std::vector<Test> tests = generator(worker, remaining).tests(state);
    if (limits_.stopped()) return false; // they may not be all
    limits_.n_tests += static_cast<std::int64_t>(tests.size());
    if (remaining == 1) {
        limits_.advance(share);
        tail.best_of(state, tests, front);
        return true;
    }
    bool complete = true;
    if (remaining > 2) {
        complete = expand_tests(worker, state, remaining, tests, share, front);
    } else {
        limits_.advance(share);
        complete =
            exact(1) ? tail.pairs(state, tests, front) : expand_pairs(worker, state, tests, front);
    }
    // Every state may also do with the tests of the tail alone: over all boundaries they can be
    // better than the generator's with a longer way to go. So more depth is never worse.
    if (exact(remaining) && exact(1) && state.any_free_levels()) tail.stump(state, front);
    if (exact(remaining) || pass_.exact_tail == 0) return complete;
    if (pass_.exact_tail == 2) return tail.all_pairs(state, front) && complete;
    tail.stump(state, front);
    return complete;
}

// Three tests or more to go: the children of every test, in waves over all threads.
bool Search::expand_tests(int worker, const Subset& state, int remaining,
                          const std::vector<Test>& tests, double share, FrontBuilder& front) {
    struct Children {
        FrontPtr left, right;
    };
    const double test_price = settings_.objective.price(state.weight());
    const double child_share = share / static_cast<double>(2 * tests.size());
    if (tests.empty()) limits_.advance(share);
    const std::vector<RowSetHash> left_rows = state.left_hashes(tests);
    std::vector<Children> children(tests.size());
    std::atomic<bool> complete{true};

    const auto solve_test = [&](int thread, std::size_t i) {
        if (limits_.stopped()) {
            complete = false;
            return;
        }
        const std::uint32_t slot = tests[i].slot;
        const double price = test_price * state.cost(slot);
        const Subset::Sides bounds = *state.child_bounds(tests[i]);
        const StateKey left_key =
            key(state.child_key(left_rows[i], slot, bounds.left), remaining - 1);
        const StateKey right_key =
            key(state.child_key(state.hash() ^ left_rows[i], slot, bounds.right), remaining - 1);
        FrontPtr left = memo_.find(left_key), right = memo_.find(right_key);
        if (left) limits_.advance(child_share);
        if (right) limits_.advance(child_share);
        const Subset::Halves halves =
            left && right ? Subset::Halves{} : state.split(tests[i], !left, !right);
        const auto solve_left = [&] {
            if (!left) left = solve(thread, left_key, *halves.left, remaining - 1, child_share);
        };
        const auto solve_right = [&] {
            if (!right) right = solve(thread, right_key, *halves.right, remaining - 1, child_share);
        };
        // The larger side first: it alone may show that the test cannot help.
        const bool left_first = 2 * tests[i].position >= state.n_rows();
        left_first ? solve_left() : solve_right();
        const auto& known = (left_first ? left : right)->vertices();
        if (std::none_of(known.begin(), known.end(), [&](const Vertex& v) {
                return front.admits(price + v.complexity, v.errors);
            })) {
            if (!(left_first ? right : left)) limits_.advance(child_share);
            return;
        }
        left_first ? solve_right() : solve_left();
        children[i] = {left, right};
    };

    std::size_t begin = 0;
    while (begin < tests.size()) {
        const std::size_t end = std::min(tests.size(), begin + (begin == 0 ? 1 : kWave));
        pool_.for_each(worker, end - begin, [&](int thread, std::size_t k) {
            try {
                solve_test(thread, begin + k);
            } catch (...) { // out of memory: no other body may see it
                limits_.fail(std::current_exception());
                complete = false;
            }
        });
        for (std::size_t i = begin; i < end; ++i) {
            const auto [left, right] = std::exchange(children[i], {});
            if (!left || !right) continue;
            complete = complete && left->complete() && right->complete();
            add_sums(state, tests[i], left, right, front);
        }
        begin = end;
    }
    return complete;
}

// Two tests to go without an exact tail. What exact single tests would reach is cheap to know for
// all tests at once, and mostly shows that a child's own few tests need not be looked for.
bool Search::expand_pairs(int worker, const Subset& state, const std::vector<Test>& tests,
                          FrontBuilder& front) {
    Tail& tail = workers_[static_cast<std::size_t>(worker)].tail;
    bool complete = true;
    for (const Tail::Outlook& outlook : tail.outlooks(state, tests)) {
        if (limits_.stopped()) return false;
        const Test test = outlook.test;
        const auto admits = [&](const Point& p) { return front.admits(p.complexity, p.errors); };
        const bool both = admits(outlook.both_tests());
        bool left_open = both || admits(outlook.left_test());
        bool right_open = both || admits(outlook.right_test());
        if (!left_open && !right_open && !admits(outlook.leaves())) continue;
        const bool forced = state.forced(test.slot) != 0;
        const Subset::Sides bounds = *state.child_bounds(test);

        FrontPtr left = leaf_front(outlook.left_errors), right = leaf_front(outlook.right_errors);
        const RowSetHash left_rows = state.left_hashes({&test, 1})[0];
        const auto solve_side = [&](FrontPtr& side, RowSetHash rows, bool is_left) {
            const StateKey side_key =
                key(state.child_key(rows, test.slot, is_left ? bounds.left : bounds.right), 1);
            side = memo_.find(side_key);
            if (side) return;
            const Subset::Halves halves = state.split(test, is_left, !is_left);
            side = solve(worker, side_key, is_left ? *halves.left : *halves.right, 1, 0);
        };
        if (left_open) {
            solve_side(left, left_rows, true);
            // Now that the left side is known, could a test on the right still help?
            const Point only_right = outlook.right_test();
            right_open =
                right_open &&
                (forced || std::any_of(left->vertices().begin(), left->vertices().end(),
                                       [&](const Vertex& v) {
                                           return front.admits(only_right.complexity + v.complexity,
                                                               only_right.errors -
                                                                   outlook.left_errors + v.errors);
                                       }));
        }
        if (right_open) solve_side(right, state.hash() ^ left_rows, false);
        complete = complete && left->complete() && right->complete();
        add_sums(state, test, left, right, front);
    }
    return complete;
}

void Search::add_sums(const Subset& state, Test test, const FrontPtr& left, const FrontPtr& right,
                      FrontBuilder& front) const {
    const double price = settings_.objective.price(state.weight()) * state.cost(test.slot);
    const std::uint32_t feature = state.feature(test.slot);
    if (!state.forced(test.slot)) {
        return front.add_sums(price, feature, cut(state, test), left, right);
    }
    const Subset::LeafErrors leaves = state.forced_leaves(test);
    front.add_sums_with_leaf(price, feature, cut(state, test), left, right, leaves.left,
                             leaves.right);
}

FrontPtr Search::leaf_front(double errors) {
    return FrontBuilder({0, errors, 1}, settings_.objective.alpha, settings_.objective.keep)
        .finish(true, memo_.live_bytes());
}

StateKey Search::key(RowSetHash rows, int remaining) const {
    return {rows, static_cast<std::uint32_t>(remaining) << 4 | pass_.id};
}

std::uint32_t Search::cut(const Subset& state, Test test) {
    return state.rank_at(test.slot, test.position - 1);
}

std::size_t Search::depth_index(int remaining) const {
    return std::min(static_cast<std::size_t>(settings_.max_depth - remaining),
                    pass_.generators.size() - 1);
}

Generator& Search::generator(int worker, int remaining) {
    return *workers_[static_cast<std::size_t>(worker)].generators[depth_index(remaining)];
}

bool Search::exact(int remaining) const {
    return pass_.exact_tail >= remaining || pass_.generators[depth_index(remaining)].all();
}

Subset Search::root() const {
    return Subset(data_, kernels_.table().partition);
}

Origin Search::last_test(const Subset& state, std::uint32_t group) {
    return Tail(settings_.objective, kernels_, settings_.lane, limits_).last_test(state, group);
}

} // namespace treefront
