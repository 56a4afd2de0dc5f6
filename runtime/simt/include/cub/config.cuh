// Namespace of cub, and its error reporting.
//
// A program may wrap cub in its own namespace before it first includes a header of cub: by
// CUB_WRAPPED_NAMESPACE or THRUST_CUB_WRAPPED_NAMESPACE, or by all three of CUB_NS_PREFIX,
// CUB_NS_POSTFIX and CUB_NS_QUALIFIER, like PyTorch's ATen/cuda/cub.cuh. Meaning of the macros:
// CUDA 12.4, cub/util_namespace.cuh.
#pragma once

#include <cub/version.cuh>
#include <simt_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#if defined(THRUST_CUB_WRAPPED_NAMESPACE) && !defined(CUB_WRAPPED_NAMESPACE)
#define CUB_WRAPPED_NAMESPACE THRUST_CUB_WRAPPED_NAMESPACE
#endif

#if defined(CUB_WRAPPED_NAMESPACE)
#define CUB_NS_PREFIX namespace CUB_WRAPPED_NAMESPACE {
#define CUB_NS_POSTFIX }
#define CUB_NS_QUALIFIER ::CUB_WRAPPED_NAMESPACE::cub
#endif

#ifndef CUB_NS_PREFIX
#define CUB_NS_PREFIX
#endif
#ifndef CUB_NS_POSTFIX
#define CUB_NS_POSTFIX
#endif
#ifndef CUB_NS_QUALIFIER
#define CUB_NS_QUALIFIER ::cub
#endif

#define CUB_NAMESPACE_BEGIN CUB_NS_PREFIX namespace cub {
#define CUB_NAMESPACE_END \
  }                       \
  CUB_NS_POSTFIX

CUB_NAMESPACE_BEGIN

/// Clears the last error, prints `error` if CUB_STDERR is defined, and returns `error`.
inline simtError_t Debug(simtError_t error, [[maybe_unused]] const char* file,
                         [[maybe_unused]] int line) {
  static_cast<void>(simtGetLastError());
#ifdef CUB_STDERR
  if (error != simtSuccess) {
    std::fprintf(stderr, "simt error %d [%s, %d]: %s\n", static_cast<int>(error), file, line,
                 simtGetErrorString(error));
  }
#endif
  return error;
}

CUB_NAMESPACE_END

#define CubDebug(e) CUB_NS_QUALIFIER::Debug(static_cast<simtError_t>(e), __FILE__, __LINE__)

/// Ends the process with status 1 if `e` is an error.
#define CubDebugExit(e)               \
  do {                                \
    if (CubDebug(e) != simtSuccess) { \
      std::exit(1);                   \
    }                                 \
  } while (false)
