// The search: fronts equal the hull of every tree there is, and how the work is done changes none.
#include "check.hpp"
#include "oracle.hpp"
#include "problems.hpp"
#include "search.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

using namespace treefront;
using oracle::Cut;
using oracle::Price;
using oracle::Prices;
using oracle::Rows;
using Kind = GeneratorSpec::Kind;

namespace {

GeneratorSpec spec_of(Kind kind, std::uint32_t size = 0) {
    GeneratorSpec spec;
    spec.kind = kind;
    spec.size = size;
    spec.criteria = {Criterion::gini};
    return spec;
}

SearchSettings settings_of(int max_depth, std::vector<GeneratorSpec> generators, int exact_tail,
                           const Objective& objective = {}) {
    SearchSettings settings;
    settings.max_depth = max_depth;
    settings.generators = std::move(generators);
    settings.exact_tail = exact_tail;
    settings.objective = objective;
    return settings;
}

// Everything a front says, so that two can be compared.
using Described = std::tuple<double, double, std::uint32_t, std::uint32_t, std::uint32_t>;

std::vector<Described> run(const Dataset& data, const SearchSettings& settings,
                           const Kernels& kernels = Kernels("auto")) {
    Limits limits(kForever);
    Search search(data, settings, kernels, limits);
    const FrontPtr front = search.run();
    CHECK(front->complete());
    std::vector<Described> vertices;
    for (const Vertex& v : front->vertices()) {
        vertices.emplace_back(v.complexity, v.errors, v.leaves, v.origin.feature, v.origin.cut);
    }
    return vertices;
}

std::vector<Price> prices_of(const std::vector<Described>& vertices) {
    std::vector<Price> prices;
    for (const auto& [c, e, leaves, feature, cut] : vertices) prices.emplace_back(c, e);
    return prices;
}

// Which thresholds a restricted generator may use, by feature and rank of the dataset.
using Rule = std::function<bool(Cut)>;

// A generator of the engine, and the same one for the twin.
GeneratorSpec function_of(const Dataset& data, const Rule& rule) {
    GeneratorSpec spec = spec_of(Kind::function);
    spec.function = [&data, rule](std::span<const RowId>) {
        std::vector<std::pair<std::uint32_t, double>> tests;
        for (std::uint32_t f = 0; f < data.n_features(); ++f) {
            const auto values = data.values(f);
            for (std::uint32_t rank = 0; rank < values.size(); ++rank) {
                if (rule({f, rank})) tests.emplace_back(f, values[rank]);
            }
        }
        return tests;
    };
    return spec;
}

std::vector<Cut> allowed(const Dataset& data, const Rows& rows, std::size_t least,
                         const Rule& rule) {
    std::vector<Cut> cuts;
    for (std::uint32_t f = 0; f < data.n_features(); ++f) {
        for (std::uint32_t rank = 0; rank < data.values(f).size(); ++rank) {
            if (!rule({f, rank})) continue;
            const auto [left, right] = oracle::divide(data, rows, {f, rank});
            if (left.size() >= least && right.size() >= least) cuts.push_back({f, rank});
        }
    }
    return cuts;
}

const Rule kAny = [](Cut) { return true; };
const Rule kFew = [](Cut cut) { return (cut.feature + cut.rank) % 4 == 1; };
const Rule kOdd = [](Cut cut) { return (cut.feature + cut.rank) % 2 == 1; };

Dataset tiny(std::uint64_t seed, std::uint32_t rows) {
    Shape shape{.rows = rows, .features = 3, .levels = 4};
    shape.classes = static_cast<int>(2 + seed % 2);
    // Real weights are not exact enough for the twin's plain products.
    const Weights weights[] = {Weights::none, Weights::whole, Weights::none, Weights::eighths};
    shape.weights = weights[seed / 2 % 4];
    return random_problem(seed, shape).dataset();
}

Dataset medium(std::uint64_t seed, Weights weights = Weights::none, int classes = 3) {
    return random_problem(
               seed,
               {.rows = 70, .features = 4, .levels = 12, .classes = classes, .weights = weights})
        .dataset();
}

} // namespace

