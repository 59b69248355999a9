// The batched stump pass with two classes. Compiled for each instruction set, see kernels_impl.hpp.
#pragma once

#include "entry.hpp"
#include "stump_cells.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

// With rows of weight +w and -w a boundary with prefix sum s in a child of sum t and weight W
// classifies (W + |s| + |t - s|) / 2 = (W + max(|t|, |2s - t|)) / 2 right: only the smallest and
// the largest s over all boundaries of all features matter. A boundary that is not allowed counts
// as s = 0, which is the child undivided. Where class 1 may not be on the left (sign 1) only the
// smallest s is a test, where it may not be on the right (-1) only the largest.
template <class T, bool kMinRows>
struct TwoClasses {
    using V = Vectors<T>;
    using Value = typename V::Value;
    static constexpr int parts = kPartsOfTwo<T>;

    Value low_left[parts] = {}, high_left[parts] = {}, low_right[parts] = {},
          high_right[parts] = {};
    // Of levels that each go to the side of their heavier class: the most that the absolute values
    // of their sums add up to.
    Value most_left[parts] = {}, most_right[parts] = {};

    template <class Id>
    void pass_levels(const Id* entries, std::uint32_t n, const Cell<T>* cells,
                     const Reader<T, parts>& reader) {
        Value left[parts] = {}, sum_left[parts] = {}, sum_right[parts] = {};
        Value seen = {};
        const auto end_level = [&] {
            for (int p = 0; p < parts; ++p) {
                const Value right = seen - left[p];
                sum_left[p] += V::max(left[p], -left[p]);
                sum_right[p] += V::max(right, -right);
                left[p] = Value{};
            }
            seen = Value{};
        };
        for (std::uint32_t i = 0; i < n; ++i) {
            const Id entry = entries[i];
            if (entry & Entry<Id>::kStart) end_level();
            const Cell<T>& cell = cells[entry & Entry<Id>::kMask];
            const Value weight = Reader<T>::weight(cell);
            seen += weight;
            for (int p = 0; p < parts; ++p) left[p] = reader.left(cell, p).add(left[p], weight);
        }
        end_level();
        for (int p = 0; p < parts; ++p) {
            most_left[p] = V::max(most_left[p], sum_left[p]);
            most_right[p] = V::max(most_right[p], sum_right[p]);
        }
    }

    // A column of numbers of which some are missing, behind the others: with these rows on the
    // left, the sum at a boundary between numbers is the same and that of what is missing.
    template <class Id>
    void pass_missing(const Id* entries, std::uint32_t n, const Cell<T>* cells,
                      const Reader<T, parts>& reader, int sign) {
        std::uint32_t n_numbers = n;
        while (!(entries[--n_numbers] & Entry<Id>::kStart)) {
        }
        // No number on the left is what is missing against the rest: a test too.
        Value left[parts] = {}, low_l[parts] = {}, high_l[parts] = {}, low_r[parts] = {},
              high_r[parts] = {};
        Value seen = {};
        const auto add = [&](Id entry) {
            const Cell<T>& cell = cells[entry & Entry<Id>::kMask];
            const Value weight = Reader<T>::weight(cell);
            seen += weight;
            for (int p = 0; p < parts; ++p) left[p] = reader.left(cell, p).add(left[p], weight);
        };
        for (std::uint32_t i = 0; i < n_numbers; ++i) {
            if (entries[i] & Entry<Id>::kStart) {
                for (int p = 0; p < parts; ++p) {
                    const Value right = seen - left[p];
                    low_l[p] = V::min(low_l[p], left[p]);
                    high_l[p] = V::max(high_l[p], left[p]);
                    low_r[p] = V::min(low_r[p], right);
                    high_r[p] = V::max(high_r[p], right);
                }
            }
            add(entries[i]);
        }
        Value left_numbers[parts], right_numbers[parts];
        for (int p = 0; p < parts; ++p) {
            left_numbers[p] = left[p];
            right_numbers[p] = seen - left[p];
        }
        for (std::uint32_t i = n_numbers; i < n; ++i) add(entries[i]);
        for (int p = 0; p < parts; ++p) {
            const Value missing_l = left[p] - left_numbers[p];
            const Value missing_r = seen - left[p] - right_numbers[p];
            if (sign >= 0) {
                low_left[p] = V::min(low_left[p], V::min(low_l[p], low_l[p] + missing_l));
                low_right[p] = V::min(low_right[p], V::min(low_r[p], low_r[p] + missing_r));
            }
            if (sign <= 0) {
                high_left[p] = V::max(high_left[p], V::max(high_l[p], high_l[p] + missing_l));
                high_right[p] = V::max(high_right[p], V::max(high_r[p], high_r[p] + missing_r));
            }
        }
    }

