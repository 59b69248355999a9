// The batched stump pass, written once; kernels_*.cpp compile it for each instruction set.
//
// Lane b of a register belongs to test b of the batch. A pass walks a feature's sorted rows and
// holds per lane the running class weight of the rows seen so far that test b sends left; the
// rows it sends right are all seen minus those. Where a run of equal values ends the two children
// could be divided, so the running sums are compared with the best so far.

// Nothing here may be shared with code compiled for another instruction set (see batch.hpp): no
// standard containers or algorithms, and every name but one inside an unnamed namespace.

#include "stumps_of_many.hpp"
#include "stumps_of_moments.hpp"
#include "stumps_of_two.hpp"

namespace treefront::TREEFRONT_VARIANT {

namespace {

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
