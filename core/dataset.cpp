#include "dataset.hpp"

#include "levels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace treefront {

namespace {

// splitmix64: the row words only have to look independent; they are the same in every run.
std::uint64_t scramble(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

struct Keyed {
    std::uint64_t key;
    std::uint32_t row;
};

// Doubles in order as unsigned integers: positive numbers get the top bit, negative ones are
// turned over. Adding zero makes -0.0 the same value as 0.0.
std::uint64_t to_key(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}

double to_value(std::uint64_t key) {
    return std::bit_cast<double>(key >> 63 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

// Stable, by key. Three radix passes order the upper 32 bits (a relative difference of 2^-20), and
// few values agree in those without being equal: such groups are sorted one by one. Against
// std::sort 3 to 4 times faster from some thousand rows on.
void sort_keyed(std::vector<Keyed>& rows, std::vector<Keyed>& spare) {
    const auto smaller = [](const Keyed& a, const Keyed& b) { return a.key < b.key; };
    if (rows.size() < 512) {
        std::stable_sort(rows.begin(), rows.end(), smaller);
        return;
    }
    spare.resize(rows.size());
    for (const auto& [shift, bits] : {std::pair{32, 11}, std::pair{43, 11}, std::pair{54, 10}}) {
        const auto digit = [shift = shift, mask = (1u << bits) - 1](const Keyed& row) {
            return static_cast<std::uint32_t>(row.key >> shift) & mask;
        };
        std::array<std::uint32_t, 1 << 11> next{};
        for (const Keyed& row : rows) ++next[digit(row)];
        std::uint32_t before = 0;
        for (std::uint32_t& count : next) before += std::exchange(count, before);
        for (const Keyed& row : rows) spare[next[digit(row)]++] = row;
        rows.swap(spare);
    }
    const auto upper = [](const Keyed& row) { return row.key >> 32; };
    for (auto begin = rows.begin(); begin != rows.end();) {
        auto end = begin + 1;
        while (end != rows.end() && upper(*end) == upper(*begin)) ++end;
        if (!std::is_sorted(begin, end, smaller)) std::stable_sort(begin, end, smaller);
        begin = end;
    }
}

struct PricedColumn {
    std::uint32_t index;
    double cost;
    std::uint32_t group; // 0, 1, .. in ascending order
};

// The columns by group; without groups those of one cost are one.
std::vector<PricedColumn> by_group(std::size_t n_columns, const FeatureCosts& prices) {
    const bool once = !prices.groups.empty();
    if ((!prices.costs.empty() && prices.costs.size() != n_columns) ||
        (once && prices.groups.size() != n_columns)) {
        throw InvalidInput("feature costs and groups must be one per column");
    }
    std::vector<PricedColumn> columns;
    for (std::uint32_t c = 0; c < n_columns; ++c) {
        const double cost = prices.costs.empty() ? 1.0 : prices.costs[c];
        if (!(cost >= 0) || !std::isfinite(cost)) {
            throw InvalidInput("the cost of feature " + std::to_string(c) +
                               " is not a finite number of at least 0");
        }
        columns.push_back({c, cost, 0});
    }
    const auto key = [&](const PricedColumn& column) {
        return once ? static_cast<double>(prices.groups[column.index]) : column.cost;
    };
    std::stable_sort(columns.begin(), columns.end(),
                     [&](const PricedColumn& a, const PricedColumn& b) { return key(a) < key(b); });
    for (std::size_t i = 1; i < columns.size(); ++i) {
        columns[i].group = columns[i - 1].group + (key(columns[i]) != key(columns[i - 1]));
        if (columns[i].group == columns[i - 1].group && columns[i].cost != columns[i - 1].cost) {
            throw InvalidInput("the features of a group must have one cost");
        }
    }
    return columns;
}

// Of several numbers to predict these give orders of levels.
constexpr std::size_t kMostOrderedOutputs = 3;

} // namespace

Dataset::Dataset(std::span<const Column> columns, const Targets& targets,
                 std::span<const double> weights, const Limits& limits,
                 std::span<const std::int32_t> n_levels, const FeatureCosts& feature_costs,
                 std::span<const std::int32_t> signs)
    : n_classes_(targets.n_classes), n_columns_(columns.size()), n_outputs_(targets.n_outputs),
      loss_(targets.n_outputs == 0 ? Loss::classes
            : targets.costs        ? Loss::cheapest
            : targets.absolute     ? Loss::absolute
                                   : Loss::squared),
      once_(!feature_costs.groups.empty()) {
    const auto labels = targets.labels;
    const int n_classes = targets.n_classes;
    const std::size_t n = labels.size();
    if (n == 0) throw InvalidInput("the training data has no rows");
    if (n > std::numeric_limits<std::int32_t>::max()) {
        throw InvalidInput("more than 2^31 - 1 rows are not supported");
    }
    if (n_classes < 1 || n_classes > std::numeric_limits<std::uint16_t>::max()) {
        throw InvalidInput("the number of classes must lie between 1 and 65535, got " +
                           std::to_string(n_classes));
    }
    if (!weights.empty() && weights.size() != n) {
        throw InvalidInput("sample_weight needs one weight per row");
    }

    labels_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (labels[i] < 0 || labels[i] >= n_classes) {
            throw InvalidInput("label of row " + std::to_string(i) + " is not a class index");
        }
        labels_.push_back(static_cast<std::uint16_t>(labels[i]));
    }

    // Weights that are all 1 are counts: drop them, so that both spellings run the same code.
    total_weight_ = static_cast<double>(n);
    if (std::any_of(weights.begin(), weights.end(), [](double w) { return w != 1.0; })) {
        adopt_weights(weights);
    }
    if (!targets.loss_weights.empty()) adopt_loss_weights(targets.loss_weights);
    if (n_outputs_ > 0) adopt_moments(targets.numbers);

    if (!n_levels.empty() && n_levels.size() != columns.size()) {
        throw InvalidInput("the numbers of levels must be one per column");
    }
    if (!signs.empty() && signs.size() != columns.size()) {
        throw InvalidInput("the signs must be one per column");
    }
    any_sign_ = std::any_of(signs.begin(), signs.end(), [](std::int32_t s) { return s != 0; });
    const bool has_one_value = regression() ? n_outputs_ == 1 : n_outputs_ == 0 && n_classes == 2;
    if (any_sign_ && !has_one_value) {
        throw InvalidInput("signs of features need two classes or one number to predict");
    }
    ranks_.reserve(columns.size() * n);
    for (const PricedColumn& column : by_group(columns.size(), feature_costs)) {
        limits.throw_if_cancelled();
        const std::uint32_t c = column.index;
        const int sign = signs.empty() ? 0 : signs[c];
        if (n_levels.empty() || n_levels[c] == 0)
            add_numbers(c, columns[c], sign);
        else if (sign == 0)
            add_levels(c, columns[c], n_levels[c]);
        else
            throw InvalidInput("feature " + std::to_string(c) + " has levels and a sign");
        costs_.resize(values_.size(), column.cost);
        groups_.resize(values_.size(), column.group);
        n_groups_ = column.group + 1;
    }
    if (!costs_.empty()) highest_cost_ = *std::max_element(costs_.begin(), costs_.end());
    for (std::uint64_t g = 0; g < n_groups_; ++g) {
        // Not among the words of the rows, of which there are fewer than 2^32.
        group_hashes_.push_back(
            {scramble((g << 33) + 0x100000000u), scramble((g << 33) + 0x100000001u)});
    }

    hashes_.reserve(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        hashes_.push_back({scramble(2 * i), scramble(2 * i + 1)});
    }
}

std::uint32_t* Dataset::add_feature(std::uint32_t column, Order order, std::vector<double> values) {
    values.shrink_to_fit();
    values_.push_back(std::move(values));
    columns_.push_back(column);
    orders_.push_back(order);
    signs_.push_back(0);
    ranks_.resize(ranks_.size() + n_rows());
    return ranks_.data() + ranks_.size() - n_rows();
}

void Dataset::add_numbers(std::uint32_t column, const Column& cells, int sign) {
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    std::vector<Keyed> sorted, spare;
    sorted.reserve(n_rows());
    std::vector<std::uint32_t> missing;
    for (std::uint32_t i = 0; i < n_rows(); ++i) {
        const double value = cells[i];
        if (std::isinf(value)) {
            throw InvalidInput("feature " + std::to_string(column) + " of row " +
                               std::to_string(i) + " is infinite");
        }
        if (is_missing(value))
            missing.push_back(i);
        else
            sorted.push_back({to_key(value), i});
    }
    sort_keyed(sorted, spare);
    std::vector<double> distinct;
    std::vector<std::uint32_t> rank_of(sorted.size()); // of sorted[k]
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        if (k == 0 || sorted[k].key != sorted[k - 1].key) {
            distinct.push_back(to_value(sorted[k].key));
        }
        rank_of[k] = static_cast<std::uint32_t>(distinct.size() - 1);
    }
    const auto n_numbers = static_cast<std::uint32_t>(distinct.size());
    const auto add = [&](Order order, std::vector<double> values, std::uint32_t first_number,
                         std::uint32_t missing_rank) {
        std::uint32_t* ranks = add_feature(column, order, std::move(values));
        signs_.back() = static_cast<std::int8_t>(sign);
        for (std::size_t k = 0; k < sorted.size(); ++k) {
            ranks[sorted[k].row] = first_number + rank_of[k];
        }
        for (std::uint32_t row : missing) ranks[row] = missing_rank;
    };
    if (missing.empty()) return add(Order::numbers, std::move(distinct), 0, 0);
    std::vector<double> first = distinct, presence(1, distinct.empty() ? 0.0 : distinct[0]);
    first.insert(first.begin(), kMissing);
    distinct.push_back(kMissing);
    presence.push_back(kMissing);
    add(Order::missing_last, std::move(distinct), 0, n_numbers);
    add(Order::missing_first, std::move(first), 1, 0);
    if (sign == 0) return;
    std::fill(rank_of.begin(), rank_of.end(), 0u);
    add(Order::presence, std::move(presence), 0, 1);
    signs_.back() = 0;
}

void Dataset::add_levels(std::uint32_t column, const Column& cells, std::int32_t n_levels) {
    // What is missing is a level of its own, the last one.
    const auto missing = static_cast<std::uint32_t>(n_levels);
    std::vector<std::uint32_t> levels(n_rows());
    for (std::uint32_t i = 0; i < n_rows(); ++i) {
        const double cell = cells[i];
        if (!is_missing(cell) && !(cell >= 0 && cell < n_levels && cell == std::floor(cell))) {
            throw InvalidInput("feature " + std::to_string(column) + " of row " +
                               std::to_string(i) + " is not the code of a level");
        }
        levels[i] = is_missing(cell) ? missing : static_cast<std::uint32_t>(cell);
    }
    for (const LevelOrder& order : orders_of(levels, std::size_t{missing} + 1)) {
        std::vector<double> values;
        std::vector<std::uint32_t> rank_of(std::size_t{missing} + 1, 0);
        for (std::uint32_t level : order) {
            rank_of[level] = static_cast<std::uint32_t>(values.size());
            values.push_back(level == missing ? std::numeric_limits<double>::quiet_NaN() : level);
        }
        std::uint32_t* ranks = add_feature(column, Order::levels, std::move(values));
        for (std::size_t i = 0; i < levels.size(); ++i) ranks[i] = rank_of[levels[i]];
    }
}

std::vector<LevelOrder> Dataset::orders_of(std::span<const std::uint32_t> levels,
                                           std::size_t n_levels) const {
    // A number between its smallest and its largest value counts as a share of the larger one.
    const std::size_t k = regression() ? 2 : static_cast<std::size_t>(n_classes_);
    const std::size_t n_outputs = regression() ? n_outputs_ : 1;
    std::vector<LevelOrder> orders;
    for (std::size_t d = 0; d < std::min(n_outputs, kMostOrderedOutputs); ++d) {
        double low = 0, high = 0; // of numbers, per unit of weight
        for (std::uint32_t i = 0; regression() && i < n_rows(); ++i) {
            const double y = moments(RowId{i})[d] / weight(RowId{i});
            low = i == 0 ? y : std::min(low, y);
            high = i == 0 ? y : std::max(high, y);
        }
        std::vector<double> weights(n_levels * k, 0.0);
        for (std::uint32_t i = 0; i < n_rows(); ++i) {
            const RowId row{i};
            double* of_level = weights.data() + levels[i] * k;
            if (!regression()) {
                of_level[labels_[i]] += loss_weight(row);
            } else {
                of_level[0] += high * weight(row) - moments(row)[d];
                of_level[1] += moments(row)[d] - low * weight(row);
            }
        }
        for (LevelOrder& order : level_orders(weights, k)) {
            if (std::find(orders.begin(), orders.end(), order) == orders.end()) {
                orders.push_back(std::move(order));
            }
        }
    }
    return orders;
}

std::uint32_t Dataset::cut_between(std::size_t feature, std::uint32_t low,
                                   std::uint32_t high) const {
    const auto& values = values_[feature];
    if (orders_[feature] == Order::levels || is_missing(values[low])) return low;
    if (is_missing(values[high])) return high - 1;
    const double threshold = midpoint(values[low], values[high]);
    return static_cast<std::uint32_t>(
        std::upper_bound(values.begin() + low, values.begin() + high, threshold) - values.begin() -
        1);
}

namespace {

// A power of two, so many binary digits below a positive sum.
double grid_below(double sum, int digits) {
    int exponent = 0;
    std::frexp(sum, &exponent);
    return std::ldexp(1.0, exponent - digits);
}

struct Weights {
    std::vector<double> of_row;
    double total = 0;
    bool whole = true;
};

// Real weights are rounded to a common grid, so many binary digits below their sum. Sums of errors
// are then exact in any order; with 46 digits so are the tests made by trees of up to 2^7 levels:
// no tolerance anywhere.
Weights on_a_grid(std::span<const double> given, int digits, bool may_be_zero = false) {
    Weights weights{{given.begin(), given.end()}};
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!(given[i] > 0 || (may_be_zero && given[i] == 0)) || !std::isfinite(given[i])) {
            throw InvalidInput("weight of row " + std::to_string(i) +
                               " is not a positive finite number");
        }
        weights.total += given[i];
        weights.whole = weights.whole && given[i] == std::floor(given[i]);
    }
    if (!std::isfinite(weights.total)) throw InvalidInput("the sum of the weights overflows");
    weights.whole = weights.whole && weights.total < std::ldexp(1.0, digits);
    if (weights.whole) return weights;
    const double grid = grid_below(weights.total, digits);
    weights.total = 0;
    for (double& w : weights.of_row) {
        // What is above 0 stays so: its row may still have a price.
        if (w > 0) w = std::max(std::nearbyint(w / grid), 1.0) * grid;
        weights.total += w;
    }
    return weights;
}

} // namespace

