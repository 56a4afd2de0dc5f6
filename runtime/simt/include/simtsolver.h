// simtsolver: dense factorisations on the host's LAPACK, with the functions of cuSOLVER's dense part.
//
// Matrices are column-major. A call checks its arguments and submits its work to the handle's
// stream. Results, including `info`, are on the device and are written in stream order. Functions
// return a status. After an error, no work is submitted and `info` is unchanged. The errors are
// SIMTSOLVER_STATUS_NOT_INITIALIZED for a null handle, SIMTSOLVER_STATUS_INVALID_VALUE for invalid
// sizes, leading dimensions and options, null pointers, invalid combinations of types, and a
// workspace smaller than the query's result, SIMTSOLVER_STATUS_NOT_SUPPORTED for sizes beyond 32
// bits, SIMTSOLVER_STATUS_EXECUTION_FAILED if the stream rejects the work.
//
// Workspaces are checked but unused, because LAPACK allocates its own memory; the queries return the
// smallest size above 0. Batches are distributed over the runtime's workers.
//
// Source of names, values and signatures: CUDA 12.4, cusolver_common.h and cusolverDn.h (11.6.1); of
// the values of `info`: cuSOLVER's documentation of that release.
#pragma once
#define SIMTSOLVER_H  // Programs test this macro to learn whether the header was included.

#include <simt_library_types.h>
#include <simtblas.h>

#include <cstddef>
#include <cstdint>

#define SIMTSOLVER_VER_MAJOR 11
#define SIMTSOLVER_VER_MINOR 6
#define SIMTSOLVER_VER_PATCH 1

/// Calling convention of the functions, for declarations in programs.
#define SIMTSOLVERAPI

namespace simtrt {
struct SolverContext;
struct SolverParams;
struct EigenJacobiParams;
struct SvdJacobiParams;
struct RefinementParams;
struct RefinementInfos;
}  // namespace simtrt

/// State that a host thread passes to each call: the stream. One thread at a time may use a handle.
typedef simtrt::SolverContext* simtsolverDnHandle_t;
/// Options of the functions with the prefix X; null selects the defaults.
typedef simtrt::SolverParams* simtsolverDnParams_t;
/// Options of syevj and gesvdj.
typedef simtrt::EigenJacobiParams* syevjInfo_t;
typedef simtrt::SvdJacobiParams* gesvdjInfo_t;
/// Options of the solvers with iterative refinement, and numbers of the last call.
typedef simtrt::RefinementParams* simtsolverDnIRSParams_t;
typedef simtrt::RefinementInfos* simtsolverDnIRSInfos_t;

typedef enum {
  SIMTSOLVER_STATUS_SUCCESS = 0,
  SIMTSOLVER_STATUS_NOT_INITIALIZED = 1,
  SIMTSOLVER_STATUS_ALLOC_FAILED = 2,
  SIMTSOLVER_STATUS_INVALID_VALUE = 3,
  SIMTSOLVER_STATUS_ARCH_MISMATCH = 4,
  SIMTSOLVER_STATUS_MAPPING_ERROR = 5,
  SIMTSOLVER_STATUS_EXECUTION_FAILED = 6,
  SIMTSOLVER_STATUS_INTERNAL_ERROR = 7,
  SIMTSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  SIMTSOLVER_STATUS_NOT_SUPPORTED = 9,
  SIMTSOLVER_STATUS_ZERO_PIVOT = 10,
  SIMTSOLVER_STATUS_INVALID_LICENSE = 11,
  SIMTSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED = 12,
  SIMTSOLVER_STATUS_IRS_PARAMS_INVALID = 13,
  SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_PREC = 14,
  SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE = 15,
  SIMTSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER = 16,
  SIMTSOLVER_STATUS_IRS_INTERNAL_ERROR = 20,
  SIMTSOLVER_STATUS_IRS_NOT_SUPPORTED = 21,
  SIMTSOLVER_STATUS_IRS_OUT_OF_RANGE = 22,
  SIMTSOLVER_STATUS_IRS_NRHS_NOT_SUPPORTED_FOR_REFINE_GMRES = 23,
  SIMTSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED = 25,
  SIMTSOLVER_STATUS_IRS_INFOS_NOT_DESTROYED = 26,
  SIMTSOLVER_STATUS_IRS_MATRIX_SINGULAR = 30,
  SIMTSOLVER_STATUS_INVALID_WORKSPACE = 31
} simtsolverStatus_t;

typedef int simtsolver_int_t;

/// Precisions and methods of the solvers with iterative refinement.
typedef enum {
  SIMTSOLVER_R_8I = 1201,
  SIMTSOLVER_R_8U = 1202,
  SIMTSOLVER_R_64F = 1203,
  SIMTSOLVER_R_32F = 1204,
  SIMTSOLVER_R_16F = 1205,
  SIMTSOLVER_R_16BF = 1206,
  SIMTSOLVER_R_TF32 = 1207,
  SIMTSOLVER_R_AP = 1208,
  SIMTSOLVER_C_8I = 1211,
  SIMTSOLVER_C_8U = 1212,
  SIMTSOLVER_C_64F = 1213,
  SIMTSOLVER_C_32F = 1214,
  SIMTSOLVER_C_16F = 1215,
  SIMTSOLVER_C_16BF = 1216,
  SIMTSOLVER_C_TF32 = 1217,
  SIMTSOLVER_C_AP = 1218
} simtsolverPrecType_t;
typedef enum {
  SIMTSOLVER_IRS_REFINE_NOT_SET = 1100,
  SIMTSOLVER_IRS_REFINE_NONE = 1101,
  SIMTSOLVER_IRS_REFINE_CLASSICAL = 1102,
  SIMTSOLVER_IRS_REFINE_CLASSICAL_GMRES = 1103,
  SIMTSOLVER_IRS_REFINE_GMRES = 1104,
  SIMTSOLVER_IRS_REFINE_GMRES_GMRES = 1105,
  SIMTSOLVER_IRS_REFINE_GMRES_NOPCOND = 1106,
  SIMTSOLVER_PREC_DD = 1150,
  SIMTSOLVER_PREC_SS = 1151,
  SIMTSOLVER_PREC_SHT = 1152
} simtsolverIRSRefinement_t;

typedef enum {
  SIMTSOLVER_EIG_MODE_NOVECTOR = 0,
  SIMTSOLVER_EIG_MODE_VECTOR = 1
} simtsolverEigMode_t;

/// Problems with two matrices: A x = w B x, A B x = w x, B A x = w x.
typedef enum {
  SIMTSOLVER_EIG_TYPE_1 = 1,
  SIMTSOLVER_EIG_TYPE_2 = 2,
  SIMTSOLVER_EIG_TYPE_3 = 3,
} simtsolverEigType_t;

