// simtsparse: sparse linear algebra on the host, with cuSPARSE's functions: products, triangular
// solves and sums of CSR, COO, BSR, blocked ELL and sliced ELL matrices, and conversions.
//
// Every function takes a handle and works in the order of the handle's stream. A descriptor is read
// during the call; the data behind the descriptor's pointers are read in stream order. Scalars
// (alpha, beta) are read during the call in pointer mode host, and in stream order in pointer mode
// device. If beta is zero, the old content of the result is not read. Functions return a status.
// After an error, no work is submitted. The errors are SIMTSPARSE_STATUS_NOT_INITIALIZED for a null
// handle, SIMTSPARSE_STATUS_INVALID_VALUE for null pointers, inconsistent sizes and invalid
// enumerators, SIMTSPARSE_STATUS_NOT_SUPPORTED for invalid combinations of types, formats and
// operations, SIMTSPARSE_STATUS_EXECUTION_FAILED if the stream rejects the work.
//
// Matrices of half and bfloat16 are computed in float and rounded once. All algorithms give the
// same result: sums are in the order of the entries. Buffers are required but unused; a query
// returns the smallest size above 0. Source of names, values and signatures: CUDA 12.4, cusparse.h
// (12.3.1); of the computations: cuSPARSE's documentation of that release.
#pragma once
#define SIMTSPARSE_H  // Programs test this macro to learn whether the header was included.

#include <simt_complex.h>
#include <simt_fp16.h>
#include <simt_library_types.h>
#include <simt_runtime_api.h>
#include <simtrt/config.h>

#include <cstddef>
#include <cstdint>

#define SIMTSPARSE_VER_MAJOR 12
#define SIMTSPARSE_VER_MINOR 3
#define SIMTSPARSE_VER_PATCH 1

namespace simtrt {
struct SparseContext;
}  // namespace simtrt

/// State that a host thread passes to each call: stream and pointer mode. One thread at a time may
/// use a handle.
typedef simtrt::SparseContext* simtsparseHandle_t;

typedef enum {
  SIMTSPARSE_STATUS_SUCCESS = 0,
  SIMTSPARSE_STATUS_NOT_INITIALIZED = 1,
  SIMTSPARSE_STATUS_ALLOC_FAILED = 2,
  SIMTSPARSE_STATUS_INVALID_VALUE = 3,
  SIMTSPARSE_STATUS_ARCH_MISMATCH = 4,
  SIMTSPARSE_STATUS_MAPPING_ERROR = 5,
  SIMTSPARSE_STATUS_EXECUTION_FAILED = 6,
  SIMTSPARSE_STATUS_INTERNAL_ERROR = 7,
  SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  SIMTSPARSE_STATUS_ZERO_PIVOT = 9,
  SIMTSPARSE_STATUS_NOT_SUPPORTED = 10,
  SIMTSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} simtsparseStatus_t;

typedef enum {
  SIMTSPARSE_POINTER_MODE_HOST = 0,
  SIMTSPARSE_POINTER_MODE_DEVICE = 1
} simtsparsePointerMode_t;

/// Functions of simtsparse accept general matrices only; other types return
/// SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, as in cuSPARSE.
typedef enum {
  SIMTSPARSE_MATRIX_TYPE_GENERAL = 0,
  SIMTSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  SIMTSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  SIMTSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} simtsparseMatrixType_t;

typedef enum {
  SIMTSPARSE_FILL_MODE_LOWER = 0,
  SIMTSPARSE_FILL_MODE_UPPER = 1
} simtsparseFillMode_t;

typedef enum {
  SIMTSPARSE_DIAG_TYPE_NON_UNIT = 0,
  SIMTSPARSE_DIAG_TYPE_UNIT = 1
} simtsparseDiagType_t;

typedef enum {
  SIMTSPARSE_INDEX_BASE_ZERO = 0,
  SIMTSPARSE_INDEX_BASE_ONE = 1
} simtsparseIndexBase_t;

typedef enum {
  SIMTSPARSE_OPERATION_NON_TRANSPOSE = 0,
  SIMTSPARSE_OPERATION_TRANSPOSE = 1,
  SIMTSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} simtsparseOperation_t;

/// Layout of a block of a BSR matrix: row-major or column-major.
typedef enum {
  SIMTSPARSE_DIRECTION_ROW = 0,
  SIMTSPARSE_DIRECTION_COLUMN = 1
} simtsparseDirection_t;

/// Action of a conversion: without and with the values of the matrix.
typedef enum {
  SIMTSPARSE_ACTION_SYMBOLIC = 0,
  SIMTSPARSE_ACTION_NUMERIC = 1
} simtsparseAction_t;

typedef enum {
  SIMTSPARSE_CSR2CSC_ALG_DEFAULT = 1,
  SIMTSPARSE_CSR2CSC_ALG1 = 1
} simtsparseCsr2CscAlg_t;

/// Policies of a solve. Both give the same result.
typedef enum {
  SIMTSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
  SIMTSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} simtsparseSolvePolicy_t;

typedef enum { SIMTSPARSE_ORDER_COL = 1, SIMTSPARSE_ORDER_ROW = 2 } simtsparseOrder_t;

/// Types of indices. No function accepts SIMTSPARSE_INDEX_16U, which exists because cuSPARSE has
/// it.
typedef enum {
  SIMTSPARSE_INDEX_16U = 1,
  SIMTSPARSE_INDEX_32I = 2,
  SIMTSPARSE_INDEX_64I = 3
} simtsparseIndexType_t;

/// Formats of sparse matrices.
typedef enum {
  SIMTSPARSE_FORMAT_CSR = 1,
  SIMTSPARSE_FORMAT_CSC = 2,
  SIMTSPARSE_FORMAT_COO = 3,
  SIMTSPARSE_FORMAT_BLOCKED_ELL = 5,
  SIMTSPARSE_FORMAT_BSR = 6,
  SIMTSPARSE_FORMAT_SLICED_ELLPACK = 7
} simtsparseFormat_t;

/// Attributes of simtsparseSpMatSetAttribute, with values of simtsparseFillMode_t and
/// simtsparseDiagType_t.
typedef enum {
  SIMTSPARSE_SPMAT_FILL_MODE = 0,
  SIMTSPARSE_SPMAT_DIAG_TYPE = 1
} simtsparseSpMatAttribute_t;

typedef enum {
  SIMTSPARSE_SPMV_ALG_DEFAULT = 0,
  SIMTSPARSE_SPMV_CSR_ALG1 = 2,
  SIMTSPARSE_SPMV_CSR_ALG2 = 3,
  SIMTSPARSE_SPMV_COO_ALG1 = 1,
  SIMTSPARSE_SPMV_COO_ALG2 = 4,
  SIMTSPARSE_SPMV_SELL_ALG1 = 5,
  SIMTSPARSE_SPMV_BSR_ALG1 = 6
} simtsparseSpMVAlg_t;

typedef enum {
  SIMTSPARSE_SPMM_ALG_DEFAULT = 0,
  SIMTSPARSE_SPMM_COO_ALG1 = 1,
  SIMTSPARSE_SPMM_COO_ALG2 = 2,
  SIMTSPARSE_SPMM_COO_ALG3 = 3,
  SIMTSPARSE_SPMM_COO_ALG4 = 5,
  SIMTSPARSE_SPMM_CSR_ALG1 = 4,
  SIMTSPARSE_SPMM_CSR_ALG2 = 6,
  SIMTSPARSE_SPMM_CSR_ALG3 = 12,
  SIMTSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
  SIMTSPARSE_SPMM_BSR_ALG1 = 14
} simtsparseSpMMAlg_t;

typedef enum { SIMTSPARSE_SPSV_ALG_DEFAULT = 0 } simtsparseSpSVAlg_t;
typedef enum { SIMTSPARSE_SPSM_ALG_DEFAULT = 0 } simtsparseSpSMAlg_t;
/// Part of a matrix whose values simtsparseSpSV_updateMatrix replaces.
typedef enum {
  SIMTSPARSE_SPSV_UPDATE_GENERAL = 0,
  SIMTSPARSE_SPSV_UPDATE_DIAGONAL = 1
} simtsparseSpSVUpdate_t;
/// Part of a matrix whose values simtsparseSpSM_updateMatrix replaces.
typedef enum {
  SIMTSPARSE_SPSM_UPDATE_GENERAL = 0,
  SIMTSPARSE_SPSM_UPDATE_DIAGONAL = 1
} simtsparseSpSMUpdate_t;
typedef enum { SIMTSPARSE_SDDMM_ALG_DEFAULT = 0 } simtsparseSDDMMAlg_t;
typedef enum { SIMTSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } simtsparseDenseToSparseAlg_t;
typedef enum { SIMTSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } simtsparseSparseToDenseAlg_t;

typedef enum {
  SIMTSPARSE_SPGEMM_DEFAULT = 0,
  SIMTSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  SIMTSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  SIMTSPARSE_SPGEMM_ALG1 = 3,
  SIMTSPARSE_SPGEMM_ALG2 = 4,
  SIMTSPARSE_SPGEMM_ALG3 = 5
} simtsparseSpGEMMAlg_t;

