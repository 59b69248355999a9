// Orders of levels: by the share of a class, and every set of few levels.
#include "check.hpp"
#include "levels.hpp"
#include "problems.hpp"

#include <algorithm>
#include <set>

using namespace treefront;

TEST("levels: with two classes by the share of the second, ties by code") {
    // shares 1/2, 0, -, 1, 1/2
    const std::vector<double> weights{2, 2, 3, 0, 0, 0, 0, 1, 5, 5, 1, 3};
    const auto orders = level_orders(weights, 2);
    CHECK_EQ(orders.size(), 1u);
    CHECK_EQ(orders[0], (LevelOrder{1, 0, 4, 5, 3}));
}

TEST("levels: an order for each of the heaviest classes, and none twice or turned over") {
    const std::vector<double> weights{9, 1, 0, 0, 5, 4, 1, 0, 4, 5, 1, 0, 2, 6, 2, 0, 0, 4, 5, 1};
    const auto orders = level_orders(weights, 4);
    CHECK(orders.size() >= 2 && orders.size() <= 3);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        CHECK_EQ(orders[i].size(), 5u);
        for (std::size_t j = 0; j < i; ++j) {
            CHECK(orders[i] != orders[j]);
            CHECK(orders[i] != LevelOrder(orders[j].rbegin(), orders[j].rend()));
        }
    }
}

TEST("levels: every set of up to four levels is a cut of an order") {
    Random random(7);
    for (std::size_t n_levels = 2; n_levels <= kAllSets; ++n_levels) {
        for (std::size_t n_classes = 2; n_classes <= 4; ++n_classes) {
            const check::Context context("levels", n_levels, "classes", n_classes);
            std::vector<double> weights;
            for (std::size_t i = 0; i < n_levels * n_classes; ++i) {
                weights.push_back(1 + random.below(5));
            }
            std::set<std::set<std::uint32_t>> found;
            for (const LevelOrder& order : level_orders(weights, n_classes)) {
                for (std::size_t cut = 1; cut < n_levels; ++cut) {
                    const auto at = order.begin() + static_cast<std::ptrdiff_t>(cut);
                    const std::set<std::uint32_t> left(order.begin(), at), right(at, order.end());
                    found.insert(left.contains(0) ? right : left);
                }
            }
            CHECK_EQ(found.size(), (std::size_t{1} << (n_levels - 1)) - 1);
        }
    }
}

TEST("levels: one level, or none, has one order") {
    CHECK_EQ(level_orders(std::vector<double>{0, 0, 3, 4}, 2), (std::vector<LevelOrder>{{1}}));
    CHECK_EQ(level_orders(std::vector<double>{0, 0}, 2), (std::vector<LevelOrder>{{}}));
}
