// Following a tree: one comparison, and only trees that lead somewhere.
#include "check.hpp"
#include "problems.hpp"
#include "tree.hpp"

#include <cmath>
#include <limits>

using namespace treefront;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Arrays {
    std::vector<std::int32_t> feature;
    std::vector<double> threshold;
    std::vector<std::int32_t> left, right;
    std::vector<std::uint8_t> missing_left = std::vector<std::uint8_t>(feature.size(), 0);
    std::vector<std::int64_t> level_start = std::vector<std::int64_t>(feature.size() + 1, 0);
    std::vector<std::int32_t> left_levels = {};

    TreeView view() const {
        return {feature, threshold, left, right, missing_left, level_start, left_levels};
    }
};

// Feature 1 at the root, feature 0 on its right.
Arrays three_leaves() {
    return {
        {1, -1, 0, -1, -1}, {0.1, kNan, 2.0, kNan, kNan}, {1, -1, 3, -1, -1}, {2, -1, 4, -1, -1}};
}

} // namespace

TEST("tree: a row goes left up to the threshold, at it and not above it") {
    for (double t : {-1e300, -1.5, -0.0, 0.0, 5e-324, 0.1, 1.0, 1e16, 1e300}) {
        const check::Context context("threshold", t);
        CHECK(goes_left(t, t));
        CHECK(goes_left(std::nextafter(t, -kInfinity), t));
        CHECK(!goes_left(std::nextafter(t, kInfinity), t));
        CHECK(goes_left(-kInfinity, t));
        CHECK(!goes_left(kInfinity, t));
        CHECK(!goes_left(kNan, t));
    }
    CHECK(goes_left(0.0, -0.0) && goes_left(-0.0, 0.0));
}

TEST("tree: rows arrive at the leaf their tests lead to") {
    const Arrays tree = three_leaves();
    check_tree(tree.view(), 2);
    const std::vector<double> x0{9, 2, std::nextafter(2, 3), 2, kNan};
    const std::vector<double> x1{0.1, 0.2, 0.2, std::nextafter(0.1, 1), 1};
    const std::vector<Column> columns{{x0.data(), 1}, {x1.data(), 1}};
    std::vector<std::int32_t> leaves(5, -7);
    apply(tree.view(), columns, leaves);
    CHECK_EQ(leaves, (std::vector<std::int32_t>{1, 3, 4, 3, 4}));
}

TEST("tree: a lone leaf takes every row") {
    const Arrays tree{{-1}, {kNan}, {-1}, {-1}};
    check_tree(tree.view(), 0);
    std::vector<std::int32_t> leaves(3, -7);
    apply(tree.view(), {}, leaves);
    CHECK_EQ(leaves, (std::vector<std::int32_t>{0, 0, 0}));
}

TEST("tree: bad trees are refused") {
    const auto broken = [](auto&& change) {
        Arrays tree = three_leaves();
        change(tree);
        return tree;
    };
    check_tree(three_leaves().view(), 2);
    CHECK_THROWS(InvalidInput, check_tree(Arrays{}.view(), 2));
    CHECK_THROWS(InvalidInput, check_tree(three_leaves().view(), 1));
    const Arrays bad[] = {
        broken([](Arrays& t) { t.left[0] = 5; }), // beyond the end
        broken([](Arrays& t) { t.right[2] = -1; }), // no child
        broken([](Arrays& t) { t.left[2] = 0; }), // back to the root: a cycle
        broken([](Arrays& t) { t.right[2] = 2; }), // itself
        broken([](Arrays& t) { t.feature[2] = 2; }), // no such feature
        broken([](Arrays& t) { t.threshold.pop_back(); }),
        broken([](Arrays& t) { t.left.pop_back(); }),
        broken([](Arrays& t) { t.right.push_back(-1); }),
    };
    for (const Arrays& tree : bad) CHECK_THROWS(InvalidInput, check_tree(tree.view(), 2));
}