// Descriptors of matrices for functions with a type in their names (legacy API), and of matrices and
// vectors for the other functions (generic API). The functions below create and destroy all descriptors.
typedef struct simtsparseMatDescr* simtsparseMatDescr_t;
typedef struct simtsparseSpMatDescr* simtsparseSpMatDescr_t;
typedef struct simtsparseDnMatDescr* simtsparseDnMatDescr_t;
typedef struct simtsparseDnVecDescr* simtsparseDnVecDescr_t;
typedef const struct simtsparseSpMatDescr* simtsparseConstSpMatDescr_t;
typedef const struct simtsparseDnMatDescr* simtsparseConstDnMatDescr_t;
typedef const struct simtsparseDnVecDescr* simtsparseConstDnVecDescr_t;
typedef struct simtsparseSpVecDescr* simtsparseSpVecDescr_t;
typedef const struct simtsparseSpVecDescr* simtsparseConstSpVecDescr_t;
// State that one step of a computation stores for the next step.
typedef struct simtsparseSpGEMMDescr* simtsparseSpGEMMDescr_t;
typedef struct simtsparseSpSVDescr* simtsparseSpSVDescr_t;
typedef struct simtsparseSpSMDescr* simtsparseSpSMDescr_t;
typedef struct bsrsv2Info* bsrsv2Info_t;
typedef struct bsrsm2Info* bsrsm2Info_t;
typedef struct csrilu02Info* csrilu02Info_t;
typedef struct csric02Info* csric02Info_t;
typedef struct pruneInfo* pruneInfo_t;
typedef struct csru2csrInfo* csru2csrInfo_t;

/// Calling convention of the functions. Programs test the macro to learn whether the header was included.
#define SIMTSPARSEAPI

