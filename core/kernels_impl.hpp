// The batched stump pass, written once; kernels_*.cpp compile it for each instruction set.
//
// Lane b of a register belongs to test b of the batch. A pass walks a feature's sorted rows and
// holds per lane the running class weight of the rows seen so far that test b sends left; the
// rows it sends right are all seen minus those. At the end of each run of equal values the two
// children could be divided there, so the running sums are compared with the best so far.

// Nothing here may be shared with code compiled for another instruction set (see batch.hpp):
// no standard containers or algorithms, and every name inside an unnamed namespace.

#include "batch.hpp"
#include "entry.hpp"
#include "lanes.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

// A row as a pass reads it: which tests of the group send it left, its label, and its weight
// (with two classes minus the weight for class 0), each in the form that is broadcast from memory
// without a shuffle. Halves of a word repeat where lanes have 16 bits.
template <class T> struct Cell;
template <> struct Cell<std::int16_t> {
    std::uint32_t bits, weight;
};
template <> struct Cell<std::int32_t> {
    std::uint32_t bits, weight;
};
template <> struct Cell<double> {
    std::uint64_t bits;
    double weight;
};

template <class T> Cell<T> make_cell(std::uint32_t bits, double weight) {
    if constexpr (sizeof(T) == 2) {
        const auto w = static_cast<std::uint16_t>(static_cast<std::int16_t>(weight));
        return {(bits & 0xffffu) * 0x10001u, w * 0x10001u};
    } else if constexpr (sizeof(T) == 4) {
        return {bits, static_cast<std::uint32_t>(static_cast<std::int32_t>(weight))};
    } else {
        return {bits, weight};
    }
}

// Tests per pass: as many as leave the running sums in registers.
template <class T> inline constexpr int kParts = sizeof(T) == 2 ? (kVectorBytes == 16 ? 2 : 1) : 2;
template <class T> inline constexpr int kGroup = kParts<T> * Vectors<T>::kLanes;

template <class T> struct Group {
    using V = Vectors<T>;
    using Value = typename V::Value;
    using Mask = typename V::Mask;
    static constexpr int parts = kParts<T>;

    Mask lane_bit[parts];

    Group() {
        for (int p = 0; p < parts; ++p) {
            for (int k = 0; k < V::kLanes; ++k) {
                lane_bit[p][k] = static_cast<typename V::Bits>(
                    std::uint64_t{1} << (p * V::kLanes + k));
            }
        }
    }

    static Mask spread_bits(const Cell<T>& cell) {
        if constexpr (sizeof(T) == 2) {
            typedef std::uint32_t Words __attribute__((vector_size(kVectorBytes)));
            return reinterpret_cast<Mask>(cell.bits - Words{});
        } else {
            return V::all_bits(static_cast<typename V::Bits>(cell.bits));
        }
    }
    static Value spread_weight(const Cell<T>& cell) {
        if constexpr (sizeof(T) == 2) {
            typedef std::uint32_t Words __attribute__((vector_size(kVectorBytes)));
            return reinterpret_cast<Value>(cell.weight - Words{});
        } else if constexpr (sizeof(T) == 4) {
            return V::all(static_cast<T>(cell.weight));
        } else {
            return V::all(cell.weight);
        }
    }
    Mask goes_left(Mask bits, int part) const {
        return (bits & lane_bit[part]) == lane_bit[part];
    }
};

// Whether both sides of a boundary inside a child keep enough rows.
template <class T> struct RowCounts {
    using V = Vectors<T>;
    using Value = typename V::Value;
    static constexpr int parts = kParts<T>;

    Value left[parts] = {}, total_left[parts] = {}; // of the left child: so far, and in all
    Value right[parts] = {}, total_right[parts] = {};
    Value least;

    explicit RowCounts(std::uint32_t min_rows) : least(V::all(static_cast<T>(min_rows))) {}
    void restart() {
        for (int p = 0; p < parts; ++p) left[p] = right[p] = V::zero();
    }
    void add(int p, typename V::Mask goes_left) {
        left[p] += V::only(V::all(T{1}), goes_left);
        right[p] += V::only(V::all(T{1}), ~goes_left);
    }
    typename V::Mask left_allowed(int p) const {
        return (left[p] >= least) & (total_left[p] - left[p] >= least);
    }
    typename V::Mask right_allowed(int p) const {
        return (right[p] >= least) & (total_right[p] - right[p] >= least);
    }
};