void Dataset::adopt_weights(std::span<const double> weights) {
    Weights adopted = on_a_grid(weights, 46);
    weights_ = std::move(adopted.of_row);
    total_weight_ = adopted.total;
    whole_weights_ = adopted.whole;
}

void Dataset::adopt_loss_weights(std::span<const double> weights) {
    if (weights.size() != n_rows()) throw InvalidInput("loss weights must be one per row");
    // No sum of errors exceeds the total.
    Weights adopted = on_a_grid(weights, 52, true);
    loss_weights_ = std::move(adopted.of_row);
    whole_weights_ = adopted.whole;
    total_loss_weight_ = adopted.total;
    unit_loss_ = 0;
    for (std::uint32_t i = 0; i < n_rows(); ++i) {
        unit_loss_ = std::max(unit_loss_, loss_weights_[i] / weight(RowId{i}));
    }
    if (!(unit_loss_ > 0)) unit_loss_ = 1;
}

// No sum of moments is larger than that of their absolute values.
constexpr int kMomentDigits = 52;

void Dataset::adopt_moments(std::span<const double> numbers) {
    if (numbers.size() != n_rows() * n_outputs_) {
        throw InvalidInput("there must be n_outputs numbers per row");
    }
    if (loss_ == Loss::absolute) adopt_numbers(numbers);
    std::vector<double> low(n_outputs_, std::numeric_limits<double>::infinity());
    std::vector<double> high(n_outputs_, -std::numeric_limits<double>::infinity());
    moments_.resize(numbers.size());
    squares_.assign(n_rows(), 0.0);
    double size = 0, squares = 0;
    for (std::uint32_t i = 0; i < n_rows(); ++i) {
        const double w = weight(RowId{i});
        for (std::size_t d = 0; d < n_outputs_; ++d) {
            const double y =
                (numbers_.empty() ? numbers
                                  : std::span<const double>(numbers_))[i * n_outputs_ + d];
            if (!std::isfinite(y)) {
                throw InvalidInput("target of row " + std::to_string(i) +
                                   " is not a finite number");
            }
            low[d] = std::min(low[d], y);
            high[d] = std::max(high[d], y);
            moments_[i * n_outputs_ + d] = w * y;
            if (loss_ != Loss::absolute) squares_[i] += w * y * y;
            size += std::fabs(w * y);
        }
        squares += squares_[i];
    }
    unit_loss_ = 0;
    for (std::size_t d = 0; d < n_outputs_; ++d) {
        const double range = high[d] - low[d];
        if (loss_ == Loss::cheapest)
            unit_loss_ = std::max(unit_loss_, high[d]);
        else
            unit_loss_ += loss_ == Loss::absolute ? range : range * range;
    }
    if (!(unit_loss_ > 0)) unit_loss_ = 1; // all the same: nothing is searched
    if (!(size > 0)) return;
    const double moment_grid = grid_below(size, kMomentDigits);
    for (double& m : moments_) m = std::nearbyint(m / moment_grid) * moment_grid;
    loss_grid_ = grid_below(size, 42);
    if (!(squares > 0)) return;
    const double square_grid = grid_below(squares, 46);
    for (double& s : squares_) s = std::nearbyint(s / square_grid) * square_grid;
    loss_grid_ = grid_below(squares, 42);
}