extern "C" {

#define SPARSE_FUNCTION SIMTRT_EXPORT simtsparseStatus_t

// ---- Handles ------------------------------------------------------------------------------------

SPARSE_FUNCTION simtsparseCreate(simtsparseHandle_t* handle);
SPARSE_FUNCTION simtsparseDestroy(simtsparseHandle_t handle);
SPARSE_FUNCTION simtsparseGetVersion(simtsparseHandle_t handle, int* version);
/// Part of the library's version.
SPARSE_FUNCTION simtsparseGetProperty(libraryPropertyType type, int* value);
SPARSE_FUNCTION simtsparseSetStream(simtsparseHandle_t handle, simtStream_t stream);
SPARSE_FUNCTION simtsparseGetStream(simtsparseHandle_t handle, simtStream_t* stream);
SPARSE_FUNCTION simtsparseSetPointerMode(simtsparseHandle_t handle, simtsparsePointerMode_t mode);
SPARSE_FUNCTION simtsparseGetPointerMode(simtsparseHandle_t handle, simtsparsePointerMode_t* mode);
/// Name of the enumerator.
SIMTRT_EXPORT const char* simtsparseGetErrorName(simtsparseStatus_t status);
/// Description of the status.
SIMTRT_EXPORT const char* simtsparseGetErrorString(simtsparseStatus_t status);

// ---- Descriptors --------------------------------------------------------------------------------

/// Describes a general matrix with index base 0; for triangular solves, its lower triangle with a
/// non-unit diagonal.
SPARSE_FUNCTION simtsparseCreateMatDescr(simtsparseMatDescr_t* matrix);
SPARSE_FUNCTION simtsparseDestroyMatDescr(simtsparseMatDescr_t matrix);
SPARSE_FUNCTION simtsparseSetMatType(simtsparseMatDescr_t matrix, simtsparseMatrixType_t type);
SPARSE_FUNCTION simtsparseSetMatFillMode(simtsparseMatDescr_t matrix, simtsparseFillMode_t mode);
SPARSE_FUNCTION simtsparseSetMatDiagType(simtsparseMatDescr_t matrix, simtsparseDiagType_t type);
SPARSE_FUNCTION simtsparseSetMatIndexBase(simtsparseMatDescr_t matrix, simtsparseIndexBase_t base);
/// Settings of a descriptor, which must not be null.
SIMTRT_EXPORT simtsparseMatrixType_t simtsparseGetMatType(simtsparseMatDescr_t matrix);
SIMTRT_EXPORT simtsparseFillMode_t simtsparseGetMatFillMode(simtsparseMatDescr_t matrix);
SIMTRT_EXPORT simtsparseDiagType_t simtsparseGetMatDiagType(simtsparseMatDescr_t matrix);
SIMTRT_EXPORT simtsparseIndexBase_t simtsparseGetMatIndexBase(simtsparseMatDescr_t matrix);

/// Entry e is `values[e]` at (row_indices[e], column_indices[e]).
SPARSE_FUNCTION simtsparseCreateCoo(simtsparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                    int64_t nnz, void* row_indices, void* column_indices,
                                    void* values, simtsparseIndexType_t index_type,
                                    simtsparseIndexBase_t base, simtDataType value_type);
/// The entries of row i have the numbers row_offsets[i] to row_offsets[i + 1] - 1, in any order of
/// columns.
SPARSE_FUNCTION simtsparseCreateCsr(simtsparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                    int64_t nnz, void* row_offsets, void* column_indices,
                                    void* values, simtsparseIndexType_t row_offsets_type,
                                    simtsparseIndexType_t column_indices_type,
                                    simtsparseIndexBase_t base, simtDataType value_type);
/// CSR matrix of blocks of block_rows x block_columns numbers. Sizes count blocks; `order` is that of the
/// numbers of a block. Batches: offsets, columns and values have distances of their own.
SPARSE_FUNCTION simtsparseCreateBsr(simtsparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                    int64_t nnz, int64_t block_rows, int64_t block_columns,
                                    void* row_offsets, void* column_indices, void* values,
                                    simtsparseIndexType_t row_offsets_type,
                                    simtsparseIndexType_t column_indices_type,
                                    simtsparseIndexBase_t base, simtDataType value_type,
                                    simtsparseOrder_t order);
SPARSE_FUNCTION simtsparseCreateConstBsr(
    simtsparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
    int64_t block_rows, int64_t block_columns, const void* row_offsets, const void* column_indices,
    const void* values, simtsparseIndexType_t row_offsets_type,
    simtsparseIndexType_t column_indices_type, simtsparseIndexBase_t base, simtDataType value_type,
    simtsparseOrder_t order);
SPARSE_FUNCTION simtsparseBsrSetStridedBatch(simtsparseSpMatDescr_t matrix, int count,
                                             int64_t offsets_stride, int64_t columns_stride,
                                             int64_t values_stride);
/// Each row of blocks has ell_columns / block_size square blocks. column_indices has their columns of blocks,
/// row by row; -1 marks an empty block. `values` is a row-major matrix of rows x ell_columns numbers.
SPARSE_FUNCTION simtsparseCreateBlockedEll(simtsparseSpMatDescr_t* matrix, int64_t rows,
                                           int64_t columns, int64_t block_size,
                                           int64_t ell_columns, void* column_indices, void* values,
                                           simtsparseIndexType_t index_type,
                                           simtsparseIndexBase_t base, simtDataType value_type);
SPARSE_FUNCTION simtsparseCreateConstBlockedEll(simtsparseConstSpMatDescr_t* matrix, int64_t rows,
                                                int64_t columns, int64_t block_size,
                                                int64_t ell_columns, const void* column_indices,
                                                const void* values,
                                                simtsparseIndexType_t index_type,
                                                simtsparseIndexBase_t base,
                                                simtDataType value_type);
SPARSE_FUNCTION simtsparseBlockedEllGet(simtsparseSpMatDescr_t matrix, int64_t* rows,
                                        int64_t* columns, int64_t* block_size,
                                        int64_t* ell_columns, void** column_indices, void** values,
                                        simtsparseIndexType_t* index_type,
                                        simtsparseIndexBase_t* base, simtDataType* value_type);
SPARSE_FUNCTION simtsparseConstBlockedEllGet(
    simtsparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* block_size,
    int64_t* ell_columns, const void** column_indices, const void** values,
    simtsparseIndexType_t* index_type, simtsparseIndexBase_t* base, simtDataType* value_type);
/// Slices of slice_size rows. The entries of slice s have the numbers slice_offsets[s] to
/// slice_offsets[s + 1] - 1: the first entry of each row, then the second of each row, and so on. A negative
/// column marks padding.
SPARSE_FUNCTION simtsparseCreateSlicedEll(
    simtsparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
    int64_t values_size, int64_t slice_size, void* slice_offsets, void* column_indices,
    void* values, simtsparseIndexType_t slice_offsets_type,
    simtsparseIndexType_t column_indices_type, simtsparseIndexBase_t base, simtDataType value_type);
SPARSE_FUNCTION simtsparseCreateConstSlicedEll(
    simtsparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nnz,
    int64_t values_size, int64_t slice_size, const void* slice_offsets, const void* column_indices,
    const void* values, simtsparseIndexType_t slice_offsets_type,
    simtsparseIndexType_t column_indices_type, simtsparseIndexBase_t base, simtDataType value_type);
SPARSE_FUNCTION simtsparseDestroySpMat(simtsparseConstSpMatDescr_t matrix);
/// Properties of a matrix in any format.
SPARSE_FUNCTION simtsparseSpMatGetFormat(simtsparseConstSpMatDescr_t matrix,
                                         simtsparseFormat_t* format);
SPARSE_FUNCTION simtsparseSpMatGetIndexBase(simtsparseConstSpMatDescr_t matrix,
                                            simtsparseIndexBase_t* base);
SPARSE_FUNCTION simtsparseSpMatGetValues(simtsparseSpMatDescr_t matrix, void** values);
SPARSE_FUNCTION simtsparseConstSpMatGetValues(simtsparseConstSpMatDescr_t matrix,
                                              const void** values);
SPARSE_FUNCTION simtsparseSpMatSetValues(simtsparseSpMatDescr_t matrix, void* values);
SPARSE_FUNCTION simtsparseSpMatGetStridedBatch(simtsparseConstSpMatDescr_t matrix, int* count);
/// The entries of column j have the numbers column_offsets[j] to column_offsets[j + 1] - 1, in any order of rows.
SPARSE_FUNCTION simtsparseCreateCsc(simtsparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                    int64_t nnz, void* column_offsets, void* row_indices,
                                    void* values, simtsparseIndexType_t column_offsets_type,
                                    simtsparseIndexType_t row_indices_type,
                                    simtsparseIndexBase_t base, simtDataType value_type);
SPARSE_FUNCTION simtsparseCscSetPointers(simtsparseSpMatDescr_t matrix, void* column_offsets,
                                         void* row_indices, void* values);
SPARSE_FUNCTION simtsparseCooSetPointers(simtsparseSpMatDescr_t matrix, void* row_indices,
                                         void* column_indices, void* values);
SPARSE_FUNCTION simtsparseCsrSetPointers(simtsparseSpMatDescr_t matrix, void* row_offsets,
                                         void* column_indices, void* values);
/// Makes the descriptor a batch of `count` matrices with the given distances, in elements. If a
/// distance is 0, all matrices use the same data.
SPARSE_FUNCTION simtsparseCooSetStridedBatch(simtsparseSpMatDescr_t matrix, int count,
                                             int64_t stride);
SPARSE_FUNCTION simtsparseCsrSetStridedBatch(simtsparseSpMatDescr_t matrix, int count,
                                             int64_t offsets_stride, int64_t columns_values_stride);
SPARSE_FUNCTION simtsparseSpMatGetSize(simtsparseConstSpMatDescr_t matrix, int64_t* rows,
                                       int64_t* columns, int64_t* nnz);
SPARSE_FUNCTION simtsparseSpMatSetAttribute(simtsparseSpMatDescr_t matrix,
                                            simtsparseSpMatAttribute_t attribute, void* data,
                                            size_t data_size);

SPARSE_FUNCTION simtsparseCreateDnMat(simtsparseDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                      int64_t ld, void* values, simtDataType value_type,
                                      simtsparseOrder_t order);
SPARSE_FUNCTION simtsparseDestroyDnMat(simtsparseConstDnMatDescr_t matrix);
SPARSE_FUNCTION simtsparseDnMatSetStridedBatch(simtsparseDnMatDescr_t matrix, int count,
                                               int64_t stride);
SPARSE_FUNCTION simtsparseCreateDnVec(simtsparseDnVecDescr_t* vector, int64_t size, void* values,
                                      simtDataType value_type);
SPARSE_FUNCTION simtsparseDnVecSetValues(simtsparseDnVecDescr_t vector, void* values);
SPARSE_FUNCTION simtsparseDestroyDnVec(simtsparseConstDnVecDescr_t vector);

/// Entry i is `values[i]` at the place indices[i]. All places differ.
SPARSE_FUNCTION simtsparseCreateSpVec(simtsparseSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                      void* indices, void* values,
                                      simtsparseIndexType_t index_type, simtsparseIndexBase_t base,
                                      simtDataType value_type);
SPARSE_FUNCTION simtsparseDestroySpVec(simtsparseConstSpVecDescr_t vector);
SPARSE_FUNCTION simtsparseSpVecGet(simtsparseSpVecDescr_t vector, int64_t* size, int64_t* nnz,
                                   void** indices, void** values,
                                   simtsparseIndexType_t* index_type, simtsparseIndexBase_t* base,
                                   simtDataType* value_type);
SPARSE_FUNCTION simtsparseSpVecGetValues(simtsparseSpVecDescr_t vector, void** values);
SPARSE_FUNCTION simtsparseSpVecSetValues(simtsparseSpVecDescr_t vector, void* values);

// Contents of descriptors. The functions with Const read descriptors of constant arrays.
#define SPARSE_GET(Arrays, ConstArrays, First, Second, ...)                                           \
  SPARSE_FUNCTION Arrays(simtsparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,          \
                         int64_t* nnz, void** First, void** Second, void** values, __VA_ARGS__,    \
                         simtsparseIndexBase_t* base, simtDataType* value_type);                  \
  SPARSE_FUNCTION ConstArrays(simtsparseConstSpMatDescr_t matrix, int64_t* rows,                  \
                              int64_t* columns, int64_t* nnz, const void** First,                 \
                              const void** Second, const void** values, __VA_ARGS__,              \
                              simtsparseIndexBase_t* base, simtDataType* value_type);
SPARSE_GET(simtsparseCooGet, simtsparseConstCooGet, row_indices, column_indices,
           simtsparseIndexType_t* index_type)
SPARSE_GET(simtsparseCsrGet, simtsparseConstCsrGet, row_offsets, column_indices,
           simtsparseIndexType_t* offsets_type, simtsparseIndexType_t* indices_type)
SPARSE_GET(simtsparseCscGet, simtsparseConstCscGet, column_offsets, row_indices,
           simtsparseIndexType_t* offsets_type, simtsparseIndexType_t* indices_type)
#undef SPARSE_GET
SPARSE_FUNCTION simtsparseSpMatGetAttribute(simtsparseConstSpMatDescr_t matrix,
                                            simtsparseSpMatAttribute_t attribute, void* data,
                                            size_t data_size);
SPARSE_FUNCTION simtsparseDnMatGet(simtsparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                   int64_t* ld, void** values, simtDataType* value_type,
                                   simtsparseOrder_t* order);
SPARSE_FUNCTION simtsparseConstDnMatGet(simtsparseConstDnMatDescr_t matrix, int64_t* rows,
                                        int64_t* columns, int64_t* ld, const void** values,
                                        simtDataType* value_type, simtsparseOrder_t* order);
SPARSE_FUNCTION simtsparseDnMatGetValues(simtsparseDnMatDescr_t matrix, void** values);
SPARSE_FUNCTION simtsparseConstDnMatGetValues(simtsparseConstDnMatDescr_t matrix,
                                              const void** values);
SPARSE_FUNCTION simtsparseDnMatSetValues(simtsparseDnMatDescr_t matrix, void* values);
SPARSE_FUNCTION simtsparseDnMatGetStridedBatch(simtsparseConstDnMatDescr_t matrix, int* count,
                                               int64_t* stride);
SPARSE_FUNCTION simtsparseDnVecGet(simtsparseDnVecDescr_t vector, int64_t* size, void** values,
                                   simtDataType* value_type);
SPARSE_FUNCTION simtsparseConstDnVecGet(simtsparseConstDnVecDescr_t vector, int64_t* size,
                                        const void** values, simtDataType* value_type);
SPARSE_FUNCTION simtsparseDnVecGetValues(simtsparseDnVecDescr_t vector, void** values);
SPARSE_FUNCTION simtsparseConstDnVecGetValues(simtsparseConstDnVecDescr_t vector,
                                              const void** values);
SPARSE_FUNCTION simtsparseSpVecGetIndexBase(simtsparseConstSpVecDescr_t vector,
                                            simtsparseIndexBase_t* base);
SPARSE_FUNCTION simtsparseConstSpVecGet(simtsparseConstSpVecDescr_t vector, int64_t* size,
                                        int64_t* nnz, const void** indices, const void** values,
                                        simtsparseIndexType_t* index_type,
                                        simtsparseIndexBase_t* base, simtDataType* value_type);
SPARSE_FUNCTION simtsparseConstSpVecGetValues(simtsparseConstSpVecDescr_t vector,
                                              const void** values);

// Descriptors of constant arrays. No function writes the arrays of a constant descriptor.
SPARSE_FUNCTION simtsparseCreateConstCoo(simtsparseConstSpMatDescr_t* matrix, int64_t rows,
                                         int64_t columns, int64_t nnz, const void* row_indices,
                                         const void* column_indices, const void* values,
                                         simtsparseIndexType_t index_type,
                                         simtsparseIndexBase_t base, simtDataType value_type);
SPARSE_FUNCTION simtsparseCreateConstCsr(simtsparseConstSpMatDescr_t* matrix, int64_t rows,
                                         int64_t columns, int64_t nnz, const void* row_offsets,
                                         const void* column_indices, const void* values,
                                         simtsparseIndexType_t row_offsets_type,
                                         simtsparseIndexType_t column_indices_type,
                                         simtsparseIndexBase_t base, simtDataType value_type);
SPARSE_FUNCTION simtsparseCreateConstCsc(simtsparseConstSpMatDescr_t* matrix, int64_t rows,
                                         int64_t columns, int64_t nnz, const void* column_offsets,
                                         const void* row_indices, const void* values,
                                         simtsparseIndexType_t column_offsets_type,
                                         simtsparseIndexType_t row_indices_type,
                                         simtsparseIndexBase_t base, simtDataType value_type);
SPARSE_FUNCTION simtsparseCreateConstDnMat(simtsparseConstDnMatDescr_t* matrix, int64_t rows,
                                           int64_t columns, int64_t ld, const void* values,
                                           simtDataType value_type, simtsparseOrder_t order);
SPARSE_FUNCTION simtsparseCreateConstDnVec(simtsparseConstDnVecDescr_t* vector, int64_t size,
                                           const void* values, simtDataType value_type);
SPARSE_FUNCTION simtsparseCreateConstSpVec(simtsparseConstSpVecDescr_t* vector, int64_t size,
                                           int64_t nnz, const void* indices, const void* values,
                                           simtsparseIndexType_t index_type,
                                           simtsparseIndexBase_t base, simtDataType value_type);

// ---- Sparse vectors -----------------------------------------------------------------------------
//
// Both vectors have one type. Scalars and the result of SpVV have that type, or SIMT_R_32F for half
// and bfloat16.

/// y = alpha x + beta y.
SPARSE_FUNCTION simtsparseAxpby(simtsparseHandle_t handle, const void* alpha,
                                simtsparseConstSpVecDescr_t x, const void* beta,
                                simtsparseDnVecDescr_t y);
/// Copies elements of y to the entries of x, and entries of x to elements of y.
SPARSE_FUNCTION simtsparseGather(simtsparseHandle_t handle, simtsparseConstDnVecDescr_t y,
                                 simtsparseSpVecDescr_t x);
SPARSE_FUNCTION simtsparseScatter(simtsparseHandle_t handle, simtsparseConstSpVecDescr_t x,
                                  simtsparseDnVecDescr_t y);
/// Givens rotation: x = c x + s y, and y = c y - s x, at the places of x.
SPARSE_FUNCTION simtsparseRot(simtsparseHandle_t handle, const void* cosine, const void* sine,
                              simtsparseSpVecDescr_t x, simtsparseDnVecDescr_t y);
/// result = op(x) y, where op conjugates x or does nothing.
SPARSE_FUNCTION simtsparseSpVV_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_x,
                                          simtsparseConstSpVecDescr_t x,
                                          simtsparseConstDnVecDescr_t y, const void* result,
                                          simtDataType compute_type, size_t* size);
