// In which orders the levels of a category are tested: every cut of an order is a test "is one of".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treefront {

using LevelOrder = std::vector<std::uint32_t>;

// Up to so many levels every set of levels is a cut of some order.
inline constexpr std::size_t kAllSets = 4;

// class_weights[level * n_classes + class]; levels without weight are left out. The first order is
// by the share of class 1 (with two classes: the one that holds the best single test); with more
// classes there is one order for each of the heaviest ones. Then what kAllSets promises.
std::vector<LevelOrder> level_orders(std::span<const double> class_weights, std::size_t n_classes);

} // namespace treefront