    template <class Id, bool kDistinct>
    void pass(const Id* entries, std::uint32_t n, const Cell<T>* cells,
              const Reader<T, parts>& reader, RowCounts<T, parts>& counts, int sign) {
        // Local copies, so that they stay in registers.
        Value left[parts] = {}, low_l[parts], high_l[parts], low_r[parts], high_r[parts];
        Value seen = {};
        for (int p = 0; p < parts; ++p) {
            low_l[p] = low_left[p];
            high_l[p] = high_left[p];
            low_r[p] = low_right[p];
            high_r[p] = high_right[p];
        }
        if constexpr (kMinRows) counts.restart();
        for (std::uint32_t i = 0; i < n; ++i) {
            const Id entry = entries[i];
            if (kDistinct || (entry & Entry<Id>::kStart)) {
                for (int p = 0; p < parts; ++p) {
                    Value l = left[p], r = seen - left[p];
                    if constexpr (kMinRows) {
                        l = counts.only_left(p, l);
                        r = counts.only_right(p, r);
                    }
                    low_l[p] = V::min(low_l[p], l);
                    high_l[p] = V::max(high_l[p], l);
                    low_r[p] = V::min(low_r[p], r);
                    high_r[p] = V::max(high_r[p], r);
                }
            }
            const Cell<T>& cell = cells[entry & Entry<Id>::kMask];
            const Value weight = Reader<T>::weight(cell);
            seen += weight;
            for (int p = 0; p < parts; ++p) {
                const Lanes<T> goes_left = reader.left(cell, p);
                left[p] = goes_left.add(left[p], weight);
                if constexpr (kMinRows) counts.add(p, goes_left);
            }
        }
        for (int p = 0; p < parts; ++p) {
            if (sign >= 0) {
                low_left[p] = low_l[p];
                low_right[p] = low_r[p];
            }
            if (sign <= 0) {
                high_left[p] = high_l[p];
                high_right[p] = high_r[p];
            }
        }
    }
};

// The loss: weight less what is classified right.
template <class T>
double best_of_two(double weight, double sum, T low, T high, T most = 0) {
    const double above = 2 * static_cast<double>(high) - sum;
    const double below = sum - 2 * static_cast<double>(low);
    double best = sum < 0 ? -sum : sum;
    if (most > best) best = static_cast<double>(most);
    if (above > best) best = above;
    if (below > best) best = below;
    return weight - (weight + best) / 2;
}

template <class T, bool kMinRows>
void run_two_classes(const BatchInput& input, BatchOutput* outputs) {
    using V = Vectors<T>;
    using Value = typename V::Value;
    constexpr int parts = kPartsOfTwo<T>;
    const std::uint32_t n = input.n_rows;
    const auto* cells = static_cast<const Cell<T>*>(input.cells);
    const Reader<T, parts> reader;
    double all = 0, all_sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        const double w = input.weights ? input.weights[i] : 1.0;
        all += w;
        all_sum += input.labels[i] ? w : -w;
    }
    for (int first = 0; first < input.n_tests; first += kGroup<T, parts>) {
        const int left_over = input.n_tests - first;
        const int here = left_over < kGroup<T, parts> ? left_over : kGroup<T, parts>;
        fill_cells<T>(input, first, here, true);

        // The left children undivided: their weights, signed sums and numbers of rows.
        RowCounts<T, parts> counts(input.min_samples_leaf);
        Value sums[parts] = {}, ones[parts] = {};
        for (std::uint32_t i = 0; i < n; ++i) {
            const Value weight = Reader<T>::weight(cells[i]);
            const Value one = input.labels[i] ? weight : Value{};
            for (int p = 0; p < parts; ++p) {
                const Lanes<T> goes_left = reader.left(cells[i], p);
                sums[p] = goes_left.add(sums[p], weight);
                ones[p] = goes_left.add(ones[p], one);
                if constexpr (kMinRows) counts.add(p, goes_left);
            }
        }
        if constexpr (kMinRows) counts.keep_totals();

        TwoClasses<T, kMinRows> best;
        const auto passes = [&](auto id, std::uint32_t begin, std::uint32_t end) {
            using Id = decltype(id);
            for (std::uint32_t s = begin; s < end; ++s) {
                const Id* entries = static_cast<const Id*>(input.orders) + std::size_t{n} * s;
                if (!kMinRows && input.free_levels[s]) {
                    best.template pass_levels<Id>(entries, n, cells, reader);
                } else if (!kMinRows && input.twins[s]) {
                    best.template pass_missing<Id>(entries, n, cells, reader, input.signs[s]);
                    ++s; // its twin
                } else if (input.n_runs[s] == n) {
                    best.template pass<Id, true>(entries, n, cells, reader, counts, input.signs[s]);
                } else {
                    best.template pass<Id, false>(entries, n, cells, reader, counts,
                                                  input.signs[s]);
                }
            }
        };
        for (std::uint32_t g = 0; g < input.n_groups; ++g) {
            const std::uint32_t begin = g == 0 ? 0 : input.group_ends[g - 1];
            const std::uint32_t end = input.group_ends[g];
            best = {};
            input.narrow ? passes(std::uint16_t{}, begin, end)
                         : passes(std::uint32_t{}, begin, end);
            BatchOutput& output = outputs[g];
            for (int b = 0; b < here; ++b) {
                const int p = b / V::kLanes, k = b % V::kLanes;
                const double sum = static_cast<double>(sums[p][k]);
                const double weight = 2 * static_cast<double>(ones[p][k]) - sum;
                output.left_leaf[first + b] = best_of_two<T>(weight, sum, 0, 0);
                output.right_leaf[first + b] = best_of_two<T>(all - weight, all_sum - sum, 0, 0);
                output.left[first + b] = best_of_two<T>(weight, sum, best.low_left[p][k],
                                                        best.high_left[p][k], best.most_left[p][k]);
                output.right[first + b] =
                    best_of_two<T>(all - weight, all_sum - sum, best.low_right[p][k],
                                   best.high_right[p][k], best.most_right[p][k]);
            }
        }
    }
}

} // namespace

} // namespace treefront::TREEFRONT_VARIANT
