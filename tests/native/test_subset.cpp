// A state: its rows, sorted by every feature, in one representation however it was reached.
#include "check.hpp"
#include "oracle.hpp"
#include "problems.hpp"

#include <algorithm>

using namespace treefront;
using oracle::Rows;

namespace {

// The entries of a slot, from the definition: local ids by rank, ids ascend within a run, and the
// first of each run is marked.
template <class Id>
std::vector<Id> sorted_entries(const Dataset& data, const Rows& rows, std::size_t feature) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted; // rank, id
    for (std::uint32_t id = 0; id < rows.size(); ++id) {
        sorted.emplace_back(data.rank(feature, rows[id]), id);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<Id> entries;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const bool start = i == 0 || sorted[i - 1].first != sorted[i].first;
        entries.push_back(static_cast<Id>(sorted[i].second | (start ? Entry<Id>::kStart : Id{0})));
    }
    return entries;
}

void check_state(const Subset& state, const Rows& rows) {
    const Dataset& data = state.data();
    CHECK_EQ(oracle::rows_of(state), rows);
    CHECK_EQ(state.narrow(), rows.size() < 32768);
    RowSetHash hash;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        hash ^= data.row_hash(rows[i]);
        CHECK_EQ(state.labels()[i], data.label(rows[i]));
        if (data.weighted()) CHECK_EQ(state.weights()[i], data.weight(rows[i]));
    }
    CHECK_EQ(state.hash(), hash);
    CHECK_EQ(state.weights().empty(), !data.weighted());

    const auto weights = oracle::class_weights(data, rows);
    CHECK_EQ(list(state.sums()), weights);
    CHECK_EQ(state.weight(), oracle::sum(weights));
    CHECK_EQ(state.leaf_errors(), oracle::leaf_errors(data, rows));
    CHECK_EQ(state.decision(), std::max_element(weights.begin(), weights.end()) - weights.begin());
    const bool pure = std::count(weights.begin(), weights.end(), 0.0) + 1 >= std::ssize(weights);
    CHECK_EQ(state.pure(), pure);

    std::uint32_t slot = 0;
    for (std::uint32_t f = 0; f < data.n_features(); ++f) {
        std::vector<std::uint32_t> ranks;
        for (RowId row : rows) ranks.push_back(data.rank(f, row));
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        if (ranks.size() < 2) continue;
        // A pure state below the root needs no sorted rows.
        if (pure && state.n_slots() == 0) continue;
        CHECK(slot < state.n_slots());
        if (slot >= state.n_slots()) return;
        CHECK_EQ(state.feature(slot), f);
        CHECK_EQ(state.n_runs(slot), ranks.size());
        state.with_entries([&](auto id) {
            using Id = decltype(id);
            CHECK_EQ(list(state.order<Id>(slot)), sorted_entries<Id>(data, rows, f));
        });
        ++slot;
    }
    CHECK_EQ(state.n_slots(), slot);
    CHECK_EQ(state.run_counts().size(), slot);
}

// Both halves of one test, wanted together and alone.
void check_split(const Subset& state, Test test) {
    const check::Context context("test", test, "of rows", state.n_rows());
    const auto [left, right] =
        oracle::divide(state.data(), oracle::rows_of(state), oracle::as_cut(state, test));
    const Subset::Halves both = state.split(test);
    check_state(*both.left, left);
    check_state(*both.right, right);
    CHECK_EQ(both.left->hash() ^ both.right->hash(), state.hash());

    const Subset::Halves only_left = state.split(test, true, false);
    const Subset::Halves only_right = state.split(test, false, true);
    CHECK(!only_left.right && !only_right.left);
    check_state(*only_left.left, left);
    check_state(*only_right.right, right);
}

std::vector<Test> tests_of(const Subset& state) {
    if (state.n_slots() == 0) return {}; // pure: it keeps no sorted rows
    return oracle::as_tests(state, oracle::all_cuts(state.data(), oracle::rows_of(state)));
}

} // namespace

TEST("subset: the root and every split of it are the naive ones") {
    for (const auto& [name, kernels] : all_kernels()) {
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const check::Context context("kernels", name, "seed", seed);
            const Dataset data =
                random_problem(seed, {.rows = 5 + static_cast<std::uint32_t>(5 * seed),
                                      .features = 4,
                                      .levels = static_cast<std::uint32_t>(seed % 4 * 3),
                                      .classes = 2 + static_cast<int>(seed % 3),
                                      .weights = kAllWeights[seed % 4]})
                    .dataset();
            const Subset root(data, kernels.table().partition);
            check_state(root, oracle::all_rows(data));
            for (Test test : tests_of(root)) check_split(root, test);
        }
    }
}

