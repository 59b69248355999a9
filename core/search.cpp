#include "search.hpp"

#include <algorithm>
#include <numeric>

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

} // namespace

Search::Search(const Dataset& data, const SearchSettings& settings, const Kernels& kernels,
               Limits& limits)
    : data_(data), settings_(settings), kernels_(kernels), limits_(limits),
      table_(needs_entropy(settings) && !data.weighted() ? data.n_rows() : 0),
      memo_(settings.memo_bytes), pool_(settings.n_threads) {}

FrontPtr Search::run() {
    const Subset root(data_);
    FrontBuilder front(leaf(root), settings_.objective.alpha);
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
    const FrontPtr found =
        search({id, settings_.exact_tail, settings_.generators}, root);
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
                spec, settings_.objective.min_samples_leaf, data_.n_classes(), &table_, kernels_));
        }
        workers_.push_back(std::move(worker));
    }
    const bool is_main = pass.id == settings_.baselines.size();
    return solve(0, root, settings_.max_depth, is_main ? 1.0 : 0.0);
}

bool Search::divisible(const Subset& state, int remaining) const {
    return remaining > 0 && !state.pure() &&
           state.n_rows() >= 2 * settings_.objective.min_samples_leaf;
}

FrontPtr Search::solve(int worker, const Subset& state, int remaining, double share) {
    FrontBuilder front(leaf(state), settings_.objective.alpha);
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
    return front.finish(complete, memo_.live_bytes());
}

// False where a limit ended it before everything was seen.
bool Search::expand(int worker, const Subset& state, int remaining, double share,
                    FrontBuilder& front) {
    Tail& tail = workers_[static_cast<std::size_t>(worker)].tail;
    ++limits_.n_states;
    if (remaining == 1 && exact(1)) {
        limits_.advance(share);
        tail.stump(state, front);
        return true;
    }
    if (remaining == 2 && exact(1) && exact(2)) {
        limits_.advance(share);
        return tail.all_pairs(state, front);
    }
    std::vector<Test> tests = generator(worker, remaining).tests(state);
    limits_.n_tests += static_cast<std::int64_t>(tests.size());
    if (remaining == 1) {
        limits_.advance(share);
        tail.best_of(state, tests, front);
        return true;
    }
    if (remaining == 2 && exact(1)) {
        limits_.advance(share);
        return tail.pairs(state, tests, front);
    }

    std::vector<Tail::Outlook> outlooks;
    if (remaining == 2) outlooks = sort_by_outlook(tail, state, tests);
    const auto hopeless = [&](std::size_t i) {
        return !outlooks.empty() &&
               std::none_of(outlooks[i].begin(), outlooks[i].end(), [&](const Point& p) {
                   return front.admits(p.complexity, p.errors);
               });
    };

    struct Children {
        FrontPtr left, right;
    };
    const std::vector<RowSetHash> left_rows = state.left_hashes(tests);
    std::vector<Children> children(tests.size());
    std::atomic<bool> complete{true};
    const double child_share = tests.empty() ? 0 : share / static_cast<double>(2 * tests.size());
    if (tests.empty()) limits_.advance(share);
    const Pool::Body solve_test = [&](int thread, std::size_t i) {
        if (limits_.stopped()) {
            complete = false;
            return;
        }
        if (hopeless(i)) {
            limits_.advance(2 * child_share);
            return;
        }
        const Test test = tests[i];
        const StateKey left_key = key(left_rows[i], remaining - 1);
        const StateKey right_key = key(state.hash() ^ left_rows[i], remaining - 1);
        FrontPtr left = memo_.find(left_key), right = memo_.find(right_key);
        const Subset::Halves halves =
            left && right ? Subset::Halves{} : state.split(test, !left, !right);
        const auto fill = [&](FrontPtr& side, const StateKey& side_key, const Subset* half) {
            side = side ? side : child(thread, side_key, half, remaining - 1, child_share);
        };
        // The larger side first: it alone may show that the test cannot help.
        const bool left_first = 2 * test.position >= state.n_rows();
        FrontPtr& first = left_first ? left : right;
        fill(first, left_first ? left_key : right_key,
             left_first ? halves.left.get() : halves.right.get());
        const double price = settings_.objective.price(state.weight());
        const bool promising = std::any_of(
            first->vertices().begin(), first->vertices().end(), [&](const Vertex& v) {
                return front.admits(price + v.complexity, v.errors);
            });
        if (!promising) {
            limits_.advance(child_share);
            return;
        }
        fill(left, left_key, halves.left.get());
        fill(right, right_key, halves.right.get());
        children[i] = {left, right};
    };
    std::size_t begin = 0;
    while (begin < tests.size()) {
        const std::size_t end =
            std::min(tests.size(), begin + (begin == 0 || remaining == 2 ? 1 : kWave));
        pool_.for_each(worker, end - begin,
                       [&](int thread, std::size_t k) { solve_test(thread, begin + k); });
        for (std::size_t i = begin; i < end; ++i) {
            const auto& [left, right] = children[i];
            if (!left || !right) continue;
            complete = complete && left->complete() && right->complete();
            front.add_sums(settings_.objective.price(state.weight()),
                           state.feature(tests[i].slot),
                           state.rank_at(tests[i].slot, tests[i].position - 1), left, right);
            children[i] = {};
        }
        begin = end;
    }
    return complete;
}

// The last but one level without an exact tail: what exact single tests would reach is cheap to
// know for all tests at once, and mostly shows that a test's children need not be expanded.
std::vector<Tail::Outlook> Search::sort_by_outlook(Tail& tail, const Subset& state,
                                                   std::vector<Test>& tests) {
    const std::vector<Tail::Outlook> outlooks = tail.outlooks(state, tests);
    std::vector<std::size_t> order(tests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return outlooks[a].back().errors < outlooks[b].back().errors;
    });
    std::vector<Test> sorted_tests;
    std::vector<Tail::Outlook> sorted;
    for (std::size_t i : order) {
        sorted_tests.push_back(tests[i]);
        sorted.push_back(outlooks[i]);
    }
    tests = std::move(sorted_tests);
    return sorted;
}

FrontPtr Search::child(int worker, const StateKey& key, const Subset* state, int remaining,
                       double share) {
    FrontPtr front = solve(worker, *state, remaining, share);
    if (front->complete()) memo_.insert(key, front);
    return front;
}

StateKey Search::key(RowSetHash rows, int remaining) const {
    return {rows, static_cast<std::uint32_t>(remaining) << 4 | pass_.id};
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

FrontPtr Search::stump(const Subset& state) {
    FrontBuilder front(leaf(state), std::nullopt);
    Tail tail(settings_.objective, kernels_, settings_.lane, limits_);
    if (divisible(state, 1)) tail.stump(state, front);
    return front.finish(true, nullptr);
}

} // namespace treefront
