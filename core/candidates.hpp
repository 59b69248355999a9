// Tests generating functions: phi(s), the admissible tests of a state (paper, section 5.1.1).
#pragma once

#include "impurity.hpp"
#include "limits.hpp"
#include "subset.hpp"
#include "types.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace treefront {

// Returns (feature, threshold) pairs for the given rows; may throw.
using GeneratorFunction =
    std::function<std::vector<std::pair<std::uint32_t, double>>(std::span<const RowId>)>;

struct GeneratorSpec {
    enum class Kind { cart, top, quantile, all, function };
    Kind kind = Kind::cart;
    std::vector<Criterion> criteria; // cart: one greedy tree each; top: one
    std::uint32_t size = 0;          // tests (top) or quantiles per feature
    int max_depth = 0;               // cart; 0: no limit
    std::uint32_t max_leaves = 0;    // cart; 0: no limit
    bool ties = false;               // cart
    GeneratorFunction function;

    bool all() const { return kind == Kind::all; }
};

// One per thread and depth. Every test it returns leaves enough on both sides.
class Generator {
public:
    virtual ~Generator() = default;
    // Without repetition; the order is the order of search and changes no result.
    std::vector<Test> tests(const Subset& state);

protected:
    explicit Generator(LeastLeaf least) : least_(least) {}
    virtual std::vector<Test> propose(const Subset& state) = 0;

    const LeastLeaf least_;
};

// `table` and `limits` must outlive the generator.
std::unique_ptr<Generator> make_generator(const GeneratorSpec& spec, LeastLeaf least, int n_classes,
                                          const EntropyTable* table, const Kernels& kernels,
                                          Limits& limits);

} // namespace treefront
