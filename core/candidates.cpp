#include "candidates.hpp"

#include "cart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace treefront {

namespace {

bool keeps_weight(const Subset& state, Test test, double least) {
    const double left = state.left_weight(test);
    return left >= least && state.weight() - left >= least;
}

} // namespace

std::vector<Test> Generator::tests(const Subset& state) {
    std::vector<Test> tests = propose(state);
    const std::uint32_t n = state.n_rows();
    std::erase_if(tests, [&](Test test) {
        return std::min(test.position, n - test.position) < least_.rows ||
               (least_.weight > 0 && !keeps_weight(state, test, least_.weight)) ||
               (state.keeps_bounds() && !state.child_bounds(test));
    });
    // The first of equals stays.
    std::vector<Test> seen;
    std::erase_if(tests, [&](Test test) {
        const auto at = std::lower_bound(seen.begin(), seen.end(), test);
        if (at != seen.end() && *at == test) return true;
        seen.insert(at, test);
        return false;
    });
    return tests;
}

namespace {

class CartSplits : public Generator {
public:
    CartSplits(const GeneratorSpec& spec, LeastLeaf least, int n_classes, const EntropyTable* table,
               const Kernels& kernels, Limits& limits)
        : Generator(least) {
        const CartLimits size{spec.max_depth ? spec.max_depth : std::numeric_limits<int>::max(),
                              spec.max_leaves ? spec.max_leaves
                                              : std::numeric_limits<std::uint32_t>::max(),
                              least, spec.ties};
        for (Criterion criterion : spec.criteria) {
            growers_.emplace_back(criterion, size, n_classes, table, kernels, limits);
        }
    }

private:
    std::vector<Test> propose(const Subset& state) override {
        std::vector<Test> tests;
        for (CartGrower& grower : growers_) {
            if (&grower != &growers_.front() && state.data().regression()) break; // the same tree
            const std::vector<Test> more = grower.tests(state);
            tests.insert(tests.end(), more.begin(), more.end());
        }
        return tests;
    }

    std::vector<CartGrower> growers_;
};

// Every boundary of the state.
template <class Visit>
void visit_boundaries(const Subset& state, Visit&& visit) {
    state.with_entries([&](auto id) {
        using Id = decltype(id);
        for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
            const auto entries = state.order<Id>(slot);
            for (std::uint32_t i = 1; i < entries.size(); ++i) {
                if (entries[i] & Entry<Id>::kStart) visit(Test{slot, i});
            }
        }
    });
}

class AllSplits : public Generator {
public:
    explicit AllSplits(LeastLeaf least) : Generator(least) {}

private:
    std::vector<Test> propose(const Subset& state) override {
        std::vector<Test> tests;
        visit_boundaries(state, [&](Test test) { tests.push_back(test); });
        return tests;
    }
};

class TopSplits : public Generator {
public:
    TopSplits(const GeneratorSpec& spec, LeastLeaf least, int n_classes, const EntropyTable* table,
              const Kernels& kernels)
        : Generator(least), size_(spec.size),
          scanner_(spec.criteria.front(), least, n_classes, table, kernels) {}

private:
    std::vector<Test> propose(const Subset& state) override {
        std::vector<ScoredTest> scored;
        const NodeRows rows{state, state.sums(), state.bounds()};
        state.with_entries([&](auto id) {
            using Id = decltype(id);
            if (state.n_slots() > 0) scanner_.enter(state.order<Id>(0), rows);
            for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
                const auto found = scanner_.scan(state.order<Id>(slot), rows, slot);
                for (std::size_t k = 0; k < found.positions.size(); ++k) {
                    scored.push_back({found.scores[k], {slot, found.positions[k]}});
                }
            }
        });
        const std::size_t size = std::min<std::size_t>(size_, scored.size());
        std::partial_sort(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(size),
                          scored.end(), [](const ScoredTest& a, const ScoredTest& b) {
                              return a.score != b.score ? a.score > b.score : a.test < b.test;
                          });
        std::vector<Test> tests;
        for (std::size_t k = 0; k < size; ++k) tests.push_back(scored[k].test);
        return tests;
    }

    struct ScoredTest {
        double score;
        Test test;
    };
    std::uint32_t size_;
    BoundaryScanner scanner_;
};

