// Signal handlers of the program, while the runtime has its own handlers.
#include "program.h"

#include <csetjmp>
#include <csignal>
#include <sys/mman.h>

#include <atomic>
#include <thread>

namespace {

__global__ void writes_to(int* pointer) { *pointer = 1; }

// Hides from the compiler that the pointer is null: otherwise the compiler may remove the write.
int* null_pointer() {
  int* volatile pointer = nullptr;
  return pointer;
}

char* guarded_page = nullptr;
volatile sig_atomic_t mended = 0;
sigjmp_buf back;

// Makes the accessed page accessible and returns, like signal handlers of garbage-collected
// languages.
void mend(int, siginfo_t* info, void*) {
  if (info->si_addr != guarded_page) _exit(9);
  mended = mended + 1;
  mprotect(guarded_page, 4096, PROT_READ | PROT_WRITE);
}
void jump_back(int) { siglongjmp(back, 1); }
void jump_back_with_information(int, siginfo_t*, void*) { siglongjmp(back, 1); }

void install(int signal, void (*handler)(int, siginfo_t*, void*), int flags = 0) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  EXPECT(sigaction(signal, &action, nullptr), 0);
}

void touch_guarded_page() {
  EXPECT(mprotect(guarded_page, 4096, PROT_NONE), 0);
  *static_cast<volatile char*>(guarded_page) = 1;
}
void mend_many_times() {
  guarded_page = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  for (int round = 0; round < 5; ++round) touch_guarded_page();
  std::thread([] {
    for (int round = 0; round < 5; ++round) touch_guarded_page();
  }).join();
  EXPECT(mended, 10);
}

void expect_fault_of_kernel() {
  SIMT_LAUNCH((writes_to), (1), (1), (0), (0), null_pointer());
  EXPECT(simtDeviceSynchronize(), simtErrorIllegalAddress);
  EXPECT_OK(simtDeviceReset());
}

int handler_before() {
  install(SIGSEGV, mend);
  expect_device_works();
  mend_many_times();
  expect_fault_of_kernel();
  mended = 0;
  mend_many_times();
  return 0;
}
int handler_after() {
  expect_device_works();
  install(SIGSEGV, mend);
  mend_many_times();
  expect_fault_of_kernel();
  mended = 0;
  mend_many_times();
  return 0;
}
int handler_on_a_stack_of_its_own() {
  stack_t stack{};
  stack.ss_size = 64 * 1024;
  stack.ss_sp = std::malloc(stack.ss_size);
  EXPECT(sigaltstack(&stack, nullptr), 0);
  install(SIGSEGV, mend, SA_ONSTACK);
  return handler_after();
}

template <class Install>
int jumps(Install install_handler) {
  expect_device_works();
  install_handler();
  expect_device_works();
  volatile int count = 0;
  for (int round = 0; round < 5; ++round) {
    if (sigsetjmp(back, 1) == 0) *static_cast<volatile int*>(null_pointer()) = 1;
    count = count + 1;
  }
  EXPECT(count, 5);
  expect_fault_of_kernel();
  return 0;
}
int handler_that_jumps() {
  return jumps([] { install(SIGSEGV, jump_back_with_information); });
}
int plain_handler_that_jumps() {
  return jumps([] { std::signal(SIGSEGV, jump_back); });
}

// The program's handler passes signals that it does not handle to the previously installed handler.
struct sigaction found;
void pass_on(int number, siginfo_t* info, void* context) {
  if (info->si_addr == guarded_page) return mend(number, info, context);
  if ((found.sa_flags & SA_SIGINFO) != 0) return found.sa_sigaction(number, info, context);
  if (found.sa_handler == SIG_DFL || found.sa_handler == SIG_IGN) {
    sigaction(number, &found, nullptr);
    return;
  }
  found.sa_handler(number);
}
void install_chain() {
  struct sigaction action {};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO;
  EXPECT(sigaction(SIGSEGV, &action, &found), 0);
}
int handler_that_passes_on() {
  expect_device_works();
  install_chain();
  expect_device_works();
  mend_many_times();
  expect_fault_of_kernel();
  return 0;
}
int handler_that_passes_on_the_programs_fault() {
  expect_device_works();
  install_chain();
  expect_device_works();
  guarded_page = reinterpret_cast<char*>(1);
  *static_cast<volatile int*>(null_pointer()) = 1;
  return 0;
}
int handler_that_exits() {
  expect_device_works();
  install(SIGSEGV, [](int, siginfo_t*, void*) { _exit(7); });
  expect_device_works();
  *static_cast<volatile int*>(null_pointer()) = 1;
  return 0;
}
int handler_that_faults() {
  install(SIGSEGV, [](int, siginfo_t*, void*) { *static_cast<volatile int*>(null_pointer()) = 1; });
  expect_device_works();
  *static_cast<volatile int*>(null_pointer()) = 1;
  return 0;
}

