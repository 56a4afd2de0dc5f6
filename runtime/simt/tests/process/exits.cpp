// Processes that end while the device is busy.
#include "program.h"

#include <simtblas.h>

#include <dlfcn.h>

#include <atomic>
#include <thread>

namespace {

// Calls the runtime in a static destructor. The calls must succeed or return
// cudaErrorCudartUnloading.
struct FreesAtTheEnd {
  void* memory = nullptr;
  ~FreesAtTheEnd() {
    if (memory == nullptr) return;
    const simtError_t error = simtFree(memory);
    if (error != simtSuccess && error != simtErrorSimtrtUnloading) _exit(1);
    int devices = 0;
    const simtError_t counted = simtGetDeviceCount(&devices);
    if (counted != simtSuccess && counted != simtErrorSimtrtUnloading) _exit(1);
    SIMT_LAUNCH((spin), (1), (1), (0), (0), static_cast<const int*>(nullptr));
    static_cast<void>(simtGetLastError());
  }
};
FreesAtTheEnd made_before_use;

template <class Kernel>
int with_kernels(Kernel kernel) {
  const int* flag = device_array();
  for (int stream = 0; stream < 4; ++stream) {
    const simtStream_t own = new_stream();
    for (int launch = 0; launch < 3; ++launch) kernel(own, flag);
  }
  usleep(2000);
  return 3;
}

int spins() {
  return with_kernels([](simtStream_t stream, const int* flag) {
    SIMT_LAUNCH((spin), (4), (64), (0), (stream), flag);
  });
}
int spins_politely() {
  return with_kernels([](simtStream_t stream, const int* flag) {
    SIMT_LAUNCH((spin_politely), (1), (64), (0), (stream), flag);
  });
}
int spins_at_a_barrier() {
  return with_kernels([](simtStream_t stream, const int* flag) {
    SIMT_LAUNCH((spin_at_a_barrier), (1), (64), (0), (stream), flag);
  });
}
int allocates_for_ever() {
  return with_kernels([](simtStream_t stream, const int* flag) {
    SIMT_LAUNCH((allocates), (1), (4), (0), (stream), flag);
  });
}
int spins_together() {
  const int* flag = device_array();
  void* arguments[] = {&flag};
  EXPECT_OK(simtLaunchCooperativeKernel(spin, dim3(6), dim3(8), arguments));
  return 3;
}

int exits_from_another_thread() {
  spins();
  std::thread([] { std::exit(3); }).join();
  return 1;
}

// The waiting threads execute the kernels themselves.
int threads_wait_for_ever() {
  static std::atomic<int> waiting{0};
  const int* flag = device_array();
  for (const auto& kernel : {spin, spin_at_a_barrier}) {
    std::thread([kernel, flag] {
      const simtStream_t own = new_stream();
      SIMT_LAUNCH((kernel), (2), (64), (0), (own), flag);
      ++waiting;
      static_cast<void>(simtStreamSynchronize(own));
    }).detach();
  }
  // A thread that starts late finds a runtime that has ended.
  while (waiting != 2) usleep(100);
  usleep(5000);
  return 3;
}

int exits_in_a_host_function() {
  EXPECT_OK(simtLaunchHostFunc(nullptr, [](void*) { std::exit(3); }, nullptr));
  simtDeviceSynchronize();
  pause();
  return 1;
}

int leaves_a_host_function_waiting() {
  EXPECT_OK(simtLaunchHostFunc(nullptr, [](void*) { pause(); }, nullptr));
  usleep(1000);
  return 3;
}

int multiplies() {
  simtblasHandle_t handle = nullptr;
  EXPECT(simtblasCreate(&handle), SIMTBLAS_STATUS_SUCCESS);
  const int size = 300;
  float* memory = device_array<float>(size * size * 3);
  const float one = 1;
  for (int round = 0; round < 40; ++round) {
    EXPECT(simtblasSgemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, size, size, size, &one, memory, size,
                         memory + size * size, size, &one, memory + 2 * size * size, size),
           SIMTBLAS_STATUS_SUCCESS);
  }
  return 3;
}

