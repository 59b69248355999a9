// One pass over a sorted segment scores each of its boundaries.
#include "check.hpp"
#include "impurity.hpp"
#include "oracle.hpp"
#include "problems.hpp"

#include <cmath>

using namespace treefront;

namespace {

// Minus the weighted impurity of a set of rows.
double impurity_score(Criterion criterion, const std::vector<double>& weights) {
    const double total = oracle::sum(weights);
    double result = criterion == Criterion::gini ? -total : 0;
    for (double w : weights) {
        if (w > 0) result += w * (criterion == Criterion::gini ? w / total : std::log2(w / total));
    }
    return result;
}

// The part of a sorted slot that belongs to the rows of `keep`, by local id.
template <class Id>
std::vector<Id> segment(const Subset& state, std::uint32_t slot, const std::vector<bool>& keep) {
    std::vector<Id> entries;
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < state.n_rows(); ++i) {
        const std::uint32_t id = state.local_id(slot, i), rank = state.rank_at(slot, i);
        if (!keep[id]) continue;
        const bool start = entries.empty() || rank != before;
        entries.push_back(static_cast<Id>(id | (start ? Entry<Id>::kStart : Id{0})));
        before = rank;
    }
    return entries;
}

std::vector<double> weights_of(const Subset& state, const std::vector<std::uint32_t>& ids) {
    std::vector<double> weights(state.sums().size(), 0.0);
    for (std::uint32_t id : ids) {
        weights[state.labels()[id]] += state.weights().empty() ? 1.0 : state.weights()[id];
    }
    return weights;
}

template <class Id>
void check_scan(BoundaryScanner& scanner, const Subset& state, const std::vector<Id>& entries,
                Criterion criterion, std::uint32_t least) {
    std::vector<std::uint32_t> ids;
    for (Id entry : entries) ids.push_back(entry & Entry<Id>::kMask);
    const auto n = static_cast<std::uint32_t>(ids.size());
    const std::vector<double> all = weights_of(state, ids);
    const NodeRows node{state, all};
    const std::span<const Id> sorted(entries);
    scanner.enter(sorted, node);
    const auto best_of = [&](bool for_best) {
        const ScoredBoundaries scored = scanner.scan(sorted, node, 0, for_best);
        if (scored.positions.empty()) return std::pair(std::uint32_t{0}, 0.0);
        const std::size_t at = scanner.best(scored);
        return std::pair(scored.positions[at], scored.scores[at]);
    };
    CHECK_EQ(best_of(true) == best_of(false), true);
    const ScoredBoundaries found = scanner.scan(sorted, node, 0);

    const bool counted = state.weights().empty();
    const double unit = !counted                          ? 1.0
                        : criterion == Criterion::entropy ? 0x1p24
                        : all.size() == 2                 ? 0.5
                                                          : 1.0;
    std::vector<std::uint32_t> positions;
    std::size_t best = 0;
    for (std::uint32_t i = 1; i < n; ++i) {
        if (!(entries[i] & Entry<Id>::kStart) || i < least || n - i < least) continue;
        const std::size_t k = positions.size();
        positions.push_back(i);
        if (k >= found.scores.size()) continue;
        const auto left = weights_of(state, {ids.begin(), ids.begin() + i});
        const auto right = weights_of(state, {ids.begin() + i, ids.end()});
        const double gain = impurity_score(criterion, left) + impurity_score(criterion, right) -
                            impurity_score(criterion, all);
        const double got = (found.scores[k] - scanner.own_score(node, n)) / unit;
        CHECK(std::abs(got - gain) <= 1e-6 + 1e-12 * oracle::sum(all));
        if (found.scores[k] > found.scores[best]) best = k;
    }
    CHECK_EQ(list(found.positions), positions);
    CHECK_EQ(found.scores.size(), positions.size());
    if (!positions.empty()) CHECK_EQ(scanner.best(found), best);
}

