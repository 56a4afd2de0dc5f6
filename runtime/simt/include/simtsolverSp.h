// simtsolverSp: sparse direct solvers, with the functions of cuSOLVER's sparse part.
//
// Matrices are in CSR with 32-bit indices from 0 or 1, as the descriptor states. Only general matrices are supported; the
// columns of a row may be in any order. Functions whose names end in Host read and write host memory and run on the calling
// thread. The other functions read and write device memory in the order of the handle's stream. Functions that report a
// result in host memory, for example `singularity`, wait for the stream and cannot be captured
// (SIMTSOLVER_STATUS_EXECUTION_FAILED).
//
// Errors: SIMTSOLVER_STATUS_NOT_INITIALIZED for a null handle; SIMTSOLVER_STATUS_INVALID_VALUE for sizes that are not
// positive, null pointers and unknown options; SIMTSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED for other matrix types;
// SIMTSOLVER_STATUS_ALLOC_FAILED; SIMTSOLVER_STATUS_EXECUTION_FAILED if the stream rejects the work.
//
// Source of names and signatures: CUDA 12.4, cusolverSp.h (11.6.1); of the behaviour: cuSOLVER's documentation of that
// release.
#pragma once

#include <simtblas.h>
#include <simtsolver.h>
#include <simtsparse.h>

#include <cstddef>
#include <cstdint>

/// State that a host thread passes to each call: the stream. One thread at a time may use a handle.
typedef struct simtsolverSpContext* simtsolverSpHandle_t;
/// Structure of a matrix for QR, and factors (simtsolverSp_LOWLEVEL_PREVIEW.h).
typedef struct csrqrInfo* csrqrInfo_t;

#define SOLVER_FUNCTION SIMTRT_EXPORT simtsolverStatus_t
/// Descriptor and arrays of a CSR matrix A with elements of type T.
#define SOLVER_CSR(T)                                                                    \
  const simtsparseMatDescr_t descrA, const T *csrValA, const int *csrRowPtrA, const int* csrColIndA

