// Conversions between dense matrices and matrices in CSR, CSC, COO and blocked ELL format.
#include "sparse/matrices.h"
#include "sparse/numbers.h"

namespace simtrt {
namespace {

simtsparseStatus_t check(simtsparseHandle_t handle, const simtsparseDnMatDescr* dense,
                         const simtsparseSpMatDescr* sparse, bool is_default_algorithm) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (any_null(dense) || any_null(sparse) || !is_default_algorithm ||
      dense->rows != sparse->rows || dense->columns != sparse->columns) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const bool has_conversion = sparse->format == SparseFormat::kCsr ||
                              sparse->format == SparseFormat::kCsc ||
                              sparse->format == SparseFormat::kCoo ||
                              sparse->format == SparseFormat::kBlockedEll;
  return has_conversion && dense->type == sparse->type && dense->batch == 1 && sparse->batch == 1
             ? SIMTSPARSE_STATUS_SUCCESS
             : SIMTSPARSE_STATUS_NOT_SUPPORTED;
}

/// A CSC matrix has the arrays of its transposed matrix in CSR format.
void as_csr(simtsparseDnMatDescr* dense, simtsparseSpMatDescr* sparse) {
  if (sparse->format == SparseFormat::kCsc) {
    sparse->format = SparseFormat::kCsr;
    std::swap(sparse->rows, sparse->columns);
    std::swap(dense->rows, dense->columns);
    dense->order =
        dense->order == SIMTSPARSE_ORDER_COL ? SIMTSPARSE_ORDER_ROW : SIMTSPARSE_ORDER_COL;
  }
}

/// Stores the size of the buffer of a conversion whose arguments have the status `checked`.
simtsparseStatus_t buffer_size(simtsparseStatus_t checked, size_t* size) {
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return checked;
}

void put(void* indices, simtsparseIndexType_t type, std::int64_t place, std::int64_t value) {
  if (type == SIMTSPARSE_INDEX_32I) {
    static_cast<std::int32_t*>(indices)[place] = static_cast<std::int32_t>(value);
  } else {
    static_cast<std::int64_t*>(indices)[place] = value;
  }
}

/// Calls `use(row, column, value)` for the numbers of a dense matrix that are not 0, row by row, and
/// `end_of_row(row)` after each row.
template <class Element, class Use, class End>
void non_zeros(const simtsparseDnMatDescr& dense, const Use& use, const End& end_of_row) {
  const DenseView<Element> view(dense, SIMTSPARSE_OPERATION_NON_TRANSPOSE, 0);
  for (std::int64_t i = 0; i < dense.rows; ++i) {
    for (std::int64_t j = 0; j < dense.columns; ++j) {
      const auto value = view.at(i, j);
      if (value != typename Element::Value()) {
        use(i, j, value);
      }
    }
    end_of_row(i);
  }
}

/// Writes the offsets of the rows of a CSR matrix and returns the number of entries.
template <class Element>
std::int64_t write_offsets(const simtsparseDnMatDescr& dense, const simtsparseSpMatDescr& sparse) {
  std::int64_t count = 0;
  const bool has_offsets = sparse.format == SparseFormat::kCsr;
  if (has_offsets) {
    put(sparse.row_indices, sparse.row_index_type, 0, sparse.base);
  }
  non_zeros<Element>(
      dense, [&](std::int64_t, std::int64_t, auto) { ++count; },
      [&](std::int64_t row) {
        if (has_offsets) {
          put(sparse.row_indices, sparse.row_index_type, row + 1, count + sparse.base);
        }
      });
  return count;
}

template <class Element>
void write_entries(const simtsparseDnMatDescr& dense, const simtsparseSpMatDescr& sparse) {
  std::int64_t place = 0;
  auto* const values = static_cast<typename Element::Storage*>(sparse.values);
  non_zeros<Element>(
      dense,
      [&](std::int64_t row, std::int64_t column, auto value) {
        if (sparse.format == SparseFormat::kCoo) {
          put(sparse.row_indices, sparse.row_index_type, place, row + sparse.base);
        }
        put(sparse.column_indices, sparse.column_index_type, place, column + sparse.base);
        values[place] = Element::store(value);
        ++place;
      },
      [](std::int64_t) {});
}

/// Writes the numbers of the blocks that the program has chosen, and zeros to the padding.
template <class Element>
void write_ell_blocks(const simtsparseDnMatDescr& dense, const simtsparseSpMatDescr& sparse) {
  using Storage = typename Element::Storage;
  auto* const values = static_cast<Storage*>(sparse.values);
  std::fill(values, values + sparse.rows * sparse.width, Element::store({}));
  const DenseView<Element> from(dense, SIMTSPARSE_OPERATION_NON_TRANSPOSE, 0);
  const SparseView<Element> to(sparse, 0);
  for (std::int64_t i = 0; i < sparse.rows; ++i) {
    to.row_places(i, [&](std::int64_t column, Storage& place) {
      place = Element::store(from.at(i, column));
    });
  }
}

template <class Element>
void write_dense(const simtsparseSpMatDescr& sparse, const simtsparseDnMatDescr& dense) {
  const DenseView<Element> view(dense, SIMTSPARSE_OPERATION_NON_TRANSPOSE, 0);
  for (std::int64_t i = 0; i < dense.rows; ++i) {
    for (std::int64_t j = 0; j < dense.columns; ++j) {
      view.set(i, j, typename Element::Value());
    }
  }
  SparseView<Element>(sparse, 0).entries(
      [&](std::int64_t row, std::int64_t column, auto value) { view.set(row, column, value); });
}

/// Number of entries of each row or column of a dense matrix, and of the matrix.
template <class T>
simtsparseStatus_t count_entries(simtsparseHandle_t handle, simtsparseDirection_t direction, int m,
                                 int n, simtsparseMatDescr_t matrix, const T* values, int ld,
                                 int* each, int* total) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (m < 0 || n < 0 || ld < m || !valid(direction) || any_null(matrix) || any_null(values) ||
      any_null(each, total)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (matrix->type != SIMTSPARSE_MATRIX_TYPE_GENERAL) {
    return SIMTSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  }
  const simtsparseDnMatDescr dense{
      m, n, ld, const_cast<T*>(values), kSparseType<SparseValue<T>>, SIMTSPARSE_ORDER_COL};
  const simtsparseStatus_t status = sparse_submit(*handle, "simtsparse<t>nnz", [=] {
    const bool by_row = direction == SIMTSPARSE_DIRECTION_ROW;
    std::fill(each, each + (by_row ? m : n), 0);
    int count = 0;
    with_float_element(dense.type, [&](auto element) {
      non_zeros<decltype(element)>(
          dense,
          [&](std::int64_t row, std::int64_t column, auto) {
            ++each[by_row ? row : column];
            ++count;
          },
          [](std::int64_t) {});
    });
    *total = count;
  });
  return status == SIMTSPARSE_STATUS_SUCCESS && !handle->scalars_on_device() ? sparse_wait(*handle)
                                                                             : status;
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseDenseToSparse_bufferSize(simtsparseHandle_t handle,
                                                      simtsparseConstDnMatDescr_t dense,
                                                      simtsparseSpMatDescr_t sparse,
                                                      simtsparseDenseToSparseAlg_t algorithm,
                                                      size_t* size) {
  return buffer_size(
      check(handle, dense, sparse, algorithm == SIMTSPARSE_DENSETOSPARSE_ALG_DEFAULT), size);
}

simtsparseStatus_t simtsparseDenseToSparse_analysis(simtsparseHandle_t handle,
                                                    simtsparseConstDnMatDescr_t dense,
                                                    simtsparseSpMatDescr_t sparse,
                                                    simtsparseDenseToSparseAlg_t algorithm, void*) {
  simtsparseStatus_t status =
      check(handle, dense, sparse, algorithm == SIMTSPARSE_DENSETOSPARSE_ALG_DEFAULT);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  // The program chooses the blocks.
  if (sparse->format == SparseFormat::kBlockedEll) {
    return SIMTSPARSE_STATUS_SUCCESS;
  }
  simtsparseDnMatDescr from = *dense;
  simtsparseSpMatDescr to = *sparse;
  as_csr(&from, &to);
  status = sparse_submit(*handle, "simtsparseDenseToSparse_analysis", [=] {
    with_float_element(from.type, [&](auto element) {
      sparse->nnz = write_offsets<decltype(element)>(from, to);
    });
  });
  // The program reads the number of entries next, to allocate the arrays.
  return status == SIMTSPARSE_STATUS_SUCCESS ? sparse_wait(*handle) : status;
}

simtsparseStatus_t simtsparseDenseToSparse_convert(simtsparseHandle_t handle,
                                                   simtsparseConstDnMatDescr_t dense,
                                                   simtsparseSpMatDescr_t sparse,
                                                   simtsparseDenseToSparseAlg_t algorithm, void*) {
  simtsparseStatus_t status =
      check(handle, dense, sparse, algorithm == SIMTSPARSE_DENSETOSPARSE_ALG_DEFAULT);
  if (status == SIMTSPARSE_STATUS_SUCCESS && sparse->nnz > 0 &&
      ((sparse->format != SparseFormat::kBlockedEll && any_null(sparse->row_indices)) ||
       any_null(sparse->column_indices, sparse->values))) {
    status = SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  simtsparseDnMatDescr from = *dense;
  simtsparseSpMatDescr to = *sparse;
  as_csr(&from, &to);
  return sparse_submit(*handle, "simtsparseDenseToSparse_convert", [=] {
    with_float_element(from.type, [&](auto element) {
      using Element = decltype(element);
      to.format == SparseFormat::kBlockedEll ? write_ell_blocks<Element>(from, to)
                                             : write_entries<Element>(from, to);
    });
  });
}

simtsparseStatus_t simtsparseSparseToDense_bufferSize(simtsparseHandle_t handle,
                                                      simtsparseConstSpMatDescr_t sparse,
                                                      simtsparseDnMatDescr_t dense,
                                                      simtsparseSparseToDenseAlg_t algorithm,
                                                      size_t* size) {
  return buffer_size(
      check(handle, dense, sparse, algorithm == SIMTSPARSE_SPARSETODENSE_ALG_DEFAULT), size);
}

simtsparseStatus_t simtsparseSparseToDense(simtsparseHandle_t handle,
                                           simtsparseConstSpMatDescr_t sparse,
                                           simtsparseDnMatDescr_t dense,
                                           simtsparseSparseToDenseAlg_t algorithm, void*) {
  const simtsparseStatus_t status =
      check(handle, dense, sparse, algorithm == SIMTSPARSE_SPARSETODENSE_ALG_DEFAULT);
  return status != SIMTSPARSE_STATUS_SUCCESS
             ? status
             : sparse_submit(*handle, "simtsparseSparseToDense", [from = *sparse, to = *dense] {
                 with_float_element(from.type, [&](auto element) {
                   write_dense<decltype(element)>(from, to);
                 });
               });
}

#define NNZ_FUNCTION(letter, T)                                                                  \
  simtsparseStatus_t simtsparse##letter##nnz(                                                    \
      simtsparseHandle_t handle, simtsparseDirection_t direction, int m, int n,                  \
      const simtsparseMatDescr_t matrix, const T* values, int ld, int* each, int* total) {       \
    return count_entries(handle, direction, m, n, matrix, values, ld, each, total);              \
  }
NNZ_FUNCTION(S, float)
NNZ_FUNCTION(D, double)
NNZ_FUNCTION(C, simtComplex)
NNZ_FUNCTION(Z, simtDoubleComplex)
#undef NNZ_FUNCTION

}  // extern "C"
