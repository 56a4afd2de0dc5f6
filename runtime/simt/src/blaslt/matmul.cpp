// simtblasLtMatmul, handles and versions.
#include <new>

#include "blas/batch.h"
#include "blas/gemm.h"
#include "blaslt/algorithm.h"
#include "blaslt/epilogue.h"
#include "blaslt/reordered.h"
#include "process/state.h"

namespace simtrt {

struct BlasLtContext {};

namespace {

/// alpha or beta: a value that is already known at the time of the call, the address of a value on
/// the device, or the address of a vector on the device.
struct LtScalar {
  enum class Kind { kSingle, kVector, kZero } kind;
  AnyScalar single;
  const void* vector;

  /// Values of the scalar for one matrix. If the scalar is a vector, the matrix uses the elements
  /// from `offset` on.
  template <class Value>
  std::vector<Value> read(simtDataType type, int rows, std::int64_t offset) const {
    switch (kind) {
      case Kind::kZero: return {Value()};
      case Kind::kSingle: return {single.read<Value>()};
      default: {
        std::vector<Value> values(static_cast<std::size_t>(rows));
        load_elements(type, element_at(vector, type, offset), 1, rows, values.data());
        return values;
      }
    }
  }
};

LtScalar::Kind alpha_kind(int mode) {
  return mode == SIMTBLASLT_POINTER_MODE_HOST || mode == SIMTBLASLT_POINTER_MODE_DEVICE
             ? LtScalar::Kind::kSingle
             : LtScalar::Kind::kVector;
}

LtScalar::Kind beta_kind(int mode) {
  switch (mode) {
    case SIMTBLASLT_POINTER_MODE_DEVICE_VECTOR: return LtScalar::Kind::kVector;
    case SIMTBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO: return LtScalar::Kind::kZero;
    default: return LtScalar::Kind::kSingle;
  }
}

/// Sums of the rows of op(X): one sum for each of the `rows` rows.
template <class Value>
std::vector<Value> row_sums(const LtOperand& x, const void* data, int rows, int columns) {
  std::vector<Value> sums(static_cast<std::size_t>(rows));
  const bool plain = x.op == SIMTBLAS_OP_N;
  with_input_element<Value>(x.type, [&](auto element) {
    using Element = decltype(element);
    const auto* const source = static_cast<const typename Element::Storage*>(data);
    for (std::ptrdiff_t j = 0; j < columns; ++j) {
      for (std::ptrdiff_t i = 0; i < rows; ++i) {
        sums[static_cast<std::size_t>(i)] +=
            Element::load(source[plain ? i + j * x.ld : j + i * x.ld]);
      }
    }
  });
  return sums;
}

float scale_or_one(const float* scale) { return scale == nullptr ? 1.0f : *scale; }

/// Multiplies the values by a factor. Only computations in float have factors.
void multiply(std::vector<float>& values, float factor) {
  if (factor != 1.0f) {
    for (float& value : values) {
      value *= factor;
    }
  }
}

/// A call of simtblasLtMatmul, executed in stream order. Value: type to which operands are
/// converted. Sum: type of sums and scaling.
template <class Value, class Sum>
class LtRun {
 public:
  LtRun(const LtPlan& plan, const LtPointers& pointers, const LtScalar& alpha, const LtScalar& beta)
      : plan_(plan), pointers_(pointers), alpha_(alpha), beta_(beta) {}

  void run() const {
    if (!plan_.is_reordered) return run_plain();
    const LtColumnMajorCopies copies(plan_, pointers_);
    LtRun(plan_, copies.pointers(), alpha_, beta_).run_plain();
    copies.store();
  }

 private:
  void run_plain() const {
    std::vector<float> largest(static_cast<std::size_t>(plan_.batch_count));
    for_each_of_batch(plan_.batch_count, gemm_work(plan_.m, plan_.n, plan_.k),
                      [&](int i) { largest[static_cast<std::size_t>(i)] = run_one(i); });
    if (plan_.matmul.amax_d != nullptr) {
      *plan_.matmul.amax_d = *std::max_element(largest.begin(), largest.end());
    }
  }