template <class T, bool kMinRows> struct TwoClasses {
    using G = Group<T>;
    using V = Vectors<T>;
    using Value = typename V::Value;
    static constexpr int parts = kParts<T>;

    // With rows of weight +w and -w a boundary with prefix sum s in a child of sum t and weight W
    // classifies (W + |s| + |t - s|) / 2 = (W + max(|t|, |2s - t|)) / 2 right: only the smallest
    // and the largest s over all boundaries of all features matter. A boundary that is not
    // allowed counts as s = 0, which is the child undivided.
    Value low_left[parts] = {}, high_left[parts] = {}, low_right[parts] = {}, high_right[parts] = {};

    template <class Id, bool kDistinct>
    void pass(const Id* entries, std::uint32_t n, const Cell<T>* cells, const G& group,
              RowCounts<T>& counts) {
        Value left[parts] = {}, low_l[parts], high_l[parts], low_r[parts], high_r[parts];
        Value seen = V::zero();
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
                        l = V::only(l, counts.left_allowed(p));
                        r = V::only(r, counts.right_allowed(p));
                    }
                    low_l[p] = V::min(low_l[p], l);
                    high_l[p] = V::max(high_l[p], l);
                    low_r[p] = V::min(low_r[p], r);
                    high_r[p] = V::max(high_r[p], r);
                }
            }
            const Cell<T>& cell = cells[entry & Entry<Id>::kMask];
            const typename V::Mask bits = G::spread_bits(cell);
            const Value weight = G::spread_weight(cell);
            seen += weight;
            for (int p = 0; p < parts; ++p) {
                const typename V::Mask goes_left = group.goes_left(bits, p);
                left[p] += V::only(weight, goes_left);
                if constexpr (kMinRows) counts.add(p, goes_left);
            }
        }
        for (int p = 0; p < parts; ++p) {
            low_left[p] = low_l[p];
            high_left[p] = high_l[p];
            low_right[p] = low_r[p];
            high_right[p] = high_r[p];
        }
    }
};

template <class T> double best_of_two(double weight, double sum, T low, T high) {
    const double above = 2 * static_cast<double>(high) - sum;
    const double below = sum - 2 * static_cast<double>(low);
    double best = sum < 0 ? -sum : sum;
    if (above > best) best = above;
    if (below > best) best = below;
    return (weight + best) / 2;
}

template <class T> void fill_cells(const BatchInput& input, int first, int here, bool sign) {
    auto* cells = static_cast<Cell<T>*>(input.cells);
    const std::uint32_t used = here == 32 ? ~0u : (1u << here) - 1u;
    for (std::uint32_t i = 0; i < input.n_rows; ++i) {
        const double w = input.weights ? input.weights[i] : 1.0;
        cells[i] = make_cell<T>((input.bits[i] >> first) & used,
                                sign && !input.labels[i] ? -w : w);
    }
}

