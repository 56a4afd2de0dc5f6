#include "kernel/fault_report.h"

#include "kernel/block_scheduler.h"
#include "kernel/grid_run.h"
#include "kernel/warp_rendezvous.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace simtrt {

namespace {

const char* name_of(Collective kind) {
  switch (kind) {
    case Collective::kSync: return "__syncwarp";
    case Collective::kShuffle: return "a shuffle";
    case Collective::kVote: return "a vote";
    case Collective::kMatch: return "a match";
    case Collective::kReduce: return "a reduction";
  }
  return "";
}

// SIMT_LAUNCH receives the kernel in parentheses, which the name omits.
std::string name_of_kernel(const std::string& text) {
  const bool wrapped =
      text.size() > 2 && text.front() == '(' && text.back() == ')' && text != "(by address)";
  return wrapped ? text.substr(1, text.size() - 2) : text;
}

std::string hexadecimal(lanemask_t mask) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(mask));
  return text;
}

}  // namespace

std::string describe_site(const void* site) {
  Dl_info info{};
  if (site == nullptr || dladdr(site, &info) == 0 || info.dli_sname == nullptr) return "";
  int status = 0;
  char* demangled = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%zx",
                static_cast<std::size_t>(static_cast<const char*>(site) -
                                         static_cast<const char*>(info.dli_saddr)));
  const std::string name = status == 0 ? demangled : info.dli_sname;
  std::free(demangled);
  return " in " + name + offset;
}

std::string describe_wait(WaitReason wait, const WarpRendezvous* rendezvous, const void* site) {
  switch (wait) {
    case WaitReason::kNone: return " for nothing";
    case WaitReason::kBlock: return " for the block at __syncthreads" + describe_site(site);
    case WaitReason::kConverge: return " at __activemask" + describe_site(site);
    case WaitReason::kWarp: break;
  }
  return std::string(" at ") + name_of(rendezvous->kind) + " for lanes " +
         hexadecimal(rendezvous->mask & ~rendezvous->arrived) + " of mask " +
         hexadecimal(rendezvous->mask) + describe_site(site);
}

std::string kernel_report(const GridRun& grid, const std::string& place, const std::string& what) {
  const LaunchSite& site = grid.kernel->site;
  std::string report =
      std::string("simt: kernel ") + name_of_kernel(site.kernel) + ", " + place + ": " + what;
  if (site.file != nullptr) {
    report += std::string("\n  launched at ") + site.file + ":" + std::to_string(site.line) +
              ", in " + site.function;
  }
  return report + "\n";
}

}  // namespace simtrt