extern "C" {

// ---- Handles ------------------------------------------------------------------------------------

/// Creates a handle for the current device and the default stream.
SOLVER_FUNCTION simtsolverSpCreate(simtsolverSpHandle_t* handle);
SOLVER_FUNCTION simtsolverSpDestroy(simtsolverSpHandle_t handle);
SOLVER_FUNCTION simtsolverSpSetStream(simtsolverSpHandle_t handle, simtStream_t streamId);
SOLVER_FUNCTION simtsolverSpGetStream(simtsolverSpHandle_t handle, simtStream_t* streamId);

// ---- Orderings, on the host ---------------------------------------------------------------------

/// Stores 1 if the pattern of A is symmetric, otherwise 0. Row i has the entries from csrRowPtrA[i] to csrEndPtrA[i].
SOLVER_FUNCTION simtsolverSpXcsrissymHost(simtsolverSpHandle_t handle, int m, int nnzA,
                                          const simtsparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrEndPtrA, const int* csrColIndA, int* issym);

/// Permutations p, with indices from 0, for which factors of A(p, p) have few entries. They use the pattern of A + A'.
/// symrcm is reverse Cuthill-McKee; symmdq and symamd are minimum degree with approximate degrees; metisnd is nested
/// dissection with separators from level structures, and ignores `options`.
SOLVER_FUNCTION simtsolverSpXcsrsymrcmHost(simtsolverSpHandle_t handle, int n, int nnzA,
                                           const simtsparseMatDescr_t descrA, const int* csrRowPtrA,
                                           const int* csrColIndA, int* p);
SOLVER_FUNCTION simtsolverSpXcsrsymmdqHost(simtsolverSpHandle_t handle, int n, int nnzA,
                                           const simtsparseMatDescr_t descrA, const int* csrRowPtrA,
                                           const int* csrColIndA, int* p);
SOLVER_FUNCTION simtsolverSpXcsrsymamdHost(simtsolverSpHandle_t handle, int n, int nnzA,
                                           const simtsparseMatDescr_t descrA, const int* csrRowPtrA,
                                           const int* csrColIndA, int* p);
SOLVER_FUNCTION simtsolverSpXcsrmetisndHost(simtsolverSpHandle_t handle, int n, int nnzA,
                                            const simtsparseMatDescr_t descrA,
                                            const int* csrRowPtrA, const int* csrColIndA,
                                            const std::int64_t* options, int* p);

/// Replaces the pattern of A by that of B = A(p, q), with ascending columns, and `map` by map(k), where entry j of B is
/// entry k(j) of A. p and q have indices from 0.
SOLVER_FUNCTION simtsolverSpXcsrperm_bufferSizeHost(
    simtsolverSpHandle_t handle, int m, int n, int nnzA, const simtsparseMatDescr_t descrA,
    const int* csrRowPtrA, const int* csrColIndA, const int* p, const int* q,
    std::size_t* bufferSizeInBytes);
SOLVER_FUNCTION simtsolverSpXcsrpermHost(simtsolverSpHandle_t handle, int m, int n, int nnzA,
                                         const simtsparseMatDescr_t descrA, int* csrRowPtrA,
                                         int* csrColIndA, const int* p, const int* q, int* map,
                                         void* pBuffer);

// ---- QR of batches ------------------------------------------------------------------------------

SOLVER_FUNCTION simtsolverSpCreateCsrqrInfo(csrqrInfo_t* info);
SOLVER_FUNCTION simtsolverSpDestroyCsrqrInfo(csrqrInfo_t info);
/// Analyses the pattern of all matrices of a batch, with m >= n. Waits for the stream.
SOLVER_FUNCTION simtsolverSpXcsrqrAnalysisBatched(simtsolverSpHandle_t handle, int m, int n,
                                                  int nnzA, const simtsparseMatDescr_t descrA,
                                                  const int* csrRowPtrA, const int* csrColIndA,
                                                  csrqrInfo_t info);

// ---- Functions by element type ------------------------------------------------------------------

// csrlsv* solve A x = b. `tol`: a pivot whose absolute value is at most tol makes A singular. `reorder`: 0 none, 1 symrcm,
// 2 symamd, 3 metisnd. `singularity`, in host memory: -1, or the first singular pivot; x is then unchanged. It is a column of
// the reordered matrix, the first in the order of the elimination. csrlsvqr chooses another order of the columns if R would
// have too many entries otherwise. csrlsvchol reads the lower triangle.
//
// csrlsqvqr finds the x with the smallest |A x - b| for m >= n: A(:, p) = Q R, `rankA` diagonals of R are above tol, the
// other unknowns are 0. `min_norm` is |A x - b|.
//
// csreigvsi finds the eigenvalue `mu` near `mu0` and its eigenvector by inverse iteration from x0, until
// |A x - mu x| < tol or for maxite steps. csreigs counts the eigenvalues in a box of the complex plane, from the change of
// the argument of det(A - z I) along its border; eigenvalues near the border make the number unreliable.
//
// csrqrsvBatched finds, for each matrix of a batch, the x with the smallest |A x - b|. The matrices have one pattern; the values
// of a matrix, b and x follow those of the previous matrix. The buffer is not used.
//
// csrzfd finds a permutation P of the rows with a nonzero diagonal of A(P, :), or as many nonzeros as possible: `numnz`.
#define DECLARE_SOLVERS(S, T, Real, Complex)                                                       \
  SOLVER_FUNCTION simtsolverSp##S##csrlsvluHost(simtsolverSpHandle_t handle, int n, int nnzA,      \
                                                SOLVER_CSR(T), const T* b, Real tol, int reorder,  \
                                                T* x, int* singularity);                           \
  SOLVER_FUNCTION simtsolverSp##S##csrlsvqr(simtsolverSpHandle_t handle, int m, int nnz,           \
                                            SOLVER_CSR(T), const T* b, Real tol, int reorder,      \
                                            T* x, int* singularity);                               \
  SOLVER_FUNCTION simtsolverSp##S##csrlsvqrHost(simtsolverSpHandle_t handle, int m, int nnz,       \
                                                SOLVER_CSR(T), const T* b, Real tol, int reorder,  \
                                                T* x, int* singularity);                           \
  SOLVER_FUNCTION simtsolverSp##S##csrlsvchol(simtsolverSpHandle_t handle, int m, int nnz,         \
                                              SOLVER_CSR(T), const T* b, Real tol, int reorder,    \
                                              T* x, int* singularity);                             \
  SOLVER_FUNCTION simtsolverSp##S##csrlsvcholHost(simtsolverSpHandle_t handle, int m, int nnz,     \
                                                  SOLVER_CSR(T), const T* b, Real tol,             \
                                                  int reorder, T* x, int* singularity);            \
  SOLVER_FUNCTION simtsolverSp##S##csrlsqvqrHost(simtsolverSpHandle_t handle, int m, int n,        \
                                                 int nnz, SOLVER_CSR(T), const T* b, Real tol,     \
                                                 int* rankA, T* x, int* p, Real* min_norm);        \
  SOLVER_FUNCTION simtsolverSp##S##csreigvsiHost(simtsolverSpHandle_t handle, int m, int nnz,      \
                                                 SOLVER_CSR(T), T mu0, const T* x0, int maxite,    \
                                                 Real tol, T* mu, T* x);                           \
  SOLVER_FUNCTION simtsolverSp##S##csreigvsi(simtsolverSpHandle_t handle, int m, int nnz,          \
                                             SOLVER_CSR(T), T mu0, const T* x0, int maxite,        \
                                             Real eps, T* mu, T* x);                               \
  SOLVER_FUNCTION simtsolverSp##S##csreigsHost(simtsolverSpHandle_t handle, int m, int nnz,        \
                                               SOLVER_CSR(T), Complex left_bottom_corner,          \
                                               Complex right_upper_corner, int* num_eigs);         \
  SOLVER_FUNCTION simtsolverSp##S##csrzfdHost(simtsolverSpHandle_t handle, int n, int nnz,         \
                                              SOLVER_CSR(T), int* P, int* numnz);                  \
  SOLVER_FUNCTION simtsolverSp##S##csrqrBufferInfoBatched(                                         \
      simtsolverSpHandle_t handle, int m, int n, int nnz, SOLVER_CSR(T), int batchSize,            \
      csrqrInfo_t info, std::size_t* internalDataInBytes, std::size_t* workspaceInBytes);          \
  SOLVER_FUNCTION simtsolverSp##S##csrqrsvBatched(simtsolverSpHandle_t handle, int m, int n,       \
                                                  int nnz, SOLVER_CSR(T), const T* b, T* x,        \
                                                  int batchSize, csrqrInfo_t info, void* pBuffer);
DECLARE_SOLVERS(S, float, float, simtComplex)
DECLARE_SOLVERS(D, double, double, simtDoubleComplex)
DECLARE_SOLVERS(C, simtComplex, float, simtComplex)
DECLARE_SOLVERS(Z, simtDoubleComplex, double, simtDoubleComplex)
#undef DECLARE_SOLVERS

}  // extern "C"

#undef SOLVER_FUNCTION
#undef SOLVER_CSR