int fault_of_the_program() {
  expect_device_works();
  *static_cast<volatile int*>(null_pointer()) = 1;
  return 0;
}
int abort_of_the_program() {
  expect_device_works();
  std::abort();
}
int sent_signal() {
  expect_device_works();
  kill(getpid(), SIGSEGV);
  sleep(10);
  return 0;
}
int ignored_signal() {
  std::signal(SIGSEGV, SIG_IGN);
  expect_device_works();
  for (int round = 0; round < 3; ++round) kill(getpid(), SIGSEGV);
  expect_fault_of_kernel();
  return 0;
}

// Threads of the program must receive these signals, not threads that run kernels.
std::atomic<int> alarms{0};
std::atomic<bool> on_wrong_thread{false};
pthread_t main_thread;
int signals_while_kernels_run() {
  main_thread = pthread_self();
  std::signal(SIGUSR1, [](int) {
    ++alarms;
    if (pthread_self() != main_thread) on_wrong_thread = true;
  });
  int* flag = nullptr;
  EXPECT_OK(simtMallocHost(&flag, sizeof(int)));
  *flag = 0;
  for (int stream = 0; stream < 3; ++stream)
    SIMT_LAUNCH((spin), (2), (32), (0), (new_stream()), flag);
  for (int round = 0; round < 200; ++round) {
    kill(getpid(), SIGUSR1);
    usleep(100);
  }
  *flag = 1;
  EXPECT_OK(simtDeviceSynchronize());
  EXPECT(on_wrong_thread.load(), false);
  EXPECT(alarms.load() > 0, true);
  return 0;
}

// Another process sends signals while the runtime starts threads: each block of a cooperative launch has a thread.
int signals_while_threads_start() {
  main_thread = pthread_self();
  for (int number = SIGRTMIN; number <= SIGRTMIN + 7; ++number)
    std::signal(number, [](int) {
      ++alarms;
      if (pthread_self() != main_thread) on_wrong_thread = true;
    });
  const pid_t sender = fork();
  while (sender == 0) {
    for (int number = SIGRTMIN; number <= SIGRTMIN + 7; ++number) kill(getppid(), number);
    usleep(200);
    if (getppid() == 1) _exit(0);
  }
  int* result = device_array();
  void* arguments[] = {&result};
  for (int round = 0; round < 200; ++round) {
    EXPECT_OK(simtLaunchCooperativeKernel(writes_to, dim3(8), dim3(1), arguments));
    EXPECT_OK(simtDeviceSynchronize());
  }
  kill(sender, SIGKILL);
  EXPECT(on_wrong_thread.load(), false);
  EXPECT(alarms.load() > 0, true);
  return 0;
}

int waits_for_ever() {
  SIMT_LAUNCH((spin), (2), (32), (0), (0), device_array());
  std::puts("waits");
  std::fflush(stdout);
  static_cast<void>(simtDeviceSynchronize());
  return 0;
}
int waits_with_a_handler_that_exits() {
  std::signal(SIGINT, [](int) { std::exit(6); });
  return waits_for_ever();
}

}  // namespace

int main(int argc, char** argv) {
  return run_case({{"handler before", handler_before},
                   {"handler after", handler_after},
                   {"handler on a stack of its own", handler_on_a_stack_of_its_own},
                   {"handler that jumps", handler_that_jumps},
                   {"plain handler that jumps", plain_handler_that_jumps},
                   {"handler that passes on", handler_that_passes_on},
                   {"handler that passes on the program's fault",
                    handler_that_passes_on_the_programs_fault},
                   {"handler that exits", handler_that_exits},
                   {"handler that faults", handler_that_faults},
                   {"fault of the program", fault_of_the_program},
                   {"abort of the program", abort_of_the_program},
                   {"sent signal", sent_signal},
                   {"ignored signal", ignored_signal},
                   {"signals while kernels run", signals_while_kernels_run},
                   {"signals while threads start", signals_while_threads_start},
                   {"waits for ever", waits_for_ever},
                   {"waits with a handler that exits", waits_with_a_handler_that_exits}},
                  argc, argv);
}
