// simtsolverRf: LU factorisation of matrices with a known structure of the factors, with the functions of cuSOLVER's
// refactorisation.
//
// A program gives a matrix A, its factors P A Q' = L U from another solver, and the permutations. Then it factorises further
// matrices with the pattern of A, without pivoting: resetValues, refactor, solve. Elements are double, indices are 32-bit
// from 0, and row i of P A is row P[i] of A. Work runs in the default stream, and every call waits for it.
//
// The order of the calls is: setup, analyze, and then resetValues, refactor, solve as often as needed. A call out of order
// is SIMTSOLVER_STATUS_INVALID_VALUE, as are null pointers and sizes that are not positive. A null handle is
// SIMTSOLVER_STATUS_NOT_INITIALIZED.
//
// Source of names, values and signatures: CUDA 12.4, cusolverRf.h (11.6.1); of the behaviour: cuSOLVER's documentation of
// that release.
#pragma once

#include <simtsolver.h>

/// Settings, structure and factors of one matrix. One thread at a time may use a handle.
typedef struct simtsolverRfCommon* simtsolverRfHandle_t;

/// Without effect: every reset of values is fast.
typedef enum {
  SIMTSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0,
  SIMTSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1
} simtsolverRfResetValuesFastMode_t;

/// Format of A, L and U. CSC is SIMTSOLVER_STATUS_NOT_SUPPORTED.
typedef enum {
  SIMTSOLVERRF_MATRIX_FORMAT_CSR = 0,
  SIMTSOLVERRF_MATRIX_FORMAT_CSC = 1
} simtsolverRfMatrixFormat_t;

/// Factor with a diagonal of ones, which the program stores or assumes.
typedef enum {
  SIMTSOLVERRF_UNIT_DIAGONAL_STORED_L = 0,
  SIMTSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
  SIMTSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
  SIMTSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
} simtsolverRfUnitDiagonal_t;

/// Algorithms. All enumerators select the same.
typedef enum {
  SIMTSOLVERRF_FACTORIZATION_ALG0 = 0,
  SIMTSOLVERRF_FACTORIZATION_ALG1 = 1,
  SIMTSOLVERRF_FACTORIZATION_ALG2 = 2
} simtsolverRfFactorization_t;
typedef enum {
  SIMTSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
  SIMTSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
  SIMTSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} simtsolverRfTriangularSolve_t;

/// Report on replaced small pivots of the last factorisation.
typedef enum {
  SIMTSOLVERRF_NUMERIC_BOOST_NOT_USED = 0,
  SIMTSOLVERRF_NUMERIC_BOOST_USED = 1
} simtsolverRfNumericBoostReport_t;

#define SOLVER_FUNCTION SIMTRT_EXPORT simtsolverStatus_t

