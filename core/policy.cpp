#include "policy.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace treefront {

namespace {

// A tree that is being built and the vertex that says how it goes on from the state at hand. A
// null front stands for a last level: vertex 0 is a leaf, the others a price group's best test.
struct Branch {
    std::size_t tree;
    FrontPtr front;
    std::uint32_t vertex;
    int forced = kFree; // the class that the state predicts as a leaf
    Origin origin = {}; // of the vertex

    static constexpr int kFree = -1;
};

class Extraction {
public:
    Extraction(const Dataset& data, Search& search, const Limits& limits, std::size_t n_trees)
        : data_(data), search_(search), limits_(limits), trees_(n_trees) {
        const auto n_classes = static_cast<std::size_t>(data.n_classes());
        for (TreeArrays& tree : trees_) {
            tree.n_values = data.regression() ? data.n_outputs() : n_classes;
        }
    }

    // Adds the subtrees of one state to all trees that pass through it. Trees of a front share
    // most of their states, and each is divided once.
    void extend(const Subset& state, std::vector<Branch> branches) {
        limits_.throw_if_cancelled();
        std::map<std::uint32_t, Origin> last_tests; // by price group
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Branch>> by_test;
        for (Branch& branch : branches) {
            if (branch.front) {
                branch.origin = (*branch.front)[branch.vertex].origin;
            } else if (branch.vertex > 0) {
                const std::uint32_t group = branch.vertex - 1;
                if (!last_tests.contains(group)) {
                    last_tests[group] = search_.last_test(state, group);
                }
                branch.origin = last_tests[group];
            }
            const Origin& origin = branch.origin;
            add_node(branch.tree, state, origin.leaf() ? branch.forced : Branch::kFree);
            if (!origin.leaf()) by_test[{origin.feature, origin.cut}].push_back(branch);
        }
        for (auto& [test, group] : by_test) divide(state, test.first, test.second, group);
    }

    std::vector<TreeArrays> take() { return std::move(trees_); }

private:
    void add_node(std::size_t at, const Subset& state, int forced) {
        TreeArrays& tree = trees_[at];
        tree.feature.push_back(TreeArrays::kLeaf);
        tree.threshold.push_back(std::numeric_limits<double>::quiet_NaN());
        tree.left.push_back(TreeArrays::kLeaf);
        tree.right.push_back(TreeArrays::kLeaf);
        tree.missing_left.push_back(0);
        tree.level_start.push_back(tree.level_start.back());
        tree.n_rows.push_back(state.n_rows());
        tree.weight.push_back(state.weight());
        tree.loss.push_back(state.leaf_errors());
        const auto sums = state.sums();
        if (data_.regression()) {
            tree.decision.push_back(0);
            for (std::size_t d = 0; d < data_.n_outputs(); ++d)
                tree.value.push_back(state.value(d));
            return;
        }
        tree.decision.push_back(forced == Branch::kFree ? state.decision() : forced);
        if (forced != Branch::kFree) {
            tree.loss.back() = state.loss_weight() - sums[static_cast<std::size_t>(forced)];
        }
        if (!data_.priced() && !data_.by_moments()) {
            tree.value.insert(tree.value.end(), sums.begin(), sums.end());
            return;
        }
        std::vector<double> weights(tree.n_values, 0.0);
        for (RowId row : state.rows()) weights[data_.label(row)] += data_.weight(row);
        tree.value.insert(tree.value.end(), weights.begin(), weights.end());
    }