TEST("search: all tests, by any generator and any tail, give the hull of every tree") {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const Dataset data = tiny(seed, 9 + static_cast<std::uint32_t>(seed % 5));
        const std::uint32_t least = seed % 6 < 4 ? 1 : 2;
        for (Complexity complexity : {Complexity::tests, Complexity::splits}) {
            const Objective objective = objective_of(complexity, least);
            for (int depth = 0; depth <= 3; ++depth) {
                const auto expected =
                    oracle::hull(oracle::every_tree(data, oracle::all_rows(data), depth, objective,
                                                    oracle::all_tests(data, least)));
                // The last three span the same trees without being told so.
                const GeneratorSpec generators[] = {spec_of(Kind::all), function_of(data, kAny),
                                                    spec_of(Kind::top, 1000),
                                                    spec_of(Kind::quantile, 40)};
                for (const GeneratorSpec& generator : generators) {
                    for (int tail = 0; tail <= 2; ++tail) {
                        const check::Context context("seed", seed, "complexity", complexity,
                                                     "depth", depth, "generator", generator.kind,
                                                     "tail", tail);
                        const auto front =
                            run(data, settings_of(depth, {generator}, tail, objective));
                        CHECK_EQ(prices_of(front), expected);
                    }
                }
            }
        }
    }
}

TEST("search: generators that span all tests agree on more rows too") {
    for (std::uint64_t seed = 0; seed < 9; ++seed) {
        const Dataset data = medium(seed, seed % 2 ? Weights::eighths : Weights::none,
                                    static_cast<int>(2 + seed % 2));
        for (Complexity complexity : {Complexity::tests, Complexity::splits}) {
            const Objective objective = objective_of(complexity, seed % 4 ? 1 : 4);
            const auto expected =
                prices_of(run(data, settings_of(2, {spec_of(Kind::all)}, 2, objective)));
            const GeneratorSpec generators[] = {function_of(data, kAny), spec_of(Kind::top, 1000),
                                                spec_of(Kind::quantile, 200)};
            for (const GeneratorSpec& generator : generators) {
                for (int tail = 0; tail <= 2; ++tail) {
                    const check::Context context("seed", seed, "complexity", complexity,
                                                 "generator", generator.kind, "tail", tail);
                    const auto front = run(data, settings_of(2, {generator}, tail, objective));
                    CHECK_EQ(prices_of(front), expected);
                }
            }
        }
    }
}

TEST("search: the best tree for every number of splits") {
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        const Dataset data = tiny(seed, 11);
        Objective objective = objective_of(Complexity::splits, seed % 3 ? 1 : 2);
        objective.keep = Keep::every_size;
        for (int depth = 0; depth <= 3; ++depth) {
            const auto expected = oracle::staircase(
                oracle::every_tree(data, oracle::all_rows(data), depth, objective,
                                   oracle::all_tests(data, objective.min_samples_leaf)));
            for (const GeneratorSpec& generator : {spec_of(Kind::all), function_of(data, kAny)}) {
                for (int tail = 0; tail <= 2; ++tail) {
                    const check::Context context("seed", seed, "depth", depth, "generator",
                                                 generator.kind, "tail", tail);
                    const auto front = run(data, settings_of(depth, {generator}, tail, objective));
                    CHECK_EQ(prices_of(front), expected);
                }
            }
        }
    }
}

