// Channels of the types that textures read: scalars and vectors of 1, 2 and 4 components.
#pragma once

#include <simt_vector_types.h>
#include <simtrt/api/texture_types.h>

#include <type_traits>

namespace simtrt {

/// Number of channels, and type of one channel.
template <class T>
struct Channels {
  static_assert(std::is_arithmetic_v<T>, "textures have elements of CUDA's scalar and vector types");
  static constexpr int kCount = 1;
  using Value = T;
};

#define SIMT_VECTOR_CHANNELS(type, scalar)   \
  template <>                                \
  struct Channels<type##1> {                 \
    static constexpr int kCount = 1;         \
    using Value = scalar;                    \
  };                                         \
  template <>                                \
  struct Channels<type##2> {                 \
    static constexpr int kCount = 2;         \
    using Value = scalar;                    \
  };                                         \
  template <>                                \
  struct Channels<type##4> {                 \
    static constexpr int kCount = 4;         \
    using Value = scalar;                    \
  };
SIMT_VECTOR_CHANNELS(char, signed char)
SIMT_VECTOR_CHANNELS(uchar, unsigned char)
SIMT_VECTOR_CHANNELS(short, short)
SIMT_VECTOR_CHANNELS(ushort, unsigned short)
SIMT_VECTOR_CHANNELS(int, int)
SIMT_VECTOR_CHANNELS(uint, unsigned)
SIMT_VECTOR_CHANNELS(long, long)
SIMT_VECTOR_CHANNELS(ulong, unsigned long)
SIMT_VECTOR_CHANNELS(float, float)
#undef SIMT_VECTOR_CHANNELS

}  // namespace simtrt

/// Format of elements of type T.
template <class T>
simtChannelFormatDesc simtCreateChannelDesc() {
  using Value = typename simtrt::Channels<T>::Value;
  constexpr int kBits = 8 * sizeof(Value), kCount = simtrt::Channels<T>::kCount;
  return {kBits, kCount > 1 ? kBits : 0, kCount > 2 ? kBits : 0, kCount > 2 ? kBits : 0,
          std::is_floating_point_v<Value> ? simtChannelFormatKindFloat
          : std::is_signed_v<Value>       ? simtChannelFormatKindSigned
                                          : simtChannelFormatKindUnsigned};
}