constexpr Criterion kCriteria[] = {Criterion::entropy, Criterion::gini};

} // namespace

TEST("impurity: the table holds x log2 x in units of 2^-24") {
    const EntropyTable table(1000);
    for (std::size_t x = 0; x <= 1000; ++x) {
        CHECK_EQ(static_cast<double>(table[x]), oracle::fixed_x_log_x(static_cast<double>(x)));
    }
}

TEST("impurity: scores of a segment's boundaries equal the definition") {
    for (const auto& [name, kernels] : all_kernels()) {
        for (std::uint64_t seed = 0; seed < 80; ++seed) {
            Random random(seed);
            const std::uint32_t least = random.between(1, 4);
            const Criterion criterion = kCriteria[seed % 2];
            const check::Context context("kernels", name, "seed", seed, "least", least);
            const Dataset data =
                random_problem(seed, {.rows = random.between(2, 60),
                                      .features = 2,
                                      .levels = random.below(4) * 5,
                                      .classes = static_cast<int>(2 + seed / 2 % 4),
                                      .weights = kAllWeights[seed / 8 % 4]})
                    .dataset();
            const Subset root = root_of(data);
            const EntropyTable table(data.n_rows());
            BoundaryScanner scanner(criterion, least, data.n_classes(), &table, kernels);
            for (std::uint32_t slot = 0; slot < root.n_slots(); ++slot) {
                std::vector<bool> keep(root.n_rows(), true);
                for (int repeat = 0; repeat < 3; ++repeat) {
                    if (std::count(keep.begin(), keep.end(), true) < 2) break;
                    check_scan(scanner, root, segment<std::uint16_t>(root, slot, keep), criterion,
                               least);
                    check_scan(scanner, root, segment<std::uint32_t>(root, slot, keep), criterion,
                               least);
                    for (std::size_t i = 0; i < keep.size(); ++i) {
                        keep[i] = keep[i] && !random.one_in(3);
                    }
                }
            }
        }
    }
}

TEST("impurity: mirrored features score the same bits") {
    for (Criterion criterion : kCriteria) {
        for (std::uint64_t seed = 0; seed < 24; ++seed) {
            const check::Context context("seed", seed);
            const Dataset data = random_problem(seed, {.rows = 50,
                                                       .levels = 30,
                                                       .classes = static_cast<int>(2 + seed % 3),
                                                       .weights = kAllWeights[seed / 3 % 4]})
                                     .dataset();
            const Subset root = root_of(data);
            const EntropyTable table(data.n_rows());
            const Kernels kernels("auto");
            BoundaryScanner scanner(criterion, 1, data.n_classes(), &table, kernels);
            const NodeRows node{root, root.sums()};
            if (root.n_slots() == 0 || root.feature(0) != 0) continue;
            scanner.enter(root.order<std::uint16_t>(0), node);
            const auto scores = [&](std::uint32_t slot) {
                return list(scanner.scan(root.order<std::uint16_t>(slot), node, slot).scores);
            };
            auto mirrored = scores(root.n_slots() - 1);
            std::reverse(mirrored.begin(), mirrored.end());
            CHECK_EQ(mirrored, scores(0));
        }
    }
}

TEST("impurity: no boundary keeps more rows than there are") {
    const Dataset data = Problem{{{1, 2, 3, 4, 5}}, {0, 1, 0, 1, 0}, {}, 2}.dataset();
    const Subset root = root_of(data);
    const EntropyTable table(5);
    const Kernels kernels("auto");
    const NodeRows node{root, root.sums()};
    for (std::uint32_t least = 1; least < 9; ++least) {
        BoundaryScanner scanner(Criterion::entropy, least, 2, &table, kernels);
        scanner.enter(root.order<std::uint16_t>(0), node);
        const auto found = scanner.scan(root.order<std::uint16_t>(0), node, 0);
        CHECK_EQ(found.positions.size(), least == 1 ? 4 : least == 2 ? 2 : 0);
    }
}