template <class T, bool kMinRows>
void run_two_classes(const BatchInput& input, BatchOutput& output) {
    const std::uint32_t n = input.n_rows;
    const auto* cells = static_cast<const Cell<T>*>(input.cells);
    const Group<T> group;
    double all = 0, all_sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        const double w = input.weights ? input.weights[i] : 1.0;
        all += w;
        all_sum += input.labels[i] ? w : -w;
    }
    for (int first = 0; first < input.n_tests; first += kGroup<T>) {
        double left_weight[kGroup<T>] = {}, left_sum[kGroup<T>] = {};
        const int left_over = input.n_tests - first;
        const int here = left_over < kGroup<T> ? left_over : kGroup<T>;
        TwoClasses<T, kMinRows> best;
        RowCounts<T> counts(input.min_samples_leaf);
        fill_cells<T>(input, first, here, true);
        {
            typename Vectors<T>::Value sum[kParts<T>] = {}, weight[kParts<T>] = {};
            for (std::uint32_t i = 0; i < n; ++i) {
                const auto bits = Group<T>::spread_bits(cells[i]);
                const auto y = Group<T>::spread_weight(cells[i]);
                for (int p = 0; p < kParts<T>; ++p) {
                    const auto goes_left = group.goes_left(bits, p);
                    const auto part = Vectors<T>::only(y, goes_left);
                    sum[p] += part;
                    weight[p] += input.labels[i] ? part : -part;
                    if constexpr (kMinRows) {
                        counts.total_left[p] +=
                            Vectors<T>::only(Vectors<T>::all(T{1}), goes_left);
                        counts.total_right[p] +=
                            Vectors<T>::only(Vectors<T>::all(T{1}), ~goes_left);
                    }
                }
            }
            for (int b = 0; b < kGroup<T>; ++b) {
                const int p = b / Vectors<T>::kLanes, k = b % Vectors<T>::kLanes;
                left_sum[b] = static_cast<double>(sum[p][k]);
                left_weight[b] = static_cast<double>(weight[p][k]);
            }
        }
        const auto passes = [&](auto id) {
            using Id = decltype(id);
            for (std::uint32_t s = 0; s < input.n_slots; ++s) {
                const Id* entries = static_cast<const Id*>(input.orders) + std::size_t{n} * s;
                if (input.n_runs[s] == n) {
                    best.template pass<Id, true>(entries, n, cells, group, counts);
                } else {
                    best.template pass<Id, false>(entries, n, cells, group, counts);
                }
            }
        };
        input.narrow ? passes(std::uint16_t{}) : passes(std::uint32_t{});
        for (int b = 0; b < here; ++b) {
            const int p = b / Vectors<T>::kLanes, k = b % Vectors<T>::kLanes;
            output.left[first + b] = best_of_two<T>(left_weight[b], left_sum[b],
                                                    best.low_left[p][k], best.high_left[p][k]);
            output.right[first + b] =
                best_of_two<T>(all - left_weight[b], all_sum - left_sum[b],
                               best.low_right[p][k], best.high_right[p][k]);
        }
    }
}

