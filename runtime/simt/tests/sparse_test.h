// Code shared by the tests of simtsparse: handles, descriptors, sparse matrices with their dense
// form, and naive references. Numbers and tolerances are those of blas_test.h: products are exact.
#pragma once

#include "blas_test.h"

#include <simtsparse.h>

#include <type_traits>

inline doctest::String toString(simtsparseStatus_t status) {
  return simtsparseGetErrorName(status);
}

#define CHECK_SPARSE(...) CHECK_EQ((__VA_ARGS__), SIMTSPARSE_STATUS_SUCCESS)
#define REQUIRE_SPARSE(...) REQUIRE_EQ((__VA_ARGS__), SIMTSPARSE_STATUS_SUCCESS)

// A namespace of its own, because other test files define functions with the same names.
namespace sparse_test {

class SparseHandle {
 public:
  SparseHandle() { REQUIRE_SPARSE(simtsparseCreate(&handle_)); }
  SparseHandle(const SparseHandle&) = delete;
  SparseHandle& operator=(const SparseHandle&) = delete;
  ~SparseHandle() { simtsparseDestroy(handle_); }
  operator simtsparseHandle_t() const { return handle_; }

 private:
  simtsparseHandle_t handle_ = nullptr;
};

/// Descriptor created by `create(&descriptor, arguments...)`.
template <class Descriptor, auto create, auto destroy>
class Described {
 public:
  template <class... Arguments>
  explicit Described(Arguments... arguments) {
    REQUIRE_SPARSE(create(&descriptor_, arguments...));
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
  ~Described() { destroy(descriptor_); }
  operator Descriptor() const { return descriptor_; }

 private:
  Descriptor descriptor_ = nullptr;
};
using LegacyMatrix =
    Described<simtsparseMatDescr_t, simtsparseCreateMatDescr, simtsparseDestroyMatDescr>;
using CsrMatrix = Described<simtsparseSpMatDescr_t, simtsparseCreateCsr, simtsparseDestroySpMat>;
using CooMatrix = Described<simtsparseSpMatDescr_t, simtsparseCreateCoo, simtsparseDestroySpMat>;
using DenseMatrix =
    Described<simtsparseDnMatDescr_t, simtsparseCreateDnMat, simtsparseDestroyDnMat>;
using DenseVector =
    Described<simtsparseDnVecDescr_t, simtsparseCreateDnVec, simtsparseDestroyDnVec>;

template <class T>
inline constexpr simtDataType kDataType = SIMT_R_32F;
template <>
inline constexpr simtDataType kDataType<double> = SIMT_R_64F;
template <>
inline constexpr simtDataType kDataType<std::complex<float>> = SIMT_C_32F;
template <>
inline constexpr simtDataType kDataType<std::complex<double>> = SIMT_C_64F;
template <>
inline constexpr simtDataType kDataType<__half> = SIMT_R_16F;
template <>
inline constexpr simtDataType kDataType<__nv_bfloat16> = SIMT_R_16BF;

inline constexpr simtsparseOperation_t kSparseOperations[] = {
    SIMTSPARSE_OPERATION_NON_TRANSPOSE, SIMTSPARSE_OPERATION_TRANSPOSE,
    SIMTSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

/// Dense matrix, with access to the elements of op(X).
struct Dense {
  int rows;
  int columns;
  std::vector<Wide> values;  // row by row

  Wide at(int i, int j) const { return values[static_cast<std::size_t>(i) * columns + j]; }
  Wide& at(int i, int j) { return values[static_cast<std::size_t>(i) * columns + j]; }
};

inline Dense apply(simtsparseOperation_t op, const Dense& x) {
  if (op == SIMTSPARSE_OPERATION_NON_TRANSPOSE) {
    return x;
  }
  Dense y{x.columns, x.rows, std::vector<Wide>(x.values.size())};
  for (int i = 0; i < y.rows; ++i) {
    for (int j = 0; j < y.columns; ++j) {
      y.at(i, j) = op == SIMTSPARSE_OPERATION_TRANSPOSE ? x.at(j, i) : std::conj(x.at(j, i));
    }
  }
  return y;
}

inline Dense operator*(const Dense& a, const Dense& b) {
  Dense c{a.rows, b.columns, std::vector<Wide>(static_cast<std::size_t>(a.rows) * b.columns)};
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.columns; ++j) {
      for (int k = 0; k < a.columns; ++k) {
        c.at(i, j) += a.at(i, k) * b.at(k, j);
      }
    }
  }
  return c;
}

/// Conversions between T and the type in which the tests compute.
template <class T>
Wide to_wide(T x) {
  if constexpr (std::is_same_v<T, __half>) {
    return __half2float(x);
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return __bfloat162float(x);
  } else {
    return Wide(x);
  }
}
template <class T>
T from_wide(Wide x) {
  if constexpr (std::is_same_v<T, __half>) {
    return __float2half(static_cast<float>(x.real()));
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return __float2bfloat16(static_cast<float>(x.real()));
  } else {
    return number<T>(x.real(), x.imag());
  }
}

/// Random matrix of T; complex for complex T.
template <class T>
Dense random_dense(int rows, int columns, std::uint32_t seed) {
  Numbers numbers(seed);
  Dense x{rows, columns, {}};
  for (int i = 0; i < rows * columns; ++i) {
    const double real = numbers.next();
    x.values.emplace_back(real, kIsComplex<T> ? numbers.next() : 0);
  }
  return x;
}

/// Random matrix in which about two of three numbers, and all numbers of row 1, are zero.
template <class T>
Dense random_sparse(int rows, int columns, std::uint32_t seed) {
  Dense x = random_dense<T>(rows, columns, seed);
  Numbers chance(seed + 1);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (i == 1 || chance.next() < 0.6) {
        x.at(i, j) = 0;
      }
    }
  }
  return x;
}

