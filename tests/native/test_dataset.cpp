// The training rows: ranks, weights on a grid, midpoints.
#include "check.hpp"
#include "dataset.hpp"
#include "problems.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

using namespace treefront;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Dataset one_column(const std::vector<double>& values, const std::vector<std::int32_t>& labels,
                   const std::vector<double>& weights = {}, int n_classes = 2) {
    return Problem{{values}, labels, weights, n_classes}.dataset();
}

// Distinct values ascend, and each row's rank leads to its value.
void check_ranks(const Dataset& data, const Problem& problem, std::size_t feature) {
    const auto values = data.values(feature);
    CHECK(std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end());
    std::set<double> distinct;
    for (std::uint32_t i = 0; i < data.n_rows(); ++i) {
        const double x = problem.columns[feature][i];
        CHECK_EQ(values[data.rank(feature, RowId{i})], x);
        distinct.insert(x);
    }
    CHECK_EQ(values.size(), distinct.size());
}

} // namespace

TEST("dataset: ranks follow the values, equal values share one") {
    for (std::uint64_t seed = 0; seed < 13; ++seed) {
        const check::Context context("seed", seed);
        const Problem problem =
            random_problem(seed, {.rows = 1 + static_cast<std::uint32_t>(seed * seed * 6),
                                  .levels = static_cast<std::uint32_t>(seed % 4 * 4)});
        const Dataset data = problem.dataset();
        CHECK_EQ(data.n_rows(), problem.labels.size());
        CHECK_EQ(data.n_features(), 3);
        for (std::size_t f = 0; f < data.n_features(); ++f) check_ranks(data, problem, f);
        for (std::uint32_t i = 0; i < data.n_rows(); ++i) {
            CHECK_EQ(data.label(RowId{i}), problem.labels[i]);
        }
    }
}

TEST("dataset: ranks of values of all sizes and of neighbours in float64") {
    for (std::uint32_t rows : {20u, 511u, 512u, 513u, 3000u}) {
        const check::Context context("rows", rows);
        Random random(rows);
        Problem problem{{{}}, std::vector<std::int32_t>(rows, 0), {}, 1};
        auto& values = problem.columns[0];
        while (values.size() < rows) {
            const double scale = std::pow(10.0, static_cast<double>(random.between(0, 640)) - 330);
            double x = random.one_in(9) ? 0.0 : scale * random.unit();
            if (!std::isfinite(x)) x = std::numeric_limits<double>::max();
            if (random.one_in(2)) x = -x;
            // It, its neighbours, and it again.
            for (double y : {x, std::nextafter(x, 0.0), std::nextafter(x, -1.0), x}) {
                if (values.size() < rows && std::isfinite(y)) values.push_back(y);
            }
        }
        check_ranks(problem.dataset(), problem, 0);
    }
}

TEST("dataset: columns may have any stride") {
    const double rows[] = {1, 5, 2, 5, 0, 7};
    const std::vector<Column> by_row{{rows, 2}, {rows + 1, 2}}, reversed{{rows + 4, -2}};
    const std::vector<std::int32_t> labels{0, 1, 0};
    const Dataset data(by_row, labels, {}, 2, no_limits());
    const Dataset backwards(reversed, labels, {}, 2, no_limits());
    CHECK_EQ(list(data.values(0)), (std::vector<double>{0, 1, 2}));
    CHECK_EQ(list(data.values(1)), (std::vector<double>{5, 7}));
    CHECK_EQ(data.rank(0, RowId{1}), 2);
    CHECK_EQ(backwards.rank(0, RowId{0}), 0);
    CHECK_EQ(backwards.rank(0, RowId{1}), 2);
}

TEST("dataset: both zeros are one value") {
    CHECK_EQ(one_column({0.0, -0.0, 1.0}, {0, 1, 0}).values(0).size(), 2);
}

TEST("dataset: weights of one are counts, whole weights stay what they are") {
    const Dataset counted = one_column({1, 2, 3}, {0, 1, 0}, {1, 1, 1});
    CHECK(!counted.weighted());
    CHECK(counted.whole_weights());
    CHECK_EQ(counted.total_weight(), 3.0);
    CHECK_EQ(counted.weight(RowId{2}), 1.0);

    const Dataset whole = one_column({1, 2, 3}, {0, 1, 0}, {1, 4, 2});
    CHECK(whole.weighted());
    CHECK(whole.whole_weights());
    CHECK_EQ(whole.total_weight(), 7.0);

    const Dataset large = one_column({1, 2}, {0, 1}, {0x1p46 - 2, 1});
    CHECK(large.whole_weights());
    CHECK_EQ(large.total_weight(), 0x1p46 - 1);
    CHECK(!one_column({1, 2}, {0, 1}, {0x1p46 - 1, 1}).whole_weights());
    CHECK(!one_column({1, 2}, {0, 1}, {1.5, 1}).whole_weights());
}

