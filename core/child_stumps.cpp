#include "child_stumps.hpp"

namespace treefront {

std::vector<BatchOutput> ChildStumps::best(const Subset& state, std::span<const Test> tests,
                                           LeastLeaf least, bool undivided) {
    // Medians are no sums, bounds differ from child to child, and the passes count rows: nothing
    // for one pass.
    if (state.data().loss() == Loss::absolute || state.keeps_bounds() || least.weight > 0) {
        return one_by_one(state, tests, least, undivided);
    }
    spread(state, tests);
    const int n_tests = static_cast<int>(tests.size()) + undivided;
    const Lane lane = lane_.value_or(Kernels::narrowest(state));
    return kernels_.best_stumps_by_price(state, bits_, n_tests, least.rows, lane, scratch_);
}

// bits_[id] says which tests send the row left. One walk per slot serves all its tests.
void ChildStumps::spread(const Subset& state, std::span<const Test> tests) {
    bits_.assign(state.n_rows(), 0u);
    state.with_entries([&](auto id_type) {
        using Id = decltype(id_type);
        for (std::size_t begin = 0, end = 0; begin < tests.size(); begin = end) {
            while (end < tests.size() && tests[end].slot == tests[begin].slot) ++end;
            const auto entries = state.order<Id>(tests[begin].slot);
            std::uint32_t i = 0;
            for (std::size_t b = begin; b < end; ++b) {
                const std::uint32_t still_left =
                    (end == 32 ? ~0u : (1u << end) - 1u) & ~((1u << b) - 1u);
                for (; i < tests[b].position; ++i) {
                    bits_[entries[i] & Entry<Id>::kMask] |= still_left;
                }
            }
        }
    });
}

std::vector<BatchOutput> ChildStumps::one_by_one(const Subset& state, std::span<const Test> tests,
                                                 LeastLeaf least, bool undivided) {
    std::vector<BatchOutput> outputs(state.price_groups().size());
    const auto look_at = [&](const Subset& child, std::size_t b, bool left) {
        const double leaf = child.leaf_errors();
        for (BatchOutput& output : outputs) {
            (left ? output.left : output.right)[b] = leaf;
            (left ? output.left_leaf : output.right_leaf)[b] = leaf;
        }
        if (child.pure()) return;
        single_.scan(child, least);
        std::size_t of_state = 0; // the groups of a child are among those of its parent, in order
        for (std::size_t g = 0; g < child.price_groups().size(); ++g) {
            while (state.price_groups()[of_state].group != child.price_groups()[g].group) {
                ++of_state;
            }
            double& best = (left ? outputs[of_state].left : outputs[of_state].right)[b];
            best = std::min(best, single_.by_price()[g].errors);
        }
    };
    for (std::size_t b = 0; b < tests.size(); ++b) {
        const Subset::Halves halves = state.split(tests[b]);
        look_at(*halves.left, b, true);
        look_at(*halves.right, b, false);
    }
    if (undivided) look_at(state, tests.size(), false);
    return outputs;
}

} // namespace treefront