SPARSE_FUNCTION simtsparseSpVV(simtsparseHandle_t handle, simtsparseOperation_t op_x,
                               simtsparseConstSpVecDescr_t x, simtsparseConstDnVecDescr_t y,
                               void* result, simtDataType compute_type, void* buffer);

/// y = alpha op(A) x + beta y for a column-major m x n matrix A and a sparse vector x with `nnz` entries.
#define SPARSE_GEMVI(gemvi, T)                                                                    \
  SPARSE_FUNCTION gemvi##_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a, int m, \
                                     int n, int nnz, int* size);                                  \
  SPARSE_FUNCTION gemvi(simtsparseHandle_t handle, simtsparseOperation_t op_a, int m, int n,      \
                        const T* alpha, const T* a, int lda, int nnz, const T* x_values,          \
                        const int* x_indices, const T* beta, T* y, simtsparseIndexBase_t base,    \
                        void* buffer);
SPARSE_GEMVI(simtsparseSgemvi, float)
SPARSE_GEMVI(simtsparseDgemvi, double)
SPARSE_GEMVI(simtsparseCgemvi, simtComplex)
SPARSE_GEMVI(simtsparseZgemvi, simtDoubleComplex)
#undef SPARSE_GEMVI

// ---- Dense and sparse matrices ------------------------------------------------------------------

/// Numbers that are not 0 become entries, row by row (CSC: column by column). The analysis writes the offsets of the rows of
/// a CSR matrix, or of the columns of a CSC matrix, and sets the number of entries in the descriptor; it waits for the stream. Then the
/// program sets the arrays of the matrix (CsrSetPointers, CscSetPointers, CooSetPointers). A blocked ELL matrix receives
/// the blocks whose columns the program has written; the analysis does nothing.
SPARSE_FUNCTION simtsparseDenseToSparse_bufferSize(simtsparseHandle_t handle,
                                                   simtsparseConstDnMatDescr_t dense,
                                                   simtsparseSpMatDescr_t sparse,
                                                   simtsparseDenseToSparseAlg_t algorithm,
                                                   size_t* size);
SPARSE_FUNCTION simtsparseDenseToSparse_analysis(simtsparseHandle_t handle,
                                                 simtsparseConstDnMatDescr_t dense,
                                                 simtsparseSpMatDescr_t sparse,
                                                 simtsparseDenseToSparseAlg_t algorithm,
                                                 void* buffer);
SPARSE_FUNCTION simtsparseDenseToSparse_convert(simtsparseHandle_t handle,
                                                simtsparseConstDnMatDescr_t dense,
                                                simtsparseSpMatDescr_t sparse,
                                                simtsparseDenseToSparseAlg_t algorithm,
                                                void* buffer);
SPARSE_FUNCTION simtsparseSparseToDense_bufferSize(simtsparseHandle_t handle,
                                                   simtsparseConstSpMatDescr_t sparse,
                                                   simtsparseDnMatDescr_t dense,
                                                   simtsparseSparseToDenseAlg_t algorithm,
                                                   size_t* size);
SPARSE_FUNCTION simtsparseSparseToDense(simtsparseHandle_t handle,
                                        simtsparseConstSpMatDescr_t sparse,
                                        simtsparseDnMatDescr_t dense,
                                        simtsparseSparseToDenseAlg_t algorithm, void* buffer);

/// Counts the numbers of a column-major matrix that are not 0: in each row or column, and in total.
/// `total` is on the host or on the device, as the pointer mode states.
#define SPARSE_NNZ(letter, T)                                                                    \
  SPARSE_FUNCTION simtsparse##letter##nnz(                                                       \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                  \
      const simtsparseMatDescr_t matrix, const T* values, int ld, int* each, int* total);
SPARSE_NNZ(S, float)
SPARSE_NNZ(D, double)
SPARSE_NNZ(C, simtComplex)
SPARSE_NNZ(Z, simtDoubleComplex)
#undef SPARSE_NNZ

// ---- Products -----------------------------------------------------------------------------------
//
// All operands have one type. compute_type is that type, or SIMT_R_32F for half and bfloat16. alpha
// and beta have the type compute_type.

/// y = alpha op(A) x + beta y. A is in any format except blocked ELL.
SPARSE_FUNCTION simtsparseSpMV_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                          const void* alpha, simtsparseConstSpMatDescr_t a,
                                          simtsparseConstDnVecDescr_t x, const void* beta,
                                          simtsparseDnVecDescr_t y, simtDataType compute_type,
                                          simtsparseSpMVAlg_t algorithm, size_t* size);
SPARSE_FUNCTION simtsparseSpMV(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                               const void* alpha, simtsparseConstSpMatDescr_t a,
                               simtsparseConstDnVecDescr_t x, const void* beta,
                               simtsparseDnVecDescr_t y, simtDataType compute_type,
                               simtsparseSpMVAlg_t algorithm, void* buffer);
/// Checks the arguments; there is nothing to prepare.
SPARSE_FUNCTION simtsparseSpMV_preprocess(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                          const void* alpha, simtsparseConstSpMatDescr_t a,
                                          simtsparseConstDnVecDescr_t x, const void* beta,
                                          simtsparseDnVecDescr_t y, simtDataType compute_type,
                                          simtsparseSpMVAlg_t algorithm, void* buffer);

/// C = alpha op(A) op(B) + beta C, for each C of a batch. If A or B is a single matrix, all C of
/// the batch use this matrix. A is in any format except sliced ELL; a blocked ELL matrix is not transposed.
SPARSE_FUNCTION simtsparseSpMM_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                          simtsparseOperation_t op_b, const void* alpha,
                                          simtsparseConstSpMatDescr_t a,
                                          simtsparseConstDnMatDescr_t b, const void* beta,
                                          simtsparseDnMatDescr_t c, simtDataType compute_type,
                                          simtsparseSpMMAlg_t algorithm, size_t* size);
SPARSE_FUNCTION simtsparseSpMM(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                               simtsparseOperation_t op_b, const void* alpha,
                               simtsparseConstSpMatDescr_t a, simtsparseConstDnMatDescr_t b,
                               const void* beta, simtsparseDnMatDescr_t c,
                               simtDataType compute_type, simtsparseSpMMAlg_t algorithm,
                               void* buffer);
/// Checks the arguments; there is nothing to prepare.
SPARSE_FUNCTION simtsparseSpMM_preprocess(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                          simtsparseOperation_t op_b, const void* alpha,
                                          simtsparseConstSpMatDescr_t a,
                                          simtsparseConstDnMatDescr_t b, const void* beta,
                                          simtsparseDnMatDescr_t c, simtDataType compute_type,
                                          simtsparseSpMMAlg_t algorithm, void* buffer);

