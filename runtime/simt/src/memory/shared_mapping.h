// Conversion of a private mapping into a mapping of a file without a name, which other processes can
// map. The address and the content stay; work of the device may go on during the conversion.
//
// Ownership: the arena owns the file's descriptor. The table of converted mappings is never destroyed.
// Threads: the arena calls convert_to_shared() and forget_shared() under its mutex.
// wait_for_conversion() may be called by any thread, in a signal handler.
// Memory ordering: a slot's `state` is stored with release ordering after its range, and loaded with
// acquire ordering before its range is read.
#pragma once

#include <cstddef>

namespace simtrt {

/// Replaces the private, writable mapping by a shared one. Returns the descriptor of its file, or -1
/// without memory or descriptors; the mapping is then unchanged.
int convert_to_shared(char* begin, std::size_t bytes);
/// Called before a converted mapping is removed.
void forget_shared(const char* begin);
/// For a write to a mapping that is being converted: waits until the conversion is complete, and
/// returns true. The write is then to be repeated. Returns false for other addresses.
bool wait_for_conversion(const void* address);

}  // namespace simtrt
