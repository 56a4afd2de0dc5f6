// Types shared by the libraries. Names and values are those of CUDA 12.4 (library_types.h).
#pragma once
#define SIMT_LIBRARY_TYPES_H  // Programs test this macro to learn whether the header was included.

/// Type of an element: R real or C complex, width in bits, and F (floating point), BF (bfloat16), I
/// (signed) or U (unsigned).
typedef enum simtDataType_t {
  SIMT_R_16F = 2,
  SIMT_C_16F = 6,
  SIMT_R_16BF = 14,
  SIMT_C_16BF = 15,
  SIMT_R_32F = 0,
  SIMT_C_32F = 4,
  SIMT_R_64F = 1,
  SIMT_C_64F = 5,
  SIMT_R_4I = 16,
  SIMT_C_4I = 17,
  SIMT_R_4U = 18,
  SIMT_C_4U = 19,
  SIMT_R_8I = 3,
  SIMT_C_8I = 7,
  SIMT_R_8U = 8,
  SIMT_C_8U = 9,
  SIMT_R_16I = 20,
  SIMT_C_16I = 21,
  SIMT_R_16U = 22,
  SIMT_C_16U = 23,
  SIMT_R_32I = 10,
  SIMT_C_32I = 11,
  SIMT_R_32U = 12,
  SIMT_C_32U = 13,
  SIMT_R_64I = 24,
  SIMT_C_64I = 25,
  SIMT_R_64U = 26,
  SIMT_C_64U = 27,
  SIMT_R_8F_E4M3 = 28,
  SIMT_R_8F_E5M2 = 29,
} simtDataType;

/// Part of a library's version, for simtblasGetProperty and similar functions.
typedef enum libraryPropertyType_t {
  MAJOR_VERSION = 0,
  MINOR_VERSION = 1,
  PATCH_LEVEL = 2,
} libraryPropertyType;
