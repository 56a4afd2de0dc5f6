// Handlers of the signals that device code raises. Each signal ends the kernel or the piece of
// work.
//
// Ownership: the process has one set of handlers. The previous handlers are stored and receive the
// signals of other code.
// Threads: any thread may call install_fault_handlers(), which acquires a mutex. A handler runs on
// the thread that raised the signal, and uses only data of that thread.
// Memory ordering: the mutex orders installations, and the system call sigaction() publishes the
// handlers; there are no atomics.
#pragma once

namespace simtrt {

/// Installs the handlers: SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT raised by device code end the launch or the work;
/// all other signals go to the previous handlers. Called before each launch, because a library may have installed its
/// own handlers in the meantime.
void install_fault_handlers();

/// Unlocks the standard streams whose locks the calling thread still holds after a fault in the C
/// library.
void release_locks_of_stdio();

}  // namespace simtrt
