// Namespace cuda::std: the host's C++ library, whose functions kernels can call on this target. The
// headers cuda/std/* include this file, and declare members that the C++17 library lacks.
#pragma once

#include <cstddef>

namespace std {}

namespace cuda::std {

using namespace ::std;
using ::std::size_t;

}  // namespace cuda::std
