// Contents of simtblasLt's descriptors, which are stored in opaque structs of the caller.
#pragma once

#include <simtblasLt.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace simtrt {

struct LtMatrixLayout {
  using Opaque = simtblasLtMatrixLayoutOpaque_t;

  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::int64_t ld = 0;
  std::int64_t batch_offset = 0;
  std::int64_t plane_offset = 0;
  std::int32_t batch_count = 1;
  std::uint32_t type = SIMT_R_32F;
  std::int32_t order = SIMTBLASLT_ORDER_COL;

  simtDataType data_type() const { return static_cast<simtDataType>(type); }
};

struct LtMatmul {
  using Opaque = simtblasLtMatmulDescOpaque_t;

  std::int32_t compute_type = SIMTBLAS_COMPUTE_32F;
  std::int32_t scale_type = SIMT_R_32F;
  std::int32_t pointer_mode = SIMTBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = SIMTBLAS_OP_N;
  std::int32_t transb = SIMTBLAS_OP_N;
  std::int32_t transc = SIMTBLAS_OP_N;
  std::int32_t fill_mode = SIMTBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = SIMTBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  std::int64_t bias_batch_stride = 0;
  void* aux = nullptr;
  std::int64_t aux_ld = 0;
  std::int64_t aux_batch_stride = 0;
  std::int64_t alpha_batch_stride = 0;
  const float* scale_a = nullptr;
  const float* scale_b = nullptr;
  const float* scale_c = nullptr;
  const float* scale_d = nullptr;
  float* amax_d = nullptr;
  const void* aux_scale = nullptr;
  void* aux_amax = nullptr;
  void* counters_in = nullptr;
  void* counters_out = nullptr;
  std::int32_t sm_count_target = 0;
  std::int32_t aux_type = -1;
  std::int32_t bias_type = -1;
  std::int32_t chunks_rows = 0;
  std::int32_t chunks_columns = 0;
  std::int8_t fast_accumulation = 0;
};

/// Preferences of the caller, stored only for GetAttribute: they do not influence the algorithm.
/// Defaults are those of cublasLt.h.
struct LtPreference {
  using Opaque = simtblasLtMatmulPreferenceOpaque_t;

  std::uint64_t max_workspace_bytes = 0;
  std::uint64_t implementation_mask = ~std::uint64_t{0};
  std::uint32_t search_mode = 0;
  std::uint32_t reduction_scheme_mask = 0x7;
  std::uint32_t alignment_a = 256;
  std::uint32_t alignment_b = 256;
  std::uint32_t alignment_c = 256;
  std::uint32_t alignment_d = 256;
  float max_waves = 0;
};

struct LtTransform {
  using Opaque = simtblasLtMatrixTransformDescOpaque_t;

  std::int32_t scale_type = SIMT_R_32F;
  std::int32_t pointer_mode = SIMTBLASLT_POINTER_MODE_HOST;
  std::int32_t transa = SIMTBLAS_OP_N;
  std::int32_t transb = SIMTBLAS_OP_N;
};

/// Content of an opaque descriptor.
template <class Descriptor>
Descriptor read_descriptor(const typename Descriptor::Opaque& opaque) {
  static_assert(sizeof(Descriptor) <= sizeof(opaque) && std::is_trivially_copyable_v<Descriptor>);
  Descriptor descriptor;
  std::memcpy(static_cast<void*>(&descriptor), opaque.data, sizeof descriptor);
  return descriptor;
}

template <class Descriptor>
void write_descriptor(typename Descriptor::Opaque& opaque, const Descriptor& descriptor) {
  std::memset(opaque.data, 0, sizeof opaque.data);
  std::memcpy(opaque.data, &descriptor, sizeof descriptor);
}

}  // namespace simtrt
