// Signals that code of the device raises: each ends the kernel or the piece of work.
#pragma once

namespace simtrt {

/// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT raised by code of the device end the launch
/// or the work; all others go to the handlers that were there. To be called before each launch: a
/// library may have put its own handlers over these.
void install_fault_handlers();

/// After a fault inside the C library: unlocks the standard streams that the calling thread holds.
void release_locks_of_stdio();

}  // namespace simtrt
