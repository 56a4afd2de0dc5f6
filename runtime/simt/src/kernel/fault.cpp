#include "kernel/fault.h"

#include "kernel/block_run.h"
#include "kernel/division.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>

namespace simtrt {
namespace {

std::atomic<std::size_t> stack_bytes{256 * 1024};

constexpr std::size_t kSignalStackBytes = 64 * 1024;
constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
std::array<struct sigaction, kSignals.size()> previous;

thread_local bool passing_on = false;

// What was there before gets the signal, as if this handler were not.
void pass_on(int number, siginfo_t* info, void* context) {
  for (std::size_t index = 0; index < kSignals.size(); ++index) {
    if (kSignals[index] != number) continue;
    const struct sigaction action = previous[index];
    // A handler that passes the signal on to the one it found, which may be this one, would never
    // come to an end.
    if (passing_on) {
      std::signal(number, SIG_DFL);
      return;
    }
    passing_on = true;
    if ((action.sa_flags & SA_SIGINFO) != 0) return action.sa_sigaction(number, info, context);
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
      return action.sa_handler(number);
    // The instruction is tried again and meets the default.
    sigaction(number, &action, nullptr);
    passing_on = false;
  }
}

// Makes the interrupted thread go on at `entry` with an empty stack that ends below `top`.
bool go_on_at(void* context, void* top, void (*entry)()) {
  const auto end = reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{63};
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  machine.gregs[REG_RSP] = static_cast<greg_t>(end - 8);
  machine.gregs[REG_RIP] = reinterpret_cast<greg_t>(entry);
  return true;
#elif defined(__aarch64__)
  machine.sp = end;
  machine.pc = reinterpret_cast<std::uintptr_t>(entry);
  return true;
#else
  static_cast<void>(machine);
  static_cast<void>(end);
  static_cast<void>(entry);
  return false;
#endif
}

void on_fault(int number, siginfo_t* info, void* context) {
  BlockRun* run = BlockRun::current();
  if (run == nullptr || info->si_code <= 0) return pass_on(number, info, context);
  if (number == SIGFPE && finish_division(context)) return;
  run->fault.signal = number;
  run->fault.address = info->si_addr;
  void* top = run->fault_stack(info->si_addr, &run->fault.overflow);
  if (!go_on_at(context, top, &BlockRun::land_after_fault)) pass_on(number, info, context);
}

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

std::size_t fiber_stack_bytes() { return stack_bytes.load(); }
void set_fiber_stack_bytes(std::size_t bytes) { stack_bytes.store(bytes); }

void install_fault_handlers() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  struct sigaction now{};
  if (sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
      now.sa_sigaction == on_fault)
    return;
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (std::size_t index = 0; index < kSignals.size(); ++index) {
    sigaction(kSignals[index], &action, &now);
    if ((now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != on_fault) previous[index] = now;
  }
}

SignalStack::SignalStack()
    : memory_(mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                   -1, 0)) {
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = kSignalStackBytes;
  sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(memory_, kSignalStackBytes);
}

simtError_t error_of_signal(int signal) {
  return signal == SIGSEGV || signal == SIGBUS ? simtErrorIllegalAddress
         : signal == SIGILL                    ? simtErrorIllegalInstruction
                                               : simtErrorLaunchFailure;
}

std::string describe_signal(int signal, const void* address) {
  if (signal == SIGFPE) return "an arithmetic exception was raised";
  if (signal == SIGILL) return "an illegal instruction was met";
  char text[64];
  std::snprintf(text, sizeof text, "an illegal memory access was made at address %p", address);
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
    usleep(20);
  }
  return true;
}

}  // namespace simtrt
