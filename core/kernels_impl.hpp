// The batched stump pass, written once; kernels_*.cpp compile it for each instruction set.
//
// Lane b of a register belongs to test b of the batch. A pass walks a feature's sorted rows and
// holds per lane the running class weight of the rows seen so far that test b sends left; the
// rows it sends right are all seen minus those. Where a run of equal values ends the two children
// could be divided, so the running sums are compared with the best so far.

// Nothing here may be shared with code compiled for another instruction set (see batch.hpp): no
// standard containers or algorithms, and every name but one inside an unnamed namespace.

#include "batch.hpp"
#include "entry.hpp"
#include "lanes.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

// Vectors per sum: as many as leave the running sums in registers.
template <class T>
inline constexpr int kParts = sizeof(T) == 2 && kVectorBytes > 16 ? 1 : 2;
// With two classes there are registers for more.
template <class T>
inline constexpr int kPartsOfTwo = sizeof(T) == 8 && kVectorBytes > 32 ? 4 : kParts<T>;
// Tests per pass.
template <class T, int kCount = kParts<T>>
inline constexpr int kGroup = kCount * Vectors<T>::kLanes;
static_assert(kGroup<std::int16_t> <= kBatch);

// A row as a pass reads it: which tests of the group send it left, and its weight (with two
// classes minus the weight for class 0), each a word that is broadcast from memory without a
// shuffle: halves of a word repeat where lanes have 16 bits.
template <class T>
struct Cell {
    std::uint32_t bits;
    std::uint32_t weight;
};
template <>
struct Cell<double> {
    std::int64_t bits;
    double weight;
};

template <class T>
Cell<T> make_cell(std::uint32_t bits, double weight) {
    if constexpr (sizeof(T) == 2) {
        const auto w = static_cast<std::uint16_t>(static_cast<std::int16_t>(weight));
#ifndef TREEFRONT_LANE_MASKS
        bits = (bits & 0xffffu) * 0x10001u;
#endif
        return {bits, w * 0x10001u};
    } else if constexpr (sizeof(T) == 4) {
        return {bits, static_cast<std::uint32_t>(static_cast<std::int32_t>(weight))};
    } else {
        return {bits, weight};
    }
}

// How a cell is read by the lanes of a group.
template <class T, int kCount = kParts<T>>
class Reader {
    using V = Vectors<T>;
    using Value = typename V::Value;

public:
    static Value weight(const Cell<T>& cell) {
        if constexpr (sizeof(T) == 2)
            return (Value)(cell.weight - Words{});
        else
            return V::all(static_cast<T>(cell.weight));
    }
#ifdef TREEFRONT_LANE_MASKS
    Lanes<T> left(const Cell<T>& cell, int part) const {
        return Lanes<T>(static_cast<std::uint32_t>(cell.bits) >> (part * V::kLanes));
    }
#else
    Reader() {
        for (int p = 0; p < kCount; ++p) {
            for (int k = 0; k < V::kLanes; ++k) {
                lane_bit_[p][k] = static_cast<typename V::Bits>(1u << (p * V::kLanes + k));
            }
        }
    }
    Lanes<T> left(const Cell<T>& cell, int part) const {
        using Mask = typename V::Mask;
        if constexpr (sizeof(T) == 2) {
            return Lanes<T>((Mask)(cell.bits - Words{}), lane_bit_[part]);
        } else {
            return Lanes<T>(static_cast<typename V::Bits>(cell.bits) - Mask{}, lane_bit_[part]);
        }
    }
#endif

private:
    typedef std::uint32_t Words __attribute__((vector_size(kVectorBytes)));
#ifndef TREEFRONT_LANE_MASKS
    typename V::Mask lane_bit_[kCount];
#endif
};

// Whether both sides of a boundary inside a child keep enough rows.
template <class T, int kCount = kParts<T>>
struct RowCounts {
    using V = Vectors<T>;
    using Value = typename V::Value;
    static constexpr int parts = kCount;

    Value left[parts] = {}, total_left[parts] = {}; // of the left child: so far, and in all
    Value right[parts] = {}, total_right[parts] = {};
    Value least;

    explicit RowCounts(std::uint32_t min_rows) : least(V::all(static_cast<T>(min_rows))) {}
    void restart() {
        for (int p = 0; p < parts; ++p) left[p] = right[p] = Value{};
    }
    void add(int p, const Lanes<T>& goes_left) {
        left[p] = goes_left.add(left[p], V::all(T{1}));
        right[p] = goes_left.others().add(right[p], V::all(T{1}));
    }
    void keep_totals() {
        for (int p = 0; p < parts; ++p) {
            total_left[p] = left[p];
            total_right[p] = right[p];
        }
    }
    Value only_left(int p, Value x) const {
        return V::only(x, (left[p] >= least) & (total_left[p] - left[p] >= least));
    }
    Value only_right(int p, Value x) const {
        return V::only(x, (right[p] >= least) & (total_right[p] - right[p] >= least));
    }
};

template <class T>
void fill_cells(const BatchInput& input, int first, int here, bool sign) {
    auto* cells = static_cast<Cell<T>*>(input.cells);
    const std::uint32_t used = here == 32 ? ~0u : (1u << here) - 1u;
    for (std::uint32_t i = 0; i < input.n_rows; ++i) {
        const double w = input.weights ? input.weights[i] : 1.0;
        cells[i] = make_cell<T>((input.bits[i] >> first) & used, sign && !input.labels[i] ? -w : w);
    }
}

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

template <class T>
void run(const BatchInput& input, BatchOutput* outputs) {
    const bool plain = input.min_samples_leaf <= 1;
    if (input.n_classes == 2) {
        plain ? run_two_classes<T, false>(input, outputs)
              : run_two_classes<T, true>(input, outputs);
    } else {
        plain ? run_many_classes<T, false>(input, outputs)
              : run_many_classes<T, true>(input, outputs);
    }
}

} // namespace

void best_stumps(const BatchInput& input, Lane lane, BatchOutput* outputs) {
    if (input.n_outputs > 0) {
        const bool plain = input.min_samples_leaf <= 1;
        if (input.squared) {
            return plain ? run_moments<false, true>(input, outputs)
                         : run_moments<true, true>(input, outputs);
        }
        return plain ? run_moments<false, false>(input, outputs)
                     : run_moments<true, false>(input, outputs);
    }
    switch (lane) {
    case Lane::int16:
        return run<std::int16_t>(input, outputs);
    case Lane::int32:
        return run<std::int32_t>(input, outputs);
    case Lane::real:
        return run<double>(input, outputs);
    }
}

} // namespace treefront::TREEFRONT_VARIANT
