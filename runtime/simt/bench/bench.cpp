// Measurements of build_scripts/bench_runtime. Each measurement is compared with a peer: code in
// this process that does the same work without the runtime. Prints `name value` lines; times are
// the minimum of several runs, in nanoseconds unless the name states otherwise.
#include <simt_runtime.h>
#include <simtblas.h>

#include "blas/cblas.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kRounds = 15;
constexpr int kElements = 1 << 20;

double best_ns(const std::function<void()>& run) {
  double best = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  return best;
}

double resident_megabytes() {
  std::ifstream statm("/proc/self/statm");
  long pages = 0;
  long resident = 0;
  statm >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

void say(const char* name, double value) { std::printf("%s %.6g\n", name, value); }

__global__ void nothing() {}

__global__ void absolute(const float* in, float* out, int count) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < count) out[index] = fabsf(in[index]);
}

__global__ void barriers(int times) {
  for (int turn = 0; turn < times; ++turn) __syncthreads();
}

__global__ void shuffles(int* out, int times) {
  int value = static_cast<int>(threadIdx.x);
  for (int turn = 0; turn < times; ++turn) value += __shfl_xor_sync(0xffffffffU, value, 1);
  out[threadIdx.x] = value;
}

// Compute-bound kernel: measures the distribution of the same work over cores.
__global__ void busy(float* out, int times) {
  float value = static_cast<float>(threadIdx.x);
  for (int turn = 0; turn < times; ++turn) value = value * 0.999F + 0.5F;
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

void measure_kernels(float* in, float* out, double cores) {
  constexpr double kThreads = 4096.0 * 256;
  say("barrier_free_thread", cores / kThreads * best_ns([] {
                               SIMT_LAUNCH((nothing), (4096), (256), (0), (0));
                               simtDeviceSynchronize();
                             }));
  constexpr int kTimes = 100;
  constexpr double kCollectives = 16.0 * 256 * kTimes;
  say("barrier", cores / kCollectives * best_ns([=] {
                   SIMT_LAUNCH((barriers), (16), (256), (0), (0), kTimes);
                   simtDeviceSynchronize();
                 }));
  say("shuffle", cores / kCollectives * best_ns([=] {
                   SIMT_LAUNCH((shuffles), (16), (256), (0), (0), reinterpret_cast<int*>(out),
                               kTimes);
                   simtDeviceSynchronize();
                 }));
  say("busy_total", best_ns([=] {
        SIMT_LAUNCH((busy), (2048), (256), (0), (0), out, 100);
        simtDeviceSynchronize();
      }));
  say("abs_kernel", best_ns([=] {
        SIMT_LAUNCH((absolute), (kElements / 256), (256), (0), (0), in, out, kElements);
        simtDeviceSynchronize();
      }));
  // The peer is a plain loop, divided into as many parts as there are workers; its threads exist
  // before the measurement.
  const auto parts = static_cast<std::size_t>(cores);
  say("abs_loop", best_ns([=] {
        std::vector<std::thread> threads;
        for (std::size_t part = 0; part < parts; ++part) {
          threads.emplace_back([=] {
            const std::size_t begin = kElements * part / parts;
            const std::size_t end = kElements * (part + 1) / parts;
            for (std::size_t index = begin; index < end; ++index) out[index] = std::fabs(in[index]);
          });
        }
        for (auto& thread : threads) thread.join();
      }));
  say("launch_and_wait", best_ns([] {
        SIMT_LAUNCH((nothing), (1), (32), (0), (0));
        simtDeviceSynchronize();
      }));
}

// As in a program that reads a result after each kernel, and computes in between. The mean, because what other
// programs delay is part of it.
void measure_turns() {
  constexpr int kTurns = 5000;
  constexpr auto kOwnWork = std::chrono::microseconds(20);
  using Clock = std::chrono::steady_clock;
  int* value = nullptr;
  simtMalloc(&value, sizeof *value);
  double waited = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const auto begin = Clock::now();
    SIMT_LAUNCH((nothing), (1), (32), (0), (0));
    int read = 0;
    simtMemcpy(&read, value, sizeof read, simtMemcpyDeviceToHost);
    const auto end = Clock::now();
    waited += std::chrono::duration<double, std::nano>(end - begin).count();
    while (Clock::now() < end + kOwnWork) {
    }
  }
  say("turn", waited / kTurns);
}

void measure_sgemm() {
  constexpr int kSize = 1024;
  float* matrices[3];
  for (float*& matrix : matrices) {
    simtMalloc(&matrix, sizeof(float) * kSize * kSize);
    simtMemset(matrix, 0, sizeof(float) * kSize * kSize);
  }
  simtblasHandle_t handle;
  simtblasCreate(&handle);
  const float one = 1;
  const float zero = 0;
  simtDeviceSynchronize();
  say("sgemm_simtblas", best_ns([&] {
        simtblasSgemm(handle, SIMTBLAS_OP_N, SIMTBLAS_OP_N, kSize, kSize, kSize, &one, matrices[0],
                      kSize, matrices[1], kSize, &zero, matrices[2], kSize);
        simtDeviceSynchronize();
      }));
  // The runtime limits its BLAS to one thread; the peer calls BLAS with all threads.
  simtrt::host_blas::SIMT_BLAS(openblas_set_num_threads)(
      static_cast<int>(std::thread::hardware_concurrency()));
  say("sgemm_blas", best_ns([&] {
        using namespace simtrt::host_blas;
        SIMT_BLAS(cblas_sgemm)(kColumnMajor, kNoTrans, kNoTrans, kSize, kSize, kSize, one,
                               matrices[0], kSize, matrices[1], kSize, zero, matrices[2], kSize);
      }));
  simtblasDestroy(handle);
}

}  // namespace

// Arguments: the number of workers, and what to measure: everything; `sgemm` for sgemm, too; `turns` for turns only.
int main(int argc, char** argv) {
  const double cores = argc > 1 ? std::atof(argv[1]) : 1;
  const std::string what = argc > 2 ? argv[2] : "";
  if (what == "turns") {
    measure_turns();
    return 0;
  }
  const double before = resident_megabytes();
  float* in = nullptr;
  float* out = nullptr;
  simtMalloc(&in, sizeof(float) * kElements);
  simtMalloc(&out, sizeof(float) * kElements);
  // After this launch, every worker has allocated 1024 fibers.
  SIMT_LAUNCH((barriers), (64), (1024), (0), (0), 2);
  simtDeviceSynchronize();
  say("idle_megabytes", resident_megabytes() - before);
  simtMemset(in, 0, sizeof(float) * kElements);
  simtMemset(out, 0, sizeof(float) * kElements);
  simtDeviceSynchronize();
  measure_kernels(in, out, cores);
  measure_turns();
  if (what == "sgemm") measure_sgemm();
  return 0;
}