TEST("search: few tests above an exact tail, and another generator at each depth") {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const std::uint32_t least = seed % 3 ? 1 : 2;
        const Objective objective =
            objective_of(seed % 2 ? Complexity::tests : Complexity::splits, least);
        // Some tests at the root and all below, or all at the root and few below.
        const std::vector<Rule> rules =
            seed % 4 < 2 ? std::vector{kOdd, kAny, kOdd} : std::vector{kAny, kFew, kAny};
        for (int depth = 1; depth <= 3; ++depth) {
            const Dataset data = depth < 3 ? medium(seed) : tiny(seed, 12);
            std::vector<GeneratorSpec> generators;
            for (const Rule& rule : rules) generators.push_back(function_of(data, rule));
            for (int tail = 0; tail <= 2; ++tail) {
                const check::Context context("seed", seed, "depth", depth, "tail", tail);
                const auto admissible = [&](const Rows& rows, int remaining) {
                    const auto level = static_cast<std::size_t>(depth - remaining);
                    return allowed(data, rows, least, remaining <= tail ? kAny : rules[level]);
                };
                const auto expected = oracle::hull(oracle::every_tree(
                    data, oracle::all_rows(data), depth, objective, admissible, tail));
                const auto front = run(data, settings_of(depth, generators, tail, objective));
                CHECK_EQ(prices_of(front), expected);
            }
        }
    }
}

TEST("search: greedy trees and their prunings join the front") {
    const EntropyTable table(100);
    const Kernels kernels("auto");
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data = random_problem(seed, {.rows = 40, .levels = 9}).dataset();
        const Objective objective = objective_of(seed % 2 ? Complexity::tests : Complexity::splits);
        GeneratorSpec greedy = spec_of(Kind::cart);
        greedy.max_depth = 1;
        const auto generator = make_generator(greedy, 1, 2, &table, kernels, no_limits());
        // The greedy test of a row list: of the state it is reached by the same greedy tests.
        const std::function<void(const Subset&, int, std::vector<std::pair<Rows, Cut>>&)> grow =
            [&](const Subset& state, int remaining, auto& tests) {
                if (remaining == 0) return;
                for (Test test : generator->tests(state)) {
                    tests.emplace_back(oracle::rows_of(state), oracle::as_cut(state, test));
                    const auto halves = state.split(test);
                    grow(*halves.left, remaining - 1, tests);
                    grow(*halves.right, remaining - 1, tests);
                }
            };
        std::vector<std::pair<Rows, Cut>> tests;
        grow(root_of(data), 3, tests);
        const auto admissible = [&](const Rows& rows, int) {
            std::vector<Cut> cuts;
            for (const auto& [of, cut] : tests) {
                if (of == rows) cuts.push_back(cut);
            }
            return cuts;
        };
        Prices all = oracle::every_tree(data, oracle::all_rows(data), 3, objective, admissible);
        all.merge(oracle::every_tree(
            data, oracle::all_rows(data), 3, objective,
            [&](const Rows& rows, int) { return allowed(data, rows, 1, kOdd); }));
        SearchSettings settings = settings_of(3, {function_of(data, kOdd)}, 0, objective);
        settings.baselines = {Criterion::gini};
        CHECK_EQ(prices_of(run(data, settings)), oracle::hull(all));
    }
}

TEST("search: a single alpha gives the tree that the front gives at that alpha") {
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        const Dataset data = tiny(seed, 40);
        for (int tail = 0; tail <= 2; ++tail) {
            SearchSettings settings = settings_of(3, {spec_of(Kind::quantile, 3)}, tail);
            settings.objective.complexity = seed % 2 ? Complexity::tests : Complexity::splits;
            const auto front = prices_of(run(data, settings));
            // Dyadic, so that values are exact; 0 wants the fewest errors, 64 a leaf.
            for (double alpha : {0.0, 0.03125, 0.125, 0.5, 2.0, 64.0}) {
                const check::Context context("seed", seed, "tail", tail, "alpha", alpha);
                double best = kForever;
                for (const auto& [c, e] : front) best = std::min(best, e + alpha * c);
                settings.objective.alpha = alpha;
                const auto one = prices_of(run(data, settings));
                CHECK_EQ(one.size(), 1);
                CHECK_EQ(one[0].second + alpha * one[0].first, best);
                // Of trees that tie the one with the fewest errors, and of those the smallest.
                if (alpha == 0) CHECK_EQ(one[0], front.back());
            }
        }
    }
}

