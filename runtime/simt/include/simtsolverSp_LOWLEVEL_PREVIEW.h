// simtsolverSp, low level: analysis, factorisation and solution of sparse systems in separate calls.
//
// An info holds the structure and the factors of one matrix. The order of the calls is: analysis, bufferInfo, factor (for
// QR: setup, then factor), zeroPivot, solve. Each call may be repeated, for example factor for other values with the same
// structure. A call out of order, and a call for another element type than that of the factors, is
// SIMTSOLVER_STATUS_INVALID_VALUE. No matrix is reordered; csrqr orders its columns as csrlsvqr does.
//
// Functions whose names end in Host use host memory and the calling thread. Of the others, setup, factor and solve return
// immediately and use device memory in stream order; analysis, zeroPivot and csrcholDiag wait for the stream and cannot be
// captured. Buffers are not used.
//
// zeroPivot stores in host memory the position of the first pivot whose absolute value is at most `tol`, or -1. For Cholesky,
// a pivot that is not positive counts as 0. A system with such a pivot has no solution: solve stores NaN or infinite values.
//
// Source of names and signatures: CUDA 12.4, cusolverSp_LOWLEVEL_PREVIEW.h (11.6.1), which NVIDIA's documentation does not
// describe.
#pragma once

#include <simtsolverSp.h>

typedef struct csrluInfoHost* csrluInfoHost_t;
typedef struct csrcholInfoHost* csrcholInfoHost_t;
typedef struct csrcholInfo* csrcholInfo_t;
typedef struct csrqrInfoHost* csrqrInfoHost_t;

#define SOLVER_FUNCTION SIMTRT_EXPORT simtsolverStatus_t
/// Descriptor and arrays of a CSR matrix A with elements of type T.
#define SOLVER_CSR(T)                                                                    \
  const simtsparseMatDescr_t descrA, const T *csrValA, const int *csrRowPtrA, const int* csrColIndA
#define SOLVER_PATTERN const simtsparseMatDescr_t descrA, const int *csrRowPtrA, const int* csrColIndA
#define SOLVER_SIZES std::size_t *internalDataInBytes, std::size_t* workspaceInBytes

extern "C" {

// ---- LU, on the host: P A Q' = L U ---------------------------------------------------------------

SOLVER_FUNCTION simtsolverSpCreateCsrluInfoHost(csrluInfoHost_t* info);
SOLVER_FUNCTION simtsolverSpDestroyCsrluInfoHost(csrluInfoHost_t info);
SOLVER_FUNCTION simtsolverSpXcsrluAnalysisHost(simtsolverSpHandle_t handle, int n, int nnzA,
                                               SOLVER_PATTERN, csrluInfoHost_t info);
/// Numbers of entries of L, without its diagonal of ones, and of U.
SOLVER_FUNCTION simtsolverSpXcsrluNnzHost(simtsolverSpHandle_t handle, int* nnzLRef, int* nnzURef,
                                          csrluInfoHost_t info);

// The pivot of a column is the entry on A's diagonal if its absolute value is at least `pivot_threshold` (0 to 1) times the
// largest. Extract stores L without its diagonal of ones, and U. Row i of P A is row P[i] of A; Q is the identity. P and Q
// have indices from 0.
#define DECLARE_LU(S, T, Real)                                                                     \
  SOLVER_FUNCTION simtsolverSp##S##csrluBufferInfoHost(simtsolverSpHandle_t handle, int n,         \
                                                       int nnzA, SOLVER_CSR(T),                    \
                                                       csrluInfoHost_t info, SOLVER_SIZES);        \
  SOLVER_FUNCTION simtsolverSp##S##csrluFactorHost(simtsolverSpHandle_t handle, int n, int nnzA,   \
                                                   SOLVER_CSR(T), csrluInfoHost_t info,            \
                                                   Real pivot_threshold, void* pBuffer);           \
  SOLVER_FUNCTION simtsolverSp##S##csrluZeroPivotHost(                                             \
      simtsolverSpHandle_t handle, csrluInfoHost_t info, Real tol, int* position);                 \
  SOLVER_FUNCTION simtsolverSp##S##csrluSolveHost(simtsolverSpHandle_t handle, int n, const T* b,  \
                                                  T* x, csrluInfoHost_t info, void* pBuffer);      \
  SOLVER_FUNCTION simtsolverSp##S##csrluExtractHost(                                               \
      simtsolverSpHandle_t handle, int* P, int* Q, const simtsparseMatDescr_t descrL, T* csrValL,  \
      int* csrRowPtrL, int* csrColIndL, const simtsparseMatDescr_t descrU, T* csrValU,             \
      int* csrRowPtrU, int* csrColIndU, csrluInfoHost_t info, void* pBuffer);
DECLARE_LU(S, float, float)
DECLARE_LU(D, double, double)
DECLARE_LU(C, simtComplex, float)
DECLARE_LU(Z, simtDoubleComplex, double)
#undef DECLARE_LU

// ---- Cholesky: A = L L^H, from the lower triangle of A ------------------------------------------

SOLVER_FUNCTION simtsolverSpCreateCsrcholInfoHost(csrcholInfoHost_t* info);
SOLVER_FUNCTION simtsolverSpDestroyCsrcholInfoHost(csrcholInfoHost_t info);
SOLVER_FUNCTION simtsolverSpXcsrcholAnalysisHost(simtsolverSpHandle_t handle, int n, int nnzA,
                                                 SOLVER_PATTERN, csrcholInfoHost_t info);
