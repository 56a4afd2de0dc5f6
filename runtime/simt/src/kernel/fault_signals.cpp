#include "kernel/fault_signals.h"

#include "check/context.h"
#include "check/host_protection.h"
#include "check/settings.h"
#include "kernel/block_scheduler.h"
#include "kernel/division.h"
#include "kernel/guarded_call.h"
#include "kernel/instruction.h"
#include "memory/shared_mapping.h"
#include "process/runtime_thread.h"

#include <dlfcn.h>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>

namespace simtrt {
namespace {

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// The program's handlers for one signal.
struct Foreign {
  struct sigaction first {};   ///< handler before the runtime's was installed
  struct sigaction latest {};  ///< handler that the program installed afterwards
};
std::array<Foreign, kSignals.size()> foreign;

// Text that libc sets when it aborts itself, for example because of a damaged heap. In this case
// the allocator's lock may be held.
const char* const* abort_message = nullptr;

/// Signal that a handler of the program is handling on this thread.
struct PassedOn {
  const void* context = nullptr;
  const void* frame = nullptr;
};
__attribute__((tls_model("initial-exec"))) thread_local PassedOn passed_on;

std::size_t index_of(int number) {
  std::size_t index = 0;
  while (kSignals[index] != number) ++index;
  return index;
}

// Takes the default action for a signal. A signal sent by a process is raised again; a fault recurs
// by itself when its instruction runs again.
void take_default(int number, const siginfo_t* info) {
  std::signal(number, SIG_DFL);
  if (info->si_code <= 0) raise(number);
}

void call_foreign(const struct sigaction& action, int number, siginfo_t* info, void* context) {
  if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL)
    return take_default(number, info);
  if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN) {
    if (info->si_code > 0) take_default(number, info);  // a fault cannot be ignored
    return;
  }
  // Blocks the signals that the system would block during the handler.
  sigset_t blocked = action.sa_mask;
  if ((action.sa_flags & SA_NODEFER) == 0) sigaddset(&blocked, number);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(number, info, context);
  } else {
    action.sa_handler(number);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Passes the signal to the program's handler, which runs as it would without the runtime's handler.
void pass_on(int number, siginfo_t* info, void* context) {
  Foreign& known = foreign[index_of(number)];
  const PassedOn outer = passed_on;
  const void* frame = __builtin_frame_address(0);
  // A handler that the program installed over the runtime's handler may call the runtime's handler
  // for the same signal. The frame of such a nested call is below the frame of the first call, on
  // the same stack. If the first call was left by a jump (longjmp), its frame is not above the new
  // frame.
  if (context == outer.context && frame < outer.frame)
    return call_foreign(known.first, number, info, context);
  passed_on = {context, frame};
  const struct sigaction action = known.latest;
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    known.latest.sa_handler = SIG_DFL;
    known.latest.sa_flags = 0;
  }
  call_foreign(action, number, info, context);
  passed_on = outer;
}

// Makes the interrupted thread continue at `entry`, with an empty stack that ends below `top`.
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

// True if the address is below the stack: the thread has then exhausted its stack. A single large
// frame may reach far below the stack.
bool is_below_stack(const void* context, const void* address) {
  constexpr std::uintptr_t kLargestFrame = 1 << 20;
  constexpr std::uintptr_t kPage = 4096;
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  const auto stack = static_cast<std::uintptr_t>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
  const auto stack = static_cast<std::uintptr_t>(machine.sp);
#else
  static_cast<void>(machine);
  const std::uintptr_t stack = 0;
#endif
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return at + kLargestFrame >= stack && at < stack + kPage;
}

// True if the interrupted thread itself raised the signal, by an instruction or by abort.
bool is_own(int number, const siginfo_t* info) {
  if (number != SIGABRT) return info->si_code > 0;
  return info->si_code == SI_TKILL && info->si_pid == getpid() &&
         (abort_message == nullptr || *abort_message == nullptr);
}

#if defined(__x86_64__)
// Linux reports no address for a general protection fault. Two accesses cause this fault: an
// aligned SSE move with a misaligned address, and any access to a non-canonical address.
constexpr greg_t kGeneralProtection = 13;

bool is_canonical(std::uint64_t address) {
  constexpr unsigned kUserBits = 47;
  return address >> kUserBits == 0;
}
#endif

const void* program_counter(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(machine.pc);
#else
  static_cast<void>(machine);
  return nullptr;
#endif
}