TEST("search: threads, instruction sets, lanes and a memo that forgets change no vertex") {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Dataset data = medium(seed, kAllWeights[seed], static_cast<int>(2 + seed % 2));
        GeneratorSpec cart = spec_of(Kind::cart);
        cart.max_depth = 3;
        cart.criteria = {Criterion::entropy, Criterion::gini};
        std::vector<SearchSettings> all;
        for (int tail = 0; tail <= 2; ++tail) all.push_back(settings_of(4, {cart}, tail));
        all.push_back(settings_of(3, {spec_of(Kind::quantile, 4)}, 1));
        for (std::size_t k = 0; k < all.size(); ++k) {
            const check::Context context("seed", seed, "settings", k);
            SearchSettings settings = all[k];
            settings.baselines = {Criterion::entropy};
            const auto expected = run(data, settings);
            CHECK(expected.size() > 1);
            for (int threads : {2, 4}) {
                settings.n_threads = threads;
                CHECK(run(data, settings) == expected);
            }
            const std::int64_t budget = std::exchange(settings.memo_bytes, 0);
            CHECK(run(data, settings) == expected);
            settings.n_threads = 1;
            CHECK(run(data, settings) == expected);
            settings.memo_bytes = budget;
            for (const auto& [name, kernels] : all_kernels()) {
                const check::Context variant("kernels", name);
                CHECK(run(data, settings, kernels) == expected);
                settings.lane = Lane::real;
                CHECK(run(data, settings, kernels) == expected);
                settings.lane.reset();
            }
        }
    }
}

TEST("search: more tests, levels or exact levels are never worse") {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data = medium(seed);
        const auto ascending = [&](const std::vector<SearchSettings>& chain) {
            std::vector<Price> before;
            for (const SearchSettings& settings : chain) {
                const auto front = prices_of(run(data, settings));
                Prices both(front.begin(), front.end());
                both.insert(before.begin(), before.end());
                CHECK_EQ(oracle::hull(both), front);
                before = front;
            }
        };
        std::vector<SearchSettings> exact;
        for (int tail = 0; tail <= 2; ++tail) {
            const check::Context inner("tail", tail);
            std::vector<SearchSettings> tests, levels;
            for (std::uint32_t quantiles : {1u, 3u, 7u}) {
                tests.push_back(settings_of(3, {spec_of(Kind::quantile, quantiles)}, tail));
            }
            for (int depth = 0; depth <= 4; ++depth) {
                levels.push_back(settings_of(depth, {spec_of(Kind::quantile, 1)}, tail));
            }
            ascending(tests);
            ascending(levels);
            exact.push_back(levels.back());
        }
        ascending(exact);
    }
}

TEST("search: one cancelled before it starts returns the leaf") {
    const Dataset data = medium(1);
    const Kernels kernels("auto");
    for (int threads : {1, 3}) {
        SearchSettings settings = settings_of(4, {spec_of(Kind::all)}, 2);
        settings.n_threads = threads;
        settings.baselines = {Criterion::entropy};
        Limits limits(kForever);
        limits.cancel();
        Search search(data, settings, kernels, limits);
        const FrontPtr front = search.run();
        CHECK(!front->complete());
        CHECK_EQ(front->size(), 1);
        CHECK((*front)[0].origin.leaf());
    }
}

