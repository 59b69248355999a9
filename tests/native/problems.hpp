// Random small data with ties, the same on every machine: the engine of <random> is specified to
// the bit, its distributions are not.
#pragma once

#include "dataset.hpp"
#include "kernels.hpp"
#include "limits.hpp"
#include "objective.hpp"
#include "subset.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace treefront {

inline std::ostream& operator<<(std::ostream& out, Test test) {
    return out << test.slot << '@' << test.position;
}
inline std::ostream& operator<<(std::ostream& out, RowSetHash hash) {
    return out << hash.high << ':' << hash.low;
}

inline constexpr double kForever = std::numeric_limits<double>::infinity();

// For tests that stop nothing.
inline Limits& no_limits() {
    static Limits limits(kForever);
    return limits;
}

inline Objective objective_of(Complexity complexity, std::uint32_t min_samples_leaf = 1,
                              std::optional<double> alpha = {}) {
    Objective objective;
    objective.complexity = complexity;
    objective.alpha = alpha;
    objective.min_samples_leaf = min_samples_leaf;
    return objective;
}

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t word() { return engine_(); }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
    std::uint32_t between(std::uint32_t least, std::uint32_t most) {
        return least + below(most - least + 1);
    }
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

    std::vector<std::uint32_t> permutation(std::uint32_t n) {
        std::vector<std::uint32_t> order(n);
        std::iota(order.begin(), order.end(), 0u);
        for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
        return order;
    }

private:
    std::mt19937_64 engine_;
};

enum class Weights { none, whole, eighths, real };
inline constexpr Weights kAllWeights[] = {Weights::none, Weights::whole, Weights::eighths,
                                          Weights::real};

struct Shape {
    std::uint32_t rows = 30;
    std::uint32_t features = 3;
    std::uint32_t levels = 4; // most distinct values of a feature; 0: all distinct
    int classes = 2;
    Weights weights = Weights::none;
};

struct Problem {
    std::vector<std::vector<double>> columns;
    std::vector<std::int32_t> labels;
    std::vector<double> weights;
    int n_classes = 2;

    Dataset dataset() const {
        std::vector<Column> views;
        for (const auto& column : columns) views.push_back({column.data(), 1});
        return Dataset(views, labels, weights, n_classes, no_limits());
    }
};

inline double random_weight(Random& random, Weights kind) {
    switch (kind) {
    case Weights::none:
        return 1.0;
    case Weights::whole:
        return random.between(1, 5);
    case Weights::eighths:
        return random.between(1, 32) / 8.0;
    case Weights::real:
        return random.unit() + 0.01;
    }
    return 1.0;
}

// Labels follow the first two features in stripes, one in four by chance; every third time they
// tell the middle of the first feature from its ends, one in ten by chance: then one side of a test
// goes on as a leaf. From three features on, the last one mirrors the first: their tests tie.
inline Problem random_problem(std::uint64_t seed, const Shape& shape) {
    Random random(seed);
    Problem problem;
    problem.n_classes = shape.classes;
    for (std::uint32_t f = 0; f < shape.features; ++f) {
        auto& column = problem.columns.emplace_back();
        const std::uint32_t levels = shape.levels ? random.between(1, shape.levels) : 0;
        for (std::uint32_t i = 0; i < shape.rows; ++i) {
            if (f >= 2 && f + 1 == shape.features)
                column.push_back(-problem.columns[0][i]);
            else
                column.push_back(levels ? random.below(levels) / 4.0 : random.unit());
        }
    }
    const auto classes = static_cast<std::uint32_t>(shape.classes);
    const bool band = shape.features > 0 && seed % 3 == 2;
    const auto [low, high] = [&] {
        auto sorted = band ? problem.columns[0] : std::vector<double>{0};
        std::sort(sorted.begin(), sorted.end());
        return std::pair(sorted[sorted.size() / 5], sorted[sorted.size() / 2]);
    }();
    for (std::uint32_t i = 0; i < shape.rows; ++i) {
        double rule = 0;
        for (std::uint32_t f = 0; f < 2 && f < shape.features; ++f) {
            rule += problem.columns[f][i] * 3 * (f + 1);
        }
        if (band) rule = problem.columns[0][i] > low && problem.columns[0][i] <= high;
        const auto label = random.one_in(band ? 10 : 4)
                               ? random.below(classes)
                               : static_cast<std::uint32_t>(rule) % classes;
        problem.labels.push_back(static_cast<std::int32_t>(label));
        if (shape.weights != Weights::none) {
            problem.weights.push_back(random_weight(random, shape.weights));
        }
    }
    return problem;
}

// Every instruction set this processor has, with its name.
inline std::vector<std::pair<std::string, Kernels>> all_kernels() {
    std::vector<std::pair<std::string, Kernels>> kernels;
    for (std::string_view name : Kernels::available()) kernels.emplace_back(name, Kernels(name));
    return kernels;
}

inline Subset root_of(const Dataset& data) {
    return Subset(data, Kernels("auto").table().partition);
}

template <class T>
std::vector<T> list(std::span<const T> values) {
    return {values.begin(), values.end()};
}

} // namespace treefront