// True if the processor reports that the access was a write.
bool is_write(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t kPageFault = 14;
  constexpr greg_t kWrite = 2;  // bit of a page fault's error code (Intel's manual, volume 3, "Page-Fault Exceptions")
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return machine.gregs[REG_TRAPNO] == kPageFault && (machine.gregs[REG_ERR] & kWrite) != 0;
#else
  static_cast<void>(context);
  return false;
#endif
}

void find_access(const siginfo_t& info, const void* context, Fault& fault) {
  fault.address = info.si_addr;
  fault.misaligned = info.si_signo == SIGBUS && info.si_code == BUS_ADRALN;
#if defined(__x86_64__)
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  if (info.si_signo != SIGSEGV || machine.gregs[REG_TRAPNO] != kGeneralProtection) return;
  if (!is_canonical(static_cast<std::uint64_t>(machine.gregs[REG_RIP]))) return;
  const std::optional<Instruction> instruction = read_instruction(machine);
  if (!instruction || !instruction->has_memory_operand) return;
  fault.address = reinterpret_cast<const void*>(instruction->address);
  fault.misaligned = is_canonical(instruction->address);
#else
  static_cast<void>(context);
#endif
}

void on_fault(int number, siginfo_t* info, void* context) {
  if (number == SIGSEGV && info->si_code == SEGV_ACCERR && wait_for_conversion(info->si_addr)) return;
  if (number == SIGSEGV && check::kinds.host &&
      check::open_device_memory(info->si_addr, program_counter(context))) {
    return;
  }
  BlockScheduler* const block = BlockScheduler::current();
  Guard* const guard = Guard::innermost();
  if ((block == nullptr && guard == nullptr) || !is_own(number, info))
    return pass_on(number, info, context);
  if (number == SIGFPE && finish_division(context)) return;
  if (block != nullptr && number == SIGSEGV && info->si_code == SEGV_MAPERR &&
      block->reach_shared(info->si_addr)) {
    return;
  }
  if (guard != nullptr && guard->block == block) {
    guard->fault.signal = number;
    find_access(*info, context, guard->fault);
    guard->fault.overflow = number == SIGSEGV && is_below_stack(context, info->si_addr);
    if (go_on_at(context, guard->landing_stack, &Guard::land)) return;
  } else {
    block->fault.signal = number;
    find_access(*info, context, block->fault);
    if (check::kinds.memory)
      check::note_fault({block->fault.address, program_counter(context), is_write(context)});
    void* top = block->fault_stack(info->si_addr, &block->fault.overflow);
    if (go_on_at(context, top, &BlockScheduler::land_after_fault)) return;
  }
  pass_on(number, info, context);
}

bool is_own_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_fault;
}

// True if the handlers of all signals must be checked before this launch. A system call for each
// signal before each launch would be too slow. Programs that handle any of these signals usually
// handle SIGSEGV, whose handler is checked each time; the handlers of the other signals are checked
// periodically.
bool is_time_for_all() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kBetween = std::chrono::milliseconds(10);
  static Clock::time_point next;
  const auto now = Clock::now();
  if (now < next) return false;
  next = now + kBetween;
  return true;
}

}  // namespace

void install_fault_handlers() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static bool is_first = true;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  struct sigaction of_segv {};
  sigaction(SIGSEGV, nullptr, &of_segv);
  if (!is_time_for_all() && is_own_handler(of_segv)) return;
  for (std::size_t index = 0; index < kSignals.size(); ++index) {
    struct sigaction now {};
    if (sigaction(kSignals[index], nullptr, &now) != 0 || is_own_handler(now)) continue;
    foreign[index].latest = now;
    if (is_first) foreign[index].first = now;
    sigaction(kSignals[index], &action, nullptr);
  }
  if (is_first)
    abort_message = static_cast<const char* const*>(dlsym(RTLD_DEFAULT, "__abort_msg"));
  is_first = false;
}

// A thread that left the C library by a jump still holds the locks of stdio streams. glibc stores
// such a lock in this form (libio/stdio-lock.h), with pthread_self() as owner.
void release_locks_of_stdio() {
#ifdef __GLIBC__
  struct StreamLock {
    int lock;
    int count;
    void* owner;
  };
  for (std::FILE* stream : {stdin, stdout, stderr}) {
    const auto* lock = static_cast<const volatile StreamLock*>(stream->_lock);
    const auto* self = reinterpret_cast<const void*>(pthread_self());
    while (lock != nullptr && lock->owner == self) funlockfile(stream);
  }
#endif
}

}  // namespace simtrt
