// Stable partition of a sorted feature, every instruction set against a loop.
#include "check.hpp"
#include "entry.hpp"
#include "problems.hpp"

#include <algorithm>

using namespace treefront;

namespace {

struct Parent {
    std::vector<std::uint32_t> ids; // in sorted order
    std::vector<bool> starts;
    std::vector<Place> places; // by id
};

// Ids are a random choice below `n_ids`; each place says where an id goes and its id there.
Parent random_parent(Random& random, std::uint32_t n, std::uint32_t n_ids) {
    Parent parent;
    const std::uint32_t ties = random.between(1, 6), left_share = random.between(0, 8);
    auto ids = random.permutation(n_ids);
    ids.resize(n);
    parent.ids = ids;
    for (std::uint32_t i = 0; i < n; ++i) parent.starts.push_back(i == 0 || random.one_in(ties));
    std::sort(ids.begin(), ids.end());
    parent.places.assign(n_ids, Place::right(0));
    std::uint32_t left = 0, right = 0;
    for (std::uint32_t id : ids) {
        const bool goes_left = random.below(8) < left_share;
        parent.places[id] = goes_left ? Place::left(left++) : Place::right(right++);
    }
    return parent;
}

template <class Id>
std::vector<Id> entries_of(const Parent& parent) {
    std::vector<Id> entries;
    for (std::size_t i = 0; i < parent.ids.size(); ++i) {
        const Id start = parent.starts[i] ? Entry<Id>::kStart : Id{0};
        entries.push_back(static_cast<Id>(parent.ids[i] | start));
    }
    return entries;
}

// One side, from the definition: a row starts a run where a run of the parent began since the
// side's row before.
template <class Id>
std::vector<Id> side_of(const Parent& parent, bool left, std::uint32_t& runs) {
    std::vector<Id> side;
    bool fresh = false;
    runs = 0;
    for (std::size_t i = 0; i < parent.ids.size(); ++i) {
        fresh = fresh || parent.starts[i];
        const Place place = parent.places[parent.ids[i]];
        if (place.goes_left() != left) continue;
        side.push_back(static_cast<Id>(place.packed >> 1 | (fresh ? Entry<Id>::kStart : Id{0})));
        runs += fresh;
        fresh = false;
    }
    return side;
}

template <class From, class Left, class Right>
void check_partition(Partition partition, const Parent& parent, bool in_place) {
    const std::size_t n = parent.ids.size();
    PartitionRuns expected{};
    const auto left = side_of<Left>(parent, true, expected.left);
    const auto right = side_of<Right>(parent, false, expected.right);

    // No larger than promised to be enough, so that a sanitizer sees what is written beyond.
    auto entries = entries_of<From>(parent);
    std::vector<Left> left_out(left.size() + kPartitionSlack);
    std::vector<Right> right_out(right.size() + kPartitionSlack);
    if (in_place) entries.resize(n + kPartitionSlack);
    void* to_left = in_place ? static_cast<void*>(entries.data()) : left_out.data();
    const PartitionRuns runs =
        partition({entries.data(), n, sizeof(From) == 2, parent.places.data(), to_left,
                   sizeof(Left) == 2, right_out.data(), sizeof(Right) == 2});
    CHECK_EQ(runs.left, expected.left);
    CHECK_EQ(runs.right, expected.right);
    if constexpr (sizeof(From) == sizeof(Left)) {
        if (in_place) left_out.assign(entries.begin(), entries.end());
    }
    left_out.resize(left.size());
    right_out.resize(right.size());
    CHECK_EQ(left_out, left);
    CHECK_EQ(right_out, right);

    // One side alone is the same.
    const auto from = entries_of<From>(parent);
    const auto alone = [&](void* to_left_alone, void* to_right_alone) {
        return partition({from.data(), n, sizeof(From) == 2, parent.places.data(), to_left_alone,
                          sizeof(Left) == 2, to_right_alone, sizeof(Right) == 2});
    };
    left_out.assign(left.size() + kPartitionSlack, Left{0});
    CHECK_EQ(alone(left_out.data(), nullptr).left, expected.left);
    right_out.assign(right.size() + kPartitionSlack, Right{0});
    CHECK_EQ(alone(nullptr, right_out.data()).right, expected.right);
    left_out.resize(left.size());
    right_out.resize(right.size());
    CHECK_EQ(left_out, left);
    CHECK_EQ(right_out, right);
}

} // namespace

TEST("partition: every instruction set, entry width and length equals a loop") {
    using Narrow = std::uint16_t;
    using Wide = std::uint32_t;
    for (const auto& [name, kernels] : all_kernels()) {
        const Partition partition = kernels.table().partition;
        for (std::uint32_t n = 0; n <= 100; ++n) {
            const check::Context context("kernels", name, "length", n);
            Random random(n);
            for (int repeat = 0; repeat < 4; ++repeat) {
                const Parent near = random_parent(random, n, n + random.below(20));
                for (bool in_place : {false, true}) {
                    check_partition<Narrow, Narrow, Narrow>(partition, near, in_place);
                    check_partition<Wide, Wide, Wide>(partition, near, in_place);
                }
                check_partition<Wide, Narrow, Narrow>(partition, near, false);
                check_partition<Wide, Narrow, Wide>(partition, near, false);
                check_partition<Wide, Wide, Narrow>(partition, near, false);
            }
        }
    }
}

TEST("partition: ids of 15 bits in narrow entries, beyond in wide ones") {
    for (const auto& [name, kernels] : all_kernels()) {
        const check::Context context("kernels", name);
        Random random(1);
        for (std::uint32_t n : {16u, 77u, 96u}) {
            const Parent near = random_parent(random, n, 32767),
                         far = random_parent(random, n, 70000);
            check_partition<std::uint16_t, std::uint16_t, std::uint16_t>(kernels.table().partition,
                                                                         near, true);
            check_partition<std::uint32_t, std::uint16_t, std::uint32_t>(kernels.table().partition,
                                                                         far, false);
        }
    }
}
