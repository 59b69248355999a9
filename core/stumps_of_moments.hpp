// The batched stump pass with numbers to predict, or costs of predictions. Compiled for each
// instruction set, see kernels_impl.hpp.
#pragma once

#include "entry.hpp"
#include "stump_cells.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

// Numbers: a boundary with weight w and moments m of a child of weight W and moments M explains
// |m|^2 / w + |M - m|^2 / (W - w) = |M|^2 / W + |m W - M w|^2 / (W w (W - w)) of its squares. Only
// the last term changes: its maximum is kept. Where a side has no rows it is 0 / 0, which no
// maximum takes.
//
// Costs: a boundary costs the cheapest moment before it and the cheapest behind it; the minimum is
// kept, as what remains of all costs of all rows.
template <bool kMinRows, bool kSquared>
struct MomentsPass {
    using T = double;
    using V = Vectors<T>;
    using Value = typename V::Value;
    static constexpr int parts = kParts<T>;

    const BatchInput& input;
    const Cell<T>* cells;
    const Reader<T>& reader;
    RowCounts<T>& counts;
    Value* left_moments;  // [output][part], of the left child up to here
    Value* left_totals;   // [output][part], of the left child in all
    const double* totals; // [output], of the state
    Value left_weight[parts], left_total[parts];
    double total;
    double most; // all costs of all rows
    Value best_left[parts] = {}, best_right[parts] = {};

    void restart() {
        for (int k = 0; k < input.n_outputs * parts; ++k) left_moments[k] = Value{};
        for (int p = 0; p < parts; ++p) left_weight[p] = Value{};
        if constexpr (kMinRows) counts.restart();
    }
    void add(std::uint32_t id) {
        const Cell<T>& cell = cells[id];
        const double* moments =
            input.moments + std::size_t{id} * static_cast<std::size_t>(input.n_outputs);
        for (int p = 0; p < parts; ++p) {
            const Lanes<T> goes_left = reader.left(cell, p);
            left_weight[p] = goes_left.add(left_weight[p], V::all(cell.weight));
            for (int d = 0; d < input.n_outputs; ++d) {
                Value& sum = left_moments[d * parts + p];
                sum = goes_left.add(sum, V::all(moments[d]));
            }
            if constexpr (kMinRows) counts.add(p, goes_left);
        }
    }
    template <class Id>
    void pass(const Id* entries, double* seen_moments) {
        restart();
        double seen = 0;
        for (int d = 0; d < input.n_outputs; ++d) seen_moments[d] = 0;
        for (std::uint32_t i = 0; i < input.n_rows; ++i) {
            const Id entry = entries[i];
            if (i > 0 && (entry & Entry<Id>::kStart)) at_boundary(seen, seen_moments);
            const std::uint32_t id = entry & Entry<Id>::kMask;
            seen += cells[id].weight;
            const double* moments =
                input.moments + std::size_t{id} * static_cast<std::size_t>(input.n_outputs);
            for (int d = 0; d < input.n_outputs; ++d) seen_moments[d] += moments[d];
            add(id);
        }
    }
    // All costs less those of both parts of either child.
    void cheapest(int p, const double* seen_moments, Value& left, Value& right) const {
        Value before = left_moments[p], behind = left_totals[p] - before;
        Value other_before = seen_moments[0] - before;
        Value other_behind = totals[0] - left_totals[p] - other_before;
        for (int d = 1; d < input.n_outputs; ++d) {
            const Value m = left_moments[d * parts + p], sum = left_totals[d * parts + p];
            const Value other = seen_moments[d] - m;
            before = V::min(before, m);
            behind = V::min(behind, sum - m);
            other_before = V::min(other_before, other);
            other_behind = V::min(other_behind, totals[d] - sum - other);
        }
        left = most - (before + behind);
        right = most - (other_before + other_behind);
    }
    void at_boundary(double seen, const double* seen_moments) {
        for (int p = 0; p < parts; ++p) {
            const Value w = left_weight[p], all = left_total[p], rest = all - w;
            const Value other = seen - w, other_all = total - all, other_rest = other_all - other;
            Value left = {}, right = {};
            if constexpr (!kSquared) {
                cheapest(p, seen_moments, left, right);
                if constexpr (kMinRows) {
                    left = counts.only_left(p, left);
                    right = counts.only_right(p, right);
                }
                best_left[p] = V::max(best_left[p], left);
                best_right[p] = V::max(best_right[p], right);
                continue;
            }
            for (int d = 0; d < input.n_outputs; ++d) {
                const Value m = left_moments[d * parts + p], sum = left_totals[d * parts + p];
                const Value apart = m * all - sum * w;
                left += apart * apart;
                const Value other_m = seen_moments[d] - m, other_sum = totals[d] - sum;
                const Value other_apart = other_m * other_all - other_sum * other;
                right += other_apart * other_apart;
            }
            left = left / (w * rest);
            right = right / (other * other_rest);
            if constexpr (kMinRows) {
                left = counts.only_left(p, left);
                right = counts.only_right(p, right);
            }
            best_left[p] = V::max(left, best_left[p]);
            best_right[p] = V::max(right, best_right[p]);
        }
    }
};

