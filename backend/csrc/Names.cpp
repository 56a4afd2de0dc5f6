#include "Names.h"

#include <c10/macros/Macros.h>

#include <string_view>

namespace at::cuda::backend {

const Names& names() {
  // porter replaces the words `cuda` and `CUDA` below by the target's name, as in all ported
  // sources.
  static constexpr std::string_view lower = C10_STRINGIZE(cuda);
  static constexpr std::string_view word = C10_STRINGIZE(CUDABackend);
  static constexpr std::string_view upper =
      word.substr(0, word.size() - std::string_view("Backend").size());
  static const Names result{std::string(lower), std::string(upper),
                            "TORCH_" + std::string(upper) + "_NO_FALLBACK",
                            "TORCH_" + std::string(upper) + "_PROFILER"};
  return result;
}

}  // namespace at::cuda::backend
