// simtblasLtMatrixTransform.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "blas/batch.h"
#include "blas/gemm_types.h"
#include "blaslt/descriptors.h"
#include "blaslt/order.h"

namespace simtrt {
namespace {

/// A matrix of the call.
struct Matrix {
  LtMatrixLayout layout;
  simtblasOperation_t op;
  const void* data;  // null if the matrix is not read

  std::int64_t offset(std::int64_t row, std::int64_t column) const {
    return op == SIMTBLAS_OP_N ? element_offset(layout, row, column) : element_offset(layout, column, row);
  }
  std::uint64_t rows() const { return op == SIMTBLAS_OP_N ? layout.rows : layout.columns; }
  std::uint64_t columns() const { return op == SIMTBLAS_OP_N ? layout.columns : layout.rows; }
};

/// An integer in memory, computed in Value.
template <class Stored, class Value>
struct IntegerElement {
  using Storage = Stored;
  static Value load(Stored x) { return static_cast<Value>(x); }
  static Stored store(Value x) {
    constexpr auto kLow = std::numeric_limits<Stored>::min();
    constexpr auto kHigh = std::numeric_limits<Stored>::max();
    if constexpr (std::is_floating_point_v<Value>) {
      const double rounded = std::nearbyint(static_cast<double>(x));
      if (std::isnan(rounded)) return 0;
      return static_cast<Stored>(std::clamp(rounded, static_cast<double>(kLow), static_cast<double>(kHigh)));
    } else {
      return static_cast<Stored>(std::clamp<Value>(x, kLow, kHigh));
    }
  }
};

/// Calls `use` with the element type of a matrix; false if Value cannot compute with this type.
template <class Value, class Use>
bool with_element(simtDataType type, const Use& use) {
  if constexpr (std::is_same_v<Value, float>) {
    switch (type) {
      case SIMT_R_8I: use(IntegerElement<std::int8_t, float>()); return true;
      case SIMT_R_32I: use(IntegerElement<std::int32_t, float>()); return true;
      case SIMT_R_16F: use(HalfElement()); return true;
      case SIMT_R_16BF: use(Bfloat16Element()); return true;
      case SIMT_R_32F: use(FloatElement()); return true;
      default: return false;
    }
  } else if constexpr (std::is_same_v<Value, std::int64_t>) {
    switch (type) {
      case SIMT_R_8I: use(IntegerElement<std::int8_t, std::int64_t>()); return true;
      case SIMT_R_32I: use(IntegerElement<std::int32_t, std::int64_t>()); return true;
      default: return false;
    }
  } else {
    constexpr simtDataType kOwn = std::is_same_v<Value, double>               ? SIMT_R_64F
                                  : std::is_same_v<Value, std::complex<float>> ? SIMT_C_32F
                                                                               : SIMT_C_64F;
    if (type != kOwn) return false;
    use(PlainElement<Value>());
    return true;
  }
}

/// Calls `use` with a value of the type in which a call with this scale type computes; false for other types.
template <class Use>
bool with_value(simtDataType scale, const Use& use) {
  switch (scale) {
    case SIMT_R_16F:
    case SIMT_R_32F: use(float()); return true;
    case SIMT_R_64F: use(double()); return true;
    case SIMT_R_32I: use(std::int64_t()); return true;
    case SIMT_C_32F: use(std::complex<float>()); return true;
    case SIMT_C_64F: use(std::complex<double>()); return true;
    default: return false;
  }
}

template <class Value>
Value scalar(const AnyScalar& any) {
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    return any.read<std::int32_t>();
  } else {
    return any.read<Value>();
  }
}

template <class Value>
Value conjugated(const Value& value, simtblasOperation_t op) {
  if constexpr (std::is_same_v<Value, std::complex<float>> || std::is_same_v<Value, std::complex<double>>) {
    return op == SIMTBLAS_OP_C ? std::conj(value) : value;
  } else {
    return value;
  }
}

/// A call, executed in stream order.
template <class Value>
struct Transform {
  Matrix a;
  Matrix b;
  Matrix c;
  void* result;
  AnyScalar alpha;
  AnyScalar beta;

  void run() const {
    const auto elements = static_cast<double>(c.layout.rows) * static_cast<double>(c.layout.columns);
    for_each_of_batch(c.layout.batch_count, elements, [&](int i) { run_one(i); });
  }

