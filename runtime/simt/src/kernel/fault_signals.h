// Handlers of the signals that code of the device raises: each ends the kernel or the piece of work.
//
// Ownership: the process has one set of handlers. The handlers that were there before are kept, and
// get the signals of other code.
// Threads: any thread may call install_fault_handlers(), which has a mutex. A handler runs on the
// thread that raised the signal, and uses only data of that thread.
// Memory ordering: the mutex, and the system call sigaction(), which publishes the handlers; there
// are no atomics.
#pragma once

namespace simtrt {

/// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT raised by code of the device end the launch
/// or the work; all others go to the handlers that were there. To be called before each launch: a
/// library may have put its own handlers over these.
void install_fault_handlers();

/// After a fault inside the C library: unlocks the standard streams that the calling thread holds.
void release_locks_of_stdio();

}  // namespace simtrt
