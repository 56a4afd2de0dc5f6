// Functions of simtblas with sizes, leading dimensions, increments and results of 64 bits: CUDA's names that end with
// `_64`. simtblas.h includes this file.
//
// A name is an object that is called like a function. A size beyond 32 bits is SIMTBLAS_STATUS_NOT_SUPPORTED, because the
// host's BLAS takes sizes of 32 bits.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace simtrt {

/// Parameter of a function with 64-bit sizes in the place of a parameter of the function with 32-bit sizes.
template <class T>
using LongSize = std::conditional_t<std::is_same_v<T, int>, std::int64_t, T>;

template <class T>
constexpr bool fits_size(const T& value) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    return value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
  } else {
    return true;
  }
}

template <auto function>
struct LongSizes;

template <class... Parameters, simtblasStatus_t (*function)(Parameters...)>
struct LongSizes<function> {
  simtblasStatus_t operator()(LongSize<Parameters>... values) const {
    if (!(fits_size(values) && ...)) return SIMTBLAS_STATUS_NOT_SUPPORTED;
    return function(static_cast<Parameters>(values)...);
  }
};

/// Index of an element, counted from 1, in 64 bits. simtblas writes the lower half, after zeros in the order of the stream.
template <class T, simtblasStatus_t (*function)(simtblasHandle_t, int, const T*, int, int*)>
struct LongIndex {
  simtblasStatus_t operator()(simtblasHandle_t handle, std::int64_t n, const T* x, std::int64_t incx,
                              std::int64_t* result) const {
    if (!fits_size(n) || !fits_size(incx)) return SIMTBLAS_STATUS_NOT_SUPPORTED;
    simtStream_t stream = nullptr;
    simtblasPointerMode_t mode = SIMTBLAS_POINTER_MODE_HOST;
    if (const simtblasStatus_t status = simtblasGetPointerMode(handle, &mode)) return status;
    if (const simtblasStatus_t status = simtblasGetStream(handle, &stream)) return status;
    if (result == nullptr) return SIMTBLAS_STATUS_INVALID_VALUE;
    if (mode == SIMTBLAS_POINTER_MODE_HOST) {
      *result = 0;
    } else if (simtMemsetAsync(result, 0, sizeof *result, stream) != simtSuccess) {
      return SIMTBLAS_STATUS_EXECUTION_FAILED;
    }
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    return function(handle, static_cast<int>(n), x, static_cast<int>(incx),
                    reinterpret_cast<int*>(result));
  }
};

}  // namespace simtrt

#define BLAS_LONG(name) inline constexpr simtrt::LongSizes<&simtblas##name> simtblas##name##_64{};
#define BLAS_LONG_REAL(name) BLAS_LONG(S##name) BLAS_LONG(D##name)
#define BLAS_LONG_COMPLEX(name) BLAS_LONG(C##name) BLAS_LONG(Z##name)
#define BLAS_LONG_ALL(name) BLAS_LONG_REAL(name) BLAS_LONG_COMPLEX(name)
#define BLAS_LONG_INDEX(name, T) \
  inline constexpr simtrt::LongIndex<T, &simtblas##name> simtblas##name##_64{};

BLAS_LONG_INDEX(Isamax, float)
BLAS_LONG_INDEX(Isamin, float)
BLAS_LONG_INDEX(Idamax, double)
BLAS_LONG_INDEX(Idamin, double)
BLAS_LONG_INDEX(Icamax, simtComplex)
BLAS_LONG_INDEX(Icamin, simtComplex)
BLAS_LONG_INDEX(Izamax, simtDoubleComplex)
BLAS_LONG_INDEX(Izamin, simtDoubleComplex)

BLAS_LONG(SetVector)
BLAS_LONG(SetVectorAsync)
BLAS_LONG(SetMatrix)
BLAS_LONG(SetMatrixAsync)
BLAS_LONG(GetVector)
BLAS_LONG(GetVectorAsync)
BLAS_LONG(GetMatrix)
BLAS_LONG(GetMatrixAsync)

