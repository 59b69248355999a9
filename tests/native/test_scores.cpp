// Scores of many boundaries at once: every instruction set gives the bits of the plain formula.
#include "check.hpp"
#include "entry.hpp"
#include "problems.hpp"

#include <algorithm>

using namespace treefront;

namespace {

struct Boundaries {
    std::vector<std::uint32_t> positions, ones;
    std::vector<std::int64_t> left, right; // sums of squares
    double n, n1;
};

Boundaries random_boundaries(Random& random, std::size_t count, std::uint32_t n) {
    Boundaries b{{}, {}, {}, {}, static_cast<double>(n), static_cast<double>(random.below(n + 1))};
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t l = random.between(1, n - 1), r = n - l;
        const auto n1 = static_cast<std::uint32_t>(b.n1);
        const std::uint32_t least = n1 > r ? n1 - r : 0, most = std::min(l, n1);
        b.positions.push_back(l);
        b.ones.push_back(random.between(least, most));
        b.left.push_back(std::int64_t{l} * l - random.below(l));
        b.right.push_back(std::int64_t{r} * r - random.below(r));
    }
    return b;
}

// What TwoClassBoundaries promises, from the definition.
template <class Id>
void check_boundaries(const Kernels& kernels, Random& random, std::uint32_t n) {
    const std::uint32_t n_ids = n + random.below(20), ones_from = random.below(n_ids + 1);
    const std::uint32_t ties = random.between(1, 4), stretch = random.between(1, 5);
    // Ids in stretches of one class.
    std::vector<Id> entries;
    bool one = false;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (random.one_in(stretch)) one = random.one_in(2);
        const bool from_ones = (one && ones_from < n_ids) || ones_from == 0;
        const std::uint32_t id =
            from_ones ? random.between(ones_from, n_ids - 1) : random.below(ones_from);
        const Id start = i == 0 || random.one_in(ties) ? Entry<Id>::kStart : Id{0};
        entries.push_back(static_cast<Id>(id | start));
    }
    const auto starts = [&](std::uint32_t i) { return i == n || entries[i] & Entry<Id>::kStart; };
    const auto is_one = [&](std::uint32_t i) {
        return (entries[i] & Entry<Id>::kMask) >= ones_from;
    };
    for (bool peaks_only : {false, true}) {
        std::vector<std::uint32_t> positions, ones;
        std::uint32_t before = 0;
        for (std::uint32_t i = 0; i < n; before += is_one(i), ++i) {
            if (i == 0 || !starts(i)) continue;
            const bool alone = starts(i - 1) && starts(i + 1);
            if (peaks_only && alone && is_one(i - 1) == is_one(i)) continue;
            positions.push_back(i);
            ones.push_back(before);
        }
        std::vector<std::uint32_t> got_positions(n), got_ones(n);
        const std::size_t kept =
            kernels.table().two_class_boundaries({entries.data(), n, sizeof(Id) == 2, ones_from},
                                                 peaks_only, got_positions.data(), got_ones.data());
        got_positions.resize(kept);
        got_ones.resize(kept);
        CHECK_EQ(got_positions, positions);
        CHECK_EQ(got_ones, ones);
    }
}

} // namespace

TEST("scores: boundaries of two classes") {
    for (const auto& [name, kernels] : all_kernels()) {
        Random random(4);
        for (std::uint32_t n = 1; n < 150; ++n) {
            const check::Context context("kernels", name, "n", n);
            check_boundaries<std::uint16_t>(kernels, random, n);
            check_boundaries<std::uint32_t>(kernels, random, n);
        }
    }
}

TEST("scores: Gini of two classes") {
    for (const auto& [name, kernels] : all_kernels()) {
        Random random(1);
        for (std::size_t count = 0; count < 70; ++count) {
            const check::Context context("kernels", name, "count", count);
            const std::uint32_t n =
                count % 3 ? random.between(2, 300) : random.between(2, 1u << 30);
            const Boundaries b = random_boundaries(random, count, n);
            std::vector<double> scores(count);
            kernels.table().gini_scores(b.positions.data(), b.ones.data(), count, b.n, b.n1,
                                        scores.data());
            for (std::size_t k = 0; k < count; ++k) {
                const double l = b.positions[k], l1 = b.ones[k], r = b.n - l, r1 = b.n1 - l1;
                CHECK_EQ(scores[k], -(l1 * (l - l1) * r + r1 * (r - r1) * l) / (l * r));
            }
        }
    }
}

TEST("scores: sums of both sides") {
    for (const auto& [name, kernels] : all_kernels()) {
        Random random(2);
        for (std::size_t count = 0; count < 70; ++count) {
            const check::Context context("kernels", name, "count", count);
            const std::uint32_t n =
                count % 3 ? random.between(2, 300) : random.between(2, 1u << 30);
            const Boundaries b = random_boundaries(random, count, n);
            std::vector<double> scores(count);
            kernels.table().side_scores(b.positions.data(), b.left.data(), b.right.data(), count,
                                        b.n, scores.data());
            for (std::size_t k = 0; k < count; ++k) {
                const double l = b.positions[k], r = b.n - l;
                const double left = static_cast<double>(b.left[k]);
                const double right = static_cast<double>(b.right[k]);
                CHECK_EQ(scores[k], (left * r + right * l) / (l * r));
            }
        }
    }
}

TEST("scores: the first of the best") {
    for (const auto& [name, kernels] : all_kernels()) {
        Random random(3);
        for (std::size_t count = 1; count < 100; ++count) {
            const check::Context context("kernels", name, "count", count);
            std::vector<double> scores;
            for (std::size_t k = 0; k < count; ++k) {
                scores.push_back(-static_cast<double>(random.below(count % 7 + 2)) / 3);
            }
            const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
            CHECK_EQ(kernels.table().first_best(scores.data(), count), best);
            // The best may stand in any lane, and in the rest behind the last full vector.
            const std::size_t at = random.below(static_cast<std::uint32_t>(count));
            scores[at] = 1;
            CHECK_EQ(kernels.table().first_best(scores.data(), count), at);
        }
    }
}