TEST("dataset: sums of real weights are exact in any order") {
    const double scales[] = {1e-12, 1.0, 3e17};
    for (std::uint64_t seed = 0; seed < 9; ++seed) {
        Random random(seed);
        std::vector<double> values(300), weights;
        for (std::size_t i = 0; i < values.size(); ++i) {
            weights.push_back(scales[seed % 3] * std::exp(20 * random.unit()));
        }
        const Dataset data =
            one_column(values, std::vector<std::int32_t>(values.size(), 0), weights);
        const double grid = std::ldexp(1.0, std::ilogb(data.total_weight()) + 1 - 46);
        double forward = 0, backward = 0, shuffled = 0;
        for (std::uint32_t i = 0; i < values.size(); ++i) {
            const double w = data.weight(RowId{i});
            CHECK(std::abs(w - weights[i]) <= grid / 2);
            CHECK_EQ(std::remainder(w, grid), 0.0);
            forward += w;
            backward += data.weight(RowId{static_cast<std::uint32_t>(values.size()) - 1 - i});
        }
        for (std::uint32_t i : random.permutation(300)) shuffled += data.weight(RowId{i});
        CHECK_EQ(forward, data.total_weight());
        CHECK_EQ(backward, data.total_weight());
        CHECK_EQ(shuffled, data.total_weight());
    }
}

TEST("dataset: each row has a word of its own, the same in every dataset") {
    const Dataset data = random_problem(1, {.rows = 500}).dataset();
    const Dataset other = random_problem(2, {.rows = 500}).dataset();
    std::vector<RowSetHash> words;
    for (std::uint32_t i = 0; i < 500; ++i) {
        words.push_back(data.row_hash(RowId{i}));
        CHECK(words.back() == other.row_hash(RowId{i}));
    }
    std::sort(words.begin(), words.end());
    CHECK(std::adjacent_find(words.begin(), words.end()) == words.end());
    CHECK(!(words.front() == RowSetHash{}));
}

TEST("dataset: a midpoint separates its two values") {
    const double least = std::numeric_limits<double>::denorm_min();
    const double most = std::numeric_limits<double>::max();
    std::vector<double> values{-most, -1e300, -1.0, -least, 0.0,   least, 2 * least,
                               0.1,   0.3,    1.0,  1e16,   1e300, most};
    for (double x : std::vector<double>(values)) {
        values.push_back(std::nextafter(x, kInfinity));
        values.push_back(std::nextafter(x, -kInfinity));
    }
    for (double low : values) {
        for (double high : values) {
            if (!(low < high) || std::isinf(low) || std::isinf(high)) continue;
            const double t = Dataset::midpoint(low, high);
            CHECK(low <= t && t < high);
        }
    }
    CHECK_EQ(Dataset::midpoint(1, 2), 1.5);
    CHECK_EQ(Dataset::midpoint(-most, most), 0.0);
    CHECK_EQ(Dataset::midpoint(1, std::nextafter(1, 2)), 1.0);
}

TEST("dataset: is not built for a caller who cancelled") {
    Limits limits(kForever);
    limits.cancel();
    const double values[] = {1, 2};
    const std::vector<Column> columns{{values, 1}};
    const std::vector<std::int32_t> labels{0, 1};
    CHECK_THROWS(Cancelled, Dataset(columns, labels, {}, 2, limits));
}

TEST("dataset: what does not fit is refused") {
    const std::vector<double> x{1, 2};
    CHECK_THROWS(InvalidInput, one_column({}, {}));
    CHECK_THROWS(InvalidInput, one_column(x, {0, 2}));
    CHECK_THROWS(InvalidInput, one_column(x, {0, -1}));
    CHECK_THROWS(InvalidInput, one_column(x, {0, 0}, {}, 0));
    CHECK_THROWS(InvalidInput, one_column(x, {0, 0}, {}, 65536));
    CHECK_THROWS(InvalidInput, one_column(x, {0, 1}, {1}));
    CHECK_THROWS(InvalidInput, one_column(x, {0, 1}, {1, 0}));
    CHECK_THROWS(InvalidInput, one_column(x, {0, 1}, {1, -1}));
    CHECK_THROWS(InvalidInput, one_column(x, {0, 1}, {1, kNan}));
    CHECK_THROWS(InvalidInput, one_column(x, {0, 1}, {1, kInfinity}));
    CHECK_THROWS(InvalidInput, one_column(x, {0, 1}, {1.5e308, 1.5e308}));
    CHECK_THROWS(InvalidInput, one_column({1, kInfinity}, {0, 1}));
    CHECK_EQ(one_column(x, {0, 65534}, {}, 65535).n_classes(), 65535);
}
