// Code shared by the examples: error checks of all calls, and a one-line report of the result.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>

/// Ends the program with the error's text if a call of the runtime fails.
#define CHECK(call) check((call), #call, __FILE__, __LINE__)

inline void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(status),
               cudaGetErrorName(status));
  std::exit(1);
}

/// Number of parts into which `items` are divided. Each part has `size` items; the last part may
/// have fewer.
inline int parts(int items, int size) { return (items + size - 1) / size; }

/// Prints "NAME: ok (WHAT)" or "NAME: wrong (WHAT)". Returns the exit status for main.
inline int report(const char* name, bool ok, const std::string& what) {
  std::printf("%s: %s (%s)\n", name, ok ? "ok" : "wrong", what.c_str());
  return ok ? 0 : 1;
}
