// Accesses of the host to device memory, found without instrumentation: the pages of device memory are inaccessible
// while the host works. A fault of a thread of the runtime opens the pages; a fault of the host is a finding, and opens
// them too. The pages are protected again when the host has waited for a stream.
//
// While a kernel runs, its pages are open to the host as well, so an access of the host at that time is not found.
//
// Ownership: one table, never destroyed; the arena owns the memory.
// Threads: any; open_device_memory() runs in the handler of SIGSEGV. Memory ordering: a mutex guards the table. No code
// that holds the mutex accesses device memory, so the handler cannot wait for its own thread.
#pragma once

namespace simtrt::check {

/// True if allocations need pages of their own with an inaccessible page behind, because no instrumented code reports
/// its accesses.
bool uses_guard_pages();

/// Protects device memory from Arena::allocate_guarded. No effect on other memory.
void protect_from_host(char* begin);
void protect_again();
/// Makes memory accessible for good: it is freed.
void forget_protection(char* begin);
void forget_protections();

/// Makes the protected pages around `address` accessible, after an access of the instruction `pc`. Records a finding if
/// the host executes it. Returns false for any other address.
bool open_device_memory(const void* address, const void* pc);

}  // namespace simtrt::check