/// Selection of eigenvalues: all, by number (from 1), or in the interval (vl, vu].
typedef enum {
  SIMTSOLVER_EIG_RANGE_ALL = 1001,
  SIMTSOLVER_EIG_RANGE_I = 1002,
  SIMTSOLVER_EIG_RANGE_V = 1003,
} simtsolverEigRange_t;

typedef enum { SIMTSOLVERDN_GETRF = 0, SIMTSOLVERDN_POTRF = 1 } simtsolverDnFunction_t;

/// Algorithms. LAPACK has one algorithm for each function: all enumerators select it.
typedef enum {
  SIMTSOLVER_ALG_0 = 0,
  SIMTSOLVER_ALG_1 = 1,
  SIMTSOLVER_ALG_2 = 2
} simtsolverAlgMode_t;

// The declarations below are grouped by factorisation. Each macro SOLVER_... declares the functions
// of one factorisation for elements of type T, whose absolute values have type Real.
#define SOLVER_FUNCTION SIMTRT_EXPORT simtsolverStatus_t

extern "C" {

// ---- Handles and options ------------------------------------------------------------------------

/// Creates a handle for the current device and the default stream.
SOLVER_FUNCTION simtsolverDnCreate(simtsolverDnHandle_t* handle);
SOLVER_FUNCTION simtsolverDnDestroy(simtsolverDnHandle_t handle);
SOLVER_FUNCTION simtsolverDnSetStream(simtsolverDnHandle_t handle, simtStream_t streamId);
SOLVER_FUNCTION simtsolverDnGetStream(simtsolverDnHandle_t handle, simtStream_t* streamId);
/// Version of the corresponding cuSOLVER: major * 1000 + minor * 100 + patch.
SOLVER_FUNCTION simtsolverGetVersion(int* version);
SOLVER_FUNCTION simtsolverGetProperty(libraryPropertyType type, int* value);

SOLVER_FUNCTION simtsolverDnCreateParams(simtsolverDnParams_t* params);
SOLVER_FUNCTION simtsolverDnDestroyParams(simtsolverDnParams_t params);
SOLVER_FUNCTION simtsolverDnSetAdvOptions(simtsolverDnParams_t params,
                                          simtsolverDnFunction_t function,
                                          simtsolverAlgMode_t algo);

/// Options of Jacobi's method. The tolerance and the number of sweeps have no effect, because
/// simtsolver uses other methods of LAPACK. These methods compute to the precision of T, and always
/// sort the results. For the sweeps of the last call, the functions report 1, and for its residual, the norm of the
/// elements outside of the diagonal, 0: the methods leave no such elements.
SOLVER_FUNCTION simtsolverDnCreateSyevjInfo(syevjInfo_t* info);
SOLVER_FUNCTION simtsolverDnDestroySyevjInfo(syevjInfo_t info);
SOLVER_FUNCTION simtsolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
SOLVER_FUNCTION simtsolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int max_sweeps);
SOLVER_FUNCTION simtsolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig);
SOLVER_FUNCTION simtsolverDnCreateGesvdjInfo(gesvdjInfo_t* info);
SOLVER_FUNCTION simtsolverDnDestroyGesvdjInfo(gesvdjInfo_t info);
SOLVER_FUNCTION simtsolverDnXgesvdjSetTolerance(gesvdjInfo_t info, double tolerance);
SOLVER_FUNCTION simtsolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t info, int max_sweeps);
SOLVER_FUNCTION simtsolverDnXgesvdjSetSortEig(gesvdjInfo_t info, int sort_svd);
SOLVER_FUNCTION simtsolverDnXsyevjGetResidual(simtsolverDnHandle_t handle, syevjInfo_t info,
                                              double* residual);
SOLVER_FUNCTION simtsolverDnXsyevjGetSweeps(simtsolverDnHandle_t handle, syevjInfo_t info,
                                            int* executed_sweeps);
SOLVER_FUNCTION simtsolverDnXgesvdjGetResidual(simtsolverDnHandle_t handle, gesvdjInfo_t info,
                                               double* residual);
SOLVER_FUNCTION simtsolverDnXgesvdjGetSweeps(simtsolverDnHandle_t handle, gesvdjInfo_t info,
                                             int* executed_sweeps);

// ---- Cholesky -----------------------------------------------------------------------------------

/// potrf: Cholesky factorisation; the triangle `uplo` of A becomes L or U. info receives 0, or the
/// order of the first leading minor that is not positive definite. potrs: solves linear systems
/// with potrf's factor. potrsBatched supports one right-hand side only (nrhs 1), and writes one
/// `info` for the whole batch.
#define SOLVER_POTRF(potrf, potrs, T)                                                             \
  SOLVER_FUNCTION potrf##_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, \
                                     T* A, int lda, int* Lwork);                                  \
  SOLVER_FUNCTION potrf(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A,        \
                        int lda, T* Workspace, int Lwork, int* devInfo);                          \
  SOLVER_FUNCTION potrs(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, int nrhs,    \
                        const T* A, int lda, T* B, int ldb, int* devInfo);                        \
  SOLVER_FUNCTION potrf##Batched(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n,     \
                                 T* Aarray[], int lda, int* infoArray, int batchSize);            \
  SOLVER_FUNCTION potrs##Batched(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n,     \
                                 int nrhs, T* A[], int lda, T* B[], int ldb, int* d_info,         \
                                 int batchSize);
SOLVER_POTRF(simtsolverDnSpotrf, simtsolverDnSpotrs, float)
SOLVER_POTRF(simtsolverDnDpotrf, simtsolverDnDpotrs, double)
SOLVER_POTRF(simtsolverDnCpotrf, simtsolverDnCpotrs, simtComplex)
SOLVER_POTRF(simtsolverDnZpotrf, simtsolverDnZpotrs, simtDoubleComplex)
#undef SOLVER_POTRF

/// Inverse from potrf's factor; one triangle of the inverse replaces the factor. devInfo receives 0,
/// or the first i, counted from 1, whose diagonal element is 0.
#define SOLVER_POTRI(potri, T)                                                                    \
  SOLVER_FUNCTION potri##_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, \
                                     T* A, int lda, int* Lwork);                                  \
  SOLVER_FUNCTION potri(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A,        \
                        int lda, T* work, int lwork, int* devInfo);
SOLVER_POTRI(simtsolverDnSpotri, float)
SOLVER_POTRI(simtsolverDnDpotri, double)
SOLVER_POTRI(simtsolverDnCpotri, simtComplex)
SOLVER_POTRI(simtsolverDnZpotri, simtDoubleComplex)
#undef SOLVER_POTRI

// ---- LU -----------------------------------------------------------------------------------------