int copies() {
  char* memory = device_array<char>(64 << 20);
  for (int round = 0; round < 40; ++round)
    EXPECT_OK(simtMemcpyAsync(memory, memory + (32 << 20), 32 << 20, simtMemcpyDeviceToDevice));
  return 3;
}

int frees_in_a_static_destructor() {
  static FreesAtTheEnd made_after_use;
  made_before_use.memory = device_array();
  made_after_use.memory = device_array();
  return 3;
}

int has_handlers_of_exit() {
  const auto handler = [] {
    const simtError_t error = simtDeviceSynchronize();
    if (error != simtSuccess && error != simtErrorSimtrtUnloading) _exit(1);
  };
  std::atexit(handler);
  expect_device_works();
  std::atexit(handler);
  return 3;
}

int has_thread_local_destructors() {
  struct Owner {
    int* memory = nullptr;
    ~Owner() { EXPECT_OK(simtFree(memory)); }
  };
  for (int round = 0; round < 10; ++round) {
    std::thread([] {
      thread_local Owner owner;
      owner.memory = device_array();
    }).join();
  }
  thread_local Owner owner;
  owner.memory = device_array();
  return 3;
}

int exits_quickly() {
  spins();
  std::quick_exit(3);
}
int exits_at_once() {
  spins();
  _exit(3);
}

int aborts_in_a_host_function() {
  EXPECT_OK(simtLaunchHostFunc(nullptr, [](void*) { std::abort(); }, nullptr));
  simtDeviceSynchronize();
  pause();
  return 1;
}

// Threads of the program call the API continuously while the process ends.
int calls_while_it_ends() {
  for (int thread = 0; thread < 8; ++thread) {
    std::thread([] {
      for (;;) {
        simtStream_t stream = nullptr;
        if (simtStreamCreate(&stream) != simtSuccess) continue;
        void* memory = nullptr;
        if (simtMalloc(&memory, 1000) == simtSuccess) {
          simtMemsetAsync(memory, 0, 1000, stream);
          simtStreamSynchronize(stream);
          simtFree(memory);
        }
        simtStreamDestroy(stream);
      }
    }).detach();
  }
  usleep(20000);
  return 3;
}

int many_threads() {
  std::vector<std::thread> threads;
  std::atomic<int> done{0};
  for (int thread = 0; thread < 100; ++thread) {
    threads.emplace_back([&done] {
      int* counter = device_array();
      const simtStream_t stream = new_stream();
      SIMT_LAUNCH((add), (2), (32), (0), (stream), counter);
      EXPECT_OK(simtStreamSynchronize(stream));
      EXPECT(*counter, 64);
      EXPECT_OK(simtStreamDestroy(stream));
      EXPECT_OK(simtFree(counter));
      ++done;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT(done.load(), 100);
  return 3;
}

}  // namespace

int main(int argc, char** argv) {
  return run_case({{"spins", spins},
                   {"spins politely", spins_politely},
                   {"spins at a barrier", spins_at_a_barrier},
                   {"allocates for ever", allocates_for_ever},
                   {"spins together", spins_together},
                   {"exits from another thread", exits_from_another_thread},
                   {"threads wait for ever", threads_wait_for_ever},
                   {"exits in a host function", exits_in_a_host_function},
                   {"leaves a host function waiting", leaves_a_host_function_waiting},
                   {"multiplies", multiplies},
                   {"copies", copies},
                   {"frees in a static destructor", frees_in_a_static_destructor},
                   {"has handlers of exit", has_handlers_of_exit},
                   {"has thread-local destructors", has_thread_local_destructors},
                   {"exits quickly", exits_quickly},
                   {"exits at once", exits_at_once},
                   {"aborts in a host function", aborts_in_a_host_function},
                   {"calls while it ends", calls_while_it_ends},
                   {"many threads", many_threads}},
                  argc, argv);
}
