// Checks of a part of a program: a session selects kinds, and returns the findings at its end. A program links
// libsimt.so's functions below by name (dlsym); `torch.<device>.check` does so.
//
// Ownership: the texts belong to the runtime, and live until the next call of the same function.
// Threads: one thread at a time begins and ends sessions; no other thread uses the device meanwhile.
// Memory ordering: a session begins and ends when no device has work, which orders it with all kernels.
#pragma once

#include <simtrt/config.h>

#include <cstdint>

namespace simtrt::check {

/// Note of the calling thread (simtCheckSetNote).
std::uint64_t current_note();
/// Number of the latest session.
unsigned session_number();

}  // namespace simtrt::check

extern "C" {

/// Begins a session with the kinds that the text names, separated by commas. Waits for all work first. Returns null, or
/// the reason why no session begins.
SIMTRT_EXPORT const char* simtCheckBegin(const char* kinds);

/// Waits for all work, ends the session, and returns its findings as JSON. Without a session: no findings.
SIMTRT_EXPORT const char* simtCheckEnd();

/// Sets the note of the calling thread: any number. Findings contain the note of the thread that submitted the work or
/// misused memory, so that the program can tell which call launched a kernel. Returns the previous note; the first is 0.
SIMTRT_EXPORT std::uint64_t simtCheckSetNote(std::uint64_t note);

/// Selects the order in which the threads of a block begin (SIMT_SCHEDULE), after all work. Returns null, or the reason
/// why the order stays.
SIMTRT_EXPORT const char* simtCheckSetSchedule(const char* order);

}