/// getrf: LU factorisation; A becomes L and U. devIpiv receives the pivots, counted from 1; if
/// devIpiv is null, the factorisation does not pivot. info receives 0, or the first i, counted from
/// 1, with U(i, i) = 0. getrs: solves linear systems with getrf's factors.
#define SOLVER_GETRF(getrf, getrs, T)                                                            \
  SOLVER_FUNCTION getrf##_bufferSize(simtsolverDnHandle_t handle, int m, int n, T* A, int lda,   \
                                     int* Lwork);                                                \
  SOLVER_FUNCTION getrf(simtsolverDnHandle_t handle, int m, int n, T* A, int lda, T* Workspace,  \
                        int* devIpiv, int* devInfo);                                             \
  SOLVER_FUNCTION getrs(simtsolverDnHandle_t handle, simtblasOperation_t trans, int n, int nrhs, \
                        const T* A, int lda, const int* devIpiv, T* B, int ldb, int* devInfo);
SOLVER_GETRF(simtsolverDnSgetrf, simtsolverDnSgetrs, float)
SOLVER_GETRF(simtsolverDnDgetrf, simtsolverDnDgetrs, double)
SOLVER_GETRF(simtsolverDnCgetrf, simtsolverDnCgetrs, simtComplex)
SOLVER_GETRF(simtsolverDnZgetrf, simtsolverDnZgetrs, simtDoubleComplex)
#undef SOLVER_GETRF

// ---- L D L' of a symmetric matrix ---------------------------------------------------------------

/// sytrf: Bunch-Kaufman factorisation of a symmetric matrix, real or complex. Factors and pivots
/// are stored as in LAPACK's sytrf. info receives 0, or the first i, counted from 1, with D(i, i) =
/// 0. ipiv must not be null.
#define SOLVER_SYTRF(sytrf, T)                                                             \
  SOLVER_FUNCTION sytrf##_bufferSize(simtsolverDnHandle_t handle, int n, T* A, int lda,    \
                                     int* lwork);                                          \
  SOLVER_FUNCTION sytrf(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A, \
                        int lda, int* ipiv, T* work, int lwork, int* info);
SOLVER_SYTRF(simtsolverDnSsytrf, float)
SOLVER_SYTRF(simtsolverDnDsytrf, double)
SOLVER_SYTRF(simtsolverDnCsytrf, simtComplex)
SOLVER_SYTRF(simtsolverDnZsytrf, simtDoubleComplex)
#undef SOLVER_SYTRF

// ---- QR -----------------------------------------------------------------------------------------

/// geqrf: QR factorisation; A becomes R and the reflectors of Q. orgqr (ungqr for complex T): the
/// first n columns of Q, from k reflectors. ormqr (unmqr): C = op(Q) C or C = C op(Q).
/// SIMTBLAS_OP_T is an invalid value if Q is complex; if Q is real, it has the same effect as
/// SIMTBLAS_OP_C.
#define SOLVER_GEQRF(geqrf, orgqr, ormqr, T)                                                       \
  SOLVER_FUNCTION geqrf##_bufferSize(simtsolverDnHandle_t handle, int m, int n, T* A, int lda,     \
                                     int* lwork);                                                  \
  SOLVER_FUNCTION geqrf(simtsolverDnHandle_t handle, int m, int n, T* A, int lda, T* TAU,          \
                        T* Workspace, int Lwork, int* devInfo);                                    \
  SOLVER_FUNCTION orgqr##_bufferSize(simtsolverDnHandle_t handle, int m, int n, int k, const T* A, \
                                     int lda, const T* tau, int* lwork);                           \
  SOLVER_FUNCTION orgqr(simtsolverDnHandle_t handle, int m, int n, int k, T* A, int lda,           \
                        const T* tau, T* work, int lwork, int* info);                              \
  SOLVER_FUNCTION ormqr##_bufferSize(simtsolverDnHandle_t handle, simtblasSideMode_t side,         \
                                     simtblasOperation_t trans, int m, int n, int k, const T* A,   \
                                     int lda, const T* tau, const T* C, int ldc, int* lwork);      \
  SOLVER_FUNCTION ormqr(simtsolverDnHandle_t handle, simtblasSideMode_t side,                      \
                        simtblasOperation_t trans, int m, int n, int k, const T* A, int lda,       \
                        const T* tau, T* C, int ldc, T* work, int lwork, int* devInfo);
SOLVER_GEQRF(simtsolverDnSgeqrf, simtsolverDnSorgqr, simtsolverDnSormqr, float)
SOLVER_GEQRF(simtsolverDnDgeqrf, simtsolverDnDorgqr, simtsolverDnDormqr, double)
SOLVER_GEQRF(simtsolverDnCgeqrf, simtsolverDnCungqr, simtsolverDnCunmqr, simtComplex)
SOLVER_GEQRF(simtsolverDnZgeqrf, simtsolverDnZungqr, simtsolverDnZunmqr, simtDoubleComplex)
#undef SOLVER_GEQRF

// ---- Reduction to tridiagonal and bidiagonal form -----------------------------------------------

/// sytrd (hetrd for complex T): A = Q T Q'; d and e receive the diagonal and the subdiagonal of T, A and tau the
/// reflectors of Q. orgtr (ungtr): Q. ormtr (unmtr): C = op(Q) C or C = C op(Q), like ormqr. gebrd: A = Q B P' for m >=
/// n, where B is upper bidiagonal. orgbr (ungbr): n columns of Q (left), or m rows of P' (right). Arguments as in LAPACK.
#define SOLVER_REDUCTION(sytrd, orgtr, ormtr, gebrd, orgbr, T, Real)                               \
  SOLVER_FUNCTION sytrd##_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n,  \
                                     const T* A, int lda, const Real* d, const Real* e,            \
                                     const T* tau, int* lwork);                                    \
  SOLVER_FUNCTION sytrd(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A,         \
                        int lda, Real* d, Real* e, T* tau, T* work, int lwork, int* info);         \
  SOLVER_FUNCTION orgtr##_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n,  \
                                     const T* A, int lda, const T* tau, int* lwork);               \
  SOLVER_FUNCTION orgtr(simtsolverDnHandle_t handle, simtblasFillMode_t uplo, int n, T* A,         \
                        int lda, const T* tau, T* work, int lwork, int* info);                     \
  SOLVER_FUNCTION ormtr##_bufferSize(simtsolverDnHandle_t handle, simtblasSideMode_t side,         \
                                     simtblasFillMode_t uplo, simtblasOperation_t trans, int m,    \
                                     int n, const T* A, int lda, const T* tau, const T* C,         \
                                     int ldc, int* lwork);                                         \
  SOLVER_FUNCTION ormtr(simtsolverDnHandle_t handle, simtblasSideMode_t side,                      \
                        simtblasFillMode_t uplo, simtblasOperation_t trans, int m, int n, T* A,    \
                        int lda, T* tau, T* C, int ldc, T* work, int lwork, int* info);            \
  SOLVER_FUNCTION gebrd##_bufferSize(simtsolverDnHandle_t handle, int m, int n, int* Lwork);       \
  SOLVER_FUNCTION gebrd(simtsolverDnHandle_t handle, int m, int n, T* A, int lda, Real* D,         \
                        Real* E, T* TAUQ, T* TAUP, T* Work, int Lwork, int* devInfo);              \
  SOLVER_FUNCTION orgbr##_bufferSize(simtsolverDnHandle_t handle, simtblasSideMode_t side, int m,  \
                                     int n, int k, const T* A, int lda, const T* tau, int* lwork); \
  SOLVER_FUNCTION orgbr(simtsolverDnHandle_t handle, simtblasSideMode_t side, int m, int n, int k, \
                        T* A, int lda, const T* tau, T* work, int lwork, int* info);
