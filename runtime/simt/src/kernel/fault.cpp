#include "kernel/fault.h"

#include "kernel/block_run.h"
#include "process/runtime_thread.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace simtrt {
namespace {

std::atomic<std::size_t> stack_bytes{256 * 1024};

// Static shared memory lies among the variables of the thread.
bool is_wrapped_shared(const void* address) {
  constexpr std::int64_t kWrap = std::int64_t{1} << 32;
  constexpr std::int64_t kFarthest = 64 * kWrap;
  constexpr std::int32_t kNear = 1024 * 1024;
  thread_local const char here = 0;
  const auto distance = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address) -
                                                  reinterpret_cast<std::uintptr_t>(&here));
  const auto rest = static_cast<std::int32_t>(distance);
  return distance > kWrap / 2 && distance < kFarthest && rest > -kNear && rest < kNear;
}

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

// SIMT_LAUNCH takes the kernel in parentheses.
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

std::size_t fiber_stack_bytes() { return stack_bytes.load(); }
void set_fiber_stack_bytes(std::size_t bytes) { stack_bytes.store(bytes); }

simtError_t error_of_fault(const Fault& fault) {
  if (fault.misaligned) return simtErrorMisalignedAddress;
  return fault.signal == SIGSEGV || fault.signal == SIGBUS ? simtErrorIllegalAddress
         : fault.signal == SIGILL                          ? simtErrorIllegalInstruction
                                                           : simtErrorLaunchFailure;
}

std::string describe_fault(const Fault& fault) {
  if (fault.signal == SIGFPE) return "an arithmetic exception was raised";
  if (fault.signal == SIGILL) return "an illegal instruction was met";
  if (fault.signal == SIGABRT) return "abort was called";
  char text[256];
  std::snprintf(text, sizeof text,
                fault.misaligned
                    ? "a misaligned address was accessed: a vector type needs more than %p has"
                : is_wrapped_shared(fault.address)
                    ? "an illegal memory access was made at address %p, a multiple of 4 GiB above "
                      "static shared memory: an unsigned index wrapped around, as it may in the 32 "
                      "bits of a GPU's shared addresses; dynamic shared memory allows it here, too"
                    : "an illegal memory access was made at address %p",
                fault.address);
  return text;
}

std::string describe_wait(Wait wait, const Meeting* meeting, const void* site) {
  switch (wait) {
    case Wait::kNone: return " for nothing";
    case Wait::kBlock: return " for the block at __syncthreads" + describe_site(site);
    case Wait::kConverge: return " at __activemask" + describe_site(site);
    case Wait::kWarp: break;
  }
  return std::string(" at ") + name_of(meeting->kind) + " for lanes " +
         hexadecimal(meeting->mask & ~meeting->arrived) + " of mask " + hexadecimal(meeting->mask) +
         describe_site(site);
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

void GridRun::fail(simtError_t error, const std::string& report) {
  simtError_t none = simtSuccess;
  if (!error_.compare_exchange_strong(none, error)) return;
  std::fflush(stdout);
  std::fputs(report.c_str(), stderr);
}

bool GridBarrier::wait() {
  const std::uint64_t generation = generation_.load();
  if (arrived_.fetch_add(1) + 1 == blocks_) {
    arrived_.store(0);
    generation_.fetch_add(1);
    return true;
  }
  // Blocks are threads of the operating system here, mostly more than there are cores.
  while (generation_.load() == generation) {
    if (run_.error() != simtSuccess) return false;
    stop_if_process_ends();
    usleep(20);
  }
  return true;
}

}  // namespace simtrt