    void divide(const Subset& state, std::uint32_t feature, std::uint32_t cut,
                const std::vector<Branch>& group) {
        std::uint32_t slot = 0;
        while (state.feature(slot) != feature) ++slot;
        const bool best_set = cut == Origin::kBestSet;
        const Test test{slot, best_set ? 0 : state.count_up_to(slot, cut)};
        Subset::Halves halves = best_set ? state.split_by_majority(slot) : state.split(test);
        const Branching branching = branching_of(state, slot, cut, test, halves);
        std::vector<std::size_t> nodes;
        std::vector<Branch> left, right;
        for (const Branch& branch : group) {
            const Origin& origin = branch.origin;
            nodes.push_back(trees_[branch.tree].feature.size() - 1);
            const int sign = state.forced(slot);
            const int of_left = sign == 0 ? Branch::kFree : sign < 0;
            const int of_right = sign == 0 ? Branch::kFree : sign > 0;
            left.push_back({branch.tree, origin.left_front, origin.left, of_left});
            right.push_back({branch.tree, origin.right_front, origin.right, of_right});
        }
        const auto next = [&](std::size_t k) {
            return static_cast<std::int32_t>(trees_[group[k].tree].feature.size());
        };
        for (std::size_t k = 0; k < group.size(); ++k) {
            TreeArrays& tree = trees_[group[k].tree];
            tree.feature[nodes[k]] = static_cast<std::int32_t>(data_.column(feature));
            tree.threshold[nodes[k]] = branching.threshold;
            tree.missing_left[nodes[k]] = branching.missing_left;
            tree.left_levels.insert(tree.left_levels.end(), branching.left_levels.begin(),
                                    branching.left_levels.end());
            tree.level_start.back() = static_cast<std::int64_t>(tree.left_levels.size());
            tree.left[nodes[k]] = next(k);
        }
        extend(*halves.left, std::move(left));
        halves.left.reset();
        for (std::size_t k = 0; k < group.size(); ++k) {
            trees_[group[k].tree].right[nodes[k]] = next(k);
        }
        extend(*halves.right, std::move(right));
    }

    // How rows are told apart, whatever their value.
    struct Branching {
        double threshold = std::numeric_limits<double>::quiet_NaN();
        bool missing_left = false;
        std::vector<std::int32_t> left_levels; // ascending
    };
    Branching branching_of(const Subset& state, std::uint32_t slot, std::uint32_t cut, Test test,
                           const Subset::Halves& halves) const {
        Branching result;
        const std::uint32_t feature = state.feature(slot);
        const auto values = data_.values(feature);
        const bool missing_here = state.has_missing(slot);
        // Where the training rows do not tell, to the heavier side.
        result.missing_left = halves.left->weight() >= halves.right->weight();
        if (data_.order(feature) == Order::levels) {
            std::vector<std::uint8_t> goes_left(
                values.size(), cut == Origin::kBestSet ? result.missing_left : false);
            if (cut == Origin::kBestSet) {
                for (RowId row : halves.left->rows()) goes_left[data_.rank(feature, row)] = 1;
                for (RowId row : halves.right->rows()) goes_left[data_.rank(feature, row)] = 0;
            } else {
                std::fill_n(goes_left.begin(), cut + 1, std::uint8_t{1});
            }
            for (std::size_t rank = 0; rank < values.size(); ++rank) {
                if (!Dataset::is_missing(values[rank])) {
                    if (!goes_left[rank]) continue;
                    result.left_levels.push_back(static_cast<std::int32_t>(values[rank]));
                } else if (missing_here) {
                    result.missing_left = goes_left[rank];
                }
            }
            std::sort(result.left_levels.begin(), result.left_levels.end());
            return result;
        }
        const double low = values[state.rank_at(slot, test.position - 1)];
        const double high = values[state.rank_at(slot, test.position)];
        if (missing_here) result.missing_left = data_.order(feature) == Order::missing_first;
        result.threshold = Dataset::is_missing(low)    ? -std::numeric_limits<double>::infinity()
                           : Dataset::is_missing(high) ? std::numeric_limits<double>::infinity()
                                                       : Dataset::midpoint(low, high);
        return result;
    }

    const Dataset& data_;
    Search& search_;
    const Limits& limits_;
    std::vector<TreeArrays> trees_;
};

} // namespace

std::vector<TreeArrays> extract_trees(const Dataset& data, const FrontPtr& front, Search& search,
                                      const Limits& limits) {
    Extraction extraction(data, search, limits, front->size());
    std::vector<Branch> branches;
    for (std::uint32_t i = 0; i < front->size(); ++i)
        branches.push_back({i, front, i, Branch::kFree});
    extraction.extend(search.root(), std::move(branches));
    return extraction.take();
}

} // namespace treefront
