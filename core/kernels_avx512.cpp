#define TREEFRONT_VARIANT avx512
#include "kernels_impl.hpp"
#include "partition_impl.hpp"
#include "scores_impl.hpp"
