// Groups of calls (simtcclGroupStart, simtcclGroupEnd) of one thread.
//
// Ownership: each thread owns its group. A group shares ownership of its communicators until it ends.
// Threads: the calling thread only. There are no atomics.
#pragma once

#include "ccl/communicator.h"

#include <simtccl.h>

#include <functional>
#include <memory>

namespace simtrt::ccl {

void start_group();
/// Submits the operations of the outermost group, and waits for new communicators. Throws Failure: the
/// first error of a call of the group.
void end_group();
bool in_group();

/// Submits an operation, or adds it to the open group. Throws Failure.
void add_operation(const std::shared_ptr<Communicator>& comm, const Operation& operation,
                   simtStream_t stream);
/// Calls `wait`, or adds it to the open group. Waits run after all calls of the group.
void add_wait(std::function<void()> wait);
/// Records the error of a call in an open group: the whole group fails.
void note_error(const Failure& failure);

}  // namespace simtrt::ccl
