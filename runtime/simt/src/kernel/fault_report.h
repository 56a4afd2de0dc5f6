// Text of fault reports: places in code, reasons to wait, the kernel and its launch.
//
// Ownership: every function returns a string of its own and keeps no reference to its arguments.
// Threads: any thread, outside of signal handlers: the functions allocate memory.
// Memory ordering: there is no shared state. describe_wait() reads a WarpRendezvous, so the worker
// that runs the block calls it.
#pragma once

#include <string>

namespace simtrt {

class GridRun;
struct WarpRendezvous;
enum class WaitReason : unsigned char;

/// " in reduce<float>(float*)+0x1a"; empty where no symbol is known.
std::string describe_site(const void* site);

/// " at __syncwarp for lanes 0x2 of mask 0x3 in reduce<float>(float*)+0x1a". `rendezvous` is read
/// for WaitReason::kWarp only.
std::string describe_wait(WaitReason wait, const WarpRendezvous* rendezvous, const void* site);

/// `what` with the kernel's name, its place and where it was launched.
std::string kernel_report(const GridRun& grid, const std::string& place, const std::string& what);

}  // namespace simtrt
