// The value of a state for every alpha at once: the lower-left convex hull of (complexity, errors).
#pragma once

#include "types.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace treefront {

class Front;
using FrontPtr = std::shared_ptr<const Front>;

// How a vertex came about: the test and the vertex of each child's front it continues with. Rows
// whose rank in `feature` is at most `cut` go left. A null child front means the child is one of
// the last levels: vertex 0 is its leaf, vertex 1 + g the best single test of price group g, found
// again on demand.
struct Origin {
    static constexpr std::uint32_t kLeaf = 0xffffffffu;
    static constexpr std::uint32_t kBestSet = 0xfffffffeu; // as `cut`: Subset::split_by_majority

    std::uint32_t feature = kLeaf;
    std::uint32_t cut = 0;
    FrontPtr left_front, right_front;
    std::uint32_t left = 0, right = 0;

    bool leaf() const { return feature == kLeaf; }
};

struct Point {
    double complexity = 0; // sum over the test nodes of their price
    double errors = 0;     // summed weight of the rows classified wrong
    std::uint32_t leaves = 1;

    double value(double alpha) const { return errors + alpha * complexity; }
};

struct Vertex : Point {
    Origin origin;
};

// Which trees a front keeps: those that are best for some alpha (the convex hull), or the best for
// every complexity.
enum class Keep { hull, every_size };

// Complexity ascends and errors descend. A hull is strictly convex besides: each step gains less
// per complexity than the one before. Vertex 0 is the state as a leaf (in a
// front for all alphas, where no test is free).
class Front {
public:
    Front(std::vector<Vertex> vertices, bool complete, std::atomic<std::int64_t>* live_bytes);
    ~Front();
    Front(const Front&) = delete;
    Front& operator=(const Front&) = delete;

    std::span<const Vertex> vertices() const { return vertices_; }
    const Vertex& operator[](std::size_t i) const { return vertices_[i]; }
    std::size_t size() const { return vertices_.size(); }
    // False where a limit ended the search below: real trees, but perhaps not the best.
    bool complete() const { return complete_; }

private:
    std::vector<Vertex> vertices_;
    bool complete_;
    std::atomic<std::int64_t>* live_bytes_;
};

// The least E + alpha C of any of the vertices.
double best_value(std::span<const Vertex> vertices, double alpha);

// The sign of a*b - c*d without rounding error (for products that neither overflow nor vanish):
// rounding is monotone, so only equal rounded products need their remainders.
int compare_products(double a, double b, double c, double d);

// Collects trees of one state and keeps its front; for one alpha only, keeps the one best tree.
// Equal (complexity, errors) are decided by fewer leaves, then lower feature, then lower cut.
class FrontBuilder {
public:
    FrontBuilder(Point leaf, std::optional<double> alpha, Keep keep = Keep::hull);

    // Whether a tree at or right of `complexity` with at least `errors` could be a new vertex.
    // Never false for a point that ties with a vertex or lies below the hull.
    bool admits(double complexity, double errors) const;
    // Whether a point there would lie strictly below the hull.
    bool improves(double complexity, double errors) const;
    // No point at or right of `complexity` with at least these errors improves.
    double level(double complexity) const;

    void add(const Point& point, std::uint32_t feature, std::uint32_t cut, std::uint32_t left = 0,
             std::uint32_t right = 0);
    // All sums of a tree of `left` and a tree of `right` under a test that costs `price`.
    void add_sums(double price, std::uint32_t feature, std::uint32_t cut, const FrontPtr& left,
                  const FrontPtr& right);
    // The same where one side is a leaf with these errors: on the left, then on the right.
    void add_sums_with_leaf(double price, std::uint32_t feature, std::uint32_t cut,
                            const FrontPtr& left, const FrontPtr& right, double left_leaf,
                            double right_leaf);
    // Every tree of a finished front of the same state.
    void add_front(const Front& front);

    std::span<const Vertex> vertices() const { return vertices_; }
    // Changes, upwards from 1, whenever the front does.
    std::uint64_t version() const { return version_; }
    FrontPtr finish(bool complete, std::atomic<std::int64_t>* live_bytes);

private:
    void add_sum(double price, std::uint32_t feature, std::uint32_t cut, const FrontPtr& left,
                 std::uint32_t i, const FrontPtr& right, std::uint32_t j);
    bool worth(const Point& point) const;
    void insert(Vertex vertex);
    double value(double complexity, double errors) const { return errors + *alpha_ * complexity; }

    std::vector<Vertex> vertices_;
    std::optional<double> alpha_;
    Keep keep_;
    std::uint64_t version_ = 1;
};

} // namespace treefront
