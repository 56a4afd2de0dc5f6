// Descriptors of simtblasLt: initialisation, and access to their attributes.
#include "blaslt/attributes.h"
#include "blaslt/descriptors.h"

#include <new>

namespace simtrt {
namespace {

constexpr LtAttribute kLayoutAttributes[] = {
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_TYPE, LtMatrixLayout, type),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_ORDER, LtMatrixLayout, order),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_ROWS, LtMatrixLayout, rows),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_COLS, LtMatrixLayout, columns),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_LD, LtMatrixLayout, ld),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_BATCH_COUNT, LtMatrixLayout, batch_count),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, LtMatrixLayout, batch_offset),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, LtMatrixLayout, plane_offset),
};

constexpr LtAttribute kMatmulAttributes[] = {
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_COMPUTE_TYPE, LtMatmul, compute_type),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_SCALE_TYPE, LtMatmul, scale_type),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_POINTER_MODE, LtMatmul, pointer_mode),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_TRANSA, LtMatmul, transa),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_TRANSB, LtMatmul, transb),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_TRANSC, LtMatmul, transc),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_FILL_MODE, LtMatmul, fill_mode),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE, LtMatmul, epilogue),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_BIAS_POINTER, LtMatmul, bias),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, LtMatmul, bias_batch_stride),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, LtMatmul, aux),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, LtMatmul, aux_ld),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, LtMatmul, aux_batch_stride),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, LtMatmul, alpha_batch_stride),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_SM_COUNT_TARGET, LtMatmul, sm_count_target),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_A_SCALE_POINTER, LtMatmul, scale_a),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_B_SCALE_POINTER, LtMatmul, scale_b),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_C_SCALE_POINTER, LtMatmul, scale_c),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_D_SCALE_POINTER, LtMatmul, scale_d),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_AMAX_D_POINTER, LtMatmul, amax_d),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, LtMatmul, aux_type),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, LtMatmul, aux_scale),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, LtMatmul, aux_amax),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_FAST_ACCUM, LtMatmul, fast_accumulation),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, LtMatmul, bias_type),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_ROWS, LtMatmul, chunks_rows),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_COLS, LtMatmul, chunks_columns),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_IN_COUNTERS_POINTER, LtMatmul, counters_in),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_OUT_COUNTERS_POINTER, LtMatmul, counters_out),
};

constexpr LtAttribute kPreferenceAttributes[] = {
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_SEARCH_MODE, LtPreference, search_mode),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, LtPreference, max_workspace_bytes),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, LtPreference, reduction_scheme_mask),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, LtPreference, alignment_a),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, LtPreference, alignment_b),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, LtPreference, alignment_c),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, LtPreference, alignment_d),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, LtPreference, max_waves),
    LT_ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_IMPL_MASK, LtPreference, implementation_mask),
};

constexpr LtAttribute kTransformAttributes[] = {
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, LtTransform, scale_type),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, LtTransform, pointer_mode),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, LtTransform, transa),
    LT_ATTRIBUTE(SIMTBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, LtTransform, transb),
};

