// A greedy tree (CART) grown inside one state, for the sake of its test nodes.
#pragma once

#include "impurity.hpp"
#include "limits.hpp"
#include "subset.hpp"

#include <vector>

namespace treefront {

struct CartLimits {
    int max_depth;            // at least 1
    std::uint32_t max_leaves; // at least 2; grown best first
    LeastLeaf least;
    bool ties; // also the splits that tie with a node's best
};

// Grows CARTs; one per thread, so that its buffers are allocated once.
class CartGrower {
public:
    CartGrower(Criterion criterion, CartLimits size, int n_classes, const EntropyTable* table,
               const Kernels& kernels, Limits& limits);

    // The test nodes of the CART of the state, in the order in which they were made (the root's
    // first). Their thresholds lie midway between the values of the node they split, as CART
    // prints them, and are then read as tests of the whole state. Ties come last. Only some of
    // them where a limit ended the search.
    std::vector<Test> tests(const Subset& state);

private:
    struct Node;
    template <class Id>
    std::vector<Test> grow(const Subset& state);
    bool worth_dividing(const Subset& state, const Node& node) const;
    template <class Id>
    Test as_test_of_state(const Subset& state, const Node& node, Test split);
    template <class Id>
    void find_split(const Subset& state, Node& node);
    template <class Id>
    void find_ties(const Subset& state, const NodeRows& rows, double best, Node& node);
    template <class Id>
    void split(const Subset& state, Node& node, Node& left, Node& right);
    template <class Id>
    std::vector<Id>& orders();

    CartLimits size_;
    Limits& limits_;
    BoundaryScanner scanner_;
    Partition partition_;
    std::vector<std::uint16_t> narrow_orders_, narrow_spare_;
    std::vector<std::uint32_t> wide_orders_, wide_spare_;
    std::vector<Place> places_;
};

} // namespace treefront
