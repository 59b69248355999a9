#include "kernels.hpp"

#include "processor.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace treefront {

#define TREEFRONT_DECLARE_VARIANT(name)                                                            \
    namespace name {                                                                               \
    void best_stumps(const BatchInput&, Lane, BatchOutput*);                                       \
    std::size_t two_class_boundaries(const TwoClassRows&, bool, std::uint32_t*, std::uint32_t*);   \
    void gini_scores(const std::uint32_t*, const std::uint32_t*, std::size_t, double, double,      \
                     double*);                                                                     \
    void side_scores(const std::uint32_t*, const std::int64_t*, const std::int64_t*, std::size_t,  \
                     double, double*);                                                             \
    PartitionRuns partition(const PartitionInput&);                                                \
    std::size_t first_best(const double*, std::size_t);                                            \
    }

TREEFRONT_DECLARE_VARIANT(portable)
#ifdef TREEFRONT_HAVE_AVX2
TREEFRONT_DECLARE_VARIANT(avx2)
#endif
#ifdef TREEFRONT_HAVE_AVX512
TREEFRONT_DECLARE_VARIANT(avx512)
#endif

namespace {

struct Variant {
    std::string_view name;
    KernelTable table;
};

#define TREEFRONT_VARIANT_TABLE(name)                                                              \
    {                                                                                              \
        #name, {                                                                                   \
            name::best_stumps, name::two_class_boundaries, name::gini_scores, name::side_scores,   \
                name::first_best, name::partition                                                  \
        }                                                                                          \
    }

// Slowest first.
std::vector<Variant> variants() {
    std::vector<Variant> found{TREEFRONT_VARIANT_TABLE(portable)};
#ifdef TREEFRONT_HAVE_AVX2
    if (has_avx2()) found.push_back(TREEFRONT_VARIANT_TABLE(avx2));
#endif
#ifdef TREEFRONT_HAVE_AVX512
    if (has_avx512()) found.push_back(TREEFRONT_VARIANT_TABLE(avx512));
#endif
    return found;
}

} // namespace

std::vector<std::string_view> Kernels::available() {
    std::vector<std::string_view> names;
    for (const Variant& variant : variants()) names.push_back(variant.name);
    return names;
}

Kernels::Kernels(std::string_view variant) : table_{} {
    const auto found = variants();
    if (variant == "auto") table_ = found.back().table;
    for (const Variant& candidate : found) {
        if (candidate.name == variant) table_ = candidate.table;
    }
    if (!table_.best_stumps) {
        std::string message = "kernel '" + std::string(variant) + "' is not one of auto";
        for (const Variant& candidate : found) message += ", " + std::string(candidate.name);
        throw InvalidInput(message + " (what this processor and build support)");
    }
}

Lane Kernels::narrowest(bool whole_weights, double loss_weight, std::size_t n_rows) {
    const double weight = std::max(loss_weight, static_cast<double>(n_rows));
    if (whole_weights && weight < 0x1p15) return Lane::int16;
    if (whole_weights && weight < 0x1p31) return Lane::int32;
    return Lane::real;
}

void* AlignedBuffer::at_least(std::size_t bytes) {
    constexpr std::size_t kAlignment = 64;
    if (bytes_.size() < bytes + kAlignment) {
        bytes_.clear();
        bytes_.resize(bytes + bytes / 4 + kAlignment);
    }
    void* first = bytes_.data();
    std::size_t space = bytes_.size();
    return std::align(kAlignment, bytes, first, space);
}

BatchOutput Kernels::best_stumps(const Subset& state, const std::vector<std::uint32_t>& bits,
                                 int n_tests, std::uint32_t min_samples_leaf, Lane lane,
                                 KernelScratch& scratch) const {
    BatchOutput output;
    const std::uint32_t all[] = {state.n_slots()};
    best_stumps(state, bits, n_tests, min_samples_leaf, lane, scratch, all, &output);
    return output;
}

std::vector<BatchOutput> Kernels::best_stumps_by_price(const Subset& state,
                                                       const std::vector<std::uint32_t>& bits,
                                                       int n_tests, std::uint32_t min_samples_leaf,
                                                       Lane lane, KernelScratch& scratch) const {
    std::vector<std::uint32_t> ends;
    for (const Subset::PriceGroup& group : state.price_groups()) ends.push_back(group.last);
    std::vector<BatchOutput> outputs(ends.size());
    best_stumps(state, bits, n_tests, min_samples_leaf, lane, scratch, ends, outputs.data());
    return outputs;
}

void Kernels::best_stumps(const Subset& state, const std::vector<std::uint32_t>& bits, int n_tests,
                          std::uint32_t min_samples_leaf, Lane lane, KernelScratch& scratch,
                          std::span<const std::uint32_t> group_ends, BatchOutput* outputs) const {
    constexpr std::size_t kWidestVector = 64, kCell = 16, kMostParts = 2;
    const std::size_t n = state.n_rows();
    const auto n_classes = static_cast<std::size_t>(state.data().n_classes());
    BatchInput input{};
    input.n_rows = state.n_rows();
    input.group_ends = group_ends.data();
    input.n_groups = static_cast<std::uint32_t>(group_ends.size());
    input.narrow = state.narrow();
    input.orders = state.with_entries([&](auto id) -> const void* {
        return state.n_slots() > 0 ? state.order<decltype(id)>(0).data() : nullptr;
    });
    input.n_runs = state.run_counts().data();
    input.free_levels = state.free_levels().data();
    input.twins = state.twins().data();
    input.signs = state.signs().data();
    input.labels = state.labels().data();
    const bool by_moments = state.data().by_moments();
    const auto weights = by_moments ? state.weights() : state.loss_weights();
    input.weights = weights.empty() ? nullptr : weights.data();
    input.moments = state.moments().data();
    input.squares = state.squares().data();
    input.squared = state.data().loss() == Loss::squared;
    input.n_outputs = static_cast<int>(state.data().n_outputs());
    input.n_classes = state.data().n_classes();
    input.bits = bits.data();
    input.n_tests = n_tests;
    input.min_samples_leaf = min_samples_leaf;
    input.cells = scratch.cells.at_least(n * kCell);
    if (by_moments) {
        // Running sums and totals of every output, on both sides.
        input.counters =
            scratch.counters.at_least(4 * kMostParts * kWidestVector * state.data().n_outputs());
    } else if (n_classes != 2) {
        const std::size_t both_sides = 2 * kMostParts * kWidestVector;
        input.counters = scratch.counters.at_least(2 * both_sides * n_classes);
        input.stored = scratch.stored.at_least(both_sides * (n + 1));
    }
    table_.best_stumps(input, by_moments ? Lane::real : lane, outputs);
    if (!by_moments) return;
    for (std::size_t g = 0; g < group_ends.size(); ++g) {
        for (int b = 0; b < n_tests; ++b) {
            for (double* loss : {&outputs[g].left[b], &outputs[g].right[b],
                                 &outputs[g].left_leaf[b], &outputs[g].right_leaf[b]}) {
                *loss = state.data().on_loss_grid(*loss);
            }
        }
    }
}

} // namespace treefront
