// Descriptors of simtblasLt: initialisation, and access to their attributes.
#include "blaslt/descriptors.h"

#include <cstddef>
#include <new>

namespace simtrt {
namespace {

/// Offset and size of an attribute's value in its descriptor.
struct Attribute {
  int number;
  std::size_t offset;
  std::size_t size;
};

#define ATTRIBUTE(number, Descriptor, member) \
  {number, offsetof(Descriptor, member), sizeof(Descriptor::member)}

constexpr Attribute kLayoutAttributes[] = {
    ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_TYPE, LtMatrixLayout, type),
    ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_ORDER, LtMatrixLayout, order),
    ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_ROWS, LtMatrixLayout, rows),
    ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_COLS, LtMatrixLayout, columns),
    ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_LD, LtMatrixLayout, ld),
    ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_BATCH_COUNT, LtMatrixLayout, batch_count),
    ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, LtMatrixLayout, batch_offset),
    ATTRIBUTE(SIMTBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, LtMatrixLayout, plane_offset),
};

constexpr Attribute kMatmulAttributes[] = {
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_COMPUTE_TYPE, LtMatmul, compute_type),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_SCALE_TYPE, LtMatmul, scale_type),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_POINTER_MODE, LtMatmul, pointer_mode),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_TRANSA, LtMatmul, transa),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_TRANSB, LtMatmul, transb),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_TRANSC, LtMatmul, transc),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_FILL_MODE, LtMatmul, fill_mode),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE, LtMatmul, epilogue),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_BIAS_POINTER, LtMatmul, bias),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, LtMatmul, bias_batch_stride),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, LtMatmul, aux),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, LtMatmul, aux_ld),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, LtMatmul, aux_batch_stride),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, LtMatmul, alpha_batch_stride),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_SM_COUNT_TARGET, LtMatmul, sm_count_target),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_A_SCALE_POINTER, LtMatmul, scale_a),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_B_SCALE_POINTER, LtMatmul, scale_b),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_C_SCALE_POINTER, LtMatmul, scale_c),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_D_SCALE_POINTER, LtMatmul, scale_d),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_AMAX_D_POINTER, LtMatmul, amax_d),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, LtMatmul, aux_type),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, LtMatmul, aux_scale),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, LtMatmul, aux_amax),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_FAST_ACCUM, LtMatmul, fast_accumulation),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, LtMatmul, bias_type),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_ROWS, LtMatmul, chunks_rows),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_NUM_CHUNKS_D_COLS, LtMatmul, chunks_columns),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_IN_COUNTERS_POINTER, LtMatmul, counters_in),
    ATTRIBUTE(SIMTBLASLT_MATMUL_DESC_ATOMIC_SYNC_OUT_COUNTERS_POINTER, LtMatmul, counters_out),
};

constexpr Attribute kPreferenceAttributes[] = {
    ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_SEARCH_MODE, LtPreference, search_mode),
    ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, LtPreference, max_workspace_bytes),
    ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, LtPreference, reduction_scheme_mask),
    ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, LtPreference, alignment_a),
    ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, LtPreference, alignment_b),
    ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, LtPreference, alignment_c),
    ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, LtPreference, alignment_d),
    ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, LtPreference, max_waves),
    ATTRIBUTE(SIMTBLASLT_MATMUL_PREF_IMPL_MASK, LtPreference, implementation_mask),
};

#undef ATTRIBUTE

template <std::size_t count>
const Attribute* find(const Attribute (&attributes)[count], int number) {
  for (const Attribute& attribute : attributes) {
    if (attribute.number == number) {
      return &attribute;
    }
  }
  return nullptr;
}

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

template <class Opaque, std::size_t count>
simtblasStatus_t set(Opaque* opaque, const Attribute (&attributes)[count], int number,
                     const void* value, std::size_t size) {
  const Attribute* const attribute = find(attributes, number);
  if (opaque == nullptr || value == nullptr || attribute == nullptr || size != attribute->size) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  std::memcpy(reinterpret_cast<char*>(opaque->data) + attribute->offset, value, size);
  return SIMTBLAS_STATUS_SUCCESS;
}

template <class Opaque, std::size_t count>
simtblasStatus_t get(Opaque* opaque, const Attribute (&attributes)[count], int number, void* value,
                     std::size_t size, std::size_t* written) {
  const Attribute* const attribute = find(attributes, number);
  if (opaque == nullptr || attribute == nullptr || (size == 0 && written == nullptr) ||
      (size != 0 && (value == nullptr || size < attribute->size))) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (size != 0) {
    std::memcpy(value, reinterpret_cast<const char*>(opaque->data) + attribute->offset,
                attribute->size);
  }
  if (written != nullptr) {
    *written = attribute->size;
  }
  return SIMTBLAS_STATUS_SUCCESS;
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

#define DEFINE_ATTRIBUTES(name, Handle, Number, attributes)                                    \
  simtblasStatus_t name##Destroy(Handle descriptor) {                                          \
    delete descriptor;                                                                         \
    return SIMTBLAS_STATUS_SUCCESS;                                                            \
  }                                                                                            \
  simtblasStatus_t name##SetAttribute(Handle descriptor, Number attribute, const void* buffer, \
                                      std::size_t sizeInBytes) {                               \
    return set(descriptor, attributes, attribute, buffer, sizeInBytes);                        \
  }                                                                                            \
  simtblasStatus_t name##GetAttribute(Handle descriptor, Number attribute, void* buffer,       \
                                      std::size_t sizeInBytes, std::size_t* sizeWritten) {     \
    return get(descriptor, attributes, attribute, buffer, sizeInBytes, sizeWritten);           \
  }
DEFINE_ATTRIBUTES(simtblasLtMatrixLayout, simtblasLtMatrixLayout_t,
                  simtblasLtMatrixLayoutAttribute_t, kLayoutAttributes)
DEFINE_ATTRIBUTES(simtblasLtMatmulDesc, simtblasLtMatmulDesc_t, simtblasLtMatmulDescAttributes_t,
                  kMatmulAttributes)
DEFINE_ATTRIBUTES(simtblasLtMatmulPreference, simtblasLtMatmulPreference_t,
                  simtblasLtMatmulPreferenceAttributes_t, kPreferenceAttributes)

}  // extern "C"