class QuantileSplits : public Generator {
public:
    QuantileSplits(LeastLeaf least, std::uint32_t size) : Generator(least), size_(size) {}

private:
    std::vector<Test> propose(const Subset& state) override {
        std::vector<Test> tests;
        const std::uint64_t n = state.n_rows();
        state.with_entries([&](auto id) {
            using Id = decltype(id);
            for (std::uint32_t slot = 0; slot < state.n_slots(); ++slot) {
                const auto entries = state.order<Id>(slot);
                const auto starts = [&](std::uint64_t i) {
                    return (entries[i] & Entry<Id>::kStart) != 0;
                };
                for (std::uint64_t k = 1; k <= size_; ++k) {
                    const std::uint64_t quantile = k * n / (size_ + 1);
                    // The start of the quantile's run; of the first run, its end.
                    std::uint64_t at = quantile;
                    while (at > 0 && !starts(at)) --at;
                    if (at == 0) {
                        at = quantile + 1;
                        while (at < n && !starts(at)) ++at;
                    }
                    if (at < n) tests.push_back({slot, static_cast<std::uint32_t>(at)});
                }
            }
        });
        return tests;
    }

    std::uint64_t size_;
};

class FunctionSplits : public Generator {
public:
    FunctionSplits(LeastLeaf least, GeneratorFunction function)
        : Generator(least), function_(std::move(function)) {}

private:
    std::vector<Test> propose(const Subset& state) override {
        const Dataset& data = state.data();
        // A column that is constant here has no slot and divides nothing; one with missing values
        // has two, and is tested with these rows on either side.
        std::vector<std::vector<std::uint32_t>> slots(data.n_columns());
        for (std::uint32_t s = 0; s < state.n_slots(); ++s) {
            slots[data.column(state.feature(s))].push_back(s);
        }
        std::vector<Test> tests;
        std::vector<RowId> rows(state.rows().begin(), state.rows().end()); // they stand by class
        std::sort(rows.begin(), rows.end());
        for (const auto& [column, threshold] : function_(rows)) {
            if (column >= data.n_columns()) {
                throw InvalidInput("the splits function proposed feature " +
                                   std::to_string(column) + ", but there are only " +
                                   std::to_string(data.n_columns()));
            }
            if (std::isnan(threshold)) {
                throw InvalidInput("the splits function proposed a threshold that is NaN");
            }
            for (std::uint32_t slot : slots[column]) {
                const std::uint32_t feature = state.feature(slot);
                if (data.order(feature) == Order::levels) {
                    throw InvalidInput("the splits function proposed a threshold for feature " +
                                       std::to_string(column) + ", which has categories");
                }
                if (data.order(feature) == Order::presence && std::isfinite(threshold)) continue;
                const auto values = data.values(feature);
                const auto first = values.begin() + Dataset::is_missing(values.front());
                const auto last = values.end() - Dataset::is_missing(values.back());
                const auto above = std::upper_bound(first, last, threshold);
                if (above == values.begin()) continue;
                tests.push_back({slot, state.count_up_to(slot, static_cast<std::uint32_t>(
                                                                   above - values.begin() - 1))});
            }
        }
        return tests;
    }

    GeneratorFunction function_;
};

} // namespace

std::unique_ptr<Generator> make_generator(const GeneratorSpec& spec, LeastLeaf least, int n_classes,
                                          const EntropyTable* table, const Kernels& kernels,
                                          Limits& limits) {
    switch (spec.kind) {
    case GeneratorSpec::Kind::cart:
        return std::make_unique<CartSplits>(spec, least, n_classes, table, kernels, limits);
    case GeneratorSpec::Kind::top:
        return std::make_unique<TopSplits>(spec, least, n_classes, table, kernels);
    case GeneratorSpec::Kind::quantile:
        return std::make_unique<QuantileSplits>(least, spec.size);
    case GeneratorSpec::Kind::all:
        return std::make_unique<AllSplits>(least);
    case GeneratorSpec::Kind::function:
        return std::make_unique<FunctionSplits>(least, spec.function);
    }
    throw InvalidInput("unknown split generator");
}

} // namespace treefront
