// Texts of fault reports: positions in code, reasons for waiting, the kernel and its launch.
//
// Ownership: every function returns a new string and keeps no reference to its arguments. Threads:
// any thread, but not in a signal handler, because the functions allocate memory. Memory ordering:
// there is no shared state. describe_wait() reads a WarpRendezvous; therefore the worker that runs
// the block calls it.
#pragma once

#include <string>

namespace simtrt {

class GridRun;
struct WarpRendezvous;
enum class WaitReason : unsigned char;

/// Position of an address in code, for example " in reduce<float>(float*)+0x1a"; empty if the
/// dynamic linker knows no symbol for the address.
std::string describe_site(const void* site);

/// Reason for waiting, for example " at __syncwarp for lanes 0x2 of mask 0x3 in
/// reduce<float>(float*)+0x1a". `rendezvous` is read only for WaitReason::kWarp.
std::string describe_wait(WaitReason wait, const WarpRendezvous* rendezvous, const void* site);

/// Text of a report: `what`, the kernel's name, `place` (block and thread of the fault), and the
/// source line of the launch.
std::string kernel_report(const GridRun& grid, const std::string& place, const std::string& what);

}  // namespace simtrt