/// C = alpha op(A) op(B) + beta C, computed only at the entries of C; C is CSR or BSR.
SPARSE_FUNCTION simtsparseSDDMM_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                           simtsparseOperation_t op_b, const void* alpha,
                                           simtsparseConstDnMatDescr_t a,
                                           simtsparseConstDnMatDescr_t b, const void* beta,
                                           simtsparseSpMatDescr_t c, simtDataType compute_type,
                                           simtsparseSDDMMAlg_t algorithm, size_t* size);
/// Performs only the checks of simtsparseSDDMM.
SPARSE_FUNCTION simtsparseSDDMM_preprocess(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                           simtsparseOperation_t op_b, const void* alpha,
                                           simtsparseConstDnMatDescr_t a,
                                           simtsparseConstDnMatDescr_t b, const void* beta,
                                           simtsparseSpMatDescr_t c, simtDataType compute_type,
                                           simtsparseSDDMMAlg_t algorithm, void* buffer);
SPARSE_FUNCTION simtsparseSDDMM(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                simtsparseOperation_t op_b, const void* alpha,
                                simtsparseConstDnMatDescr_t a, simtsparseConstDnMatDescr_t b,
                                const void* beta, simtsparseSpMatDescr_t c,
                                simtDataType compute_type, simtsparseSDDMMAlg_t algorithm,
                                void* buffer);

/// C = alpha A B + beta C for CSR matrices with 32-bit indices; A and B are not transposed. The
/// result has the entries of A B, and, if beta is not zero, the entries of the old C too. Each row
/// is in the order of its columns. For half and bfloat16 matrices, compute_type may also be the
/// matrices' own type.
///
/// A program calls workEstimation and compute twice each: first without a buffer, to query the
/// buffer's size, and then with the buffer. The second call of compute waits for the result; then
/// the number of C's entries is known (simtsparseSpMatGetSize). After the program has set C's
/// pointers, copy writes the entries to them.
SPARSE_FUNCTION simtsparseSpGEMM_createDescr(simtsparseSpGEMMDescr_t* descriptor);
SPARSE_FUNCTION simtsparseSpGEMM_destroyDescr(simtsparseSpGEMMDescr_t descriptor);
SPARSE_FUNCTION simtsparseSpGEMM_workEstimation(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    const void* alpha, simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b,
    const void* beta, simtsparseSpMatDescr_t c, simtDataType compute_type,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, size_t* size,
    void* buffer);
SPARSE_FUNCTION simtsparseSpGEMM_compute(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                         simtsparseOperation_t op_b, const void* alpha,
                                         simtsparseConstSpMatDescr_t a,
                                         simtsparseConstSpMatDescr_t b, const void* beta,
                                         simtsparseSpMatDescr_t c, simtDataType compute_type,
                                         simtsparseSpGEMMAlg_t algorithm,
                                         simtsparseSpGEMMDescr_t descriptor, size_t* size,
                                         void* buffer);
SPARSE_FUNCTION simtsparseSpGEMM_copy(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                      simtsparseOperation_t op_b, const void* alpha,
                                      simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b,
                                      const void* beta, simtsparseSpMatDescr_t c,
                                      simtDataType compute_type, simtsparseSpGEMMAlg_t algorithm,
                                      simtsparseSpGEMMDescr_t descriptor);

/// Number of products of an entry of A and an entry of B, known after workEstimation with a buffer, which waits for it.
SPARSE_FUNCTION simtsparseSpGEMM_getNumProducts(simtsparseSpGEMMDescr_t descriptor,
                                                int64_t* products);
/// Size of compute's buffer for SIMTSPARSE_SPGEMM_ALG2 and ALG3, after workEstimation. A program calls the function twice:
/// without buffer3, to query its size, and then with buffer3. `chunk_fraction`, above 0 and at most 1, has no effect.
SPARSE_FUNCTION simtsparseSpGEMM_estimateMemory(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    const void* alpha, simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b,
    const void* beta, simtsparseSpMatDescr_t c, simtDataType compute_type,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, float chunk_fraction,
    size_t* size3, void* buffer3, size_t* size2);

/// The same product, for several products with one structure. A program calls workEstimation, nnz and
/// copy twice each: first without buffers, to query their sizes. nnz waits for the number of C's entries,
/// and needs A's and B's values. After the program has set C's pointers, copy writes C's offsets and
/// column indices, and each call of compute replaces C's values by alpha A B + beta C.
SPARSE_FUNCTION simtsparseSpGEMMreuse_workEstimation(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b, simtsparseSpMatDescr_t c,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, size_t* size,
    void* buffer);
SPARSE_FUNCTION simtsparseSpGEMMreuse_nnz(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b, simtsparseSpMatDescr_t c,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, size_t* size2,
    void* buffer2, size_t* size3, void* buffer3, size_t* size4, void* buffer4);
SPARSE_FUNCTION simtsparseSpGEMMreuse_copy(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b, simtsparseSpMatDescr_t c,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor, size_t* size,
    void* buffer);
SPARSE_FUNCTION simtsparseSpGEMMreuse_compute(
    simtsparseHandle_t handle, simtsparseOperation_t op_a, simtsparseOperation_t op_b,
    const void* alpha, simtsparseConstSpMatDescr_t a, simtsparseConstSpMatDescr_t b,
    const void* beta, simtsparseSpMatDescr_t c, simtDataType compute_type,
    simtsparseSpGEMMAlg_t algorithm, simtsparseSpGEMMDescr_t descriptor);

// ---- Triangular solves --------------------------------------------------------------------------
//
// op(A) y = alpha x for CSR matrices of float, double and complex numbers. The functions read only
// the triangle of A that SIMTSPARSE_SPMAT_FILL_MODE selects; with a unit diagonal, they do not read
// the diagonal. A missing entry of the diagonal is zero, and the solve divides by it. analysis must
// precede solve.

SPARSE_FUNCTION simtsparseSpSV_createDescr(simtsparseSpSVDescr_t* descriptor);
SPARSE_FUNCTION simtsparseSpSV_destroyDescr(simtsparseSpSVDescr_t descriptor);
SPARSE_FUNCTION simtsparseSpSV_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                          const void* alpha, simtsparseConstSpMatDescr_t a,
                                          simtsparseConstDnVecDescr_t x, simtsparseDnVecDescr_t y,
                                          simtDataType compute_type, simtsparseSpSVAlg_t algorithm,
                                          simtsparseSpSVDescr_t descriptor, size_t* size);
SPARSE_FUNCTION simtsparseSpSV_analysis(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                        const void* alpha, simtsparseConstSpMatDescr_t a,
                                        simtsparseConstDnVecDescr_t x, simtsparseDnVecDescr_t y,
                                        simtDataType compute_type, simtsparseSpSVAlg_t algorithm,
                                        simtsparseSpSVDescr_t descriptor, void* buffer);
SPARSE_FUNCTION simtsparseSpSV_solve(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                     const void* alpha, simtsparseConstSpMatDescr_t a,
                                     simtsparseConstDnVecDescr_t x, simtsparseDnVecDescr_t y,
                                     simtDataType compute_type, simtsparseSpSVAlg_t algorithm,
                                     simtsparseSpSVDescr_t descriptor);

/// Replaces the values that the solves after it read, but not those of A's array: all values, or those of the diagonal, of
/// which `values` has one for each row. analysis must precede the call, and restores the values of A's array.
SPARSE_FUNCTION simtsparseSpSV_updateMatrix(simtsparseHandle_t handle,
                                            simtsparseSpSVDescr_t descriptor, void* values,
                                            simtsparseSpSVUpdate_t part);
SPARSE_FUNCTION simtsparseSpSM_updateMatrix(simtsparseHandle_t handle,
                                            simtsparseSpSMDescr_t descriptor, void* values,
                                            simtsparseSpSMUpdate_t part);

/// Solves op(A) C = alpha op(B) for C. C may be the same matrix as B if B is not transposed.
SPARSE_FUNCTION simtsparseSpSM_createDescr(simtsparseSpSMDescr_t* descriptor);
SPARSE_FUNCTION simtsparseSpSM_destroyDescr(simtsparseSpSMDescr_t descriptor);
SPARSE_FUNCTION simtsparseSpSM_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                          simtsparseOperation_t op_b, const void* alpha,
                                          simtsparseConstSpMatDescr_t a,
                                          simtsparseConstDnMatDescr_t b, simtsparseDnMatDescr_t c,
                                          simtDataType compute_type, simtsparseSpSMAlg_t algorithm,
                                          simtsparseSpSMDescr_t descriptor, size_t* size);
SPARSE_FUNCTION simtsparseSpSM_analysis(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                        simtsparseOperation_t op_b, const void* alpha,
                                        simtsparseConstSpMatDescr_t a,
                                        simtsparseConstDnMatDescr_t b, simtsparseDnMatDescr_t c,
                                        simtDataType compute_type, simtsparseSpSMAlg_t algorithm,
                                        simtsparseSpSMDescr_t descriptor, void* buffer);
SPARSE_FUNCTION simtsparseSpSM_solve(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                     simtsparseOperation_t op_b, const void* alpha,
                                     simtsparseConstSpMatDescr_t a, simtsparseConstDnMatDescr_t b,
                                     simtsparseDnMatDescr_t c, simtDataType compute_type,
                                     simtsparseSpSMAlg_t algorithm,
                                     simtsparseSpSMDescr_t descriptor);