template <class Descriptor>
simtblasStatus_t init(typename Descriptor::Opaque* opaque, const Descriptor& descriptor) {
  if (opaque == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  write_descriptor(*opaque, descriptor);
  return SIMTBLAS_STATUS_SUCCESS;
}

template <class Descriptor>
simtblasStatus_t create(typename Descriptor::Opaque** opaque, const Descriptor& descriptor) {
  if (opaque == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  *opaque = new (std::nothrow) typename Descriptor::Opaque;
  return *opaque == nullptr ? SIMTBLAS_STATUS_ALLOC_FAILED : init(*opaque, descriptor);
}

LtMatrixLayout layout_of(simtDataType type, std::uint64_t rows, std::uint64_t columns,
                         std::int64_t ld) {
  LtMatrixLayout layout;
  layout.type = static_cast<std::uint32_t>(type);
  layout.rows = rows;
  layout.columns = columns;
  layout.ld = ld;
  return layout;
}

LtMatmul matmul_of(simtblasComputeType_t compute_type, simtDataType scale_type) {
  LtMatmul matmul;
  matmul.compute_type = compute_type;
  matmul.scale_type = scale_type;
  return matmul;
}

LtTransform transform_of(simtDataType scale_type) {
  LtTransform transform;
  transform.scale_type = scale_type;
  return transform;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtblasStatus_t simtblasLtMatrixLayoutInit(simtblasLtMatrixLayout_t layout, simtDataType type,
                                            std::uint64_t rows, std::uint64_t cols,
                                            std::int64_t ld) {
  return init(layout, layout_of(type, rows, cols, ld));
}

simtblasStatus_t simtblasLtMatrixLayoutCreate(simtblasLtMatrixLayout_t* layout, simtDataType type,
                                              std::uint64_t rows, std::uint64_t cols,
                                              std::int64_t ld) {
  return create(layout, layout_of(type, rows, cols, ld));
}

simtblasStatus_t simtblasLtMatmulDescInit(simtblasLtMatmulDesc_t matmul,
                                          simtblasComputeType_t computeType,
                                          simtDataType_t scaleType) {
  return init(matmul, matmul_of(computeType, scaleType));
}

simtblasStatus_t simtblasLtMatmulDescCreate(simtblasLtMatmulDesc_t* matmul,
                                            simtblasComputeType_t computeType,
                                            simtDataType_t scaleType) {
  return create(matmul, matmul_of(computeType, scaleType));
}

simtblasStatus_t simtblasLtMatmulPreferenceInit(simtblasLtMatmulPreference_t preference) {
  return init(preference, LtPreference());
}

simtblasStatus_t simtblasLtMatmulPreferenceCreate(simtblasLtMatmulPreference_t* preference) {
  return create(preference, LtPreference());
}

simtblasStatus_t simtblasLtMatrixTransformDescInit(simtblasLtMatrixTransformDesc_t transform,
                                                   simtDataType scaleType) {
  return init(transform, transform_of(scaleType));
}

simtblasStatus_t simtblasLtMatrixTransformDescCreate(simtblasLtMatrixTransformDesc_t* transform,
                                                     simtDataType scaleType) {
  return create(transform, transform_of(scaleType));
}

#define DEFINE_ATTRIBUTES(name, Handle, Number, attributes)                                    \
  simtblasStatus_t name##Destroy(Handle descriptor) {                                          \
    delete descriptor;                                                                         \
    return SIMTBLAS_STATUS_SUCCESS;                                                            \
  }                                                                                            \
  simtblasStatus_t name##SetAttribute(Handle descriptor, Number attribute, const void* buffer, \
                                      std::size_t sizeInBytes) {                               \
    return set_attribute(descriptor, attributes, attribute, buffer, sizeInBytes);                        \
  }                                                                                            \
  simtblasStatus_t name##GetAttribute(Handle descriptor, Number attribute, void* buffer,       \
                                      std::size_t sizeInBytes, std::size_t* sizeWritten) {     \
    return get_attribute(descriptor, attributes, attribute, buffer, sizeInBytes, sizeWritten);           \
  }
DEFINE_ATTRIBUTES(simtblasLtMatrixLayout, simtblasLtMatrixLayout_t,
                  simtblasLtMatrixLayoutAttribute_t, kLayoutAttributes)
DEFINE_ATTRIBUTES(simtblasLtMatmulDesc, simtblasLtMatmulDesc_t, simtblasLtMatmulDescAttributes_t,
                  kMatmulAttributes)
DEFINE_ATTRIBUTES(simtblasLtMatmulPreference, simtblasLtMatmulPreference_t,
                  simtblasLtMatmulPreferenceAttributes_t, kPreferenceAttributes)
DEFINE_ATTRIBUTES(simtblasLtMatrixTransformDesc, simtblasLtMatrixTransformDesc_t,
                  simtblasLtMatrixTransformDescAttributes_t, kTransformAttributes)

}  // extern "C"
