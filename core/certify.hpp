// From a front that was found to a front that is proved (design.md, section 6).
#pragma once

#include "exact.hpp"
#include "front.hpp"

#include <vector>

namespace treefront {

struct Certificate {
    FrontPtr front;
    std::vector<bool> proved; // by vertex: no tree of the depth has less E + alpha C at some alpha
    double lower = 0;         // no tree has less E + alpha C, at the alpha asked for
};

// Proves, or replaces, the tree of the front that is best at `settings.objective.alpha`.
Certificate certify_tree(const Subset& root, const ExactSettings& settings, const Kernels& kernels,
                         Limits& limits, const FrontPtr& found);

// Proves every vertex, by the search for all prices at once. No vertex is proved where a limit
// ended it.
Certificate certify_front(const Subset& root, const ExactSettings& settings, const Kernels& kernels,
                          Limits& limits, const FrontPtr& found);

} // namespace treefront