// ---- Sums of CSR matrices -----------------------------------------------------------------------

#define SPARSE_GEAM_INPUT(T, name)                                                \
  const T *scalar_##name, simtsparseMatDescr_t descriptor_##name, int nnz_##name, \
      const T *values_##name, const int *row_offsets_##name, const int *column_indices_##name

/// C = alpha A + beta B for m x n CSR matrices. The entries of each row must be sorted by column
/// index. C has every entry that A or B has. csrgeam2Nnz writes the row offsets of C and the number
/// of C's entries. The pointer mode states whether this number is in host memory, in which case the
/// call waits, or in device memory. csrgeam2 writes the columns and values of C.
#define SPARSE_GEAM(buffer_size, geam, T)                                                       \
  SPARSE_FUNCTION buffer_size(simtsparseHandle_t handle, int m, int n, SPARSE_GEAM_INPUT(T, a), \
                              SPARSE_GEAM_INPUT(T, b), simtsparseMatDescr_t descriptor_c,       \
                              const T* values_c, const int* row_offsets_c,                      \
                              const int* column_indices_c, size_t* size);                       \
  SPARSE_FUNCTION geam(simtsparseHandle_t handle, int m, int n, SPARSE_GEAM_INPUT(T, a),        \
                       SPARSE_GEAM_INPUT(T, b), simtsparseMatDescr_t descriptor_c, T* values_c, \
                       int* row_offsets_c, int* column_indices_c, void* buffer);
SPARSE_GEAM(simtsparseScsrgeam2_bufferSizeExt, simtsparseScsrgeam2, float)
SPARSE_GEAM(simtsparseDcsrgeam2_bufferSizeExt, simtsparseDcsrgeam2, double)
SPARSE_GEAM(simtsparseCcsrgeam2_bufferSizeExt, simtsparseCcsrgeam2, simtComplex)
SPARSE_GEAM(simtsparseZcsrgeam2_bufferSizeExt, simtsparseZcsrgeam2, simtDoubleComplex)
#undef SPARSE_GEAM
#undef SPARSE_GEAM_INPUT
SPARSE_FUNCTION simtsparseXcsrgeam2Nnz(simtsparseHandle_t handle, int m, int n,
                                       simtsparseMatDescr_t descriptor_a, int nnz_a,
                                       const int* row_offsets_a, const int* column_indices_a,
                                       simtsparseMatDescr_t descriptor_b, int nnz_b,
                                       const int* row_offsets_b, const int* column_indices_b,
                                       simtsparseMatDescr_t descriptor_c, int* row_offsets_c,
                                       int* nnz, void* buffer);

// ---- Tridiagonal systems ----------------------------------------------------------------------

#define SPARSE_DIAGONALS(T) const T *lower, const T *main, const T *upper

/// Solves A X = B for m x m matrices A, m >= 3, and replaces B, whose n columns begin ldb numbers apart, by X. lower[0] and
/// upper[m - 1] are not read as entries. gtsv2 exchanges rows for stability, gtsv2_nopivot does not.
#define SPARSE_GTSV(buffer_size, gtsv, T)                                                                        \
  SPARSE_FUNCTION buffer_size(simtsparseHandle_t handle, int m, int n, SPARSE_DIAGONALS(T), const T* b, int ldb, \
                              size_t* size);                                                                     \
  SPARSE_FUNCTION gtsv(simtsparseHandle_t handle, int m, int n, SPARSE_DIAGONALS(T), T* b, int ldb, void* buffer);
SPARSE_GTSV(simtsparseSgtsv2_bufferSizeExt, simtsparseSgtsv2, float)
SPARSE_GTSV(simtsparseSgtsv2_nopivot_bufferSizeExt, simtsparseSgtsv2_nopivot, float)
SPARSE_GTSV(simtsparseDgtsv2_bufferSizeExt, simtsparseDgtsv2, double)
SPARSE_GTSV(simtsparseDgtsv2_nopivot_bufferSizeExt, simtsparseDgtsv2_nopivot, double)
SPARSE_GTSV(simtsparseCgtsv2_bufferSizeExt, simtsparseCgtsv2, simtComplex)
SPARSE_GTSV(simtsparseCgtsv2_nopivot_bufferSizeExt, simtsparseCgtsv2_nopivot, simtComplex)
SPARSE_GTSV(simtsparseZgtsv2_bufferSizeExt, simtsparseZgtsv2, simtDoubleComplex)
SPARSE_GTSV(simtsparseZgtsv2_nopivot_bufferSizeExt, simtsparseZgtsv2_nopivot, simtDoubleComplex)
#undef SPARSE_GTSV
/// Solves `count` systems with one right side each; diagonals and right sides begin `stride` numbers apart.
#define SPARSE_GTSV(buffer_size, gtsv, T)                                                                          \
  SPARSE_FUNCTION buffer_size(simtsparseHandle_t handle, int m, SPARSE_DIAGONALS(T), const T* x, int count,        \
                              int stride, size_t* size);                                                           \
  SPARSE_FUNCTION gtsv(simtsparseHandle_t handle, int m, SPARSE_DIAGONALS(T), T* x, int count, int stride,         \
                       void* buffer);
SPARSE_GTSV(simtsparseSgtsv2StridedBatch_bufferSizeExt, simtsparseSgtsv2StridedBatch, float)
SPARSE_GTSV(simtsparseDgtsv2StridedBatch_bufferSizeExt, simtsparseDgtsv2StridedBatch, double)
SPARSE_GTSV(simtsparseCgtsv2StridedBatch_bufferSizeExt, simtsparseCgtsv2StridedBatch, simtComplex)
SPARSE_GTSV(simtsparseZgtsv2StridedBatch_bufferSizeExt, simtsparseZgtsv2StridedBatch, simtDoubleComplex)
#undef SPARSE_GTSV
#undef SPARSE_DIAGONALS

#include <simtrt/sparse/interleaved.inc>

// ---- BSR matrices -------------------------------------------------------------------------------
// CSR matrices whose entries are blocks of block_size x block_size numbers; mb, nb, kb count
// blocks.

#define SPARSE_BSR(T)                                                       \
  simtsparseMatDescr_t descriptor, const T *values, const int *row_offsets, \
      const int *column_indices, int block_size

/// bsrmv: y = alpha A x + beta y. bsrmm: C = alpha A op(B) + beta C, with column-major B and C, and
/// op(B) without conjugation. A is not transposed.
#define SPARSE_BSR_PRODUCT(mv, mm, T)                                                       \
  SPARSE_FUNCTION mv(simtsparseHandle_t handle, simtsparseDirection_t direction,            \
                     simtsparseOperation_t op_a, int mb, int nb, int nnzb, const T* alpha,  \
                     SPARSE_BSR(T), const T* x, const T* beta, T* y);                       \
  SPARSE_FUNCTION mm(simtsparseHandle_t handle, simtsparseDirection_t direction,            \
                     simtsparseOperation_t op_a, simtsparseOperation_t op_b, int mb, int n, \
                     int kb, int nnzb, const T* alpha, SPARSE_BSR(T), const T* b, int ldb,  \
                     const T* beta, T* c, int ldc);
SPARSE_BSR_PRODUCT(simtsparseSbsrmv, simtsparseSbsrmm, float)
SPARSE_BSR_PRODUCT(simtsparseDbsrmv, simtsparseDbsrmm, double)
SPARSE_BSR_PRODUCT(simtsparseCbsrmv, simtsparseCbsrmm, simtComplex)
SPARSE_BSR_PRODUCT(simtsparseZbsrmv, simtsparseZbsrmm, simtDoubleComplex)
#undef SPARSE_BSR_PRODUCT

// ---- Incomplete factorisations ------------------------------------------------------------------

SPARSE_FUNCTION simtsparseCreateCsrilu02Info(csrilu02Info_t* info);
SPARSE_FUNCTION simtsparseDestroyCsrilu02Info(csrilu02Info_t info);
SPARSE_FUNCTION simtsparseCreateCsric02Info(csric02Info_t* info);
SPARSE_FUNCTION simtsparseDestroyCsric02Info(csric02Info_t info);
/// Waits for the work of the stream. Returns SIMTSPARSE_STATUS_ZERO_PIVOT if the analysis found no element on the
/// diagonal of some row, or the factorisation a pivot that is zero (ilu) or not positive (ic). `position` receives the
/// first such row, counted from the matrix's index base, or -1.
SPARSE_FUNCTION simtsparseXcsrilu02_zeroPivot(simtsparseHandle_t handle, csrilu02Info_t info,
                                              int* position);
SPARSE_FUNCTION simtsparseXcsric02_zeroPivot(simtsparseHandle_t handle, csric02Info_t info,
                                             int* position);