SOLVER_FUNCTION simtsolverSpCreateCsrcholInfo(csrcholInfo_t* info);
SOLVER_FUNCTION simtsolverSpDestroyCsrcholInfo(csrcholInfo_t info);
SOLVER_FUNCTION simtsolverSpXcsrcholAnalysis(simtsolverSpHandle_t handle, int n, int nnzA,
                                             SOLVER_PATTERN, csrcholInfo_t info);

// `Host` is empty for the functions that use the device. csrcholDiag stores the diagonal of L.
#define DECLARE_CHOLESKY_AT(S, T, Real, Host)                                                      \
  SOLVER_FUNCTION simtsolverSp##S##csrcholBufferInfo##Host(                                        \
      simtsolverSpHandle_t handle, int n, int nnzA, SOLVER_CSR(T), csrcholInfo##Host##_t info,     \
      SOLVER_SIZES);                                                                               \
  SOLVER_FUNCTION simtsolverSp##S##csrcholFactor##Host(simtsolverSpHandle_t handle, int n,         \
                                                       int nnzA, SOLVER_CSR(T),                    \
                                                       csrcholInfo##Host##_t info, void* pBuffer); \
  SOLVER_FUNCTION simtsolverSp##S##csrcholZeroPivot##Host(                                         \
      simtsolverSpHandle_t handle, csrcholInfo##Host##_t info, Real tol, int* position);           \
  SOLVER_FUNCTION simtsolverSp##S##csrcholSolve##Host(simtsolverSpHandle_t handle, int n,          \
                                                      const T* b, T* x,                            \
                                                      csrcholInfo##Host##_t info, void* pBuffer);
#define DECLARE_CHOLESKY(S, T, Real)                                                              \
  DECLARE_CHOLESKY_AT(S, T, Real, Host)                                                           \
  DECLARE_CHOLESKY_AT(S, T, Real, )                                                               \
  SOLVER_FUNCTION simtsolverSp##S##csrcholDiag(simtsolverSpHandle_t handle, csrcholInfo_t info,   \
                                               Real* diag);
DECLARE_CHOLESKY(S, float, float)
DECLARE_CHOLESKY(D, double, double)
DECLARE_CHOLESKY(C, simtComplex, float)
DECLARE_CHOLESKY(Z, simtDoubleComplex, double)
#undef DECLARE_CHOLESKY
#undef DECLARE_CHOLESKY_AT

// ---- QR: A - mu I = Q R, m >= n -----------------------------------------------------------------

SOLVER_FUNCTION simtsolverSpCreateCsrqrInfoHost(csrqrInfoHost_t* info);
SOLVER_FUNCTION simtsolverSpDestroyCsrqrInfoHost(csrqrInfoHost_t info);
SOLVER_FUNCTION simtsolverSpXcsrqrAnalysisHost(simtsolverSpHandle_t handle, int m, int n, int nnzA,
                                               SOLVER_PATTERN, csrqrInfoHost_t info);
SOLVER_FUNCTION simtsolverSpXcsrqrAnalysis(simtsolverSpHandle_t handle, int m, int n, int nnzA,
                                           SOLVER_PATTERN, csrqrInfo_t info);

// Setup copies the matrix into the info. Factor also solves the system if b and x are not null. x has the smallest
// |A x - b|; b is unchanged. zeroPivot stores a column of A.
#define DECLARE_QR(S, T, Real, Host)                                                               \
  SOLVER_FUNCTION simtsolverSp##S##csrqrBufferInfo##Host(                                          \
      simtsolverSpHandle_t handle, int m, int n, int nnzA, SOLVER_CSR(T),                          \
      csrqrInfo##Host##_t info, SOLVER_SIZES);                                                     \
  SOLVER_FUNCTION simtsolverSp##S##csrqrSetup##Host(simtsolverSpHandle_t handle, int m, int n,     \
                                                    int nnzA, SOLVER_CSR(T), T mu,                 \
                                                    csrqrInfo##Host##_t info);                     \
  SOLVER_FUNCTION simtsolverSp##S##csrqrFactor##Host(simtsolverSpHandle_t handle, int m, int n,    \
                                                     int nnzA, T* b, T* x,                         \
                                                     csrqrInfo##Host##_t info, void* pBuffer);     \
  SOLVER_FUNCTION simtsolverSp##S##csrqrZeroPivot##Host(                                           \
      simtsolverSpHandle_t handle, csrqrInfo##Host##_t info, Real tol, int* position);             \
  SOLVER_FUNCTION simtsolverSp##S##csrqrSolve##Host(simtsolverSpHandle_t handle, int m, int n,     \
                                                    T* b, T* x, csrqrInfo##Host##_t info,          \
                                                    void* pBuffer);
DECLARE_QR(S, float, float, Host)
DECLARE_QR(D, double, double, Host)
DECLARE_QR(C, simtComplex, float, Host)
DECLARE_QR(Z, simtDoubleComplex, double, Host)
DECLARE_QR(S, float, float, )
DECLARE_QR(D, double, double, )
DECLARE_QR(C, simtComplex, float, )
DECLARE_QR(Z, simtDoubleComplex, double, )
#undef DECLARE_QR

}  // extern "C"

#undef SOLVER_FUNCTION
#undef SOLVER_CSR
#undef SOLVER_PATTERN
#undef SOLVER_SIZES
