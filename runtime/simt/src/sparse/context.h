// Code shared by simtsparse functions: state of a handle, submission of work to its stream, and
// checks of enumerators.
//
// Ownership: the program owns the handle and all memory behind its pointers. Submitted work has
// copies of the arguments.
// Threads: as for cuSPARSE, one thread at a time uses a handle; work runs on workers.
// Memory ordering: as in simtrt/enqueue.h.
#pragma once

#include <simtsparse.h>

#include <functional>

namespace simtrt {

struct SparseContext {
  simtStream_t stream = nullptr;
  simtsparsePointerMode_t pointer_mode = SIMTSPARSE_POINTER_MODE_HOST;

  bool scalars_on_device() const { return pointer_mode == SIMTSPARSE_POINTER_MODE_DEVICE; }
};

/// Result of size queries for a buffer that is not used. It is not 0, because some programs would
/// then pass a null pointer.
inline constexpr int kSomeBuffer = 16;

/// Submits `work` to the handle's stream. Returns EXECUTION_FAILED if the stream rejects the work,
/// and ALLOC_FAILED if there is not enough memory.
simtsparseStatus_t sparse_submit(const SparseContext& context, const char* name,
                                 std::function<void()> work);

/// Waits for all submitted work of the handle's stream. Returns the same errors as sparse_submit.
simtsparseStatus_t sparse_wait(const SparseContext& context);

template <class... Pointers>
bool any_null(const Pointers*... pointers) {
  return (... || (pointers == nullptr));
}

inline bool valid(simtsparseOperation_t op) {
  return op >= SIMTSPARSE_OPERATION_NON_TRANSPOSE && op <= SIMTSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
inline bool valid(simtsparseIndexBase_t base) {
  return base == SIMTSPARSE_INDEX_BASE_ZERO || base == SIMTSPARSE_INDEX_BASE_ONE;
}
inline bool valid(simtsparseFillMode_t mode) {
  return mode == SIMTSPARSE_FILL_MODE_LOWER || mode == SIMTSPARSE_FILL_MODE_UPPER;
}
inline bool valid(simtsparseDiagType_t type) {
  return type == SIMTSPARSE_DIAG_TYPE_NON_UNIT || type == SIMTSPARSE_DIAG_TYPE_UNIT;
}
inline bool valid(simtsparseDirection_t direction) {
  return direction == SIMTSPARSE_DIRECTION_ROW || direction == SIMTSPARSE_DIRECTION_COLUMN;
}

inline bool transposes(simtsparseOperation_t op) {
  return op != SIMTSPARSE_OPERATION_NON_TRANSPOSE;
}
inline bool conjugates(simtsparseOperation_t op) {
  return op == SIMTSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

}  // namespace simtrt