TEST("subset: splits of splits are the naive ones") {
    Random random(5);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data = random_problem(seed, {.rows = 60,
                                                   .features = 4,
                                                   .levels = 9,
                                                   .classes = 3,
                                                   .weights = kAllWeights[seed % 4]})
                                 .dataset();
        auto state = std::make_unique<Subset>(root_of(data));
        while (state->n_slots() > 0) {
            const auto tests = tests_of(*state);
            const Test test = tests[random.below(static_cast<std::uint32_t>(tests.size()))];
            check_split(*state, test);
            auto halves = state->split(test);
            state = std::move(random.one_in(2) ? halves.left : halves.right);
        }
    }
}

TEST("subset: the same rows are the same state, however they were reached") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data =
            random_problem(seed, {.rows = 80, .features = 3, .levels = 0, .classes = 3}).dataset();
        const Subset root = root_of(data);
        // a <= its 30th value then b > its 20th of all rows, and the other way around
        const oracle::Cut a{0, 29}, b{1, 19};
        const auto first = root.split(oracle::as_test(root, a), true, false).left;
        const auto second = root.split(oracle::as_test(root, b), false, true).right;
        if (first->pure() || second->pure()) continue; // they keep no sorted rows
        const auto ab = first->split(oracle::as_test(*first, b), false, true).right;
        const auto ba = second->split(oracle::as_test(*second, a), true, false).left;
        CHECK_EQ(ab->hash(), ba->hash());
        CHECK_EQ(oracle::rows_of(*ab), oracle::rows_of(*ba));
        CHECK_EQ(list(ab->run_counts()), list(ba->run_counts()));
        CHECK_EQ(ab->n_slots(), ba->n_slots());
        for (std::uint32_t slot = 0; slot < ab->n_slots(); ++slot) {
            CHECK_EQ(ab->feature(slot), ba->feature(slot));
            CHECK_EQ(list(ab->order<std::uint16_t>(slot)), list(ba->order<std::uint16_t>(slot)));
        }
    }
}

TEST("subset: entries widen at 2^15 rows, and children cross back") {
    struct Case {
        std::uint32_t rows, left;
    };
    // All combinations of narrow and wide parent and children.
    const Case cases[] = {{32767, 16000}, {32768, 16000}, {32900, 50},
                          {32900, 32850}, {65600, 32800}, {65535, 32767}};
    for (const char* variant : {"portable", "auto"}) {
        const Kernels kernels(variant);
        for (const auto& [rows, left] : cases) {
            const check::Context context("kernels", variant, "rows", rows, "left", left);
            Random random(rows + left);
            Problem problem{{{}, {}}, {}, {}, 2};
            for (std::uint32_t position : random.permutation(rows)) {
                problem.columns[0].push_back(position);
                problem.columns[1].push_back(position * 7 % 50);
                problem.labels.push_back(static_cast<std::int32_t>(random.below(2)));
            }
            const Dataset data = problem.dataset();
            const Subset root(data, kernels.table().partition);
            check_state(root, oracle::all_rows(data));
            const auto sides = oracle::divide(data, oracle::all_rows(data), {0, left - 1});
            const Subset::Halves halves = root.split({0, left});
            check_state(*halves.left, sides.first);
            check_state(*halves.right, sides.second);
        }
    }
}

TEST("subset: positions, ranks and hashes of tests are the naive ones") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const check::Context context("seed", seed);
        const Dataset data = random_problem(seed, {.rows = 50, .levels = 8}).dataset();
        const Subset root = root_of(data);
        const auto tests = tests_of(root);
        if (tests.empty()) continue;
        const auto halves = root.split(tests[tests.size() / 2]);
        const Subset* const states[] = {&root, halves.left.get(), halves.right.get()};
        for (const Subset* state : states) {
            const Rows rows = oracle::rows_of(*state);
            for (std::uint32_t slot = 0; slot < state->n_slots(); ++slot) {
                const std::size_t feature = state->feature(slot);
                for (std::uint32_t i = 0; i < state->n_rows(); ++i) {
                    const RowId row = rows[state->local_id(slot, i)];
                    CHECK_EQ(state->rank_at(slot, i), data.rank(feature, row));
                }
                for (std::uint32_t cut = 0; cut < data.values(feature).size(); ++cut) {
                    const auto up_to = std::count_if(rows.begin(), rows.end(), [&](RowId row) {
                        return data.rank(feature, row) <= cut;
                    });
                    CHECK_EQ(state->count_up_to(slot, cut), up_to);
                }
            }
            // In any order, and the same one twice.
            auto asked = tests_of(*state);
            std::reverse(asked.begin(), asked.end());
            if (!asked.empty()) asked.push_back(asked.front());
            const auto hashes = state->left_hashes(asked);
            for (std::size_t k = 0; k < asked.size(); ++k) {
                CHECK_EQ(hashes[k], state->split(asked[k]).left->hash());
            }
        }
    }
}

TEST("subset: a tie of classes goes to the smallest label") {
    const Dataset data = Problem{{{1, 2, 3, 4, 5}}, {2, 1, 1, 2, 0}, {}, 3}.dataset();
    CHECK_EQ(root_of(data).decision(), 1);
    CHECK_EQ(root_of(data).leaf_errors(), 3.0);
}
