#include "levels.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace treefront {

namespace {

// Every order costs a pass over the rows, so that only the heaviest classes get one.
constexpr std::size_t kMostClasses = 3;

using LevelSet = std::uint32_t; // a bit for each level, of at most kAllSets

// The tests of an order; a set and the others are one test, the one without level 0.
std::set<LevelSet> cuts_of(const LevelOrder& order, std::span<const std::uint32_t> present) {
    std::set<LevelSet> cuts;
    LevelSet left = 0;
    const LevelSet all = (LevelSet{1} << present.size()) - 1;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        const auto at = std::find(present.begin(), present.end(), order[i]) - present.begin();
        left |= LevelSet{1} << at;
        cuts.insert(left & 1u ? all & ~left : left);
    }
    return cuts;
}

// Adds orders until all sets are cuts, each time the first that has the most new ones.
void cover_all_sets(std::span<const std::uint32_t> present, std::vector<LevelOrder>& orders) {
    std::set<LevelSet> known;
    for (const LevelOrder& order : orders) known.merge(cuts_of(order, present));
    const std::size_t wanted = (std::size_t{1} << (present.size() - 1)) - 1;
    while (known.size() < wanted) {
        LevelOrder order(present.begin(), present.end()), best;
        std::size_t most = 0;
        do {
            std::set<LevelSet> with = cuts_of(order, present);
            with.insert(known.begin(), known.end());
            if (with.size() > most) {
                most = with.size();
                best = order;
            }
        } while (std::next_permutation(order.begin(), order.end()));
        known.merge(cuts_of(best, present));
        orders.push_back(std::move(best));
    }
}

} // namespace

std::vector<LevelOrder> level_orders(std::span<const double> class_weights, std::size_t n_classes) {
    const std::size_t n_levels = class_weights.size() / n_classes;
    const auto weight = [&](std::size_t level, std::size_t c) {
        return class_weights[level * n_classes + c];
    };
    LevelOrder present;
    std::vector<double> of_level(n_levels, 0.0), of_class(n_classes, 0.0);
    for (std::size_t level = 0; level < n_levels; ++level) {
        for (std::size_t c = 0; c < n_classes; ++c) {
            of_level[level] += weight(level, c);
            of_class[c] += weight(level, c);
        }
        if (of_level[level] > 0) present.push_back(static_cast<std::uint32_t>(level));
    }
    if (present.size() < 2) return {present};

    std::vector<std::size_t> classes(n_classes);
    std::iota(classes.begin(), classes.end(), std::size_t{0});
    if (n_classes == 2) {
        classes = {1};
    } else {
        std::stable_sort(classes.begin(), classes.end(),
                         [&](std::size_t a, std::size_t b) { return of_class[a] > of_class[b]; });
        classes.resize(std::min(classes.size(), kMostClasses));
    }
    std::vector<LevelOrder> orders;
    for (std::size_t c : classes) {
        LevelOrder order = present;
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return weight(a, c) * of_level[b] < weight(b, c) * of_level[a];
        });
        const LevelOrder reversed(order.rbegin(), order.rend());
        const auto is_known = [&](const LevelOrder& o) { return o == order || o == reversed; };
        if (std::none_of(orders.begin(), orders.end(), is_known)) orders.push_back(order);
    }
    if (present.size() <= kAllSets) cover_all_sets(present, orders);
    return orders;
}

} // namespace treefront
