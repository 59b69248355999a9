// From vertices to trees: what a tree claims is what it does to the training rows.
#include "check.hpp"
#include "oracle.hpp"
#include "policy.hpp"
#include "problems.hpp"
#include "tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace treefront;
using oracle::Rows;

namespace {

// What following a tree by its arrays alone finds.
struct Walk {
    const Dataset& data;
    const Problem& problem;
    const TreeArrays& tree;
    const Objective& objective;
    double complexity = 0, errors = 0;
    std::uint32_t leaves = 0;
    int depth = 0;
    std::int32_t next = 0; // the node that preorder comes to next

    void visit(std::int32_t node, const Rows& rows, int level) {
        CHECK_EQ(node, next);
        ++next;
        depth = std::max(depth, level);
        const auto at = static_cast<std::size_t>(node);
        const auto classes = static_cast<std::size_t>(tree.n_values);
        const auto weights = oracle::class_weights(data, rows);
        CHECK_EQ(tree.n_rows[at], rows.size());
        CHECK(
            std::equal(weights.begin(), weights.end(), tree.value.begin() + node * tree.n_values));
        CHECK_EQ(tree.value.size(), tree.feature.size() * classes);
        if (tree.feature[at] == TreeArrays::kLeaf) {
            CHECK(std::isnan(tree.threshold[at]));
            CHECK_EQ(tree.left[at], TreeArrays::kLeaf);
            CHECK_EQ(tree.right[at], TreeArrays::kLeaf);
            errors += oracle::leaf_errors(data, rows);
            ++leaves;
            return;
        }
        const auto& column = problem.columns[static_cast<std::size_t>(tree.feature[at])];
        const double t = tree.threshold[at];
        Rows left, right;
        double low = -std::numeric_limits<double>::infinity(), high = -low;
        for (RowId row : rows) {
            const double x = column[index(row)];
            (goes_left(x, t) ? left : right).push_back(row);
            if (x <= t)
                low = std::max(low, x);
            else
                high = std::min(high, x);
        }
        CHECK(left.size() >= objective.min_samples_leaf);
        CHECK(right.size() >= objective.min_samples_leaf);
        CHECK(low <= t && t < high);
        CHECK_EQ(t, Dataset::midpoint(low, high)); // midway between this node's rows
        complexity += objective.price(oracle::weight(data, rows));
        visit(tree.left[at], left, level + 1);
        visit(tree.right[at], right, level + 1);
    }
};

void check_trees(const Problem& problem, const SearchSettings& settings) {
    const Dataset data = problem.dataset();
    const Kernels kernels("auto");
    Limits limits(std::numeric_limits<double>::infinity());
    Search search(data, settings, kernels, limits);
    const FrontPtr front = search.run();
    const auto trees = extract_trees(data, front, search, limits);
    CHECK_EQ(trees.size(), front->size());
    for (std::size_t i = 0; i < trees.size(); ++i) {
        const check::Context context("vertex", i);
        const TreeArrays& tree = trees[i];
        const TreeView view{tree.feature,      tree.threshold,   tree.left,       tree.right,
                            tree.missing_left, tree.level_start, tree.left_levels};
        check_tree(view, data.n_features());
        Walk walk{data, problem, tree, settings.objective};
        walk.visit(0, oracle::all_rows(data), 0);
        const Vertex& vertex = (*front)[i];
        CHECK_EQ(walk.errors, vertex.errors);
        CHECK_EQ(walk.complexity, vertex.complexity);
        CHECK_EQ(walk.leaves, vertex.leaves);
        CHECK_EQ(walk.next, tree.feature.size()); // no node is left over
        CHECK(walk.depth <= settings.max_depth);
        CHECK_EQ(tree.feature.size(), 2 * vertex.leaves - 1);

        // The same rows arrive when the tree is applied.
        std::vector<Column> columns;
        for (const auto& column : problem.columns) columns.push_back({column.data(), 1});
        std::vector<std::int32_t> leaves(data.n_rows());
        apply(view, columns, leaves);
        for (std::size_t node = 0; node < tree.feature.size(); ++node) {
            if (tree.feature[node] != TreeArrays::kLeaf) continue;
            CHECK_EQ(std::count(leaves.begin(), leaves.end(), static_cast<std::int32_t>(node)),
                     tree.n_rows[node]);
        }
    }
}

} // namespace

TEST("policy: trees are worth what their vertices claim, with any generator and tail") {
    using Kind = GeneratorSpec::Kind;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        Shape shape{.rows = 60, .features = 4, .levels = static_cast<std::uint32_t>(seed % 3) * 8};
        shape.classes = static_cast<int>(2 + seed % 3);
        shape.weights = kAllWeights[seed % 4];
        const Problem problem = random_problem(seed, shape);
        for (int tail = 0; tail <= 2; ++tail) {
            for (Kind kind : {Kind::cart, Kind::quantile, Kind::top}) {
                const check::Context context("seed", seed, "tail", tail, "generator", kind);
                GeneratorSpec generator;
                generator.kind = kind;
                generator.criteria = {Criterion::entropy};
                generator.size = 4;
                generator.max_depth = 3;
                SearchSettings settings;
                settings.max_depth = static_cast<int>(2 + seed % 3);
                settings.generators = {generator};
                settings.exact_tail = tail;
                settings.objective.complexity = seed % 2 ? Complexity::splits : Complexity::tests;
                settings.objective.min_samples_leaf = seed < 4 ? 1 : 3;
                settings.baselines = {Criterion::gini};
                check_trees(problem, settings);
                settings.objective.alpha = 0.25;
                check_trees(problem, settings);
            }
        }
    }
}

TEST("policy: optimal trees of two and three levels") {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const check::Context context("seed", seed);
        const Problem problem = random_problem(
            seed, {.rows = 30, .levels = 6, .classes = 3, .weights = kAllWeights[seed % 4]});
        SearchSettings settings;
        settings.max_depth = static_cast<int>(2 + seed % 2);
        settings.generators.emplace_back().kind = GeneratorSpec::Kind::all;
        check_trees(problem, settings);
    }
}

TEST("policy: the best tree for every number of splits") {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const check::Context context("seed", seed);
        const Problem problem = random_problem(seed, {.rows = 40, .levels = 8});
        SearchSettings settings;
        settings.max_depth = 3;
        settings.generators.emplace_back().kind = GeneratorSpec::Kind::all;
        settings.objective.complexity = Complexity::splits;
        settings.objective.keep = Keep::every_size;
        check_trees(problem, settings);
    }
}

TEST("policy: neighbouring values are told apart by a threshold between them") {
    const double x = 0.1, above = std::nextafter(x, 1.0);
    const Problem problem{{{x, above, above, x, 1.0}}, {0, 1, 1, 0, 0}, {}, 2};
    SearchSettings settings;
    settings.max_depth = 2;
    settings.generators.emplace_back().kind = GeneratorSpec::Kind::all;
    check_trees(problem, settings);
}