SOLVER_REDUCTION(simtsolverDnSsytrd, simtsolverDnSorgtr, simtsolverDnSormtr, simtsolverDnSgebrd,
                 simtsolverDnSorgbr, float, float)
SOLVER_REDUCTION(simtsolverDnDsytrd, simtsolverDnDorgtr, simtsolverDnDormtr, simtsolverDnDgebrd,
                 simtsolverDnDorgbr, double, double)
SOLVER_REDUCTION(simtsolverDnChetrd, simtsolverDnCungtr, simtsolverDnCunmtr, simtsolverDnCgebrd,
                 simtsolverDnCungbr, simtComplex, float)
SOLVER_REDUCTION(simtsolverDnZhetrd, simtsolverDnZungtr, simtsolverDnZunmtr, simtsolverDnZgebrd,
                 simtsolverDnZungbr, simtDoubleComplex, double)
#undef SOLVER_REDUCTION

// ---- Solvers with iterative refinement ----------------------------------------------------------

/// gesv: A X = B. gels: the X that minimises the norm of B - A X, m >= n. The first letter is the precision of the matrices,
/// the second one that of the factorisation; a factorisation in 16 bits or TF32 (H, B, X, K, E, Y) is one in float.
/// `iter`, on the host, receives the number of corrections, for which the call waits. A negative number means that the
/// factorisation was repeated in the precision of A and replaces A: -2 overflow, -3 a zero on the diagonal, -50 no
/// convergence after 50 corrections. Otherwise A is unchanged. d_info receives 0, or the first i, counted from 1, for which
/// the triangular factor has a zero on its diagonal. A small workspace is SIMTSOLVER_STATUS_INVALID_WORKSPACE.
#define SOLVER_REFINEMENT(gesv, gels, T)                                                          \
  SOLVER_FUNCTION gesv##_bufferSize(simtsolverDnHandle_t handle, simtsolver_int_t n,              \
                                    simtsolver_int_t nrhs, T* dA, simtsolver_int_t ldda,          \
                                    simtsolver_int_t* dipiv, T* dB, simtsolver_int_t lddb, T* dX, \
                                    simtsolver_int_t lddx, void* dWorkspace, size_t* lwork_bytes); \
  SOLVER_FUNCTION gesv(simtsolverDnHandle_t handle, simtsolver_int_t n, simtsolver_int_t nrhs,    \
                       T* dA, simtsolver_int_t ldda, simtsolver_int_t* dipiv, T* dB,              \
                       simtsolver_int_t lddb, T* dX, simtsolver_int_t lddx, void* dWorkspace,     \
                       size_t lwork_bytes, simtsolver_int_t* iter, simtsolver_int_t* d_info);     \
  SOLVER_FUNCTION gels##_bufferSize(simtsolverDnHandle_t handle, simtsolver_int_t m,              \
                                    simtsolver_int_t n, simtsolver_int_t nrhs, T* dA,             \
                                    simtsolver_int_t ldda, T* dB, simtsolver_int_t lddb, T* dX,   \
                                    simtsolver_int_t lddx, void* dWorkspace, size_t* lwork_bytes); \
  SOLVER_FUNCTION gels(simtsolverDnHandle_t handle, simtsolver_int_t m, simtsolver_int_t n,       \
                       simtsolver_int_t nrhs, T* dA, simtsolver_int_t ldda, T* dB,                \
                       simtsolver_int_t lddb, T* dX, simtsolver_int_t lddx, void* dWorkspace,     \
                       size_t lwork_bytes, simtsolver_int_t* iter, simtsolver_int_t* d_info);
SOLVER_REFINEMENT(simtsolverDnSSgesv, simtsolverDnSSgels, float)
SOLVER_REFINEMENT(simtsolverDnSHgesv, simtsolverDnSHgels, float)
SOLVER_REFINEMENT(simtsolverDnSBgesv, simtsolverDnSBgels, float)
SOLVER_REFINEMENT(simtsolverDnSXgesv, simtsolverDnSXgels, float)
SOLVER_REFINEMENT(simtsolverDnDDgesv, simtsolverDnDDgels, double)
SOLVER_REFINEMENT(simtsolverDnDSgesv, simtsolverDnDSgels, double)
SOLVER_REFINEMENT(simtsolverDnDHgesv, simtsolverDnDHgels, double)
SOLVER_REFINEMENT(simtsolverDnDBgesv, simtsolverDnDBgels, double)
SOLVER_REFINEMENT(simtsolverDnDXgesv, simtsolverDnDXgels, double)
SOLVER_REFINEMENT(simtsolverDnCCgesv, simtsolverDnCCgels, simtComplex)
SOLVER_REFINEMENT(simtsolverDnCKgesv, simtsolverDnCKgels, simtComplex)
SOLVER_REFINEMENT(simtsolverDnCEgesv, simtsolverDnCEgels, simtComplex)
SOLVER_REFINEMENT(simtsolverDnCYgesv, simtsolverDnCYgels, simtComplex)
SOLVER_REFINEMENT(simtsolverDnZZgesv, simtsolverDnZZgels, simtDoubleComplex)
SOLVER_REFINEMENT(simtsolverDnZCgesv, simtsolverDnZCgels, simtDoubleComplex)
SOLVER_REFINEMENT(simtsolverDnZKgesv, simtsolverDnZKgels, simtDoubleComplex)
SOLVER_REFINEMENT(simtsolverDnZEgesv, simtsolverDnZEgels, simtDoubleComplex)
SOLVER_REFINEMENT(simtsolverDnZYgesv, simtsolverDnZYgels, simtDoubleComplex)
#undef SOLVER_REFINEMENT

