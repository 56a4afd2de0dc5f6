#include "process/state.h"

#include "check/findings.h"
#include "check/settings.h"
#include "environment.h"
#include "process/runtime_thread.h"
#include "profile/profile.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace simtrt {
namespace detail {

std::atomic<ProcessState> process_state{ProcessState::kUnused};

}  // namespace detail

namespace {

using detail::process_state;

std::atomic<bool> faulted{false};

// Progress of the process between exit() and the destructors of libraries.
struct {
  bool begun = false;
  int status = 0;
  bool threads_stopped = true;
  std::size_t findings = 0;  ///< of the checkers
} ending;

/// Exit status of a process in which a kernel has failed and whose own exit status is 0. The value
/// 0 leaves the exit status unchanged.
int fault_exit_code() {
  return static_cast<int>(environment_number("SIMT_FAULT_EXIT_CODE", 0, 0, 255));
}

// Mutex of the first use, also held during a fork. The first use acquires the C library's lock for
// exit handlers. Without the mutex, a child forked at that moment would inherit the lock in the
// locked state.
pthread_mutex_t first_use = PTHREAD_MUTEX_INITIALIZER;

void before_fork() { pthread_mutex_lock(&first_use); }
void after_fork_in_parent() { pthread_mutex_unlock(&first_use); }
void after_fork_in_child() {
  if (process_state.load() != ProcessState::kUnused) process_state.store(ProcessState::kForked);
  pthread_mutex_unlock(&first_use);
}

// Exit handler. It runs before the destructors of all objects that were created before the device's first use.
void on_process_exit(int status, void*) {
  ending.begun = true;
  ending.status = status;
  ProcessState in_use = ProcessState::kInUse;
  if (process_state.compare_exchange_strong(in_use, ProcessState::kEnding))
    ending.threads_stopped = RuntimeThread::stop_all();
  if (in_use != ProcessState::kInUse) return;
  if (check::active) ending.findings = check::write_report();
  if (profile::active) profile::write_report();
}

// Flushes the streams and ends the process without destructors. A thread of the runtime that could not be stopped may
// hold any lock of the C library.
void flush_and_exit(int status) {
  const bool free = ftrylockfile(stdout) == 0 && ftrylockfile(stderr) == 0;
  if (free) std::fflush(nullptr);
  _exit(status);
}

// Runs when libsimt.so is loaded. If a process forks before its first use of the device, the child
// may use the device.
__attribute__((constructor)) void watch_forks() {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

// Runs after all exit handlers and the destructors of libraries that depend on libsimt.so, and
// before the destructors of the libraries on which libsimt.so depends.
__attribute__((destructor)) void end_process() {
  if (!ending.begun) return;
  // Threads of the parent, or threads that were not stopped, may hold OpenBLAS's locks, which
  // OpenBLAS's destructor acquires.
  if (process_is_forked() || !ending.threads_stopped) flush_and_exit(ending.status);
  if (ending.status == 0 && ending.findings != 0) {
    const auto code = static_cast<int>(environment_number("SIMT_CHECK_EXIT_CODE", 1, 0, 255));
    if (code != 0) flush_and_exit(code);
  }
  if (ending.status == 0 && faulted.load()) {
    const int code = fault_exit_code();
    if (code != 0) flush_and_exit(code);
  }
}

}  // namespace

simtError_t detail::enter_slowly() {
  pthread_mutex_lock(&first_use);
  const ProcessState state = process_state.load();
  if (state == ProcessState::kUnused) {
    on_exit(on_process_exit, nullptr);
    process_state.store(ProcessState::kInUse);
  }
  pthread_mutex_unlock(&first_use);
  switch (state) {
    case ProcessState::kForked: return simtErrorInitializationError;
    case ProcessState::kEnding: return simtErrorSimtrtUnloading;
    default: return simtSuccess;
  }
}

void note_fault_of_process() { faulted.store(true); }

}  // namespace simtrt