  /// Computes matrix `i` of the batch. Returns the largest |D|.
  float run_one(int i) const {
    const void* const a = element_at(pointers_.a, plan_.a.type, i * plan_.a.batch_offset);
    const void* const b = element_at(pointers_.b, plan_.b.type, i * plan_.b.batch_offset);
    EpilogueArguments<Sum> arguments = arguments_of(i);
    if constexpr (std::is_same_v<Value, Sum>) {
      if (is_plain_gemm(arguments)) {
        gemm_on_host(plan_.a.op, plan_.b.op, plan_.m, plan_.n, plan_.k, arguments.alpha[0],
                     static_cast<const Sum*>(a), static_cast<int>(plan_.a.ld),
                     static_cast<const Sum*>(b), static_cast<int>(plan_.b.ld), arguments.beta[0],
                     static_cast<Sum*>(arguments.d), static_cast<int>(plan_.d.column_step));
        return 0;
      }
    }
    Epilogue<Sum> epilogue(plan_, arguments);
    const bool multiplies = std::any_of(arguments.alpha.begin(), arguments.alpha.end(),
                                        [](Sum value) { return value != Sum(); });
    panel_gemm<Value, Sum>(plan_.m, plan_.n, multiplies ? plan_.k : 0,
                           {a, plan_.a.type, plan_.a.op, plan_.a.ld},
                           {b, plan_.b.type, plan_.b.op, plan_.b.ld},
                           [&](const GemmTile<Sum>& tile) { epilogue.store(tile); });
    epilogue.finish();
    if (plan_.epilogue.bias_gradient_a) {
      const auto sums = row_sums<Value>(plan_.a, a, plan_.m, plan_.k);
      store_elements(plan_.bias_type, sums.data(), plan_.m, arguments.bias_gradient, 1);
    }
    if (plan_.epilogue.bias_gradient_b) {
      // The sums over the columns of op(B) are the sums over the rows of op(B)'s transpose.
      LtOperand transposed = plan_.b;
      transposed.op = plan_.b.op == SIMTBLAS_OP_N ? SIMTBLAS_OP_T : SIMTBLAS_OP_N;
      const auto sums = row_sums<Value>(transposed, b, plan_.n, plan_.k);
      store_elements(plan_.bias_type, sums.data(), plan_.n, arguments.bias_gradient, 1);
    }
    return epilogue.largest();
  }

  EpilogueArguments<Sum> arguments_of(int i) const {
    const LtMatmul& matmul = plan_.matmul;
    const std::int64_t vector_offset = i * matmul.alpha_batch_stride;
    EpilogueArguments<Sum> arguments;
    arguments.alpha = alpha_.read<Sum>(plan_.types.scale, plan_.m, vector_offset);
    arguments.beta = beta_.read<Sum>(plan_.types.scale, plan_.m, vector_offset);
    arguments.c = element_at(pointers_.c, plan_.c.type, i * plan_.c.batch_offset);
    arguments.d = element_at(pointers_.d, plan_.d.type, i * plan_.d.batch_offset);
    arguments.bias_gradient =
        element_at(matmul.bias, plan_.bias_type, i * matmul.bias_batch_stride);
    if (plan_.epilogue.bias) {
      arguments.bias.resize(static_cast<std::size_t>(plan_.m));
      load_elements(plan_.bias_type, arguments.bias_gradient, 1, plan_.m, arguments.bias.data());
    }
    const bool mask = plan_.epilogue.relu || plan_.epilogue.relu_gradient;
    const std::int64_t aux_offset = i * matmul.aux_batch_stride;
    arguments.aux = mask ? static_cast<char*>(matmul.aux) + aux_offset / 8
                         : element_at(matmul.aux, plan_.aux_type, aux_offset);
    if constexpr (std::is_same_v<Sum, float>) {
      multiply(arguments.alpha, scale_or_one(matmul.scale_a) * scale_or_one(matmul.scale_b));
      multiply(arguments.beta, scale_or_one(matmul.scale_c));
      arguments.scale_d = scale_or_one(matmul.scale_d);
    }
    return arguments;
  }

  /// True if the host's gemm computes the result directly: one type, column-major order, no
  /// epilogue, and C equal to D.
  bool is_plain_gemm(const EpilogueArguments<Sum>& arguments) const {
    return plan_.matmul.epilogue == SIMTBLASLT_EPILOGUE_DEFAULT && plan_.matmul.amax_d == nullptr &&
           arguments.scale_d == Sum(1) && plan_.a.type == plan_.d.type && plan_.d.row_step == 1 &&
           element_size(plan_.a.type) == sizeof(Sum) && arguments.alpha.size() == 1 &&
           (!arguments.reads_c() ||
            (arguments.beta.size() == 1 && arguments.c == arguments.d && plan_.c.row_step == 1 &&
             plan_.c.column_step == plan_.d.column_step));
  }

