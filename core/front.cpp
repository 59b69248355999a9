#include "front.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace treefront {

Front::Front(std::vector<Vertex> vertices, bool complete, std::atomic<std::int64_t>* live_bytes)
    : vertices_(std::move(vertices)), complete_(complete), live_bytes_(live_bytes) {
    vertices_.shrink_to_fit();
    if (live_bytes_) *live_bytes_ += static_cast<std::int64_t>(vertices_.size() * sizeof(Vertex));
}

Front::~Front() {
    if (live_bytes_) *live_bytes_ -= static_cast<std::int64_t>(vertices_.size() * sizeof(Vertex));
}

double best_value(std::span<const Vertex> vertices, double alpha) {
    double best = std::numeric_limits<double>::infinity();
    for (const Vertex& vertex : vertices) best = std::min(best, vertex.value(alpha));
    return best;
}

int compare_products(double a, double b, double c, double d) {
    const double p = a * b, q = c * d;
    if (p != q) return p < q ? -1 : 1;
    const double p_rest = std::fma(a, b, -p), q_rest = std::fma(c, d, -q);
    return p_rest < q_rest ? -1 : p_rest > q_rest;
}

namespace {

// Sign of the height of `point` over the line through left and right (complexities ascending).
int height(const Point& left, const Point& right, double complexity, double errors) {
    return compare_products(errors - left.errors, right.complexity - left.complexity,
                            right.errors - left.errors, complexity - left.complexity);
}

auto rank_of(const Vertex& v) {
    return std::tuple(v.leaves, v.origin.leaf() ? 0u : 1u, v.origin.feature, v.origin.cut);
}

// Keeps of points sorted by (complexity, errors, rank) the descending chain, for a hull the
// strictly convex one.
void keep_front(std::vector<Vertex>& points, Keep keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (kept > 0 && points[i].errors >= points[kept - 1].errors) continue;
        while (keep == Keep::hull && kept > 1 &&
               height(points[kept - 2], points[i], points[kept - 1].complexity,
                      points[kept - 1].errors) >= 0) {
            --kept;
        }
        if (kept != i) points[kept] = std::move(points[i]);
        ++kept;
    }
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(kept), points.end());
}

bool before(const Vertex& a, const Vertex& b) {
    if (a.complexity != b.complexity) return a.complexity < b.complexity;
    if (a.errors != b.errors) return a.errors < b.errors;
    return rank_of(a) < rank_of(b);
}

} // namespace

FrontBuilder::FrontBuilder(Point leaf, std::optional<double> alpha, Keep keep)
    : alpha_(alpha), keep_(keep) {
    vertices_.push_back({leaf, {}});
}

bool FrontBuilder::improves(double complexity, double errors) const {
    if (alpha_) {
        const Point& best = vertices_.front();
        return value(complexity, errors) < value(best.complexity, best.errors);
    }
    const auto right = std::upper_bound(vertices_.begin(), vertices_.end(), complexity,
                                        [](double c, const Vertex& v) { return c < v.complexity; });
    if (right == vertices_.begin()) return true;
    if (right == vertices_.end() || keep_ == Keep::every_size) {
        return errors < (right - 1)->errors;
    }
    return height(*(right - 1), *right, complexity, errors) < 0;
}

double FrontBuilder::level(double complexity) const {
    if (alpha_)
        return value(vertices_.front().complexity, vertices_.front().errors) - *alpha_ * complexity;
    const auto right = std::upper_bound(vertices_.begin(), vertices_.end(), complexity,
                                        [](double c, const Vertex& v) { return c < v.complexity; });
    if (right == vertices_.begin()) return std::numeric_limits<double>::infinity();
    if (right == vertices_.end() || keep_ == Keep::every_size) return (right - 1)->errors;
    const Vertex& left = *(right - 1);
    if (left.complexity == complexity) return left.errors;
    const double slope = (right->errors - left.errors) / (right->complexity - left.complexity);
    // Rounded up a little: to call a point that improves hopeless would be wrong, the reverse not.
    return left.errors + slope * (complexity - left.complexity) + 1e-12 * left.errors;
}