double squared_loss(double weight, double square, double explained) {
    if (!(weight > 0)) return 0;
    const double loss = square - explained / weight;
    return loss > 0 ? loss : 0;
}

template <bool kMinRows, bool kSquared>
void run_moments(const BatchInput& input, BatchOutput* outputs) {
    using T = double;
    using V = Vectors<T>;
    using Value = typename V::Value;
    constexpr int parts = kParts<T>;
    const int n_outputs = input.n_outputs;
    const auto* cells = static_cast<const Cell<T>*>(input.cells);
    const Reader<T> reader;
    auto* memory = static_cast<Value*>(input.counters);
    auto* totals = reinterpret_cast<double*>(memory + 2 * parts * n_outputs);
    double* seen = totals + n_outputs;
    double total = 0, square = 0;
    for (int d = 0; d < n_outputs; ++d) totals[d] = 0;
    for (std::uint32_t i = 0; i < input.n_rows; ++i) {
        total += input.weights ? input.weights[i] : 1.0;
        square += input.squares[i];
        for (int d = 0; d < n_outputs; ++d) {
            totals[d] += input.moments[std::size_t{i} * static_cast<std::size_t>(n_outputs) +
                                       static_cast<std::size_t>(d)];
        }
    }
    double most = 0;
    for (int d = 0; d < n_outputs; ++d) most += totals[d];
    for (int first = 0; first < input.n_tests; first += kGroup<T>) {
        const int left_over = input.n_tests - first;
        const int here = left_over < kGroup<T> ? left_over : kGroup<T>;
        fill_cells<T>(input, first, here, false);
        RowCounts<T> counts(input.min_samples_leaf);
        MomentsPass<kMinRows, kSquared> pass{
            input,  cells, reader, counts, memory, memory + parts * n_outputs,
            totals, {},    {},     total,  most};
        Value left_square[parts] = {};
        pass.restart();
        for (std::uint32_t i = 0; i < input.n_rows; ++i) {
            pass.add(i);
            for (int p = 0; p < parts; ++p) {
                left_square[p] =
                    reader.left(cells[i], p).add(left_square[p], V::all(input.squares[i]));
            }
        }
        for (int p = 0; p < parts; ++p) pass.left_total[p] = pass.left_weight[p];
        for (int k = 0; k < parts * n_outputs; ++k) pass.left_totals[k] = pass.left_moments[k];
        if constexpr (kMinRows) counts.keep_totals();
        for (std::uint32_t g = 0; g < input.n_groups; ++g) {
            for (int p = 0; p < parts; ++p) pass.best_left[p] = pass.best_right[p] = Value{};
            for (std::uint32_t s = g == 0 ? 0 : input.group_ends[g - 1]; s < input.group_ends[g];
                 ++s) {
                const std::size_t at = std::size_t{input.n_rows} * s;
                if (input.narrow)
                    pass.pass(static_cast<const std::uint16_t*>(input.orders) + at, seen);
                else
                    pass.pass(static_cast<const std::uint32_t*>(input.orders) + at, seen);
            }
            BatchOutput& output = outputs[g];
            for (int b = 0; b < here; ++b) {
                const int p = b / V::kLanes, k = b % V::kLanes;
                const double weight = pass.left_total[p][k], rest = total - weight;
                if constexpr (!kSquared) {
                    double left = pass.left_totals[p][k], right = totals[0] - left;
                    for (int d = 1; d < n_outputs; ++d) {
                        const double cost = pass.left_totals[d * parts + p][k];
                        if (cost < left) left = cost;
                        if (totals[d] - cost < right) right = totals[d] - cost;
                    }
                    const double left_test = most - pass.best_left[p][k];
                    const double right_test = most - pass.best_right[p][k];
                    output.left_leaf[first + b] = left;
                    output.right_leaf[first + b] = right;
                    output.left[first + b] = left_test < left ? left_test : left;
                    output.right[first + b] = right_test < right ? right_test : right;
                    continue;
                }
                double left = 0, right = 0;
                for (int d = 0; d < n_outputs; ++d) {
                    const double m = pass.left_totals[d * parts + p][k], other = totals[d] - m;
                    left += m * m;
                    right += other * other;
                }
                output.left_leaf[first + b] = squared_loss(weight, left_square[p][k], left);
                output.right_leaf[first + b] =
                    squared_loss(rest, square - left_square[p][k], right);
                output.left[first + b] =
                    squared_loss(weight, left_square[p][k], left + pass.best_left[p][k]);
                output.right[first + b] =
                    squared_loss(rest, square - left_square[p][k], right + pass.best_right[p][k]);
            }
        }
    }
}

} // namespace

} // namespace treefront::TREEFRONT_VARIANT
