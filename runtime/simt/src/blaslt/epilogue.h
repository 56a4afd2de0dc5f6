// Conversion of a tile of the product to D: scaling, C, bias, activation, rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "blas/elements.h"
#include "blas/panel_gemm.h"
#include "blaslt/matmul_plan.h"

namespace simtrt {

/// Converts `count` elements of `type`, `step` elements apart, to Value.
template <class Value>
void load_elements(simtDataType type, const void* from, std::ptrdiff_t step, int count, Value* to) {
  with_output_element<Value>(type, [&](auto element) {
    using Element = decltype(element);
    const auto* const source = static_cast<const typename Element::Storage*>(from);
    for (int i = 0; i < count; ++i) {
      to[i] = Element::load(source[i * step]);
    }
  });
}

template <class Value>
void store_elements(simtDataType type, const Value* from, int count, void* to,
                    std::ptrdiff_t step) {
  with_output_element<Value>(type, [&](auto element) {
    using Element = decltype(element);
    auto* const target = static_cast<typename Element::Storage*>(to);
    for (int i = 0; i < count; ++i) {
      target[i * step] = Element::store(from[i]);
    }
  });
}

/// tanh approximation of GELU, 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), which cuBLASLt
/// computes. Source: Hendrycks and Gimpel, arXiv:1606.08415, section 2.
template <class Real>
Real gelu(Real x) {
  const Real slope = Real(0.79788456080286535588);  // sqrt(2 / pi)
  return Real(0.5) * x * (Real(1) + std::tanh(slope * (x + Real(0.044715) * x * x * x)));
}

template <class Real>
Real gelu_derivative(Real x) {
  const Real slope = Real(0.79788456080286535588);
  const Real t = std::tanh(slope * (x + Real(0.044715) * x * x * x));
  const Real inner = slope * (Real(1) + Real(3 * 0.044715) * x * x);
  return Real(0.5) * (Real(1) + t) + Real(0.5) * x * (Real(1) - t * t) * inner;
}

/// a x + b; sums and products of int32 wrap around.
template <class Value>
Value multiply_add(Value a, Value x, Value b) {
  return a * x + b;
}
inline std::int32_t multiply_add(std::int32_t a, std::int32_t x, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(x) +
                                   static_cast<std::uint32_t>(b));
}

/// Values of alpha, beta, bias and buffers for one matrix of a batch, read in stream order.
template <class Value>
struct EpilogueArguments {
  std::vector<Value> alpha;  // one value, or one for each row of D
  std::vector<Value> beta;   // as alpha; all 0 if C is not read
  std::vector<Value> bias;
  const void* c;
  void* d;
  void* bias_gradient;
  void* aux;
  Value scale_d = Value(1);

  bool reads_c() const {
    return std::any_of(beta.begin(), beta.end(), [](Value b) { return b != Value(); });
  }
};

template <class Value>
class Epilogue {
 public:
  Epilogue(const LtPlan& plan, const EpilogueArguments<Value>& arguments)
      : plan_(plan), arguments_(arguments), reads_c_(arguments.reads_c()) {
    if (plan.epilogue.bias_gradient) {
      row_sums_.assign(static_cast<std::size_t>(plan.m), Value());
    }
  }

  void store(const GemmTile<Value>& tile) {
    values_.resize(static_cast<std::size_t>(tile.rows));
    loaded_.resize(values_.size());
    for (int j = 0; j < tile.columns; ++j) {
      store_column(tile.row, tile.rows, tile.column + j, tile.column_data(j));
    }
  }

  /// Called after the last tile; completes the sums over D's rows and the largest |D|.
  void finish() {
    if (plan_.epilogue.bias_gradient) {
      store_elements(plan_.bias_type, row_sums_.data(), plan_.m, arguments_.bias_gradient, 1);
    }
  }

  /// Largest |D| before D's scale is applied.
  float largest() const { return largest_; }