// Rows that all count 1 have the numbers themselves as moments, which must then be on that grid.
void Dataset::adopt_numbers(std::span<const double> numbers) {
    numbers_.assign(numbers.begin(), numbers.end());
    double size = 0;
    for (double y : numbers_) size += std::fabs(y);
    if (!(size > 0) || !std::isfinite(size)) return;
    const double grid = grid_below(size, kMomentDigits);
    for (double& y : numbers_) y = std::nearbyint(y / grid) * grid;
}

double Dataset::leaf_loss(double weight, double square, const double* moments,
                          const ValueBounds& bounds) const {
    if (!(weight > 0)) return 0;
    if (loss_ == Loss::cheapest) return *std::min_element(moments, moments + n_outputs_);
    const double mean = moments[0] / weight;
    if (!bounds.none() && !bounds.hold(mean)) {
        const double value = bounds.clip(mean);
        return std::max(on_loss_grid(square - 2 * value * moments[0] + value * value * weight),
                        0.0);
    }
    double explained = 0;
    for (std::size_t d = 0; d < n_outputs_; ++d) explained += moments[d] * moments[d];
    return std::max(on_loss_grid(square - explained / weight), 0.0);
}

double Dataset::on_loss_grid(double loss) const {
    if (loss_ == Loss::cheapest) return loss; // sums of moments are exact
    return std::nearbyint(loss / loss_grid_) * loss_grid_;
}

RowSetHash Dataset::hash_of(const ValueBounds& bounds) {
    if (bounds.none()) return {};
    const auto low = scramble(std::bit_cast<std::uint64_t>(bounds.low + 0.0));
    const auto high =
        scramble(std::bit_cast<std::uint64_t>(bounds.high + 0.0) ^ 0x5555555555555555u);
    return {scramble(low ^ (high << 1 | high >> 63)), scramble(high ^ (low << 1 | low >> 63))};
}

double Dataset::midpoint(double low, double high) {
    const double middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

} // namespace treefront