/// Options of IRSXgesv and IRSXgels: both precisions and a method must be set. Every method except NONE is classical
/// refinement; the tolerance and the number of iterations of an inner method have no effect. By default, a call makes at
/// most 50 corrections, and falls back to a factorisation in the main precision. Errors: IRS_PARAMS_NOT_INITIALIZED.
SOLVER_FUNCTION simtsolverDnIRSParamsCreate(simtsolverDnIRSParams_t* params);
SOLVER_FUNCTION simtsolverDnIRSParamsDestroy(simtsolverDnIRSParams_t params);
SOLVER_FUNCTION simtsolverDnIRSParamsSetRefinementSolver(simtsolverDnIRSParams_t params,
                                                         simtsolverIRSRefinement_t method);
SOLVER_FUNCTION simtsolverDnIRSParamsSetSolverMainPrecision(simtsolverDnIRSParams_t params,
                                                            simtsolverPrecType_t type);
SOLVER_FUNCTION simtsolverDnIRSParamsSetSolverLowestPrecision(simtsolverDnIRSParams_t params,
                                                              simtsolverPrecType_t type);
SOLVER_FUNCTION simtsolverDnIRSParamsSetSolverPrecisions(simtsolverDnIRSParams_t params,
                                                         simtsolverPrecType_t main,
                                                         simtsolverPrecType_t lowest);
/// Largest ratio of a residual to sqrt(n) |A| |x|; by default the machine epsilon of the main precision.
SOLVER_FUNCTION simtsolverDnIRSParamsSetTol(simtsolverDnIRSParams_t params, double tolerance);
SOLVER_FUNCTION simtsolverDnIRSParamsSetTolInner(simtsolverDnIRSParams_t params, double tolerance);
SOLVER_FUNCTION simtsolverDnIRSParamsSetMaxIters(simtsolverDnIRSParams_t params,
                                                 simtsolver_int_t count);
SOLVER_FUNCTION simtsolverDnIRSParamsSetMaxItersInner(simtsolverDnIRSParams_t params,
                                                      simtsolver_int_t count);
SOLVER_FUNCTION simtsolverDnIRSParamsGetMaxIters(simtsolverDnIRSParams_t params,
                                                 simtsolver_int_t* count);
SOLVER_FUNCTION simtsolverDnIRSParamsEnableFallback(simtsolverDnIRSParams_t params);
SOLVER_FUNCTION simtsolverDnIRSParamsDisableFallback(simtsolverDnIRSParams_t params);
/// Numbers of the last call: corrections (the same for outer iterations), and the limit.
SOLVER_FUNCTION simtsolverDnIRSInfosCreate(simtsolverDnIRSInfos_t* infos);
SOLVER_FUNCTION simtsolverDnIRSInfosDestroy(simtsolverDnIRSInfos_t infos);
SOLVER_FUNCTION simtsolverDnIRSInfosGetNiters(simtsolverDnIRSInfos_t infos,
                                              simtsolver_int_t* count);
SOLVER_FUNCTION simtsolverDnIRSInfosGetOuterNiters(simtsolverDnIRSInfos_t infos,
                                                   simtsolver_int_t* count);
SOLVER_FUNCTION simtsolverDnIRSInfosGetMaxIters(simtsolverDnIRSInfos_t infos,
                                                simtsolver_int_t* count);
/// gesv and gels with matrices of the main precision.
SOLVER_FUNCTION simtsolverDnIRSXgesv_bufferSize(simtsolverDnHandle_t handle,
                                                simtsolverDnIRSParams_t params, simtsolver_int_t n,
                                                simtsolver_int_t nrhs, size_t* lwork_bytes);
SOLVER_FUNCTION simtsolverDnIRSXgesv(simtsolverDnHandle_t handle, simtsolverDnIRSParams_t params,
                                     simtsolverDnIRSInfos_t infos, simtsolver_int_t n,
                                     simtsolver_int_t nrhs, void* dA, simtsolver_int_t ldda,
                                     void* dB, simtsolver_int_t lddb, void* dX,
                                     simtsolver_int_t lddx, void* dWorkspace, size_t lwork_bytes,
                                     simtsolver_int_t* niters, simtsolver_int_t* d_info);
SOLVER_FUNCTION simtsolverDnIRSXgels_bufferSize(simtsolverDnHandle_t handle,
                                                simtsolverDnIRSParams_t params, simtsolver_int_t m,
                                                simtsolver_int_t n, simtsolver_int_t nrhs,
                                                size_t* lwork_bytes);
SOLVER_FUNCTION simtsolverDnIRSXgels(simtsolverDnHandle_t handle, simtsolverDnIRSParams_t params,
                                     simtsolverDnIRSInfos_t infos, simtsolver_int_t m,
                                     simtsolver_int_t n, simtsolver_int_t nrhs, void* dA,
                                     simtsolver_int_t ldda, void* dB, simtsolver_int_t lddb,
                                     void* dX, simtsolver_int_t lddx, void* dWorkspace,
                                     size_t lwork_bytes, simtsolver_int_t* niters,
                                     simtsolver_int_t* d_info);

// ---- Eigenvalues of symmetric and Hermitian matrices --------------------------------------------

/// W receives the eigenvalues in ascending order. With VECTOR, A receives the eigenvectors;
/// otherwise its content is undefined. info receives 0 on success. If the computation does not
/// converge, for example because the matrix contains infinity or NaN, syevd writes a positive
/// number to info, and syevj and syevjBatched write n + 1. All three functions use LAPACK's divide
/// and conquer. The matrices of a batch are contiguous in A (distance lda * n), W (n) and info.
#define SOLVER_SYEVD(syevd, syevj, T, Real)                                                       \
  SOLVER_FUNCTION syevd##_bufferSize(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,       \
                                     simtblasFillMode_t uplo, int n, const T* A, int lda,         \
                                     const Real* W, int* lwork);                                  \
  SOLVER_FUNCTION syevd(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,                    \
                        simtblasFillMode_t uplo, int n, T* A, int lda, Real* W, T* work,          \
                        int lwork, int* info);                                                    \
  SOLVER_FUNCTION syevj##_bufferSize(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,       \
                                     simtblasFillMode_t uplo, int n, const T* A, int lda,         \
                                     const Real* W, int* lwork, syevjInfo_t params);              \
  SOLVER_FUNCTION syevj(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,                    \
                        simtblasFillMode_t uplo, int n, T* A, int lda, Real* W, T* work,          \
                        int lwork, int* info, syevjInfo_t params);                                \
  SOLVER_FUNCTION syevj##Batched_bufferSize(                                                      \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n,      \
      const T* A, int lda, const Real* W, int* lwork, syevjInfo_t params, int batchSize);         \
  SOLVER_FUNCTION syevj##Batched(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,           \
                                 simtblasFillMode_t uplo, int n, T* A, int lda, Real* W, T* work, \
                                 int lwork, int* info, syevjInfo_t params, int batchSize);
