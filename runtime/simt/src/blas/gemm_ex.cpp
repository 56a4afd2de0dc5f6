// gemm with types selected at run time: GemmEx and its batched variants, SgemmEx, CgemmEx, and
// Hgemm.
#include <optional>

#include "blas/batch.h"
#include "blas/gemm.h"
#include "blas/gemm_types.h"
#include "blas/panel_gemm.h"

namespace simtrt {
namespace {

/// Arguments shared by the functions of this file.
struct GemmEx {
  simtblasOperation_t transa;
  simtblasOperation_t transb;
  int m;
  int n;
  int k;
  const void* alpha;
  simtDataType type_a;
  int lda;
  simtDataType type_b;
  int ldb;
  const void* beta;
  simtDataType type_c;
  int ldc;
};

/// C = alpha * tile + beta * C, rounded once.
template <class Value>
void store_tile(const GemmTile<Value>& tile, Value alpha, Value beta, simtDataType type_c, void* c,
                int ldc) {
  with_output_element<Value>(type_c, [&](auto element) {
    using Element = decltype(element);
    auto* const first = static_cast<typename Element::Storage*>(c) + tile.row;
    for (int j = 0; j < tile.columns; ++j) {
      const Value* const from = tile.column_data(j);
      auto* const to = first + static_cast<std::ptrdiff_t>(tile.column + j) * ldc;
      if (beta == Value()) {
        for (int i = 0; i < tile.rows; ++i) {
          to[i] = Element::store(alpha * from[i]);
        }
      } else {
        for (int i = 0; i < tile.rows; ++i) {
          to[i] = Element::store(alpha * from[i] + beta * Element::load(to[i]));
        }
      }
    }
  });
}

/// Sums of int32 wrap around.
void store_tile(const GemmTile<std::int32_t>& tile, std::int32_t alpha, std::int32_t beta,
                simtDataType, void* c, int ldc) {
  auto* const first = static_cast<std::uint32_t*>(c) + tile.row;
  for (int j = 0; j < tile.columns; ++j) {
    const std::int32_t* const from = tile.column_data(j);
    std::uint32_t* const to = first + static_cast<std::ptrdiff_t>(tile.column + j) * ldc;
    for (int i = 0; i < tile.rows; ++i) {
      const std::uint32_t old = beta == 0 ? 0U : static_cast<std::uint32_t>(beta) * to[i];
      to[i] = static_cast<std::uint32_t>(alpha) * static_cast<std::uint32_t>(from[i]) + old;
    }
  }
}

/// Value: type to which panels are converted. Sum: type of their products, alpha and beta.
template <class Value, class Sum>
void run_panels(const GemmEx& gemm, Sum alpha, const void* a, const void* b, Sum beta, void* c) {
  const int k = alpha == Sum() ? 0 : gemm.k;
  panel_gemm<Value, Sum>(gemm.m, gemm.n, k, {a, gemm.type_a, gemm.transa, gemm.lda},
                         {b, gemm.type_b, gemm.transb, gemm.ldb}, [&](const GemmTile<Sum>& tile) {
                           // Estimate: to read, round and write an element takes as long as several
                           // multiplications.
                           const double work = 8.0 * tile.rows * tile.columns;
                           for_each_slice(tile.columns, 1, work, [&](int begin, int columns) {
                             const GemmTile<Sum> part{tile.row, tile.column + begin,     tile.rows,
                                                      columns,  tile.column_data(begin), tile.ld};
                             store_tile(part, alpha, beta, gemm.type_c, c, gemm.ldc);
                           });
                         });
}

template <class T>
void run_plain(const GemmEx& gemm, T alpha, const void* a, const void* b, T beta, void* c) {
  gemm_on_host(gemm.transa, gemm.transb, gemm.m, gemm.n, gemm.k, alpha, static_cast<const T*>(a),
               gemm.lda, static_cast<const T*>(b), gemm.ldb, beta, static_cast<T*>(c), gemm.ldc);
}

void run(const GemmEx& gemm, GemmValue value, const AnyScalar& alpha, const void* a, const void* b,
         const AnyScalar& beta, void* c) {
  switch (value) {
    case GemmValue::kFloat:
      if (gemm.type_a == SIMT_R_32F) {
        return run_plain(gemm, alpha.read<float>(), a, b, beta.read<float>(), c);
      }
      return run_panels<float>(gemm, alpha.read<float>(), a, b, beta.read<float>(), c);
    case GemmValue::kDouble:
      return run_plain(gemm, alpha.read<double>(), a, b, beta.read<double>(), c);
    case GemmValue::kComplexFloat: {
      using Complex = host_blas::Complex;
      if (gemm.type_a == SIMT_C_32F) {
        return run_plain(gemm, alpha.read<Complex>(), a, b, beta.read<Complex>(), c);
      }
      return run_panels<Complex>(gemm, alpha.read<Complex>(), a, b, beta.read<Complex>(), c);
    }
    case GemmValue::kComplexDouble: {
      using DoubleComplex = host_blas::DoubleComplex;
      return run_plain(gemm, alpha.read<DoubleComplex>(), a, b, beta.read<DoubleComplex>(), c);
    }
    case GemmValue::kInt32:
      return run_panels<float>(gemm, alpha.read<std::int32_t>(), a, b, beta.read<std::int32_t>(),
                               c);
  }
}

struct Matrices {
  const void* a;
  const void* b;
  void* c;
};

/// `locate(i)` returns the matrices of batch element i; the function is called in stream order.
/// `missing`: true if a required pointer is null.
template <class Locate>
simtblasStatus_t submit(simtblasHandle_t handle, const char* name, const GemmEx& gemm, int count,
                        std::optional<simtblasComputeType_t> compute, bool missing,
                        const Locate& locate) {
  if (handle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (!valid_gemm(gemm.transa, gemm.transb, gemm.m, gemm.n, gemm.k, gemm.lda, gemm.ldb, gemm.ldc) ||
      count < 0 ||
      any_null(static_cast<const char*>(gemm.alpha), static_cast<const char*>(gemm.beta))) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const std::optional<GemmTypes> types =
      compute ? gemm_types(*compute, gemm.type_a, gemm.type_b, gemm.type_c) : std::nullopt;
  if (!types) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  if (gemm.m == 0 || gemm.n == 0 || count == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (missing) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const bool on_device = handle->scalars_on_device();
  const AnyScalar alpha(on_device, gemm.alpha, types->scale);
  const AnyScalar beta(on_device, gemm.beta, types->scale);
  const GemmValue value = types->value;
  return blas_submit(*handle, name, [=] {
    for_each_of_batch(count, gemm_work(gemm.m, gemm.n, gemm.k), [&](int i) {
      const Matrices matrices = locate(i);
      run(gemm, value, alpha, matrices.a, matrices.b, beta, matrices.c);
    });
  });
}

simtblasStatus_t single(simtblasHandle_t handle, const char* name, const GemmEx& gemm,
                        const void* a, const void* b, void* c,
                        std::optional<simtblasComputeType_t> compute) {
  const bool missing = c == nullptr || (gemm.k > 0 && (a == nullptr || b == nullptr));
  return submit(handle, name, gemm, 1, compute, missing, [=](int) { return Matrices{a, b, c}; });
}

simtblasStatus_t batched(simtblasHandle_t handle, const char* name, const GemmEx& gemm,
                         const void* const* a, const void* const* b, void* const* c, int count,
                         std::optional<simtblasComputeType_t> compute) {
  const bool reads = gemm.k > 0;
  const bool missing = c == nullptr || (reads && (a == nullptr || b == nullptr));
  return submit(handle, name, gemm, count, compute, missing, [=](int i) {
    return Matrices{reads ? a[i] : nullptr, reads ? b[i] : nullptr, c[i]};
  });
}

simtblasStatus_t strided(simtblasHandle_t handle, const char* name, const GemmEx& gemm,
                         const void* a, long long stride_a, const void* b, long long stride_b,
                         void* c, long long stride_c, int count,
                         std::optional<simtblasComputeType_t> compute) {
  const bool missing = c == nullptr || (gemm.k > 0 && (a == nullptr || b == nullptr));
  return submit(handle, name, gemm, count, compute, missing, [=](int i) {
    return Matrices{element_at(a, gemm.type_a, i * stride_a),
                    element_at(b, gemm.type_b, i * stride_b),
                    element_at(c, gemm.type_c, i * stride_c)};
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

#define OPS_AND_SIZES                                                                            \
  simtblasHandle_t handle, simtblasOperation_t transa, simtblasOperation_t transb, int m, int n, \
      int k

#define DEFINE_GEMM_EX(ComputeType, compute)                                                       \
  simtblasStatus_t simtblasGemmEx(OPS_AND_SIZES, const void* alpha, const void* A,                 \
                                  simtDataType Atype, int lda, const void* B, simtDataType Btype,  \
                                  int ldb, const void* beta, void* C, simtDataType Ctype, int ldc, \
                                  ComputeType computeType, simtblasGemmAlgo_t) {                   \
    const GemmEx gemm{transa, transb, m, n, k, alpha, Atype, lda, Btype, ldb, beta, Ctype, ldc};   \
    return single(handle, "simtblasGemmEx", gemm, A, B, C, compute);                               \
  }                                                                                                \
  simtblasStatus_t simtblasGemmBatchedEx(                                                          \
      OPS_AND_SIZES, const void* alpha, const void* const Aarray[], simtDataType Atype, int lda,   \
      const void* const Barray[], simtDataType Btype, int ldb, const void* beta,                   \
      void* const Carray[], simtDataType Ctype, int ldc, int batchCount, ComputeType computeType,  \
      simtblasGemmAlgo_t) {                                                                        \
    const GemmEx gemm{transa, transb, m, n, k, alpha, Atype, lda, Btype, ldb, beta, Ctype, ldc};   \
    return batched(handle, "simtblasGemmBatchedEx", gemm, Aarray, Barray, Carray, batchCount,      \
                   compute);                                                                       \
  }                                                                                                \
  simtblasStatus_t simtblasGemmStridedBatchedEx(                                                   \
      OPS_AND_SIZES, const void* alpha, const void* A, simtDataType Atype, int lda,                \
      long long strideA, const void* B, simtDataType Btype, int ldb, long long strideB,            \
      const void* beta, void* C, simtDataType Ctype, int ldc, long long strideC, int batchCount,   \
      ComputeType computeType, simtblasGemmAlgo_t) {                                               \
    const GemmEx gemm{transa, transb, m, n, k, alpha, Atype, lda, Btype, ldb, beta, Ctype, ldc};   \
    return strided(handle, "simtblasGemmStridedBatchedEx", gemm, A, strideA, B, strideB, C,        \
                   strideC, batchCount, compute);                                                  \
  }

extern "C" {
DEFINE_GEMM_EX(simtblasComputeType_t, computeType)
}
DEFINE_GEMM_EX(simtDataType, compute_type_of(computeType))

extern "C" {

simtblasStatus_t simtblasSgemmEx(OPS_AND_SIZES, const float* alpha, const void* A,
                                 simtDataType Atype, int lda, const void* B, simtDataType Btype,
                                 int ldb, const float* beta, void* C, simtDataType Ctype, int ldc) {
  if (handle != nullptr && (Ctype == SIMT_C_32F || Ctype == SIMT_C_64F)) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  const GemmEx gemm{transa, transb, m, n, k, alpha, Atype, lda, Btype, ldb, beta, Ctype, ldc};
  return single(handle, "simtblasSgemmEx", gemm, A, B, C, SIMTBLAS_COMPUTE_32F);
}

simtblasStatus_t simtblasCgemmEx(OPS_AND_SIZES, const simtComplex* alpha, const void* A,
                                 simtDataType Atype, int lda, const void* B, simtDataType Btype,
                                 int ldb, const simtComplex* beta, void* C, simtDataType Ctype,
                                 int ldc) {
  if (handle != nullptr && Ctype != SIMT_C_32F) {
    return SIMTBLAS_STATUS_NOT_SUPPORTED;
  }
  const GemmEx gemm{transa, transb, m, n, k, alpha, Atype, lda, Btype, ldb, beta, Ctype, ldc};
  return single(handle, "simtblasCgemmEx", gemm, A, B, C, SIMTBLAS_COMPUTE_32F);
}

#define HALF_GEMM \
  GemmEx { transa, transb, m, n, k, alpha, SIMT_R_16F, lda, SIMT_R_16F, ldb, beta, SIMT_R_16F, ldc }

simtblasStatus_t simtblasHgemm(OPS_AND_SIZES, const __half* alpha, const __half* A, int lda,
                               const __half* B, int ldb, const __half* beta, __half* C, int ldc) {
  return single(handle, "simtblasHgemm", HALF_GEMM, A, B, C, SIMTBLAS_COMPUTE_16F);
}

simtblasStatus_t simtblasHgemmBatched(OPS_AND_SIZES, const __half* alpha,
                                      const __half* const Aarray[], int lda,
                                      const __half* const Barray[], int ldb, const __half* beta,
                                      __half* const Carray[], int ldc, int batchCount) {
  return batched(handle, "simtblasHgemmBatched", HALF_GEMM,
                 reinterpret_cast<const void* const*>(Aarray),
                 reinterpret_cast<const void* const*>(Barray),
                 reinterpret_cast<void* const*>(Carray), batchCount, SIMTBLAS_COMPUTE_16F);
}

simtblasStatus_t simtblasHgemmStridedBatched(OPS_AND_SIZES, const __half* alpha, const __half* A,
                                             int lda, long long strideA, const __half* B, int ldb,
                                             long long strideB, const __half* beta, __half* C,
                                             int ldc, long long strideC, int batchCount) {
  return strided(handle, "simtblasHgemmStridedBatched", HALF_GEMM, A, strideA, B, strideB, C,
                 strideC, batchCount, SIMTBLAS_COMPUTE_16F);
}

// Under the names with 3m, CUDA permits the algorithm with three products of real matrices for one of complex ones.
simtblasStatus_t simtblasCgemm3mEx(simtblasHandle_t handle, simtblasOperation_t transa,
                                   simtblasOperation_t transb, int m, int n, int k,
                                   const simtComplex* alpha, const void* A, simtDataType Atype,
                                   int lda, const void* B, simtDataType Btype, int ldb,
                                   const simtComplex* beta, void* C, simtDataType Ctype, int ldc) {
  return simtblasCgemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta,
                         C, Ctype, ldc);
}
simtblasStatus_t simtblasCgemm3mBatched(simtblasHandle_t handle, simtblasOperation_t transa,
                                        simtblasOperation_t transb, int m, int n, int k,
                                        const simtComplex* alpha, const simtComplex* const A[],
                                        int lda, const simtComplex* const B[], int ldb,
                                        const simtComplex* beta, simtComplex* const C[], int ldc,
                                        int count) {
  return simtblasCgemmBatched(handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc,
                              count);
}
simtblasStatus_t simtblasCgemm3mStridedBatched(
    simtblasHandle_t handle, simtblasOperation_t transa, simtblasOperation_t transb, int m, int n,
    int k, const simtComplex* alpha, const simtComplex* A, int lda, long long int strideA,
    const simtComplex* B, int ldb, long long int strideB, const simtComplex* beta, simtComplex* C,
    int ldc, long long int strideC, int count) {
  return simtblasCgemmStridedBatched(handle, transa, transb, m, n, k, alpha, A, lda, strideA, B,
                                     ldb, strideB, beta, C, ldc, strideC, count);
}

}  // extern "C"