 private:
  void store_column(int row, int rows, int column, const Value* product) {
    scale(row, rows, column, product);
    if (plan_.epilogue.bias) {
      for (int i = 0; i < rows; ++i) {
        values_[i] += arguments_.bias[static_cast<std::size_t>(row + i)];
      }
    }
    if constexpr (std::is_floating_point_v<Value>) {
      activate(row, rows, column);
    }
    if (plan_.epilogue.bias_gradient) {
      for (int i = 0; i < rows; ++i) {
        row_sums_[static_cast<std::size_t>(row + i)] += values_[i];
      }
    }
    if constexpr (std::is_same_v<Value, float>) {
      if (plan_.matmul.amax_d != nullptr) {
        for (int i = 0; i < rows; ++i) {
          largest_ = std::max(largest_, std::abs(values_[i]));
        }
      }
      if (arguments_.scale_d != 1.0f) {
        for (int i = 0; i < rows; ++i) {
          values_[i] *= arguments_.scale_d;
        }
      }
    }
    const LtResult& d = plan_.d;
    store_elements(d.type, values_.data(), rows,
                   element_at(arguments_.d, d.type, row * d.row_step + column * d.column_step),
                   d.row_step);
  }

  /// alpha times the product, plus beta times C.
  void scale(int row, int rows, int column, const Value* product) {
    const auto of_row = [row](const std::vector<Value>& values, int i) {
      return values.size() == 1 ? values[0] : values[static_cast<std::size_t>(row + i)];
    };
    for (int i = 0; i < rows; ++i) {
      values_[i] = multiply_add(of_row(arguments_.alpha, i), product[i], Value());
    }
    if (reads_c_) {
      const LtResult& c = plan_.c;
      load_elements(c.type,
                    element_at(arguments_.c, c.type, row * c.row_step + column * c.column_step),
                    c.row_step, rows, loaded_.data());
      for (int i = 0; i < rows; ++i) {
        const Value beta = of_row(arguments_.beta, i);
        if (beta != Value()) {
          values_[i] = multiply_add(beta, loaded_[i], values_[i]);
        }
      }
    }
  }

  void activate(int row, int rows, int column) {
    const LtEpilogue& epilogue = plan_.epilogue;
    const std::ptrdiff_t aux_start = row + column * plan_.matmul.aux_ld;
    if (epilogue.relu) {
      for (int i = 0; i < rows; ++i) {
        if (epilogue.aux) {
          set_mask(aux_start + i, values_[i] > Value());
        }
        // NaN is preserved: it is not less than zero.
        values_[i] = values_[i] < Value() ? Value() : values_[i];
      }
    } else if (epilogue.relu_gradient) {
      for (int i = 0; i < rows; ++i) {
        values_[i] = mask(aux_start + i) ? values_[i] : Value();
      }
    } else if (epilogue.gelu) {
      if (epilogue.aux) {
        store_elements(plan_.aux_type, values_.data(), rows,
                       element_at(arguments_.aux, plan_.aux_type, aux_start), 1);
      }
      for (int i = 0; i < rows; ++i) {
        values_[i] = gelu(values_[i]);
      }
    } else if (epilogue.gelu_gradient) {
      load_elements(plan_.aux_type,
                    element_at(static_cast<const void*>(arguments_.aux), plan_.aux_type, aux_start),
                    1, rows, loaded_.data());
      for (int i = 0; i < rows; ++i) {
        values_[i] *= gelu_derivative(loaded_[i]);
      }
    }
  }

  void set_mask(std::ptrdiff_t bit, bool positive) {
    auto* const byte = static_cast<std::uint8_t*>(arguments_.aux) + bit / 8;
    const auto one = static_cast<std::uint8_t>(1U << bit % 8);
    *byte = static_cast<std::uint8_t>(positive ? *byte | one : *byte & ~one);
  }
  bool mask(std::ptrdiff_t bit) const {
    return (static_cast<const std::uint8_t*>(arguments_.aux)[bit / 8] >> bit % 8 & 1) != 0;
  }

  const LtPlan& plan_;
  const EpilogueArguments<Value>& arguments_;
  const bool reads_c_;
  std::vector<Value> values_;
  std::vector<Value> loaded_;
  std::vector<Value> row_sums_;
  float largest_ = 0;
};

}  // namespace simtrt
