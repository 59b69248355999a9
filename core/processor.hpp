// Which vector instructions this processor, and its operating system, can run.
#pragma once

namespace treefront {

bool has_avx2();
bool has_avx512(); // F, BW, VL and DQ

} // namespace treefront
