#define TREEFRONT_VARIANT portable
#include "kernels_impl.hpp"
#include "partition_impl.hpp"
#include "scores_impl.hpp"