/// Replace the elements of a square matrix with sorted columns by those of its incomplete factors: L (with a diagonal of
/// ones, which is not stored) and U for ilu; L of L L' for ic, which reads and writes the lower triangle only. analysis
/// must precede the factorisation. numericBoost: pivots of at most `tolerance` become `*value`.
#define SPARSE_FACTOR(prefix, T, Info)                                                            \
  SPARSE_FUNCTION prefix##_bufferSize(simtsparseHandle_t handle, int m, int nnz,                  \
                                      simtsparseMatDescr_t descriptor, T* values,                 \
                                      const int* row_offsets, const int* column_indices,          \
                                      Info info, int* size);                                      \
  SPARSE_FUNCTION prefix##_bufferSizeExt(                                                         \
      simtsparseHandle_t handle, int m, int nnz, simtsparseMatDescr_t descriptor, T* values,      \
      const int* row_offsets, const int* column_indices, Info info, size_t* size);                \
  SPARSE_FUNCTION prefix##_analysis(simtsparseHandle_t handle, int m, int nnz,                    \
                                    simtsparseMatDescr_t descriptor, const T* values,             \
                                    const int* row_offsets, const int* column_indices, Info info, \
                                    simtsparseSolvePolicy_t policy, void* buffer);                \
  SPARSE_FUNCTION prefix(simtsparseHandle_t handle, int m, int nnz,                               \
                         simtsparseMatDescr_t descriptor, T* values, const int* row_offsets,      \
                         const int* column_indices, Info info, simtsparseSolvePolicy_t policy,    \
                         void* buffer);
#define SPARSE_ILU_AND_IC(ilu, ic, T)                                                             \
  SPARSE_FACTOR(ilu, T, csrilu02Info_t)                                                           \
  SPARSE_FACTOR(ic, T, csric02Info_t)                                                             \
  SPARSE_FUNCTION ilu##_numericBoost(simtsparseHandle_t handle, csrilu02Info_t info,              \
                                     int enable_boost, double* tolerance, T* value);
SPARSE_ILU_AND_IC(simtsparseScsrilu02, simtsparseScsric02, float)
SPARSE_ILU_AND_IC(simtsparseDcsrilu02, simtsparseDcsric02, double)
SPARSE_ILU_AND_IC(simtsparseCcsrilu02, simtsparseCcsric02, simtComplex)
SPARSE_ILU_AND_IC(simtsparseZcsrilu02, simtsparseZcsric02, simtDoubleComplex)
#undef SPARSE_ILU_AND_IC
#undef SPARSE_FACTOR

SPARSE_FUNCTION simtsparseCreateBsrsv2Info(bsrsv2Info_t* info);
SPARSE_FUNCTION simtsparseDestroyBsrsv2Info(bsrsv2Info_t info);
SPARSE_FUNCTION simtsparseCreateBsrsm2Info(bsrsm2Info_t* info);
SPARSE_FUNCTION simtsparseDestroyBsrsm2Info(bsrsm2Info_t info);

/// Waits for the work of the stream. Returns SIMTSPARSE_STATUS_ZERO_PIVOT if the analysis found no
/// diagonal block in some row of blocks, or if the solve found a zero on the diagonal. `position`,
/// in host or device memory as the pointer mode states, receives the first such row of blocks,
/// counted from the matrix's index base, or -1 if there is none. A unit diagonal has no zero pivot.
SPARSE_FUNCTION simtsparseXbsrsv2_zeroPivot(simtsparseHandle_t handle, bsrsv2Info_t info,
                                            int* position);
SPARSE_FUNCTION simtsparseXbsrsm2_zeroPivot(simtsparseHandle_t handle, bsrsm2Info_t info,
                                            int* position);

/// Solves op(A) x = alpha f, where the descriptor states the triangle of A. analysis must precede
/// solve.
#define SPARSE_BSRSV(prefix, T)                                                                  \
  SPARSE_FUNCTION prefix##_bufferSize(                                                           \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,    \
      int mb, int nnzb, simtsparseMatDescr_t descriptor, T* values, const int* row_offsets,      \
      const int* column_indices, int block_size, bsrsv2Info_t info, int* size);                  \
  SPARSE_FUNCTION prefix##_bufferSizeExt(                                                        \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,    \
      int mb, int nnzb, simtsparseMatDescr_t descriptor, T* values, const int* row_offsets,      \
      const int* column_indices, int block_size, bsrsv2Info_t info, size_t* size);               \
  SPARSE_FUNCTION prefix##_analysis(simtsparseHandle_t handle, simtsparseDirection_t direction,  \
                                    simtsparseOperation_t op_a, int mb, int nnzb, SPARSE_BSR(T), \
                                    bsrsv2Info_t info, simtsparseSolvePolicy_t policy,           \
                                    void* buffer);                                               \
  SPARSE_FUNCTION prefix##_solve(simtsparseHandle_t handle, simtsparseDirection_t direction,     \
                                 simtsparseOperation_t op_a, int mb, int nnzb, const T* alpha,   \
                                 SPARSE_BSR(T), bsrsv2Info_t info, const T* f, T* x,             \
                                 simtsparseSolvePolicy_t policy, void* buffer);
SPARSE_BSRSV(simtsparseSbsrsv2, float)
SPARSE_BSRSV(simtsparseDbsrsv2, double)
SPARSE_BSRSV(simtsparseCbsrsv2, simtComplex)
SPARSE_BSRSV(simtsparseZbsrsv2, simtDoubleComplex)
#undef SPARSE_BSRSV

/// Solves op(A) op(X) = alpha op(B) for n right-hand sides. B and X are column-major.
#define SPARSE_BSRSM(prefix, T)                                                                  \
  SPARSE_FUNCTION prefix##_bufferSize(                                                           \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,    \
      simtsparseOperation_t op_x, int mb, int n, int nnzb, simtsparseMatDescr_t descriptor,      \
      T* values, const int* row_offsets, const int* column_indices, int block_size,              \
      bsrsm2Info_t info, int* size);                                                             \
  SPARSE_FUNCTION prefix##_bufferSizeExt(                                                        \
      simtsparseHandle_t handle, simtsparseDirection_t direction, simtsparseOperation_t op_a,    \
      simtsparseOperation_t op_x, int mb, int n, int nnzb, simtsparseMatDescr_t descriptor,      \
      T* values, const int* row_offsets, const int* column_indices, int block_size,              \
      bsrsm2Info_t info, size_t* size);                                                          \
  SPARSE_FUNCTION prefix##_analysis(simtsparseHandle_t handle, simtsparseDirection_t direction,  \
                                    simtsparseOperation_t op_a, simtsparseOperation_t op_x,      \
                                    int mb, int n, int nnzb, SPARSE_BSR(T), bsrsm2Info_t info,   \
                                    simtsparseSolvePolicy_t policy, void* buffer);               \
  SPARSE_FUNCTION prefix##_solve(simtsparseHandle_t handle, simtsparseDirection_t direction,     \
                                 simtsparseOperation_t op_a, simtsparseOperation_t op_x, int mb, \
                                 int n, int nnzb, const T* alpha, SPARSE_BSR(T),                 \
                                 bsrsm2Info_t info, const T* b, int ldb, T* x, int ldx,          \
                                 simtsparseSolvePolicy_t policy, void* buffer);
SPARSE_BSRSM(simtsparseSbsrsm2, float)
SPARSE_BSRSM(simtsparseDbsrsm2, double)
SPARSE_BSRSM(simtsparseCbsrsm2, simtComplex)
SPARSE_BSRSM(simtsparseZbsrsm2, simtDoubleComplex)
#undef SPARSE_BSRSM
#undef SPARSE_BSR

// ---- Conversions --------------------------------------------------------------------------------

/// Row offsets of a matrix with m rows, from the row indices of its entries in ascending order.
SPARSE_FUNCTION simtsparseXcoo2csr(simtsparseHandle_t handle, const int* row_indices, int nnz,
                                   int m, int* row_offsets, simtsparseIndexBase_t base);
SPARSE_FUNCTION simtsparseXcsr2coo(simtsparseHandle_t handle, const int* row_offsets, int nnz, int m,
                                   int* row_indices, simtsparseIndexBase_t base);
/// Writes the sequence 0, 1, ... n - 1.
SPARSE_FUNCTION simtsparseCreateIdentityPermutation(simtsparseHandle_t handle, int n,
                                                    int* permutation);
/// Sorts the entries of a COO matrix by row, and within a row by column; entries with the same row
/// and column keep their order. Unless `permutation` is null, its elements are rearranged like the
/// entries.
SPARSE_FUNCTION simtsparseXcoosort_bufferSizeExt(simtsparseHandle_t handle, int m, int n, int nnz,
                                                 const int* row_indices, const int* column_indices,
                                                 size_t* size);
SPARSE_FUNCTION simtsparseXcoosortByRow(simtsparseHandle_t handle, int m, int n, int nnz,
                                        int* row_indices, int* column_indices, int* permutation,
                                        void* buffer);
/// The same, by column, and within a column by row.
SPARSE_FUNCTION simtsparseXcoosortByColumn(simtsparseHandle_t handle, int m, int n, int nnz,
                                           int* row_indices, int* column_indices, int* permutation,
                                           void* buffer);
/// Sorts the entries of each row of a CSR matrix by column. `permutation` has the same meaning as
/// for simtsparseXcoosort.
SPARSE_FUNCTION simtsparseXcsrsort_bufferSizeExt(simtsparseHandle_t handle, int m, int n, int nnz,
                                                 const int* row_offsets, const int* column_indices,
                                                 size_t* size);
