// Code shared by the functions of simtsolverSp: state of a handle, checks of arguments, and execution on the host or on the
// handle's stream.
//
// Ownership: the program owns the handle and all memory behind its pointers. Submitted work has copies of the arguments.
// Threads: as for cuSOLVER, one thread at a time uses a handle; work of device functions runs on workers.
// Memory ordering: as in simtrt/enqueue.h.
#pragma once

#include <simtsolverSp.h>

#include <functional>
#include <initializer_list>

#include "solver_sparse/csr.h"

struct simtsolverSpContext {
  simtStream_t stream = nullptr;
};

namespace simtrt::direct {

/// Size of workspaces, which are not used. It is not 0, because some programs would then pass a null pointer.
constexpr std::size_t kWorkspaceBytes = 256;

/// Sizes, descriptor and arrays of a CSR argument.
template <class T>
struct CsrArgument {
  int rows;
  int columns;
  int nnz;
  simtsparseMatDescr_t descriptor;
  const T* values;
  const int* offsets;
  const int* indices;
};

/// Checks a CSR argument without values. Returns NOT_INITIALIZED, INVALID_VALUE, MATRIX_TYPE_NOT_SUPPORTED or SUCCESS.
simtsolverStatus_t check_pattern(simtsolverSpHandle_t handle, int rows, int columns, int nnz,
                                 simtsparseMatDescr_t descriptor, const int* offsets,
                                 const int* indices);

/// First index of a matrix: 0 or 1.
int index_base(simtsparseMatDescr_t descriptor);

/// Checks a CSR argument, and that all of `valid` are true.
template <class T>
simtsolverStatus_t check(simtsolverSpHandle_t handle, const CsrArgument<T>& a,
                         std::initializer_list<bool> valid) {
  const simtsolverStatus_t status =
      check_pattern(handle, a.rows, a.columns, a.nnz, a.descriptor, a.offsets, a.indices);
  if (status != SIMTSOLVER_STATUS_SUCCESS) {
    return status;
  }
  bool all = a.values != nullptr;
  for (const bool value : valid) {
    all = all && value;
  }
  return all ? SIMTSOLVER_STATUS_SUCCESS : SIMTSOLVER_STATUS_INVALID_VALUE;
}

/// Function that copies a CSR argument into a matrix. It holds the index base, because the program may change or destroy
/// the descriptor before the function runs.
template <class T>
std::function<Matrix<T>()> reader(const CsrArgument<T>& a) {
  return [a, base = index_base(a.descriptor)] {
    return copy_matrix(a.rows, a.columns, a.values, a.offsets, a.indices, base);
  };
}

/// Place where a function runs.
enum class Place { kHost, kDevice };

/// Runs `work` on the calling thread. Returns ALLOC_FAILED if memory is exhausted.
simtsolverStatus_t run_on_host(const std::function<void()>& work);

/// Submits `work` to `stream` and returns.
simtsolverStatus_t submit(simtStream_t stream, const char* name, std::function<void()> work);

/// Runs `work` in stream order and waits. Returns EXECUTION_FAILED if the stream is captured.
simtsolverStatus_t run_on_stream(simtStream_t stream, const char* name, std::function<void()> work);

/// Runs `work` on the host, or in stream order and waits.
simtsolverStatus_t run(Place place, simtsolverSpHandle_t handle, const char* name,
                       std::function<void()> work);

}  // namespace simtrt::direct