 private:
  void run_one(std::int64_t i) const {
    const Value factor_a = scalar<Value>(alpha);
    const Value factor_b = b.data == nullptr ? Value() : scalar<Value>(beta);
    with_element<Value>(c.layout.data_type(), [&](auto stored) {
      auto* const out = static_cast<typename decltype(stored)::Storage*>(result) + i * c.layout.batch_offset;
      for (std::int64_t column = 0; column < static_cast<std::int64_t>(c.layout.columns); ++column) {
        for (std::int64_t row = 0; row < static_cast<std::int64_t>(c.layout.rows); ++row) {
          Value sum = factor_a * element(a, i, row, column);
          if (factor_b != Value()) sum += factor_b * element(b, i, row, column);
          out[c.offset(row, column)] = stored.store(sum);
        }
      }
    });
  }

  static Value element(const Matrix& matrix, std::int64_t i, std::int64_t row, std::int64_t column) {
    Value value{};
    with_element<Value>(matrix.layout.data_type(), [&](auto stored) {
      const auto* const data = static_cast<const typename decltype(stored)::Storage*>(matrix.data);
      value = stored.load(data[i * matrix.layout.batch_offset + matrix.offset(row, column)]);
    });
    return conjugated(value, matrix.op);
  }
};

/// Status of an operand, which must agree with C.
simtblasStatus_t check(const Matrix& matrix, const Matrix& c) {
  const bool agrees = valid(matrix.op) && valid_layout(matrix.layout) && matrix.rows() == c.layout.rows &&
                      matrix.columns() == c.layout.columns && matrix.layout.batch_count == c.layout.batch_count;
  if (!agrees) return SIMTBLAS_STATUS_INVALID_VALUE;
  return matrix.layout.plane_offset == 0 ? SIMTBLAS_STATUS_SUCCESS : SIMTBLAS_STATUS_NOT_SUPPORTED;
}

template <class Value>
bool types_go_together(const Matrix& a, const Matrix& b, const Matrix& c) {
  const auto known = [](const Matrix& matrix) {
    return with_element<Value>(matrix.layout.data_type(), [](auto) {});
  };
  return known(a) && known(c) && (b.data == nullptr || known(b));
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" simtblasStatus_t simtblasLtMatrixTransform(simtblasLtHandle_t lightHandle,
                                                      simtblasLtMatrixTransformDesc_t transformDesc, const void* alpha,
                                                      const void* A, simtblasLtMatrixLayout_t Adesc, const void* beta,
                                                      const void* B, simtblasLtMatrixLayout_t Bdesc, void* C,
                                                      simtblasLtMatrixLayout_t Cdesc, simtStream_t stream) {
  if (lightHandle == nullptr) return SIMTBLAS_STATUS_NOT_INITIALIZED;
  if (transformDesc == nullptr || any_null(alpha, A, Adesc, beta, C, Cdesc)) return SIMTBLAS_STATUS_INVALID_VALUE;
  const auto transform = read_descriptor<LtTransform>(*transformDesc);
  const auto scale = static_cast<simtDataType>(transform.scale_type);
  const bool on_device = transform.pointer_mode == SIMTBLASLT_POINTER_MODE_DEVICE;
  if (!on_device && transform.pointer_mode != SIMTBLASLT_POINTER_MODE_HOST) return SIMTBLAS_STATUS_INVALID_VALUE;
  if (!with_value(scale, [](auto) {})) return SIMTBLAS_STATUS_NOT_SUPPORTED;
  const AnyScalar alpha_scalar(on_device, alpha, scale);
  const AnyScalar beta_scalar(on_device, beta, scale);
  const bool reads_b = !beta_scalar.known_zero();
  if (reads_b && any_null(B, Bdesc)) return SIMTBLAS_STATUS_INVALID_VALUE;
  const Matrix a{read_descriptor<LtMatrixLayout>(*Adesc), static_cast<simtblasOperation_t>(transform.transa), A};
  const Matrix c{read_descriptor<LtMatrixLayout>(*Cdesc), SIMTBLAS_OP_N, C};
  const Matrix b = reads_b ? Matrix{read_descriptor<LtMatrixLayout>(*Bdesc),
                                    static_cast<simtblasOperation_t>(transform.transb), B}
                           : Matrix{c.layout, SIMTBLAS_OP_N, nullptr};
  for (const Matrix& matrix : {c, a, b}) {
    if (const simtblasStatus_t status = check(matrix, c); status != SIMTBLAS_STATUS_SUCCESS) return status;
  }
  simtblasStatus_t status = SIMTBLAS_STATUS_NOT_SUPPORTED;
  with_value(scale, [&](auto value) {
    using Value = decltype(value);
    if (!types_go_together<Value>(a, b, c)) return;
    const Transform<Value> work{a, b, c, C, alpha_scalar, beta_scalar};
    status = blas_submit(stream, "simtblasLtMatrixTransform", [work] { work.run(); });
  });
  return status;
}
