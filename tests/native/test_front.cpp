// The front: the lower-left convex hull of all trees, and what it says of a point.
#include "check.hpp"
#include "front.hpp"
#include "oracle.hpp"
#include "problems.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>

using namespace treefront;
using oracle::Price;
using oracle::Prices;

namespace {

struct Added {
    Point point;
    std::uint32_t feature, cut;
};

// Few complexities, errors, features and cuts: many points tie.
std::vector<Added> random_points(Random& random, std::uint32_t range) {
    std::vector<Added> points;
    const std::uint32_t n = random.between(0, 40);
    for (std::uint32_t i = 0; i < n; ++i) {
        points.push_back({{static_cast<double>(random.between(1, range)),
                           static_cast<double>(random.below(range)), random.between(2, 4)},
                          random.below(3),
                          random.below(3)});
    }
    return points;
}

FrontBuilder build(const Point& leaf, const std::vector<Added>& points,
                   std::optional<double> alpha = {}, Keep keep = Keep::hull) {
    FrontBuilder front(leaf, alpha, keep);
    for (const Added& a : points) front.add(a.point, a.feature, a.cut);
    return front;
}

using Described = std::tuple<double, double, std::uint32_t, std::uint32_t, std::uint32_t>;
std::vector<Described> describe(std::span<const Vertex> vertices) {
    std::vector<Described> all;
    for (const Vertex& v : vertices) {
        all.emplace_back(v.complexity, v.errors, v.leaves, v.origin.feature, v.origin.cut);
    }
    return all;
}

FrontPtr random_front(Random& random, std::uint32_t range, Keep keep) {
    return build({0, static_cast<double>(range), 1}, random_points(random, range), {}, keep)
        .finish(true, nullptr);
}

// Every second seed keeps the best of every size.
Keep keep_of(std::uint64_t seed) {
    return seed % 2 ? Keep::every_size : Keep::hull;
}

} // namespace

TEST("front: vertices are the hull or the staircase, ties go to fewer leaves, then feature, then "
     "cut") {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const check::Context context("seed", seed);
        Random random(seed);
        const std::uint32_t range = random.between(3, 30);
        const Point leaf{0, static_cast<double>(random.between(range / 2, range)), 1};
        auto points = random_points(random, range);
        const Keep keep = keep_of(seed);
        const FrontBuilder front = build(leaf, points, {}, keep);

        Prices all{{leaf.complexity, leaf.errors}};
        for (const Added& a : points) all.emplace(a.point.complexity, a.point.errors);
        CHECK_EQ(oracle::prices(front.vertices()), oracle::front(all, keep));
        CHECK(front.vertices().front().origin.leaf());
        for (const Vertex& v : front.vertices().subspan(1)) {
            Described best{v.complexity, v.errors, 99, 99, 99};
            for (const Added& a : points) {
                if (a.point.complexity != v.complexity || a.point.errors != v.errors) continue;
                best = std::min(best, {v.complexity, v.errors, a.point.leaves, a.feature, a.cut});
            }
            CHECK(describe({&v, 1})[0] == best);
        }
        // The order in which trees are found changes nothing.
        std::reverse(points.begin(), points.end());
        CHECK(describe(build(leaf, points, {}, keep).vertices()) == describe(front.vertices()));
    }
}

TEST("front: for one alpha the one best tree stays") {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Random random(seed);
        const double alpha = random.below(9) / 4.0;
        const check::Context context("seed", seed, "alpha", alpha);
        const Point leaf{0, static_cast<double>(random.between(5, 10)), 1};
        auto points = random_points(random, 10);
        const FrontBuilder front = build(leaf, points, alpha);

        using Order =
            std::tuple<double, double, double, std::uint32_t, std::uint32_t, std::uint32_t>;
        Order best{leaf.errors, leaf.errors, 0, 1, Origin::kLeaf, 0};
        for (const Added& a : points) {
            best = std::min(best, {a.point.errors + alpha * a.point.complexity, a.point.errors,
                                   a.point.complexity, a.point.leaves, a.feature, a.cut});
        }
        CHECK_EQ(front.vertices().size(), 1);
        const Vertex& v = front.vertices()[0];
        CHECK(best == (Order{v.errors + alpha * v.complexity, v.errors, v.complexity, v.leaves,
                             v.origin.feature, v.origin.cut}));
        std::reverse(points.begin(), points.end());
        CHECK(describe(build(leaf, points, alpha).vertices()) == describe(front.vertices()));
    }
}

TEST("front: sums of two fronts are the front of all pairwise sums") {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const check::Context context("seed", seed);
        Random random(seed);
        const Keep keep = keep_of(seed);
        const FrontPtr left = random_front(random, 20, keep),
                       right = random_front(random, 20, keep);
        const double price = random.between(1, 9);
        const Point leaf{0, static_cast<double>(random.between(20, 40)), 1};
        FrontBuilder front(leaf, {}, keep);
        front.add_sums(price, 4, 7, left, right);

        Prices all{{leaf.complexity, leaf.errors}};
        for (const Vertex& l : left->vertices()) {
            for (const Vertex& r : right->vertices()) {
                all.emplace(price + l.complexity + r.complexity, l.errors + r.errors);
            }
        }
        CHECK_EQ(oracle::prices(front.vertices()), oracle::front(all, keep));
        for (const Vertex& v : front.vertices().subspan(1)) {
            CHECK_EQ(v.origin.feature, 4);
            CHECK_EQ(v.origin.cut, 7);
            CHECK(v.origin.left_front == left && v.origin.right_front == right);
            const Vertex &l = (*left)[v.origin.left], &r = (*right)[v.origin.right];
            CHECK_EQ(v.complexity, price + l.complexity + r.complexity);
            CHECK_EQ(v.errors, l.errors + r.errors);
            CHECK_EQ(v.leaves, l.leaves + r.leaves);
        }
    }
}