SPARSE_FUNCTION simtsparseXcsrsort(simtsparseHandle_t handle, int m, int n, int nnz,
                                   simtsparseMatDescr_t matrix, const int* row_offsets,
                                   int* column_indices, int* permutation, void* buffer);
/// Sorts the entries of each column of a CSC matrix by row.
SPARSE_FUNCTION simtsparseXcscsort_bufferSizeExt(simtsparseHandle_t handle, int m, int n, int nnz,
                                                 const int* column_offsets, const int* row_indices,
                                                 size_t* size);
SPARSE_FUNCTION simtsparseXcscsort(simtsparseHandle_t handle, int m, int n, int nnz,
                                   simtsparseMatDescr_t matrix, const int* column_offsets,
                                   int* row_indices, int* permutation, void* buffer);

SPARSE_FUNCTION simtsparseCreateCsru2csrInfo(csru2csrInfo_t* info);
SPARSE_FUNCTION simtsparseDestroyCsru2csrInfo(csru2csrInfo_t info);
/// csru2csr sorts the entries of each row of a CSR matrix by column, and stores their places in `info`. csr2csru, after it,
/// restores the order of the entries.
#define SPARSE_UNSORTED(S, T)                                                                     \
  SPARSE_FUNCTION simtsparse##S##csru2csr_bufferSizeExt(                                          \
      simtsparseHandle_t handle, int m, int n, int nnz, T* values, const int* row_offsets,        \
      int* column_indices, csru2csrInfo_t info, size_t* size);                                    \
  SPARSE_FUNCTION simtsparse##S##csru2csr(simtsparseHandle_t handle, int m, int n, int nnz,       \
                                          simtsparseMatDescr_t matrix, T* values,                 \
                                          const int* row_offsets, int* column_indices,            \
                                          csru2csrInfo_t info, void* buffer);                     \
  SPARSE_FUNCTION simtsparse##S##csr2csru(simtsparseHandle_t handle, int m, int n, int nnz,       \
                                          simtsparseMatDescr_t matrix, T* values,                 \
                                          const int* row_offsets, int* column_indices,            \
                                          csru2csrInfo_t info, void* buffer);
SPARSE_UNSORTED(S, float)
SPARSE_UNSORTED(D, double)
SPARSE_UNSORTED(C, simtComplex)
SPARSE_UNSORTED(Z, simtDoubleComplex)
#undef SPARSE_UNSORTED

/// Converts a matrix with m rows and n columns from CSR to CSC format; the result is also the transposed matrix in
/// CSR format. The entries of a column keep the order of their rows. Types of values: those of sparse matrices, and
/// SIMT_R_8I. SIMTSPARSE_ACTION_SYMBOLIC does not copy the values.
SPARSE_FUNCTION simtsparseCsr2cscEx2_bufferSize(simtsparseHandle_t handle, int m, int n, int nnz,
                                                const void* values, const int* row_offsets,
                                                const int* column_indices, void* csc_values,
                                                int* column_offsets, int* row_indices,
                                                simtDataType type, simtsparseAction_t action,
                                                simtsparseIndexBase_t base,
                                                simtsparseCsr2CscAlg_t algorithm, size_t* size);
SPARSE_FUNCTION simtsparseCsr2cscEx2(simtsparseHandle_t handle, int m, int n, int nnz,
                                     const void* values, const int* row_offsets,
                                     const int* column_indices, void* csc_values,
                                     int* column_offsets, int* row_indices, simtDataType type,
                                     simtsparseAction_t action, simtsparseIndexBase_t base,
                                     simtsparseCsr2CscAlg_t algorithm, void* buffer);

// Between CSR matrices and matrices of blocks (BSR: square blocks; GEBSR: blocks of rows_of_block x columns_of_block
// numbers). m and n count numbers, mb and nb blocks. `direction` is the order of the numbers of a block.

/// Writes the offsets of the rows of blocks, and the number of blocks that contain an entry, in host memory, in which case
/// the call waits, or in device memory as the pointer mode states.
SPARSE_FUNCTION simtsparseXcsr2bsrNnz(simtsparseHandle_t handle, simtsparseDirection_t direction,
                                      int m, int n, simtsparseMatDescr_t from,
                                      const int* row_offsets, const int* column_indices,
                                      int block_size, simtsparseMatDescr_t to, int* offsets,
                                      int* total);
SPARSE_FUNCTION simtsparseXcsr2gebsrNnz(simtsparseHandle_t handle, simtsparseDirection_t direction,
                                        int m, int n, simtsparseMatDescr_t from,
                                        const int* row_offsets, const int* column_indices,
                                        simtsparseMatDescr_t to, int* offsets, int rows_of_block,
                                        int columns_of_block, int* total, void* buffer);
/// gebsr2csr without values.
SPARSE_FUNCTION simtsparseXgebsr2csr(simtsparseHandle_t handle, simtsparseDirection_t direction,
                                     int mb, int nb, simtsparseMatDescr_t from,
                                     const int* row_offsets, const int* column_indices,
                                     int rows_of_block, int columns_of_block,
                                     simtsparseMatDescr_t to, int* offsets, int* columns);
/// csr2bsr, csr2gebsr: write the blocks, in ascending order of columns; `offsets` are those of Nnz. Places without an entry
/// become 0. bsr2csr, gebsr2csr: all numbers of the blocks, also zeros, become entries.
#define SPARSE_BLOCK_CONVERSIONS(letter, T)                                                        \
  SPARSE_FUNCTION simtsparse##letter##csr2bsr(                                                     \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                    \
      simtsparseMatDescr_t from, const T* values, const int* row_offsets,                          \
      const int* column_indices, int block_size, simtsparseMatDescr_t to, T* block_values,         \
      int* offsets, int* columns);                                                                 \
  SPARSE_FUNCTION simtsparse##letter##bsr2csr(                                                     \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int mb, int nb,                  \
      simtsparseMatDescr_t from, const T* block_values, const int* row_offsets,                    \
      const int* column_indices, int block_size, simtsparseMatDescr_t to, T* values, int* offsets, \
      int* columns);                                                                               \
  SPARSE_FUNCTION simtsparse##letter##csr2gebsr_bufferSize(                                        \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                    \
      simtsparseMatDescr_t from, const T* values, const int* row_offsets,                          \
      const int* column_indices, int rows_of_block, int columns_of_block, int* size);              \
  SPARSE_FUNCTION simtsparse##letter##csr2gebsr_bufferSizeExt(                                     \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                    \
      simtsparseMatDescr_t from, const T* values, const int* row_offsets,                          \
      const int* column_indices, int rows_of_block, int columns_of_block, size_t* size);           \
  SPARSE_FUNCTION simtsparse##letter##csr2gebsr(                                                   \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                    \
      simtsparseMatDescr_t from, const T* values, const int* row_offsets,                          \
      const int* column_indices, simtsparseMatDescr_t to, T* block_values, int* offsets,           \
      int* columns, int rows_of_block, int columns_of_block, void* buffer);                        \
  SPARSE_FUNCTION simtsparse##letter##gebsr2csr(                                                   \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int mb, int nb,                  \
      simtsparseMatDescr_t from, const T* block_values, const int* row_offsets,                    \
      const int* column_indices, int rows_of_block, int columns_of_block,                          \
      simtsparseMatDescr_t to, T* values, int* offsets, int* columns);
SPARSE_BLOCK_CONVERSIONS(S, float)
SPARSE_BLOCK_CONVERSIONS(D, double)
SPARSE_BLOCK_CONVERSIONS(C, simtComplex)
SPARSE_BLOCK_CONVERSIONS(Z, simtDoubleComplex)
#undef SPARSE_BLOCK_CONVERSIONS

/// Csr2cscEx2 for matrices of blocks: a block is moved as a whole, without a change of the order of its numbers.
#define SPARSE_GEBSC(S, T)                                                                         \
  SPARSE_FUNCTION simtsparse##S##gebsr2gebsc_bufferSize(                                           \
      simtsparseHandle_t handle, int mb, int nb, int nnzb, const T* values,                        \
      const int* row_offsets, const int* column_indices, int rows_of_block, int columns_of_block,  \
      int* size);                                                                                  \
  SPARSE_FUNCTION simtsparse##S##gebsr2gebsc_bufferSizeExt(                                        \
      simtsparseHandle_t handle, int mb, int nb, int nnzb, const T* values,                        \
      const int* row_offsets, const int* column_indices, int rows_of_block, int columns_of_block,  \
      size_t* size);                                                                               \
  SPARSE_FUNCTION simtsparse##S##gebsr2gebsc(                                                      \
      simtsparseHandle_t handle, int mb, int nb, int nnzb, const T* values,                        \
      const int* row_offsets, const int* column_indices, int rows_of_block, int columns_of_block,  \
      T* bsc_values, int* row_indices, int* column_offsets, simtsparseAction_t action,             \
      simtsparseIndexBase_t base, void* buffer);
SPARSE_GEBSC(S, float)
SPARSE_GEBSC(D, double)
SPARSE_GEBSC(C, simtComplex)
SPARSE_GEBSC(Z, simtDoubleComplex)
#undef SPARSE_GEBSC

#include <simtrt/sparse/prune.inc>

#undef SPARSE_FUNCTION

}  // extern "C"