SOLVER_SYEVD(simtsolverDnSsyevd, simtsolverDnSsyevj, float, float)
SOLVER_SYEVD(simtsolverDnDsyevd, simtsolverDnDsyevj, double, double)
SOLVER_SYEVD(simtsolverDnCheevd, simtsolverDnCheevj, simtComplex, float)
SOLVER_SYEVD(simtsolverDnZheevd, simtsolverDnZheevj, simtDoubleComplex, double)
#undef SOLVER_SYEVD

/// Problems with two matrices, and selected eigenvalues. B is positive definite and receives its Cholesky factor. `found`
/// is host memory and receives the number of selected eigenvalues; the first `found` elements of W and columns of A
/// receive these and their vectors. With RANGE_V, the call waits for the stream. info receives n + i if the leading minor
/// i of B is not positive definite. sygvj uses LAPACK's divide and conquer as well.
#define SOLVER_GENERALIZED(syevdx, sygvd, sygvdx, sygvj, T, Real)                                  \
  SOLVER_FUNCTION syevdx##_bufferSize(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,       \
                                      simtsolverEigRange_t range, simtblasFillMode_t uplo, int n,  \
                                      const T* A, int lda, Real vl, Real vu, int il, int iu,       \
                                      int* found, const Real* W, int* lwork);                      \
  SOLVER_FUNCTION syevdx(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,                    \
                         simtsolverEigRange_t range, simtblasFillMode_t uplo, int n, T* A,         \
                         int lda, Real vl, Real vu, int il, int iu, int* found, Real* W, T* work,  \
                         int lwork, int* info);                                                    \
  SOLVER_FUNCTION sygvd##_bufferSize(simtsolverDnHandle_t handle, simtsolverEigType_t itype,       \
                                     simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n,     \
                                     const T* A, int lda, const T* B, int ldb, const Real* W,      \
                                     int* lwork);                                                  \
  SOLVER_FUNCTION sygvd(simtsolverDnHandle_t handle, simtsolverEigType_t itype,                    \
                        simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n, T* A, int lda,   \
                        T* B, int ldb, Real* W, T* work, int lwork, int* info);                    \
  SOLVER_FUNCTION sygvdx##_bufferSize(                                                             \
      simtsolverDnHandle_t handle, simtsolverEigType_t itype, simtsolverEigMode_t jobz,            \
      simtsolverEigRange_t range, simtblasFillMode_t uplo, int n, const T* A, int lda, const T* B, \
      int ldb, Real vl, Real vu, int il, int iu, int* found, const Real* W, int* lwork);           \
  SOLVER_FUNCTION sygvdx(simtsolverDnHandle_t handle, simtsolverEigType_t itype,                   \
                         simtsolverEigMode_t jobz, simtsolverEigRange_t range,                     \
                         simtblasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, Real vl,    \
                         Real vu, int il, int iu, int* found, Real* W, T* work, int lwork,         \
                         int* info);                                                               \
  SOLVER_FUNCTION sygvj##_bufferSize(simtsolverDnHandle_t handle, simtsolverEigType_t itype,       \
                                     simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n,     \
                                     const T* A, int lda, const T* B, int ldb, const Real* W,      \
                                     int* lwork, syevjInfo_t params);                              \
  SOLVER_FUNCTION sygvj(simtsolverDnHandle_t handle, simtsolverEigType_t itype,                    \
                        simtsolverEigMode_t jobz, simtblasFillMode_t uplo, int n, T* A, int lda,   \
                        T* B, int ldb, Real* W, T* work, int lwork, int* info,                     \
                        syevjInfo_t params);
SOLVER_GENERALIZED(simtsolverDnSsyevdx, simtsolverDnSsygvd, simtsolverDnSsygvdx,
                   simtsolverDnSsygvj, float, float)
SOLVER_GENERALIZED(simtsolverDnDsyevdx, simtsolverDnDsygvd, simtsolverDnDsygvdx,
                   simtsolverDnDsygvj, double, double)
SOLVER_GENERALIZED(simtsolverDnCheevdx, simtsolverDnChegvd, simtsolverDnChegvdx,
                   simtsolverDnChegvj, simtComplex, float)
SOLVER_GENERALIZED(simtsolverDnZheevdx, simtsolverDnZhegvd, simtsolverDnZhegvdx,
                   simtsolverDnZhegvj, simtDoubleComplex, double)
#undef SOLVER_GENERALIZED

// ---- Singular values ----------------------------------------------------------------------------

/// gesvd: m >= n. The jobs are LAPACK's: 'A', 'S', 'O' (vectors overwrite A; permitted for one of
/// the two jobs) or 'N'. VT is V transposed and conjugated. info receives 0, or the number of
/// superdiagonals that did not converge. rwork, unless null, receives these superdiagonals. The
/// content of A is lost.
///
/// gesvdj: any m and n. U and V (not VT) have min(m, n) columns if econ is 1, and all columns if
/// econ is 0. gesvdjBatched: m and n up to 32, econ 0; the matrices of a batch are contiguous in A
/// (distance lda * n), S (min(m, n)), U (ldu * m), V (ldv * n) and info. gesvdaStridedBatched: m >=
/// n; computes the `rank` largest singular values of each matrix and their vectors; A is unchanged.
/// h_R_nrmF, on the host, receives the norm of A - U S V', which is the norm of the omitted
/// singular values; the call waits for this result. If h_R_nrmF is null, the norm is not computed.
///
/// info of gesvdj, gesvdjBatched and gesvdaStridedBatched receives 0, or min(m, n) + 1 if the
/// computation does not converge, for example because the matrix contains infinity or NaN. All
/// functions use LAPACK's divide and conquer. Singular values are descending.
#define SOLVER_GESVD(gesvd, T, Real)                                                               \
  SOLVER_FUNCTION gesvd##_bufferSize(simtsolverDnHandle_t handle, int m, int n, int* lwork);       \
  SOLVER_FUNCTION gesvd(simtsolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,   \
                        int n, T* A, int lda, Real* S, T* U, int ldu, T* VT, int ldvt, T* work,    \
                        int lwork, Real* rwork, int* info);                                        \
  SOLVER_FUNCTION gesvd##j_bufferSize(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz,       \
                                      int econ, int m, int n, const T* A, int lda, const Real* S,  \
                                      const T* U, int ldu, const T* V, int ldv, int* lwork,        \
                                      gesvdjInfo_t params);                                        \
  SOLVER_FUNCTION gesvd##j(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int econ, int m, \
                           int n, T* A, int lda, Real* S, T* U, int ldu, T* V, int ldv, T* work,   \
                           int lwork, int* info, gesvdjInfo_t params);                             \
  SOLVER_FUNCTION gesvd##jBatched_bufferSize(                                                      \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int m, int n, const T* A, int lda,    \
      const Real* S, const T* U, int ldu, const T* V, int ldv, int* lwork, gesvdjInfo_t params,    \
      int batchSize);                                                                              \
  SOLVER_FUNCTION gesvd##jBatched(simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int m,    \
                                  int n, T* A, int lda, Real* S, T* U, int ldu, T* V, int ldv,     \
                                  T* work, int lwork, int* info, gesvdjInfo_t params,              \
                                  int batchSize);                                                  \
  SOLVER_FUNCTION gesvd##aStridedBatched_bufferSize(                                               \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int rank, int m, int n, const T* d_A, \
      int lda, long long int strideA, const Real* d_S, long long int strideS, const T* d_U,        \
      int ldu, long long int strideU, const T* d_V, int ldv, long long int strideV, int* lwork,    \
      int batchSize);                                                                              \
  SOLVER_FUNCTION gesvd##aStridedBatched(                                                          \
      simtsolverDnHandle_t handle, simtsolverEigMode_t jobz, int rank, int m, int n, const T* d_A, \
      int lda, long long int strideA, Real* d_S, long long int strideS, T* d_U, int ldu,           \
      long long int strideU, T* d_V, int ldv, long long int strideV, T* d_work, int lwork,         \
      int* d_info, double* h_R_nrmF, int batchSize);
