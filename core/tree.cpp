#include "tree.hpp"

#include <string>

namespace treefront {

void check_tree(const TreeView& tree, std::size_t n_features) {
    const std::size_t n = tree.feature.size();
    if (n == 0) throw InvalidInput("a tree needs at least one node");
    if (tree.threshold.size() != n || tree.left.size() != n || tree.right.size() != n) {
        throw InvalidInput("the arrays of a tree must have one length");
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

void apply(const TreeView& tree, std::span<const Column> columns,
           std::span<std::int32_t> leaves) {
    for (std::size_t row = 0; row < leaves.size(); ++row) {
        std::int32_t node = 0;
        for (;;) {
            const auto at = static_cast<std::size_t>(node);
            const std::int32_t feature = tree.feature[at];
            if (feature < 0) break;
            const double x = columns[static_cast<std::size_t>(feature)][row];
            node = goes_left(x, tree.threshold[at]) ? tree.left[at] : tree.right[at];
        }
        leaves[row] = node;
    }
}

} // namespace treefront
