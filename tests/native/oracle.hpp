// Slow twins of the engine, written to be read: row lists instead of sorted states, every tree
// instead of bounds.
#pragma once

#include "dataset.hpp"
#include "front.hpp"
#include "objective.hpp"
#include "subset.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <functional>
#include <numeric>
#include <ostream>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace treefront::oracle {

using Rows = std::vector<RowId>;

// Rows whose rank in `feature` is at most `rank` go left.
struct Cut {
    std::uint32_t feature, rank;

    auto operator<=>(const Cut&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, Cut cut) {
    return out << cut.feature << "<=" << cut.rank;
}

// In the order of a state's rows: by class.
inline Rows all_rows(const Dataset& data) {
    Rows rows;
    for (std::uint32_t i = 0; i < data.n_rows(); ++i) rows.push_back(RowId{i});
    std::stable_sort(rows.begin(), rows.end(),
                     [&](RowId a, RowId b) { return data.label(a) < data.label(b); });
    return rows;
}

inline Rows rows_of(const Subset& state) {
    return {state.rows().begin(), state.rows().end()};
}

inline std::pair<Rows, Rows> divide(const Dataset& data, const Rows& rows, Cut cut) {
    std::pair<Rows, Rows> sides;
    for (RowId row : rows) {
        const bool left = data.rank(cut.feature, row) <= cut.rank;
        (left ? sides.first : sides.second).push_back(row);
    }
    return sides;
}

// Every test that leaves `least` rows on both sides, by feature and rank.
inline std::vector<Cut> all_cuts(const Dataset& data, const Rows& rows, std::size_t least = 1) {
    std::vector<Cut> cuts;
    std::vector<std::uint32_t> ranks(rows.size());
    for (std::uint32_t f = 0; f < data.n_features(); ++f) {
        for (std::size_t i = 0; i < rows.size(); ++i) ranks[i] = data.rank(f, rows[i]);
        std::sort(ranks.begin(), ranks.end());
        for (std::size_t i = 1; i < ranks.size(); ++i) {
            if (ranks[i - 1] == ranks[i] || i < least || ranks.size() - i < least) continue;
            cuts.push_back({f, ranks[i - 1]});
        }
    }
    return cuts;
}

inline std::vector<double> class_weights(const Dataset& data, const Rows& rows) {
    std::vector<double> weights(static_cast<std::size_t>(data.n_classes()), 0.0);
    for (RowId row : rows) weights[data.label(row)] += data.weight(row);
    return weights;
}

inline double sum(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}
inline double weight(const Dataset& data, const Rows& rows) {
    return sum(class_weights(data, rows));
}
inline double heaviest(const Dataset& data, const Rows& rows) {
    const auto weights = class_weights(data, rows);
    return *std::max_element(weights.begin(), weights.end());
}
inline double leaf_errors(const Dataset& data, const Rows& rows) {
    return weight(data, rows) - heaviest(data, rows);
}

// The weight that the best of a leaf and all single tests classifies right: rows move to the left
// side one by one, in the order of each feature.
inline double best_stump(const Dataset& data, Rows rows, std::size_t least = 1) {
    const auto totals = class_weights(data, rows);
    double best = *std::max_element(totals.begin(), totals.end());
    for (std::uint32_t f = 0; f < data.n_features(); ++f) {
        const auto rank = [&](std::size_t i) { return data.rank(f, rows[i]); };
        std::sort(rows.begin(), rows.end(),
                  [&](RowId a, RowId b) { return data.rank(f, a) < data.rank(f, b); });
        std::vector<double> left(totals.size(), 0.0), right = totals;
        for (std::size_t i = 1; i < rows.size(); ++i) {
            left[data.label(rows[i - 1])] += data.weight(rows[i - 1]);
            right[data.label(rows[i - 1])] -= data.weight(rows[i - 1]);
            if (rank(i - 1) == rank(i) || i < least || rows.size() - i < least) continue;
            best = std::max(best, *std::max_element(left.begin(), left.end()) +
                                      *std::max_element(right.begin(), right.end()));
        }
    }
    return best;
}

// Between a test of a state and the same test of its rows.
inline Cut as_cut(const Subset& state, Test test) {
    return {state.feature(test.slot), state.rank_at(test.slot, test.position - 1)};
}
inline Test as_test(const Subset& state, Cut cut) {
    std::uint32_t slot = 0;
    while (state.feature(slot) != cut.feature) ++slot;
    const auto left = divide(state.data(), rows_of(state), cut).first;
    return {slot, static_cast<std::uint32_t>(left.size())};
}
inline std::vector<Test> as_tests(const Subset& state, const std::vector<Cut>& cuts) {
    std::vector<Test> tests;
    for (Cut cut : cuts) tests.push_back(as_test(state, cut));
    return tests;
}

// A tree as the search sees it.
using Price = std::pair<double, double>; // complexity, errors
using Prices = std::set<Price>;
using Admissible = std::function<std::vector<Cut>(const Rows&, int remaining)>;

// Every tree of at most `remaining` levels of admissible tests. States above an exact tail may
// also do with the tests of the tail alone.
inline Prices every_tree(const Dataset& data, const Rows& rows, int remaining,
                         const Objective& objective, const Admissible& admissible, int tail = 0) {
    Prices found{{0, leaf_errors(data, rows)}};
    if (remaining == 0) return found;
    if (remaining > tail && tail > 0) {
        found.merge(every_tree(data, rows, tail, objective, admissible, tail));
    }
    const double price = objective.price(weight(data, rows));
    for (Cut cut : admissible(rows, remaining)) {
        const auto [left, right] = divide(data, rows, cut);
        const Prices lefts = every_tree(data, left, remaining - 1, objective, admissible, tail);
        const Prices rights = every_tree(data, right, remaining - 1, objective, admissible, tail);
        for (const Price& l : lefts) {
            for (const Price& r : rights) {
                found.emplace(price + l.first + r.first, l.second + r.second);
            }
        }
    }
    return found;
}

inline Admissible all_tests(const Dataset& data, std::size_t least = 1) {
    return [&data, least](const Rows& rows, int) { return all_cuts(data, rows, least); };
}

// The lower-left convex hull, walked from vertex to vertex: from the leftmost point on along the
// steepest descent, to the farthest of equally steep points. Exact where products of differences
// are below 2^53.
inline std::vector<Price> hull(const Prices& points) {
    std::vector<Price> chain{*points.begin()};
    for (;;) {
        const auto [c, e] = chain.back();
        const Price* next = nullptr;
        for (const Price& p : points) {
            if (p.first <= c || p.second >= e) continue;
            if (!next || (p.second - e) * (next->first - c) <= (next->second - e) * (p.first - c)) {
                next = &p;
            }
        }
        if (!next) return chain;
        chain.push_back(*next);
    }
}

// The best for every complexity: what no point of less or equal complexity equals in errors.
inline std::vector<Price> staircase(const Prices& points) {
    std::vector<Price> steps;
    for (const Price& p : points) {
        if (steps.empty() || p.second < steps.back().second) steps.push_back(p);
    }
    return steps;
}

inline std::vector<Price> front(const Prices& points, Keep keep) {
    return keep == Keep::hull ? hull(points) : staircase(points);
}

inline std::vector<Price> prices(std::span<const Vertex> vertices) {
    std::vector<Price> points;
    for (const Vertex& v : vertices) points.emplace_back(v.complexity, v.errors);
    return points;
}

// x log2 x as the engine rounds it: ties of entropy are ties of whole numbers.
inline double fixed_x_log_x(double x) {
    return x < 2 ? 0.0 : static_cast<double>(std::llround(x * std::log2(x) * 0x1p24));
}

// Minus the weighted impurity of one side, up to a constant, as a fraction.
inline std::pair<double, double> side_score(Criterion criterion, bool counted,
                                            const std::vector<double>& weights) {
    const double total = sum(weights);
    double result = 0;
    if (criterion == Criterion::gini) {
        for (double w : weights) result += w * w;
        return {result, total};
    }
    for (double w : weights) {
        if (counted)
            result += fixed_x_log_x(w);
        else if (w > 0)
            result += w * std::log2(w / total);
    }
    return {counted ? result - fixed_x_log_x(total) : result, 1.0};
}

// The sum of both sides, where rows are counted one rounding of an exact number: ties are ties.
inline double score(Criterion criterion, bool counted, const std::vector<double>& left,
                    const std::vector<double>& right) {
    const auto [l, l_total] = side_score(criterion, counted, left);
    const auto [r, r_total] = side_score(criterion, counted, right);
    return (l * r_total + r * l_total) / (l_total * r_total);
}

} // namespace treefront::oracle