TEST("search: one cancelled on its way returns real trees soon") {
    const Dataset data = random_problem(3, {.rows = 600, .features = 6, .levels = 0}).dataset();
    const Kernels kernels("auto");
    for (int threads : {1, 3}) {
        const check::Context context("threads", threads);
        SearchSettings settings = settings_of(6, {spec_of(Kind::all)}, 2); // endless
        settings.n_threads = threads;
        settings.baselines = {Criterion::entropy};
        Limits limits(kForever);
        Search search(data, settings, kernels, limits);
        FrontPtr front;
        std::thread searching([&] { front = search.run(); });
        while (limits.n_states < 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const auto begin = Limits::Clock::now();
        limits.cancel();
        searching.join();
        CHECK(Limits::Clock::now() - begin < std::chrono::seconds(2)); // slow under sanitizers
        CHECK(!front->complete());
        CHECK(front->size() > 1);
        CHECK(limits.done() < 1);
    }
}

TEST("search: a deadline leaves the greedy trees") {
    const Dataset data = medium(2);
    const Kernels kernels("auto");
    const SearchSettings greedy = [] {
        GeneratorSpec cart = spec_of(Kind::cart);
        cart.max_depth = 1;
        return settings_of(4, {cart}, 1);
    }();
    SearchSettings settings = settings_of(4, {spec_of(Kind::all)}, 2);
    settings.baselines = {Criterion::gini};
    Limits limits(0);
    Search search(data, settings, kernels, limits);
    const FrontPtr front = search.run();
    CHECK(!front->complete());
    CHECK(limits.stopped());
    CHECK(!limits.cancelled());
    Prices all;
    for (const Price& p : oracle::prices(front->vertices())) all.insert(p);
    const auto own = oracle::hull(all);
    for (const Price& p : prices_of(run(data, greedy))) all.insert(p);
    CHECK_EQ(oracle::hull(all), own);
    CHECK(own.size() > 1);
}

TEST("search: what a generator throws reaches the caller, from any thread") {
    const Dataset data = medium(4);
    const Kernels kernels("auto");
    for (int threads : {1, 3}) {
        std::atomic<int> calls{0};
        GeneratorSpec spec = function_of(data, kAny);
        spec.function = [&calls, inner = spec.function](std::span<const RowId> rows) {
            if (++calls == 5) throw std::runtime_error("enough");
            return inner(rows);
        };
        SearchSettings settings = settings_of(4, {spec}, 0);
        settings.n_threads = threads;
        Limits limits(kForever);
        Search search(data, settings, kernels, limits);
        CHECK_THROWS(std::runtime_error, search.run());
    }
}

TEST("search: the tests of its states are counted, in an exact tail too") {
    const Problem problem{{{0, 1, 2, 3, 4, 5}, {0, 0, 0, 1, 1, 1}}, {0, 1, 0, 1, 0, 1}, {}, 2};
    const Dataset data = problem.dataset();
    const Kernels kernels("auto");
    for (const int exact_tail : {0, 2}) {
        Limits limits(kForever);
        Search(data, settings_of(2, {spec_of(Kind::all)}, exact_tail), kernels, limits).run();
        CHECK_EQ(limits.n_states.load(), 1); // the last test of a path needs no state
        CHECK_EQ(limits.n_tests.load(), 5 + 1);
    }
}

TEST("search: data that no test divides") {
    const Problem problems[] = {
        {{{1}}, {0}, {}, 2},             // one row
        {{{1, 1, 1}}, {0, 1, 1}, {}, 2}, // one value
        {{{1, 2, 3}}, {1, 1, 1}, {}, 2}, // one class
        {{{1, 2, 3}}, {0, 0, 0}, {}, 1}, // of one
        {{}, {0, 1, 0}, {}, 2},          // no feature
    };
    for (const Problem& problem : problems) {
        const Dataset data = problem.dataset();
        for (int tail = 0; tail <= 2; ++tail) {
            for (Kind kind : {Kind::all, Kind::quantile, Kind::cart, Kind::top}) {
                SearchSettings settings = settings_of(3, {spec_of(kind, 3)}, tail);
                settings.baselines = {Criterion::entropy, Criterion::gini};
                const auto front = run(data, settings);
                CHECK_EQ(front.size(), 1);
                CHECK_EQ(std::get<1>(front[0]), oracle::leaf_errors(data, oracle::all_rows(data)));
            }
        }
    }
}
