// Findings of the checkers, and their report at the end of the process.
//
// Ownership: one list, never destroyed, owns the findings.
// Threads: any. Memory ordering: a mutex guards the list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simtrt::check {

/// One side of a finding.
struct Place {
  std::string what;                ///< "write of 4 bytes"
  std::string who;                 ///< "kernel scale, block (0,0,0), thread (3,0,0)"
  std::vector<std::uintptr_t> frames;  ///< return addresses, innermost first
  std::string source;              ///< "file.cu:12", instead of frames
  std::uint64_t note = 0;          ///< note of the call that submitted the work (session.h); 0: none
};

struct Finding {
  std::string kind;  ///< "race", "memory", "sync", "init", "host"
  std::string type;  ///< "shared", "global", "out-of-bounds", ...
  std::string text;  ///< one sentence
  std::string object;  ///< memory that the finding concerns, empty if there is none
  std::vector<Place> places;
  /// True if the finding is none when both places are the same line: a compiler may duplicate one
  /// call, whose copies have different addresses.
  bool needs_two_lines = false;
  std::uint64_t count = 1;
};

/// Adds a finding; an equal one (kind, type, innermost addresses) only increases its count. Returns
/// true for a new one.
bool add(Finding finding);

/// All findings as JSON, and the places in modules that launched kernels. Removes the findings from the list.
std::string take_report();

/// Writes all findings, as JSON to the file SIMT_CHECK_REPORT or as text to stderr. Returns their
/// number.
std::size_t write_report();

/// Frames of the program that called the runtime, innermost first, without frames of libsimt.so.
std::vector<std::uintptr_t> program_frames();

}  // namespace simtrt::check
