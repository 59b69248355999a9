// The batched stump pass with many classes. Compiled for each instruction set, see
// kernels_impl.hpp.
#pragma once

#include "entry.hpp"
#include "stump_cells.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

// With K classes a boundary classifies (heaviest class before it) + (heaviest class behind it)
// right, and the heaviest class of a growing set of rows is a running maximum: no factor K. A walk
// carries them over the rows of a feature, from one end to the other.
template <class T, bool kMinRows>
struct Walk {
    using V = Vectors<T>;
    using Value = typename V::Value;
    static constexpr int parts = kParts<T>;

    Value* counters; // [class][side][part]
    RowCounts<T> counts;
    Value left[parts], right[parts]; // weight of the heaviest class of either child

    Walk(Value* memory, std::uint32_t min_rows) : counters(memory), counts(min_rows) {}

    void restart(std::size_t n_classes) {
        for (std::size_t i = 0; i < 2 * parts * n_classes; ++i) counters[i] = Value{};
        counts.restart();
        for (int p = 0; p < parts; ++p) left[p] = right[p] = Value{};
    }
    void add(const Cell<T>& cell, std::uint16_t label, const Reader<T>& reader) {
        const Value weight = Reader<T>::weight(cell);
        Value* of_class = counters + 2 * parts * std::size_t{label};
        for (int p = 0; p < parts; ++p) {
            const Lanes<T> goes_left = reader.left(cell, p);
            const Value l = goes_left.add(of_class[p], weight);
            const Value r = goes_left.others().add(of_class[parts + p], weight);
            of_class[p] = l;
            of_class[parts + p] = r;
            left[p] = V::max(left[p], l);
            right[p] = V::max(right[p], r);
            if constexpr (kMinRows) counts.add(p, goes_left);
        }
    }
    void store(Value* at) const {
        for (int p = 0; p < parts; ++p) {
            at[p] = left[p];
            at[parts + p] = right[p];
        }
    }
    // At a boundary whose other end another walk has stored.
    void meet(const Value* at, Value* best_left, Value* best_right) const {
        for (int p = 0; p < parts; ++p) {
            Value l = at[p] + left[p], r = at[parts + p] + right[p];
            if constexpr (kMinRows) {
                l = counts.only_left(p, l);
                r = counts.only_right(p, r);
            }
            best_left[p] = V::max(best_left[p], l);
            best_right[p] = V::max(best_right[p], r);
        }
    }
};

template <class T, bool kMinRows>
void run_many_classes(const BatchInput& input, BatchOutput* outputs) {
    using V = Vectors<T>;
    using Value = typename V::Value;
    constexpr int parts = kParts<T>;
    const std::uint32_t n = input.n_rows;
    const auto n_classes = static_cast<std::size_t>(input.n_classes);
    const auto* cells = static_cast<const Cell<T>*>(input.cells);
    auto* counters = static_cast<Value*>(input.counters);
    auto* stored = static_cast<Value*>(input.stored);
    const Reader<T> reader;
    double all = 0;
    for (std::uint32_t i = 0; i < n; ++i) all += input.weights ? input.weights[i] : 1.0;

    for (int first = 0; first < input.n_tests; first += kGroup<T>) {
        const int left_over = input.n_tests - first;
        const int here = left_over < kGroup<T> ? left_over : kGroup<T>;
        fill_cells<T>(input, first, here, false);
        Value weights[parts] = {};
        Walk<T, kMinRows> up(counters, input.min_samples_leaf);
        Walk<T, kMinRows> down(counters + 2 * parts * n_classes, input.min_samples_leaf);

        // The children undivided.
        up.restart(n_classes);
        for (std::uint32_t i = 0; i < n; ++i) {
            up.add(cells[i], input.labels[i], reader);
            for (int p = 0; p < parts; ++p) {
                weights[p] = reader.left(cells[i], p).add(weights[p], Reader<T>::weight(cells[i]));
            }
        }
        Value best_left[parts], best_right[parts], leaf_left[parts], leaf_right[parts];
        for (int p = 0; p < parts; ++p) {
            leaf_left[p] = up.left[p];
            leaf_right[p] = up.right[p];
        }
        up.counts.keep_totals();
        down.counts = up.counts;

        // Two walks from both ends: to the middle they store what they carry at each boundary,
        // beyond it each meets what the other stored, last stored first. Interleaved, since a walk
        // alone waits for its own stores where rows of one class follow each other.
        const auto passes = [&](auto id_type, std::uint32_t begin, std::uint32_t end) {
            using Id = decltype(id_type);
            for (std::uint32_t s = begin; s < end; ++s) {
                const Id* entries = static_cast<const Id*>(input.orders) + std::size_t{n} * s;
                const auto add = [&](Walk<T, kMinRows>& walk, std::uint32_t i) {
                    const Id id = entries[i] & Entry<Id>::kMask;
                    walk.add(cells[id], input.labels[id], reader);
                };
                const auto starts = [&](std::uint32_t i) {
                    return (entries[i] & Entry<Id>::kStart) != 0;
                };
                up.restart(n_classes);
                down.restart(n_classes);
                const std::uint32_t middle = n / 2;
                Value* up_top = stored;
                Value* down_top = stored + 2 * parts * (std::size_t{n} + 1);
                for (std::uint32_t k = 0; k < n - middle; ++k) {
                    if (k < middle) {
                        if (starts(k)) {
                            up.store(up_top);
                            up_top += 2 * parts;
                        }
                        add(up, k);
                    }
                    add(down, n - 1 - k);
                    if (starts(n - 1 - k)) {
                        down_top -= 2 * parts;
                        down.store(down_top);
                    }
                }
                for (std::uint32_t k = 0; k < n - middle; ++k) {
                    if (starts(middle + k)) {
                        up.meet(down_top, best_left, best_right);
                        down_top += 2 * parts;
                    }
                    add(up, middle + k);
                    if (k < middle) {
                        add(down, middle - 1 - k);
                        if (starts(middle - 1 - k)) {
                            up_top -= 2 * parts;
                            down.meet(up_top, best_left, best_right);
                        }
                    }
                }
            }
        };
        for (std::uint32_t g = 0; g < input.n_groups; ++g) {
            const std::uint32_t begin = g == 0 ? 0 : input.group_ends[g - 1];
            const std::uint32_t end = input.group_ends[g];
            for (int p = 0; p < parts; ++p) {
                best_left[p] = leaf_left[p];
                best_right[p] = leaf_right[p];
            }
            input.narrow ? passes(std::uint16_t{}, begin, end)
                         : passes(std::uint32_t{}, begin, end);
            BatchOutput& output = outputs[g];
            for (int b = 0; b < here; ++b) {
                const int p = b / V::kLanes, k = b % V::kLanes;
                const double weight = static_cast<double>(weights[p][k]), rest = all - weight;
                output.left[first + b] = weight - static_cast<double>(best_left[p][k]);
                output.right[first + b] = rest - static_cast<double>(best_right[p][k]);
                output.left_leaf[first + b] = weight - static_cast<double>(leaf_left[p][k]);
                output.right_leaf[first + b] = rest - static_cast<double>(leaf_right[p][k]);
            }
        }
    }
}

} // namespace

} // namespace treefront::TREEFRONT_VARIANT
