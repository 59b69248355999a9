#include "tree.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace treefront {

void check_tree(const TreeView& tree, std::size_t n_features) {
    const std::size_t n = tree.feature.size();
    if (n == 0) throw InvalidInput("a tree needs at least one node");
    if (tree.threshold.size() != n || tree.left.size() != n || tree.right.size() != n ||
        tree.missing_left.size() != n || tree.level_start.size() != n + 1) {
        throw InvalidInput("the arrays of a tree must have one length");
    }
    const auto n_levels = static_cast<std::int64_t>(tree.left_levels.size());
    if (tree.level_start[0] != 0 || tree.level_start[n] != n_levels ||
        !std::is_sorted(tree.level_start.begin(), tree.level_start.end()) ||
        std::any_of(tree.left_levels.begin(), tree.left_levels.end(),
                    [](std::int32_t level) { return level < 0; })) {
        throw InvalidInput("the levels of a tree's tests are not in order");
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (tree.feature[i] < 0) continue;
        const auto later = [&](std::int32_t child) {
            return child > static_cast<std::int64_t>(i) && static_cast<std::size_t>(child) < n;
        };
        if (!later(tree.left[i]) || !later(tree.right[i])) {
            throw InvalidInput("node " + std::to_string(i) + " of the tree has no valid children");
        }
        if (static_cast<std::size_t>(tree.feature[i]) >= n_features) {
            throw InvalidInput("node " + std::to_string(i) + " tests feature " +
                               std::to_string(tree.feature[i]) + ", but there are only " +
                               std::to_string(n_features));
        }
    }
}

namespace {

// Whether a level goes left at a node; by lists of flags, since many rows ask.
class LevelTests {
public:
    explicit LevelTests(const TreeView& tree) : goes_left_(tree.feature.size()) {
        for (std::size_t node = 0; node < tree.feature.size(); ++node) {
            if (tree.feature[node] < 0 || !Dataset::is_missing(tree.threshold[node])) continue;
            auto& flags = goes_left_[node];
            for (auto i = tree.level_start[node]; i < tree.level_start[node + 1]; ++i) {
                const auto level =
                    static_cast<std::size_t>(tree.left_levels[static_cast<std::size_t>(i)]);
                if (flags.size() <= level) flags.resize(level + 1);
                flags[level] = true;
            }
        }
    }
    bool goes_left(std::size_t node, double level) const {
        const auto& flags = goes_left_[node];
        return level < static_cast<double>(flags.size()) && flags[static_cast<std::size_t>(level)];
    }

private:
    std::vector<std::vector<bool>> goes_left_; // [node][level]
};

} // namespace

void apply(const TreeView& tree, std::span<const Column> columns, std::span<std::int32_t> leaves) {
    const LevelTests level_tests(tree);
    for (std::size_t row = 0; row < leaves.size(); ++row) {
        std::int32_t node = 0;
        for (;;) {
            const auto at = static_cast<std::size_t>(node);
            const std::int32_t feature = tree.feature[at];
            if (feature < 0) break;
            const double x = columns[static_cast<std::size_t>(feature)][row];
            const bool left = Dataset::is_missing(x) ? tree.missing_left[at]
                              : Dataset::is_missing(tree.threshold[at])
                                  ? x < 0 ? tree.missing_left[at] : level_tests.goes_left(at, x)
                                  : goes_left(x, tree.threshold[at]);
            node = left ? tree.left[at] : tree.right[at];
        }
        leaves[row] = node;
    }
}

} // namespace treefront
