// CUDA's vector types (float4, uint3, dim3 ...) with their sizes and alignments, and their make
// functions (make_float4 ...). These types and functions keep CUDA's names. Source: CUDA 12.4,
// vector_types.h, vector_functions.h.
#pragma once
#define SIMT_VECTOR_TYPES_H  // Programs test this macro to learn whether the header was included.

// Vectors name1 to name4 with one to four elements of type `element`. Vectors of two and four
// elements are aligned as a whole, up to 16 bytes, so that one load moves them; vectors of one and
// three elements are aligned like their elements.
#define SIMTRT_VECTOR_TYPES(name, element, align2, align4)                                \
  struct name##1 { element x; };                                                          \
  struct alignas(align2) name##2 { element x, y; };                                       \
  struct name##3 { element x, y, z; };                                                    \
  struct alignas(align4) name##4 { element x, y, z, w; };                                 \
  constexpr name##1 make_##name##1(element x) { return {x}; }                             \
  constexpr name##2 make_##name##2(element x, element y) { return {x, y}; }               \
  constexpr name##3 make_##name##3(element x, element y, element z) { return {x, y, z}; } \
  constexpr name##4 make_##name##4(element x, element y, element z, element w) {          \
    return {x, y, z, w};                                                                  \
  }

SIMTRT_VECTOR_TYPES(char, signed char, 2, 4)
SIMTRT_VECTOR_TYPES(uchar, unsigned char, 2, 4)
SIMTRT_VECTOR_TYPES(short, short, 4, 8)
SIMTRT_VECTOR_TYPES(ushort, unsigned short, 4, 8)
SIMTRT_VECTOR_TYPES(int, int, 8, 16)
SIMTRT_VECTOR_TYPES(uint, unsigned, 8, 16)
SIMTRT_VECTOR_TYPES(long, long, 16, 16)
SIMTRT_VECTOR_TYPES(ulong, unsigned long, 16, 16)
SIMTRT_VECTOR_TYPES(longlong, long long, 16, 16)
SIMTRT_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
SIMTRT_VECTOR_TYPES(float, float, 8, 16)
SIMTRT_VECTOR_TYPES(double, double, 16, 16)

#undef SIMTRT_VECTOR_TYPES

/// Size of a grid in blocks, or of a block in threads; omitted dimensions are 1.
struct dim3 {
  unsigned x, y, z;

  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