extern "C" {

SOLVER_FUNCTION simtsolverRfCreate(simtsolverRfHandle_t* handle);
SOLVER_FUNCTION simtsolverRfDestroy(simtsolverRfHandle_t handle);

// ---- Settings -----------------------------------------------------------------------------------

/// Default: CSR, L with a stored diagonal. The program sets the format before setup.
SOLVER_FUNCTION simtsolverRfGetMatrixFormat(simtsolverRfHandle_t handle,
                                            simtsolverRfMatrixFormat_t* format,
                                            simtsolverRfUnitDiagonal_t* diag);
SOLVER_FUNCTION simtsolverRfSetMatrixFormat(simtsolverRfHandle_t handle,
                                            simtsolverRfMatrixFormat_t format,
                                            simtsolverRfUnitDiagonal_t diag);
/// Refactor replaces pivots whose absolute value is below `zero` by `boost`, if boost is positive. Default: 0 and 0.
SOLVER_FUNCTION simtsolverRfSetNumericProperties(simtsolverRfHandle_t handle, double zero,
                                                 double boost);
SOLVER_FUNCTION simtsolverRfGetNumericProperties(simtsolverRfHandle_t handle, double* zero,
                                                 double* boost);
SOLVER_FUNCTION simtsolverRfGetNumericBoostReport(simtsolverRfHandle_t handle,
                                                  simtsolverRfNumericBoostReport_t* report);
SOLVER_FUNCTION simtsolverRfSetAlgs(simtsolverRfHandle_t handle, simtsolverRfFactorization_t factAlg,
                                    simtsolverRfTriangularSolve_t solveAlg);
SOLVER_FUNCTION simtsolverRfGetAlgs(simtsolverRfHandle_t handle,
                                    simtsolverRfFactorization_t* factAlg,
                                    simtsolverRfTriangularSolve_t* solveAlg);
SOLVER_FUNCTION simtsolverRfGetResetValuesFastMode(simtsolverRfHandle_t handle,
                                                   simtsolverRfResetValuesFastMode_t* fastMode);
SOLVER_FUNCTION simtsolverRfSetResetValuesFastMode(simtsolverRfHandle_t handle,
                                                   simtsolverRfResetValuesFastMode_t fastMode);

// ---- Factorisation ------------------------------------------------------------------------------

/// Copies A, P, Q and the patterns of L and U from host or device memory. The factors' values are not used: refactor computes
/// them. L and U have all entries that a factorisation of P A Q' needs; others are dropped.
SOLVER_FUNCTION simtsolverRfSetupHost(int n, int nnzA, int* h_csrRowPtrA, int* h_csrColIndA,
                                      double* h_csrValA, int nnzL, int* h_csrRowPtrL,
                                      int* h_csrColIndL, double* h_csrValL, int nnzU,
                                      int* h_csrRowPtrU, int* h_csrColIndU, double* h_csrValU,
                                      int* h_P, int* h_Q, simtsolverRfHandle_t handle);
SOLVER_FUNCTION simtsolverRfSetupDevice(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                        double* csrValA, int nnzL, int* csrRowPtrL, int* csrColIndL,
                                        double* csrValL, int nnzU, int* csrRowPtrU, int* csrColIndU,
                                        double* csrValU, int* P, int* Q,
                                        simtsolverRfHandle_t handle);
SOLVER_FUNCTION simtsolverRfAnalyze(simtsolverRfHandle_t handle);
/// Copies a matrix of the same size, and its permutations, from device memory. Entries outside the factors' pattern are
/// SIMTSOLVER_STATUS_INVALID_VALUE.
SOLVER_FUNCTION simtsolverRfResetValues(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                        double* csrValA, int* P, int* Q,
                                        simtsolverRfHandle_t handle);
/// Factorises the last matrix. Returns SIMTSOLVER_STATUS_ZERO_PIVOT if a pivot is 0 or below the handle's `zero`, and is not
/// replaced.
SOLVER_FUNCTION simtsolverRfRefactor(simtsolverRfHandle_t handle);
/// Replaces each column of XF, with ldxf >= n, by the solution x of A x = column. Temp is not used.
SOLVER_FUNCTION simtsolverRfSolve(simtsolverRfHandle_t handle, int* P, int* Q, int nrhs,
                                  double* Temp, int ldt, double* XF, int ldxf);

// ---- Factors ------------------------------------------------------------------------------------

/// Copies of the factors: L and U in one matrix without the diagonal of ones, or each in its own matrix. The program frees
/// the arrays with free().
SOLVER_FUNCTION simtsolverRfExtractBundledFactorsHost(simtsolverRfHandle_t handle, int* h_nnzM,
                                                      int** h_Mp, int** h_Mi, double** h_Mx);
SOLVER_FUNCTION simtsolverRfExtractSplitFactorsHost(simtsolverRfHandle_t handle, int* h_nnzL,
                                                    int** h_csrRowPtrL, int** h_csrColIndL,
                                                    double** h_csrValL, int* h_nnzU,
                                                    int** h_csrRowPtrU, int** h_csrColIndU,
                                                    double** h_csrValU);

}  // extern "C"

#undef SOLVER_FUNCTION