// Level 1.
BLAS_LONG_ALL(axpy)
BLAS_LONG_ALL(copy)
BLAS_LONG_ALL(rot)
BLAS_LONG_ALL(rotg)
BLAS_LONG_ALL(scal)
BLAS_LONG_ALL(swap)
BLAS_LONG_REAL(asum)
BLAS_LONG_REAL(dot)
BLAS_LONG_REAL(nrm2)
BLAS_LONG_REAL(rotm)
BLAS_LONG_REAL(rotmg)
BLAS_LONG_COMPLEX(dotc)
BLAS_LONG_COMPLEX(dotu)
BLAS_LONG(Scasum)
BLAS_LONG(Dzasum)
BLAS_LONG(Scnrm2)
BLAS_LONG(Dznrm2)
BLAS_LONG(Csrot)
BLAS_LONG(Zdrot)
BLAS_LONG(Csscal)
BLAS_LONG(Zdscal)
BLAS_LONG(AxpyEx)
BLAS_LONG(DotEx)
BLAS_LONG(DotcEx)
BLAS_LONG(Nrm2Ex)
BLAS_LONG(ScalEx)
BLAS_LONG(CopyEx)
BLAS_LONG(SwapEx)
BLAS_LONG(RotEx)

// Level 2.
BLAS_LONG_ALL(gemv)
BLAS_LONG_ALL(gemvBatched)
BLAS_LONG_ALL(gemvStridedBatched)
BLAS_LONG_ALL(gbmv)
BLAS_LONG_ALL(symv)
BLAS_LONG_ALL(syr)
BLAS_LONG_ALL(syr2)
BLAS_LONG_ALL(tbmv)
BLAS_LONG_ALL(tbsv)
BLAS_LONG_ALL(tpmv)
BLAS_LONG_ALL(tpsv)
BLAS_LONG_ALL(trmv)
BLAS_LONG_ALL(trsv)
BLAS_LONG_REAL(ger)
BLAS_LONG_REAL(sbmv)
BLAS_LONG_REAL(spmv)
BLAS_LONG_REAL(spr)
BLAS_LONG_REAL(spr2)
BLAS_LONG_COMPLEX(gerc)
BLAS_LONG_COMPLEX(geru)
BLAS_LONG_COMPLEX(hbmv)
BLAS_LONG_COMPLEX(hemv)
BLAS_LONG_COMPLEX(her)
BLAS_LONG_COMPLEX(her2)
BLAS_LONG_COMPLEX(hpmv)
BLAS_LONG_COMPLEX(hpr)
BLAS_LONG_COMPLEX(hpr2)

// Level 3.
BLAS_LONG_ALL(gemm)
BLAS_LONG_ALL(gemmBatched)
BLAS_LONG_ALL(gemmStridedBatched)
BLAS_LONG(Hgemm)
BLAS_LONG(HgemmBatched)
BLAS_LONG(HgemmStridedBatched)
BLAS_LONG_COMPLEX(gemm3m)
BLAS_LONG(Cgemm3mBatched)
BLAS_LONG(Cgemm3mEx)
BLAS_LONG(Cgemm3mStridedBatched)
BLAS_LONG(SgemmEx)
BLAS_LONG(CgemmEx)
BLAS_LONG(GemmEx)
BLAS_LONG(GemmBatchedEx)
BLAS_LONG(GemmStridedBatchedEx)
BLAS_LONG_ALL(symm)
BLAS_LONG_ALL(syrk)
BLAS_LONG_ALL(syr2k)
BLAS_LONG_ALL(syrkx)
BLAS_LONG_ALL(trmm)
BLAS_LONG_ALL(trsm)
BLAS_LONG_ALL(trsmBatched)
BLAS_LONG_ALL(geam)
BLAS_LONG_ALL(dgmm)
BLAS_LONG_COMPLEX(hemm)
BLAS_LONG_COMPLEX(herk)
BLAS_LONG_COMPLEX(her2k)
BLAS_LONG_COMPLEX(herkx)
BLAS_LONG(CsyrkEx)
BLAS_LONG(Csyrk3mEx)
BLAS_LONG(CherkEx)
BLAS_LONG(Cherk3mEx)

#undef BLAS_LONG
#undef BLAS_LONG_REAL
#undef BLAS_LONG_COMPLEX
#undef BLAS_LONG_ALL
#undef BLAS_LONG_INDEX
