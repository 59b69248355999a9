#define TREEFRONT_VARIANT portable
#include "kernels_impl.hpp"