  LtPlan plan_;
  LtPointers pointers_;
  LtScalar alpha_;
  LtScalar beta_;
};

std::function<void()> lt_work(const LtPlan& plan, const LtPointers& pointers, const LtScalar& alpha,
                              const LtScalar& beta) {
  const auto work = [&](auto run) { return [run] { run.run(); }; };
  switch (plan.types.value) {
    case GemmValue::kDouble: return work(LtRun<double, double>(plan, pointers, alpha, beta));
    case GemmValue::kComplexFloat:
      return work(LtRun<host_blas::Complex, host_blas::Complex>(plan, pointers, alpha, beta));
    case GemmValue::kComplexDouble:
      return work(
          LtRun<host_blas::DoubleComplex, host_blas::DoubleComplex>(plan, pointers, alpha, beta));
    case GemmValue::kInt32: return work(LtRun<float, std::int32_t>(plan, pointers, alpha, beta));
    default: return work(LtRun<float, float>(plan, pointers, alpha, beta));
  }
}

LtScalar scalar_of(LtScalar::Kind kind, bool on_device, const void* pointer, simtDataType type) {
  const bool single = kind == LtScalar::Kind::kSingle;
  return {kind, AnyScalar(on_device || !single, single ? pointer : nullptr, type), pointer};
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtblasStatus_t simtblasLtCreate(simtblasLtHandle_t* lightHandle) {
  if (lightHandle == nullptr) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (enter_process() != simtSuccess) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  *lightHandle = new (std::nothrow) BlasLtContext;
  return *lightHandle == nullptr ? SIMTBLAS_STATUS_ALLOC_FAILED : SIMTBLAS_STATUS_SUCCESS;
}

simtblasStatus_t simtblasLtDestroy(simtblasLtHandle_t lightHandle) {
  if (lightHandle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  delete lightHandle;
  return SIMTBLAS_STATUS_SUCCESS;
}

const char* simtblasLtGetStatusName(simtblasStatus_t status) {
  return simtblasGetStatusName(status);
}

const char* simtblasLtGetStatusString(simtblasStatus_t status) {
  return simtblasGetStatusString(status);
}

std::size_t simtblasLtGetVersion(void) {
  return SIMTBLAS_VER_MAJOR * 10000 + SIMTBLAS_VER_MINOR * 100 + SIMTBLAS_VER_PATCH;
}

std::size_t simtblasLtGetRuntimeVersion(void) { return SIMT_COMPAT_VERSION; }

simtblasStatus_t simtblasLtGetProperty(libraryPropertyType type, int* value) {
  return simtblasGetProperty(type, value);
}

simtblasStatus_t simtblasLtMatmul(simtblasLtHandle_t lightHandle,
                                  simtblasLtMatmulDesc_t computeDesc, const void* alpha,
                                  const void* A, simtblasLtMatrixLayout_t Adesc, const void* B,
                                  simtblasLtMatrixLayout_t Bdesc, const void* beta, const void* C,
                                  simtblasLtMatrixLayout_t Cdesc, void* D,
                                  simtblasLtMatrixLayout_t Ddesc, const simtblasLtMatmulAlgo_t* algo,
                                  void* workspace, std::size_t workspaceSizeInBytes,
                                  simtStream_t stream) {
  // The argument may be a handle of simtblas that was cast to this type, as in CUDA: its content is
  // not read.
  if (lightHandle == nullptr) {
    return SIMTBLAS_STATUS_NOT_INITIALIZED;
  }
  if (workspace == nullptr && workspaceSizeInBytes > 0) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  LtPlan plan;
  const simtblasStatus_t status = lt_plan(computeDesc, Adesc, Bdesc, Cdesc, Ddesc, &plan);
  if (status != SIMTBLAS_STATUS_SUCCESS) {
    return status;
  }
  if (algo != nullptr && !is_algorithm_for(*algo, plan)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const int mode = plan.matmul.pointer_mode;
  const bool beta_is_zero = beta_kind(mode) == LtScalar::Kind::kZero;
  if (alpha == nullptr || (beta == nullptr && !beta_is_zero)) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  if (plan.m == 0 || plan.n == 0) {
    return SIMTBLAS_STATUS_SUCCESS;
  }
  if (D == nullptr || (plan.k > 0 && (A == nullptr || B == nullptr))) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  const bool on_device = mode == SIMTBLASLT_POINTER_MODE_DEVICE;
  const simtDataType scale = plan.types.scale;
  const LtScalar alpha_scalar = scalar_of(alpha_kind(mode), on_device, alpha, scale);
  const LtScalar beta_scalar = scalar_of(beta_kind(mode), on_device, beta, scale);
  if (C == nullptr && !beta_is_zero && !beta_scalar.single.known_zero()) {
    return SIMTBLAS_STATUS_INVALID_VALUE;
  }
  return blas_submit(stream, "simtblasLtMatmul",
                     lt_work(plan, {A, B, C, D}, alpha_scalar, beta_scalar));
}

}  // extern "C"