SOLVER_GESVD(simtsolverDnSgesvd, float, float)
SOLVER_GESVD(simtsolverDnDgesvd, double, double)
SOLVER_GESVD(simtsolverDnCgesvd, simtComplex, float)
SOLVER_GESVD(simtsolverDnZgesvd, simtDoubleComplex, double)
#undef SOLVER_GESVD

// ---- The same functions with types and 64-bit sizes as arguments --------------------------------

// Types are SIMT_R_32F, SIMT_R_64F, SIMT_C_32F or SIMT_C_64F. All types of a call are the same,
// except that W and S have the corresponding real type. Pivots have 64 bits. The workspace on the
// host may be null.
#define SOLVER_WORKSPACE_QUERY                                     \
  simtDataType computeType, std::size_t *workspaceInBytesOnDevice, \
      std::size_t *workspaceInBytesOnHost
#define SOLVER_WORKSPACE                                                          \
  void *bufferOnDevice, std::size_t workspaceInBytesOnDevice, void *bufferOnHost, \
      std::size_t workspaceInBytesOnHost, int *info
#define SOLVER_CALL simtsolverDnHandle_t handle, simtsolverDnParams_t params

SOLVER_FUNCTION simtsolverDnXpotrf_bufferSize(SOLVER_CALL, simtblasFillMode_t uplo, std::int64_t n,
                                              simtDataType dataTypeA, const void* A,
                                              std::int64_t lda, SOLVER_WORKSPACE_QUERY);
SOLVER_FUNCTION simtsolverDnXpotrf(SOLVER_CALL, simtblasFillMode_t uplo, std::int64_t n,
                                   simtDataType dataTypeA, void* A, std::int64_t lda,
                                   simtDataType computeType, SOLVER_WORKSPACE);
SOLVER_FUNCTION simtsolverDnXpotrs(SOLVER_CALL, simtblasFillMode_t uplo, std::int64_t n,
                                   std::int64_t nrhs, simtDataType dataTypeA, const void* A,
                                   std::int64_t lda, simtDataType dataTypeB, void* B,
                                   std::int64_t ldb, int* info);
/// Inverse of a triangular matrix, in its place. devInfo receives 0, or the first i, counted from 1,
/// whose diagonal element is 0.
SOLVER_FUNCTION simtsolverDnXtrtri_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                                              simtblasDiagType_t diag, std::int64_t n,
                                              simtDataType dataTypeA, void* A, std::int64_t lda,
                                              std::size_t* workspaceInBytesOnDevice,
                                              std::size_t* workspaceInBytesOnHost);
SOLVER_FUNCTION simtsolverDnXtrtri(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                                   simtblasDiagType_t diag, std::int64_t n, simtDataType dataTypeA,
                                   void* A, std::int64_t lda, SOLVER_WORKSPACE);
SOLVER_FUNCTION simtsolverDnXgetrf_bufferSize(SOLVER_CALL, std::int64_t m, std::int64_t n,
                                              simtDataType dataTypeA, const void* A,
                                              std::int64_t lda, SOLVER_WORKSPACE_QUERY);
SOLVER_FUNCTION simtsolverDnXgetrf(SOLVER_CALL, std::int64_t m, std::int64_t n,
                                   simtDataType dataTypeA, void* A, std::int64_t lda,
                                   std::int64_t* ipiv, simtDataType computeType, SOLVER_WORKSPACE);
SOLVER_FUNCTION simtsolverDnXgetrs(SOLVER_CALL, simtblasOperation_t trans, std::int64_t n,
                                   std::int64_t nrhs, simtDataType dataTypeA, const void* A,
                                   std::int64_t lda, const std::int64_t* ipiv,
                                   simtDataType dataTypeB, void* B, std::int64_t ldb, int* info);
SOLVER_FUNCTION simtsolverDnXgeqrf_bufferSize(SOLVER_CALL, std::int64_t m, std::int64_t n,
                                              simtDataType dataTypeA, const void* A,
                                              std::int64_t lda, simtDataType dataTypeTau,
                                              const void* tau, SOLVER_WORKSPACE_QUERY);
SOLVER_FUNCTION simtsolverDnXgeqrf(SOLVER_CALL, std::int64_t m, std::int64_t n,
                                   simtDataType dataTypeA, void* A, std::int64_t lda,
                                   simtDataType dataTypeTau, void* tau, simtDataType computeType,
                                   SOLVER_WORKSPACE);
SOLVER_FUNCTION simtsolverDnXsyevd_bufferSize(SOLVER_CALL, simtsolverEigMode_t jobz,
                                              simtblasFillMode_t uplo, std::int64_t n,
                                              simtDataType dataTypeA, const void* A,
                                              std::int64_t lda, simtDataType dataTypeW,
                                              const void* W, SOLVER_WORKSPACE_QUERY);
SOLVER_FUNCTION simtsolverDnXsyevd(SOLVER_CALL, simtsolverEigMode_t jobz, simtblasFillMode_t uplo,
                                   std::int64_t n, simtDataType dataTypeA, void* A,
                                   std::int64_t lda, simtDataType dataTypeW, void* W,
                                   simtDataType computeType, SOLVER_WORKSPACE);
/// `vl` and `vu` point to host memory with numbers of W's type.
SOLVER_FUNCTION simtsolverDnXsyevdx_bufferSize(
    SOLVER_CALL, simtsolverEigMode_t jobz, simtsolverEigRange_t range, simtblasFillMode_t uplo,
    std::int64_t n, simtDataType dataTypeA, const void* A, std::int64_t lda, void* vl, void* vu,
    std::int64_t il, std::int64_t iu, std::int64_t* found, simtDataType dataTypeW, const void* W,
    SOLVER_WORKSPACE_QUERY);
