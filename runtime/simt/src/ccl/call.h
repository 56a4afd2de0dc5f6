// Code that every function of simtccl executes: results from exceptions, and communicators
// behind handles.
#pragma once

#include "ccl/communicator.h"
#include "ccl/group.h"

#include <simtccl.h>

#include <memory>
#include <string>

/// Defines the function p<name>, which is the same as <name>.
#define SIMTCCL_SECOND_NAME(name) \
  extern "C" SIMTRT_EXPORT decltype(name) p##name __attribute__((alias(#name)));

/// Object behind a handle.
struct simtcclComm {
  std::shared_ptr<simtrt::ccl::Communicator> communicator;
};

namespace simtrt::ccl {

/// Check of the process's state that every function of the runtime begins with. Throws Failure.
void check_process();

/// Runs `work`; converts a Failure to its result. No exception leaves the API.
template <class Work>
simtcclResult_t call(Work work) {
  try {
    check_process();
    work();
    return simtcclSuccess;
  } catch (const Failure& failure) {
    note_last_error(failure.what());
    note_error(failure);
    return failure.result;
  } catch (const std::exception& error) {
    note_last_error(error.what());
    return simtcclSystemError;
  }
}

/// Throws Failure (simtcclInvalidArgument) with the reason if the condition is false.
void require(bool condition, const char* reason);

/// Communicator of a handle. Throws Failure for a null handle.
std::shared_ptr<Communicator> find(simtcclComm_t handle);

}  // namespace simtrt::ccl