/// Device matrix in CSR and COO form, with values of T and indices of Index. With `descending`, the
/// columns of each row are in descending order.
template <class T, class Index = int>
struct SparseArrays {
  explicit SparseArrays(const Dense& x, Index base = 0, bool descending = false)
      : rows(x.rows), columns(x.columns) {
    std::vector<Index> begin{base};
    std::vector<Index> row_of;
    std::vector<Index> column_of;
    std::vector<T> kept;
    for (int i = 0; i < x.rows; ++i) {
      for (int n = 0; n < x.columns; ++n) {
        const int j = descending ? x.columns - 1 - n : n;
        if (x.at(i, j) != Wide(0)) {
          row_of.push_back(static_cast<Index>(i) + base);
          column_of.push_back(static_cast<Index>(j) + base);
          kept.push_back(from_wide<T>(x.at(i, j)));
        }
      }
      begin.push_back(static_cast<Index>(kept.size()) + base);
    }
    nnz = static_cast<int>(kept.size());
    row_offsets = std::make_unique<DeviceArray<Index>>(begin);
    row_indices = std::make_unique<DeviceArray<Index>>(row_of);
    column_indices = std::make_unique<DeviceArray<Index>>(column_of);
    values = std::make_unique<DeviceArray<T>>(kept);
  }

  int rows;
  int columns;
  int nnz = 0;
  std::unique_ptr<DeviceArray<Index>> row_offsets, row_indices, column_indices;
  std::unique_ptr<DeviceArray<T>> values;
};

template <class Index>
inline constexpr simtsparseIndexType_t kIndexType =
    sizeof(Index) == 8 ? SIMTSPARSE_INDEX_64I : SIMTSPARSE_INDEX_32I;

/// CSR descriptor of these arrays.
template <class T, class Index>
class CsrOf : public CsrMatrix {
 public:
  explicit CsrOf(const SparseArrays<T, Index>& x, Index base = 0)
      : CsrMatrix(x.rows, x.columns, x.nnz, static_cast<void*>(x.row_offsets->data()),
                  static_cast<void*>(x.column_indices->data()),
                  static_cast<void*>(x.values->data()), kIndexType<Index>, kIndexType<Index>,
                  base == 0 ? SIMTSPARSE_INDEX_BASE_ZERO : SIMTSPARSE_INDEX_BASE_ONE,
                  kDataType<T>) {}
};

/// Dense device matrix in either order, with a margin of two elements after each line.
template <class T>
class DenseArrays {
 public:
  DenseArrays(const Dense& x, simtsparseOrder_t order)
      : rows_(x.rows),
        columns_(x.columns),
        order_(order),
        ld_((order == SIMTSPARSE_ORDER_COL ? x.rows : x.columns) + 2),
        before_(static_cast<std::size_t>(ld_) *
                (order == SIMTSPARSE_ORDER_COL ? x.columns : x.rows)) {
    for (int i = 0; i < x.rows; ++i) {
      for (int j = 0; j < x.columns; ++j) {
        before_[place(i, j)] = from_wide<T>(x.at(i, j));
      }
    }
    device_ = std::make_unique<DeviceArray<T>>(before_);
    matrix_ = std::make_unique<DenseMatrix>(rows_, columns_, ld_, static_cast<void*>(data()),
                                            kDataType<T>, order);
  }

  T* data() const { return device_->data(); }
  int ld() const { return ld_; }
  operator simtsparseDnMatDescr_t() const { return *matrix_; }

  Dense values() const {
    const std::vector<T> after = device_->values();
    Dense x{rows_, columns_, std::vector<Wide>(static_cast<std::size_t>(rows_) * columns_)};
    for (int i = 0; i < rows_; ++i) {
      for (int j = 0; j < columns_; ++j) {
        x.at(i, j) = to_wide(after[place(i, j)]);
      }
    }
    return x;
  }

 private:
  std::size_t place(int i, int j) const {
    return order_ == SIMTSPARSE_ORDER_COL ? static_cast<std::size_t>(j) * ld_ + i
                                          : static_cast<std::size_t>(i) * ld_ + j;
  }

  int rows_;
  int columns_;
  simtsparseOrder_t order_;
  int ld_;
  std::vector<T> before_;
  std::unique_ptr<DeviceArray<T>> device_;
  std::unique_ptr<DenseMatrix> matrix_;
};

/// alpha X + beta Y.
inline Dense combine(Wide alpha, const Dense& x, Wide beta, const Dense& y) {
  Dense z = x;
  for (std::size_t i = 0; i < z.values.size(); ++i) {
    z.values[i] = alpha * x.values[i] + beta * y.values[i];
  }
  return z;
}

/// Largest difference of two matrices; infinite if one contains NaN.
inline double distance(const Dense& x, const Dense& y) {
  REQUIRE_EQ(x.values.size(), y.values.size());
  double worst = 0;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double far = std::abs(x.values[i] - y.values[i]);
    worst = far <= worst ? worst : far == far ? far : HUGE_VAL;
  }
  return worst;
}

}  // namespace sparse_test
using namespace sparse_test;