SOLVER_FUNCTION simtsolverDnXsyevdx(SOLVER_CALL, simtsolverEigMode_t jobz,
                                    simtsolverEigRange_t range, simtblasFillMode_t uplo,
                                    std::int64_t n, simtDataType dataTypeA, void* A,
                                    std::int64_t lda, void* vl, void* vu, std::int64_t il,
                                    std::int64_t iu, std::int64_t* found, simtDataType dataTypeW,
                                    void* W, simtDataType computeType, SOLVER_WORKSPACE);
/// Eigenvalues of a general matrix (added in CUDA 12.6). W is complex. VL and VR have A's type. If
/// that type is real, columns j and j + 1 contain the real and the imaginary part of the vectors of
/// a conjugate pair of eigenvalues, as in LAPACK's geev. info receives 0, or a positive number if
/// the computation does not converge, for example because the matrix contains infinity or NaN.
SOLVER_FUNCTION simtsolverDnXgeev_bufferSize(
    SOLVER_CALL, simtsolverEigMode_t jobvl, simtsolverEigMode_t jobvr, std::int64_t n,
    simtDataType dataTypeA, const void* A, std::int64_t lda, simtDataType dataTypeW, const void* W,
    simtDataType dataTypeVL, const void* VL, std::int64_t ldvl, simtDataType dataTypeVR,
    const void* VR, std::int64_t ldvr, SOLVER_WORKSPACE_QUERY);
SOLVER_FUNCTION simtsolverDnXgeev(SOLVER_CALL, simtsolverEigMode_t jobvl, simtsolverEigMode_t jobvr,
                                  std::int64_t n, simtDataType dataTypeA, void* A, std::int64_t lda,
                                  simtDataType dataTypeW, void* W, simtDataType dataTypeVL,
                                  void* VL, std::int64_t ldvl, simtDataType dataTypeVR, void* VR,
                                  std::int64_t ldvr, simtDataType computeType, SOLVER_WORKSPACE);
SOLVER_FUNCTION simtsolverDnXgesvd_bufferSize(
    SOLVER_CALL, signed char jobu, signed char jobvt, std::int64_t m, std::int64_t n,
    simtDataType dataTypeA, const void* A, std::int64_t lda, simtDataType dataTypeS, const void* S,
    simtDataType dataTypeU, const void* U, std::int64_t ldu, simtDataType dataTypeVT,
    const void* VT, std::int64_t ldvt, SOLVER_WORKSPACE_QUERY);
SOLVER_FUNCTION simtsolverDnXgesvd(SOLVER_CALL, signed char jobu, signed char jobvt, std::int64_t m,
                                   std::int64_t n, simtDataType dataTypeA, void* A,
                                   std::int64_t lda, simtDataType dataTypeS, void* S,
                                   simtDataType dataTypeU, void* U, std::int64_t ldu,
                                   simtDataType dataTypeVT, void* VT, std::int64_t ldvt,
                                   simtDataType computeType, SOLVER_WORKSPACE);
/// Singular values and vectors; arguments as for gesvdj. Both functions use LAPACK's divide and conquer. gesvdp writes 0 to
/// h_err_sigma, on the host: the matrix is not perturbed. gesvdr: the `k` largest singular values with k columns of U
/// and V, if the jobs are 'S' ('N': none). They are exact, whatever the oversampling `p` and the number of iterations.
SOLVER_FUNCTION simtsolverDnXgesvdp_bufferSize(
    SOLVER_CALL, simtsolverEigMode_t jobz, int econ, std::int64_t m, std::int64_t n,
    simtDataType dataTypeA, const void* A, std::int64_t lda, simtDataType dataTypeS, const void* S,
    simtDataType dataTypeU, const void* U, std::int64_t ldu, simtDataType dataTypeV, const void* V,
    std::int64_t ldv, SOLVER_WORKSPACE_QUERY);
SOLVER_FUNCTION simtsolverDnXgesvdp(SOLVER_CALL, simtsolverEigMode_t jobz, int econ, std::int64_t m,
                                    std::int64_t n, simtDataType dataTypeA, void* A,
                                    std::int64_t lda, simtDataType dataTypeS, void* S,
                                    simtDataType dataTypeU, void* U, std::int64_t ldu,
                                    simtDataType dataTypeV, void* V, std::int64_t ldv,
                                    simtDataType computeType, SOLVER_WORKSPACE,
                                    double* h_err_sigma);
SOLVER_FUNCTION simtsolverDnXgesvdr_bufferSize(
    SOLVER_CALL, signed char jobu, signed char jobv, std::int64_t m, std::int64_t n, std::int64_t k,
    std::int64_t p, std::int64_t niters, simtDataType dataTypeA, const void* A, std::int64_t lda,
    simtDataType dataTypeSrand, const void* Srand, simtDataType dataTypeUrand, const void* Urand,
    std::int64_t ldUrand, simtDataType dataTypeVrand, const void* Vrand, std::int64_t ldVrand,
    SOLVER_WORKSPACE_QUERY);
SOLVER_FUNCTION simtsolverDnXgesvdr(SOLVER_CALL, signed char jobu, signed char jobv, std::int64_t m,
                                    std::int64_t n, std::int64_t k, std::int64_t p,
                                    std::int64_t niters, simtDataType dataTypeA, void* A,
                                    std::int64_t lda, simtDataType dataTypeSrand, void* Srand,
                                    simtDataType dataTypeUrand, void* Urand, std::int64_t ldUrand,
                                    simtDataType dataTypeVrand, void* Vrand, std::int64_t ldVrand,
                                    simtDataType computeType, SOLVER_WORKSPACE);
/// Solves linear systems with sytrf's factors.
SOLVER_FUNCTION simtsolverDnXsytrs_bufferSize(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                                              std::int64_t n, std::int64_t nrhs,
                                              simtDataType dataTypeA, const void* A,
                                              std::int64_t lda, const std::int64_t* ipiv,
                                              simtDataType dataTypeB, void* B, std::int64_t ldb,
                                              std::size_t* workspaceInBytesOnDevice,
                                              std::size_t* workspaceInBytesOnHost);
SOLVER_FUNCTION simtsolverDnXsytrs(simtsolverDnHandle_t handle, simtblasFillMode_t uplo,
                                   std::int64_t n, std::int64_t nrhs, simtDataType dataTypeA,
                                   const void* A, std::int64_t lda, const std::int64_t* ipiv,
                                   simtDataType dataTypeB, void* B, std::int64_t ldb,
                                   SOLVER_WORKSPACE);

}  // extern "C"

#undef SOLVER_FUNCTION
#undef SOLVER_WORKSPACE_QUERY
#undef SOLVER_WORKSPACE
#undef SOLVER_CALL