// K classes: a boundary classifies (heaviest class before it) + (heaviest class behind it) right.
// One pass forward keeps the running heaviest at every boundary, one backward adds the rest.
template <class T, bool kMinRows>
void run_many_classes(const BatchInput& input, BatchOutput& output) {
    using V = Vectors<T>;
    using Value = typename V::Value;
    using Mask = typename V::Mask;
    constexpr int parts = kParts<T>;
    const std::uint32_t n = input.n_rows;
    const auto n_classes = static_cast<std::size_t>(input.n_classes);
    const auto* cells = static_cast<const Cell<T>*>(input.cells);
    auto* counters = static_cast<Value*>(input.counters); // [class][side][part]
    auto* forward = static_cast<Value*>(input.forward);   // [boundary][side][part]
    const Group<T> group;
    const auto clear_counters = [&] {
        for (std::size_t i = 0; i < 2 * parts * n_classes; ++i) counters[i] = V::zero();
    };

    for (int first = 0; first < input.n_tests; first += kGroup<T>) {
        const int left_over = input.n_tests - first;
        const int here = left_over < kGroup<T> ? left_over : kGroup<T>;
        fill_cells<T>(input, first, here, false);
        RowCounts<T> counts(input.min_samples_leaf);
        Value best_left[parts] = {}, best_right[parts] = {};

        // Adds one row to the counters of its class; heaviest[side][part] follows.
        Value heaviest_left[parts], heaviest_right[parts];
        const auto restart = [&] {
            clear_counters();
            counts.restart();
            for (int p = 0; p < parts; ++p) heaviest_left[p] = heaviest_right[p] = V::zero();
        };
        const auto add = [&](std::uint32_t id) {
            const Cell<T>& cell = cells[id];
            const Mask bits = Group<T>::spread_bits(cell);
            const Value weight = Group<T>::spread_weight(cell);
            Value* of_class = counters + 2 * parts * std::size_t{input.labels[id]};
            for (int p = 0; p < parts; ++p) {
                const Mask goes_left = group.goes_left(bits, p);
                const Value left = of_class[p] += V::only(weight, goes_left);
                const Value right = of_class[parts + p] += V::only(weight, ~goes_left);
                heaviest_left[p] = V::max(heaviest_left[p], left);
                heaviest_right[p] = V::max(heaviest_right[p], right);
                if constexpr (kMinRows) counts.add(p, goes_left);
            }
        };

        // The children undivided, and their numbers of rows.
        restart();
        for (std::uint32_t i = 0; i < n; ++i) add(i);
        for (int p = 0; p < parts; ++p) {
            best_left[p] = heaviest_left[p];
            best_right[p] = heaviest_right[p];
            counts.total_left[p] = counts.left[p];
            counts.total_right[p] = counts.right[p];
        }

        const auto passes = [&](auto id_type) {
            using Id = decltype(id_type);
            for (std::uint32_t s = 0; s < input.n_slots; ++s) {
                const Id* entries = static_cast<const Id*>(input.orders) + std::size_t{n} * s;
                restart();
                Value* at = forward;
                for (std::uint32_t i = 0; i < n; ++i) {
                    const Id entry = entries[i];
                    if (entry & Entry<Id>::kStart) {
                        for (int p = 0; p < parts; ++p) {
                            at[p] = heaviest_left[p];
                            at[parts + p] = heaviest_right[p];
                        }
                        at += 2 * parts;
                    }
                    add(entry & Entry<Id>::kMask);
                }
                restart();
                for (std::uint32_t i = n; i-- > 0;) {
                    add(entries[i] & Entry<Id>::kMask);
                    if (!(entries[i] & Entry<Id>::kStart)) continue;
                    at -= 2 * parts;
                    for (int p = 0; p < parts; ++p) {
                        Value l = at[p] + heaviest_left[p];
                        Value r = at[parts + p] + heaviest_right[p];
                        if constexpr (kMinRows) {
                            l = V::only(l, counts.left_allowed(p));
                            r = V::only(r, counts.right_allowed(p));
                        }
                        best_left[p] = V::max(best_left[p], l);
                        best_right[p] = V::max(best_right[p], r);
                    }
                }
            }
        };
        input.narrow ? passes(std::uint16_t{}) : passes(std::uint32_t{});
        for (int b = 0; b < here; ++b) {
            const int p = b / V::kLanes, k = b % V::kLanes;
            output.left[first + b] = static_cast<double>(best_left[p][k]);
            output.right[first + b] = static_cast<double>(best_right[p][k]);
        }
    }
}

template <class T>
void run(const BatchInput& input, BatchOutput& output) {
    const bool two = input.n_classes == 2, plain = input.min_samples_leaf <= 1;
    if (two) {
        plain ? run_two_classes<T, false>(input, output)
              : run_two_classes<T, true>(input, output);
    } else {
        plain ? run_many_classes<T, false>(input, output)
              : run_many_classes<T, true>(input, output);
    }
}

} // namespace

void best_stumps(const BatchInput& input, Lane lane, BatchOutput& output) {
    switch (lane) {
    case Lane::int16: return run<std::int16_t>(input, output);
    case Lane::int32: return run<std::int32_t>(input, output);
    case Lane::real: return run<double>(input, output);
    }
}

} // namespace treefront::TREEFRONT_VARIANT
