// In children of a process that has used the device, every call returns CUDA's initialisation
// error; other children may use the device.
#include "program.h"

#include <simt.h>
#include <simtblas.h>

#include <spawn.h>
#include <sys/wait.h>

#include <atomic>
#include <thread>

extern char** environ;

namespace {

/// Runs `child` in a forked process and returns its status; -1 if a signal ended it.
template <class Child>
int in_child(Child child) {
  const pid_t process = fork();
  if (process == 0) {
    alarm(20);
    child();
  }
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void expect_initialization_error(simtError_t (*call)()) {
  EXPECT(call(), simtErrorInitializationError);
  EXPECT(simtGetLastError(), simtErrorInitializationError);
}

int* of_parent = nullptr;

void expect_every_call_to_fail() {
  EXPECT_OK(simtGetLastError());
  expect_initialization_error([] { return simtDeviceSynchronize(); });
  expect_initialization_error([] { int count; return simtGetDeviceCount(&count); });
  expect_initialization_error([] { int device; return simtGetDevice(&device); });
  expect_initialization_error([] { return simtSetDevice(0); });
  expect_initialization_error([] { simtDeviceProp all; return simtGetDeviceProperties(&all, 0); });
  expect_initialization_error([] { return simtDeviceReset(); });
  expect_initialization_error([] { void* memory; return simtMalloc(&memory, 4); });
  expect_initialization_error([] { void* memory; return simtMallocAsync(&memory, 4, simtStream_t()); });
  expect_initialization_error([] { void* memory; return simtMallocHost(&memory, 4); });
  expect_initialization_error([] { return simtFree(of_parent); });
  expect_initialization_error([] { return simtFree(nullptr); });
  expect_initialization_error([] { return simtMemset(of_parent, 0, 4); });
  expect_initialization_error([] { int x; return simtMemcpy(&x, of_parent, 4, simtMemcpyDefault); });
  expect_initialization_error([] { simtStream_t stream; return simtStreamCreate(&stream); });
  expect_initialization_error([] { return simtStreamSynchronize(nullptr); });
  expect_initialization_error([] { return simtStreamQuery(nullptr); });
  expect_initialization_error([] { simtEvent_t event; return simtEventCreate(&event); });
  expect_initialization_error([] { return simtLaunchHostFunc(nullptr, [](void*) {}, nullptr); });
  SIMT_LAUNCH((add), (1), (1), (0), (0), of_parent);
  EXPECT(simtGetLastError(), simtErrorInitializationError);
  EXPECT(simtDrvInit(0), SIMT_DRV_ERROR_NOT_INITIALIZED);
  simtblasHandle_t handle = nullptr;
  EXPECT(simtblasCreate(&handle), SIMTBLAS_STATUS_NOT_INITIALIZED);
  int count = 0;
  EXPECT(simtDrvDeviceGetCount(&count), SIMT_DRV_ERROR_NOT_INITIALIZED);
  EXPECT_OK(simtGetLastError());
}

int before_use() {
  EXPECT(in_child([] { expect_device_works(); std::exit(5); }), 5);
  EXPECT(in_child([] { expect_device_works(); _exit(5); }), 5);
  expect_device_works();
  return 0;
}

int after_use() {
  expect_device_works();
  of_parent = device_array();
  EXPECT(in_child([] { expect_every_call_to_fail(); std::exit(5); }), 5);
  EXPECT(in_child([] { expect_every_call_to_fail(); _exit(5); }), 5);
  EXPECT(in_child([] { _exit(in_child([] { expect_every_call_to_fail(); std::exit(5); })); }), 5);
  expect_device_works();
  return 0;
}

int while_a_kernel_runs() {
  int* flag = nullptr;
  EXPECT_OK(simtMallocHost(&flag, sizeof(int)));
  *flag = 0;
  of_parent = device_array();
  for (int stream = 0; stream < 3; ++stream)
    SIMT_LAUNCH((spin), (2), (32), (0), (new_stream()), flag);
  for (int round = 0; round < 5; ++round)
    EXPECT(in_child([] { expect_every_call_to_fail(); std::exit(5); }), 5);
  *flag = 1;
  EXPECT_OK(simtDeviceSynchronize());
  expect_device_works();
  return 0;
}

// The child's only thread is a copy of the thread that ran the host function.
int in_a_host_function() {
  of_parent = device_array();
  static int returned = 0;
  static int ended = 0;
  EXPECT_OK(simtLaunchHostFunc(
      nullptr,
      [](void*) {
        ended = in_child([] { expect_every_call_to_fail(); _exit(5); });
        const pid_t process = fork();
        if (process == 0) {
          alarm(20);
          return;
        }
        int status = 0;
        waitpid(process, &status, 0);
        returned = WIFEXITED(status);
      },
      nullptr));
  EXPECT_OK(simtDeviceSynchronize());
  EXPECT(ended, 5);
  EXPECT(returned, 1);
  expect_device_works();
  return 0;
}

// Other threads hold locks of the runtime at the time of the fork.
int while_threads_call() {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  of_parent = device_array();
  for (int thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&stop] {
      simtblasHandle_t handle = nullptr;
      simtblasCreate(&handle);
      float* memory = device_array<float>(3 * 64 * 64);
      const float one = 1;
      while (!stop.load()) {
        void* more = nullptr;
        EXPECT_OK(simtMalloc(&more, 5000));
        simtStream_t stream = new_stream();
        simtblasSgemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, 64, 64, 64, &one, memory, 64, memory, 64,
                      &one, memory + 2 * 64 * 64, 64);
        EXPECT_OK(simtStreamSynchronize(stream));
        EXPECT_OK(simtStreamDestroy(stream));
        EXPECT_OK(simtFree(more));
      }
    });
  }
  for (int round = 0; round < 20; ++round)
    EXPECT(in_child([] { expect_every_call_to_fail(); std::exit(5); }), 5);
  stop = true;
  for (auto& thread : threads) thread.join();
  return 0;
}

int while_the_first_call_is_made() {
  std::thread first([] { expect_device_works(); });
  const int status = in_child([] {
    int count = 0;
    const simtError_t error = simtGetDeviceCount(&count);
    if (error == simtSuccess) expect_device_works();
    else EXPECT(error, simtErrorInitializationError);
    std::exit(5);
  });
  EXPECT(status, 5);
  first.join();
  return 0;
}

// A newly started program inherits no state of its parent.
int starts_programs() {
  expect_device_works();
  for (int round = 0; round < 3; ++round) {
    const pid_t process = vfork();
    if (process == 0) {
      execl("/proc/self/exe", "forks", "before use", nullptr);
      _exit(9);
    }
    int status = 0;
    waitpid(process, &status, 0);
    EXPECT(status, 0);
    pid_t spawned = 0;
    char name[] = "forks";
    char argument[] = "after use";
    char* const arguments[] = {name, argument, nullptr};
    EXPECT(posix_spawn(&spawned, "/proc/self/exe", nullptr, nullptr, arguments, environ), 0);
    waitpid(spawned, &status, 0);
    EXPECT(status, 0);
    EXPECT(in_child([] { execl("/proc/self/exe", "forks", "before use", nullptr); }), 0);
  }
  expect_device_works();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_case({{"before use", before_use},
                   {"after use", after_use},
                   {"while a kernel runs", while_a_kernel_runs},
                   {"in a host function", in_a_host_function},
                   {"while threads call", while_threads_call},
                   {"while the first call is made", while_the_first_call_is_made},
                   {"starts programs", starts_programs}},
                  argc, argv);
}
