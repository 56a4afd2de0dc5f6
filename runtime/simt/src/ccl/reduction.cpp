#include "ccl/reduction.h"

#include "ccl/names.h"

#include <simtrt/short_float/bits.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

// g++ 12 does not vectorise these loops over elements at -O2.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

namespace simtrt::ccl {
namespace {

// 16-bit floating-point numbers compute in float and round after each step: the result of one sum or
// product of two such numbers is the correctly rounded one.
struct Half {
  std::uint16_t bits;
};
struct Bfloat16 {
  std::uint16_t bits;
};

template <class T>
T load(T value) {
  return value;
}
float load(Half value) { return half_bits_to_float(value.bits); }
float load(Bfloat16 value) { return bfloat16_bits_to_float(value.bits); }

template <class T, class V>
T store(V value) {
  if constexpr (std::is_same_v<T, Half>) {
    return {float_to_half_bits(value)};
  } else if constexpr (std::is_same_v<T, Bfloat16>) {
    return {float_to_bfloat16_bits(value)};
  } else {
    return static_cast<T>(value);
  }
}

// Sums and products of integers wrap around, which is undefined for signed types in C++.
template <class V>
auto wrapping(V value) {
  if constexpr (std::is_integral_v<V>) {
    return static_cast<std::make_unsigned_t<V>>(value);
  } else {
    return value;
  }
}

struct Sum {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(wrapping(a) + wrapping(b));
  }
};
struct Product {
  template <class V>
  V operator()(V a, V b) const {
    return static_cast<V>(wrapping(a) * wrapping(b));
  }
};
struct Maximum {
  template <class V>
  V operator()(V a, V b) const {
    return a > b || b != b ? a : b;
  }
};
struct Minimum {
  template <class V>
  V operator()(V a, V b) const {
    return a < b || b != b ? a : b;
  }
};

/// Calls `body` with a null pointer to the type of the elements.
template <class Body>
void with_type(simtcclDataType_t type, Body body) {
  switch (type) {
    case simtcclInt8: return body(static_cast<std::int8_t*>(nullptr));
    case simtcclUint8: return body(static_cast<std::uint8_t*>(nullptr));
    case simtcclInt32: return body(static_cast<std::int32_t*>(nullptr));
    case simtcclUint32: return body(static_cast<std::uint32_t*>(nullptr));
    case simtcclInt64: return body(static_cast<std::int64_t*>(nullptr));
    case simtcclUint64: return body(static_cast<std::uint64_t*>(nullptr));
    case simtcclFloat16: return body(static_cast<Half*>(nullptr));
    case simtcclFloat32: return body(static_cast<float*>(nullptr));
    case simtcclFloat64: return body(static_cast<double*>(nullptr));
    case simtcclBfloat16: return body(static_cast<Bfloat16*>(nullptr));
    default: return;
  }
}

template <class Body>
void with_op(simtcclRedOp_t op, Body body) {
  switch (op) {
    case simtcclProd: return body(Product{});
    case simtcclMax: return body(Maximum{});
    case simtcclMin: return body(Minimum{});
    default: return body(Sum{});
  }
}

template <class T>
auto scalar_of(const char* bytes) {
  T scalar;
  std::memcpy(&scalar, bytes, sizeof scalar);
  return load(scalar);
}

template <class T>
T scale(T value, decltype(load(T{})) scalar) {
  return store<T>(Product{}(load(value), scalar));
}

}  // namespace

void Reduction::begin(void* result, const void* contribution, std::size_t count) const {
  if (!scaled) {
    if (result != contribution) std::memcpy(result, contribution, count * size_of(type));
    return;
  }
  with_type(type, [&](auto* null) {
    using T = std::remove_pointer_t<decltype(null)>;
    const auto scalar = scalar_of<T>(this->scalar);
    auto* out = static_cast<T*>(result);
    const auto* in = static_cast<const T*>(contribution);
    for (std::size_t i = 0; i < count; ++i) out[i] = scale<T>(in[i], scalar);
  });
}

void Reduction::combine(void* result, const void* partial, const void* contribution,
                        std::size_t count) const {
  with_type(type, [&](auto* null) {
    using T = std::remove_pointer_t<decltype(null)>;
    auto* out = static_cast<T*>(result);
    const auto* a = static_cast<const T*>(partial);
    const auto* b = static_cast<const T*>(contribution);
    if (scaled) {
      const auto scalar = scalar_of<T>(this->scalar);
      for (std::size_t i = 0; i < count; ++i)
        out[i] = store<T>(Sum{}(load(a[i]), load(scale<T>(b[i], scalar))));
      return;
    }
    with_op(op, [&](auto operation) {
      for (std::size_t i = 0; i < count; ++i) out[i] = store<T>(operation(load(a[i]), load(b[i])));
    });
  });
}

void Reduction::finish(void* result, std::size_t count) const {
  if (divisor == 1) return;
  with_type(type, [&](auto* null) {
    using T = std::remove_pointer_t<decltype(null)>;
    if constexpr (std::is_integral_v<T>) {
      // The divisor may exceed an 8-bit type.
      using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
      auto* out = static_cast<T*>(result);
      for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<T>(static_cast<Wide>(out[i]) / static_cast<Wide>(divisor));
    }
  });
}

bool reciprocal(simtcclDataType_t type, int ranks, void* scalar) {
  bool floating = false;
  with_type(type, [&](auto* null) {
    using T = std::remove_pointer_t<decltype(null)>;
    if constexpr (!std::is_integral_v<T>) {
      floating = true;
      using V = decltype(load(T{}));
      const T value = store<T>(static_cast<V>(1) / static_cast<V>(ranks));
      std::memcpy(scalar, &value, sizeof value);
    }
  });
  return floating;
}

}  // namespace simtrt::ccl