bool FrontBuilder::admits(double complexity, double errors) const {
    if (improves(complexity, errors)) return true;
    if (alpha_) {
        const Point& best = vertices_.front();
        return value(complexity, errors) == value(best.complexity, best.errors);
    }
    // On or above the hull: a tie is possible only where a vertex lies in the corner's quadrant.
    for (auto v = vertices_.rbegin(); v != vertices_.rend() && v->complexity >= complexity; ++v) {
        if (v->errors >= errors) return true;
    }
    return false;
}

bool FrontBuilder::worth(const Point& point) const {
    if (improves(point.complexity, point.errors)) return true;
    if (alpha_)
        return value(point.complexity, point.errors) ==
               value(vertices_.front().complexity, vertices_.front().errors);
    return std::any_of(vertices_.begin(), vertices_.end(), [&](const Vertex& v) {
        return v.complexity == point.complexity && v.errors == point.errors;
    });
}

void FrontBuilder::insert(Vertex vertex) {
    ++version_;
    if (alpha_) {
        Vertex& best = vertices_.front();
        const auto order = [&](const Vertex& v) {
            return std::tuple(value(v.complexity, v.errors), v.errors, v.complexity, rank_of(v));
        };
        if (order(vertex) < order(best)) best = std::move(vertex);
        return;
    }
    const auto at = std::lower_bound(vertices_.begin(), vertices_.end(), vertex, before);
    vertices_.insert(at, std::move(vertex));
    keep_front(vertices_, keep_);
}

void FrontBuilder::add(const Point& point, std::uint32_t feature, std::uint32_t cut,
                       std::uint32_t left, std::uint32_t right) {
    if (worth(point)) insert({point, {feature, cut, nullptr, nullptr, left, right}});
}

void FrontBuilder::add_sum(double price, std::uint32_t feature, std::uint32_t cut,
                           const FrontPtr& left, std::uint32_t i, const FrontPtr& right,
                           std::uint32_t j) {
    const Vertex &l = (*left)[i], &r = (*right)[j];
    const Point sum{price + l.complexity + r.complexity, l.errors + r.errors, l.leaves + r.leaves};
    if (worth(sum)) insert({sum, {feature, cut, left, right, i, j}});
}

void FrontBuilder::add_sums(double price, std::uint32_t feature, std::uint32_t cut,
                            const FrontPtr& left, const FrontPtr& right) {
    if (keep_ == Keep::every_size) {
        for (std::uint32_t i = 0; i < left->size(); ++i) {
            for (std::uint32_t j = 0; j < right->size(); ++j) {
                add_sum(price, feature, cut, left, i, right, j);
            }
        }
        return;
    }
    // Minkowski sum of two convex chains: their edges merged by slope, steepest first.
    std::uint32_t i = 0, j = 0;
    for (;;) {
        add_sum(price, feature, cut, left, i, right, j);
        const bool more_left = i + 1 < left->size(), more_right = j + 1 < right->size();
        if (!more_left && !more_right) return;
        int steeper = more_left ? -1 : 1; // -1: the left chain's edge comes next
        if (more_left && more_right) {
            const Vertex &l = (*left)[i], &ln = (*left)[i + 1];
            const Vertex &r = (*right)[j], &rn = (*right)[j + 1];
            steeper = compare_products(ln.errors - l.errors, rn.complexity - r.complexity,
                                       rn.errors - r.errors, ln.complexity - l.complexity);
        }
        if (steeper <= 0) ++i;
        if (steeper >= 0) ++j;
    }
}

void FrontBuilder::add_sums_with_leaf(double price, std::uint32_t feature, std::uint32_t cut,
                                      const FrontPtr& left, const FrontPtr& right, double left_leaf,
                                      double right_leaf) {
    const auto leaf = [](double errors) {
        std::vector<Vertex> vertices(1);
        vertices[0].errors = errors;
        return std::make_shared<const Front>(std::move(vertices), true, nullptr);
    };
    add_sums(price, feature, cut, leaf(left_leaf), right);
    add_sums(price, feature, cut, left, leaf(right_leaf));
}

void FrontBuilder::add_front(const Front& front) {
    for (const Vertex& vertex : front.vertices()) {
        if (worth(vertex)) insert(vertex);
    }
}

FrontPtr FrontBuilder::finish(bool complete, std::atomic<std::int64_t>* live_bytes) {
    return std::make_shared<const Front>(std::move(vertices_), complete, live_bytes);
}

} // namespace treefront
