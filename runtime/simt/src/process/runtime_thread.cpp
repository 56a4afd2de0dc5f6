#include "process/runtime_thread.h"

#include "blas/cblas.h"
#include "process/state.h"
#include "process/thread_object.h"

#include <gnu/libc-version.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <vector>

namespace simtrt {
namespace {

constexpr std::size_t kSignalStackBytes = 64 * 1024;
constexpr std::size_t kLandingStackBytes = 64 * 1024;

/// The default action for this signal is to ignore it, so that a signal that arrives late has no
/// effect.
constexpr int kStopSignal = SIGURG;

// RuntimeThread of the thread, or null; signal handlers read it on every thread.
__attribute__((tls_model("initial-exec"))) thread_local RuntimeThread* own_thread = nullptr;

struct Registry {
  std::mutex mutex;
  std::vector<RuntimeThread*> threads;
};
Registry& registry() {
  static Registry& known = *new Registry();
  return known;
}

struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// Code in which a thread may hold a lock that the process needs while it ends: code of the C and
// C++ libraries, the allocator, the dynamic linker, OpenBLAS and this library. The table is filled
// before the first signal is sent.
std::array<AddressRange, 8> locking_code;
std::atomic<std::size_t> locking_code_count{0};

int add_range_of(dl_phdr_info* object, std::size_t, void* wanted) {
  const auto address = reinterpret_cast<std::uintptr_t>(wanted);
  AddressRange range{UINTPTR_MAX, 0};
  for (int index = 0; index < object->dlpi_phnum; ++index) {
    const auto& segment = object->dlpi_phdr[index];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + segment.p_memsz);
  }
  if (address < range.begin || address >= range.end) return 0;
  const std::size_t count = locking_code_count.load();
  locking_code[count] = range;
  locking_code_count.store(count + 1);
  return 1;
}

void find_locking_code() {
  if (locking_code_count.load() != 0) return;
  const std::array<void*, 7> places{
      reinterpret_cast<void*>(&find_locking_code),
      reinterpret_cast<void*>(&std::malloc),
      reinterpret_cast<void*>(&gnu_get_libc_version),
      reinterpret_cast<void*>(&_Unwind_Backtrace),
      reinterpret_cast<void*>(&std::get_terminate),
      reinterpret_cast<void*>(&host_blas::SIMT_BLAS(openblas_set_num_threads)),
      reinterpret_cast<void*>(getauxval(AT_BASE)),
  };
  for (void* place : places) dl_iterate_phdr(add_range_of, place);
}

/// Memory of the calling thread's stacks: the one for signal handlers, and above it the one for landing.
struct Stacks {
  Stacks() {
    if (memory == MAP_FAILED) throw std::bad_alloc();
  }
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks() { munmap(memory, kSignalStackBytes + kLandingStackBytes); }

  void* const memory = mmap(nullptr, kSignalStackBytes + kLandingStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

// Signals that remain unblocked: faults, the stop signal, and signals that debuggers and profilers
// send to a thread.
void block_signals() {
  sigset_t blocked;
  sigfillset(&blocked);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF, kStopSignal})
    sigdelset(&blocked, own);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

bool may_hold_a_lock(const void* context) {
  std::uintptr_t at = 0;
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  at = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  at = machine.pc;
#else
  static_cast<void>(machine);
  return true;
#endif
  const AddressRange* const first = locking_code.data();
  return std::any_of(first, first + locking_code_count.load(), [at](const AddressRange& range) {
    return at >= range.begin && at < range.end;
  });
}

}  // namespace

struct StopSignal {
  static void handle(int, siginfo_t*, void* context) {
    RuntimeThread* thread = own_thread;
    if (thread == nullptr || !process_is_ending() || may_hold_a_lock(context)) return;
    thread->park();
  }

  static void install() {
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(kStopSignal, &action, nullptr);
  }
};

RuntimeThread::RuntimeThread(StartedBy who) {
  stack_t stack{};
  stack.ss_sp = object_of_thread<Stacks>().memory;
  stack.ss_size = kSignalStackBytes;
  {
    const std::lock_guard lock(registry().mutex);
    registry().threads.push_back(this);
  }
  sigaltstack(&stack, &signal_stack_before_);
  if (who == StartedBy::kRuntime) block_signals();
  own_thread = this;
}

RuntimeThread::~RuntimeThread() {
  {
    const std::lock_guard lock(registry().mutex);
    auto& threads = registry().threads;
    threads.erase(std::find(threads.begin(), threads.end(), this));
  }
  own_thread = nullptr;
  sigaltstack(&signal_stack_before_, nullptr);
}

void* RuntimeThread::landing_stack() {
  return static_cast<char*>(object_of_thread<Stacks>().memory) + kSignalStackBytes + kLandingStackBytes;
}

SignalsBlocked::SignalsBlocked() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_);
}

SignalsBlocked::~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

RuntimeThread* RuntimeThread::current() { return own_thread; }

void RuntimeThread::park() {
  parked_.store(true);
  for (;;) pause();
}

bool RuntimeThread::stop_all() {
  using Clock = std::chrono::steady_clock;
  constexpr auto kGrace = std::chrono::milliseconds(5);
  constexpr auto kLongest = std::chrono::seconds(2);
  constexpr useconds_t kBetweenLooks = 200;
  // The lock is held until the process ends, so that no thread of the runtime starts or ends in the
  // meantime.
  const std::lock_guard lock(registry().mutex);
  const auto begun = Clock::now();
  bool signals = false;
  for (;;) {
    bool all = true;
    for (RuntimeThread* thread : registry().threads) {
      if (thread == own_thread || thread->is_at_rest()) continue;
      all = false;
      if (signals) pthread_kill(thread->thread_, kStopSignal);
    }
    if (all) return true;
    const auto waited = Clock::now() - begun;
    if (waited > kLongest) return false;
    if (waited > kGrace && !signals) {
      find_locking_code();
      StopSignal::install();
      signals = true;
    }
    usleep(kBetweenLooks);
  }
}

Working::Working()
    : thread_(own_thread), outer_(thread_ != nullptr && thread_->working_.load()) {
  if (thread_ == nullptr) return;
  thread_->working_.store(true);
  stop_if_process_ends();
}

Working::~Working() {
  if (thread_ != nullptr) thread_->working_.store(outer_);
}

void stop_if_process_ends() {
  if (process_is_ending() && own_thread != nullptr) own_thread->park();
}

}  // namespace simtrt