TEST("front: a front of the same state joins tree by tree") {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const check::Context context("seed", seed);
        Random random(seed);
        const Point leaf{0, 30, 1};
        const auto some = random_points(random, 30), others = random_points(random, 30);
        FrontBuilder joined = build(leaf, some);
        joined.add_front(*build(leaf, others).finish(true, nullptr));
        auto all = some;
        all.insert(all.end(), others.begin(), others.end());
        CHECK(describe(joined.vertices()) == describe(build(leaf, all).vertices()));
    }
}

TEST("front: products are compared exactly") {
    Random random(1);
    const auto sign = [](__int128 x) { return x < 0 ? -1 : x > 0; };
    const auto near = [&](std::int64_t scale) {
        const std::int64_t x = scale - static_cast<std::int64_t>(random.below(6));
        return random.one_in(2) ? x : -x;
    };
    for (int i = 0; i < 20000; ++i) {
        const std::int64_t scale = std::int64_t{1}
                                   << (random.one_in(2) ? 53 : random.between(3, 53));
        std::int64_t a = near(scale), b = near(scale), c = near(scale), d = near(scale);
        if (random.one_in(4)) c = a, d = b + (random.one_in(2) ? 1 : 0);
        if (random.one_in(8)) c = b, d = a;
        if (d > std::int64_t{1} << 53) --d;
        const int got = compare_products(static_cast<double>(a), static_cast<double>(b),
                                         static_cast<double>(c), static_cast<double>(d));
        CHECK_EQ(got, sign(__int128{a} * b - __int128{c} * d));
    }
}

TEST("front: improves, admits and level agree with the vertices, point by point") {
    constexpr int kSide = 14; // all points of a grid that reaches over the front on each side
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        const std::optional<double> alpha =
            seed % 3 ? std::optional<double>{} : random.below(5) / 2.0;
        const Keep keep = keep_of(seed);
        const check::Context context("seed", seed, "alpha", alpha.value_or(-1));
        const Point leaf{0, 12, 1};
        const FrontBuilder front = build(leaf, random_points(random, 12), alpha, keep);
        Prices vertices;
        for (const Price& p : oracle::prices(front.vertices())) vertices.insert(p);

        const auto below = [&](double c, double e) {
            if (alpha) {
                const Price best = *vertices.begin();
                return e + *alpha * c < best.second + *alpha * best.first;
            }
            Prices more = vertices;
            more.emplace(c, e);
            const auto kept = oracle::front(more, keep);
            return !vertices.count({c, e}) && std::count(kept.begin(), kept.end(), Price{c, e}) > 0;
        };
        const auto ties = [&](double c, double e) {
            if (!alpha) return vertices.count({c, e}) > 0;
            const Price best = *vertices.begin();
            return e + *alpha * c == best.second + *alpha * best.first;
        };
        // worth[c][e]: a tree there would enter the front, or tie; hopeful: so would one of the
        // quadrant it is the corner of
        bool improving[kSide][kSide], hopeful[kSide][kSide];
        for (int c = kSide - 1; c >= 0; --c) {
            for (int e = kSide - 1; e >= 0; --e) {
                improving[c][e] = below(c, e);
                hopeful[c][e] = improving[c][e] || ties(c, e) ||
                                (c + 1 < kSide && hopeful[c + 1][e]) ||
                                (e + 1 < kSide && hopeful[c][e + 1]);
                CHECK_EQ(front.improves(c, e), improving[c][e]);
                CHECK_EQ(front.admits(c, e), hopeful[c][e]);
            }
        }
        for (int c = 0; c < kSide; ++c) {
            const double level = front.level(c);
            for (int right = c; right < kSide; ++right) {
                for (int e = 0; e < kSide; ++e) CHECK(e < level || !improving[right][e]);
            }
            CHECK(front.improves(c, level - 1e-6)); // as low as it may be
        }
    }
}

TEST("front: the version changes with the vertices") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Random random(seed);
        FrontBuilder front({0, 12, 1}, {});
        CHECK_EQ(front.version(), 1);
        for (const Added& a : random_points(random, 12)) {
            const auto before = describe(front.vertices());
            const std::uint64_t version = front.version();
            front.add(a.point, a.feature, a.cut);
            if (describe(front.vertices()) != before) CHECK(front.version() > version);
        }
    }
}

TEST("front: living fronts are counted in bytes") {
    std::atomic<std::int64_t> bytes{0};
    {
        FrontBuilder front({0, 12, 1}, {});
        front.add({3, 4, 2}, 0, 0);
        const FrontPtr finished = front.finish(false, &bytes);
        CHECK_EQ(finished->size(), 2);
        CHECK(!finished->complete());
        CHECK_EQ(bytes.load(), 2 * sizeof(Vertex));
    }
    CHECK_EQ(bytes.load(), 0);
}
