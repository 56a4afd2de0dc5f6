// Several streams: each copies its part of an array to the device, computes, and copies the results
// back, concurrently with the other streams. Events make the last step wait for all streams, and
// measure the time.
#include "check.h"

#include <atomic>

constexpr int kStreams = 4;
constexpr int kPart = 1 << 14;

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

__global__ void add_up(const int* values, int n, unsigned long long* sum) {
  unsigned long long mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += values[i];
  atomicAdd(sum, mine);
}

/// Called by the runtime after a part was copied back to the host.
void CUDART_CB count_part(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

int main() {
  const int n = kStreams * kPart;
  int *values, *squares, *device_values, *device_squares;
  unsigned long long* sum;
  CHECK(cudaMallocHost(&values, n * sizeof(int)));  // pinned: copies run asynchronously
  CHECK(cudaMallocHost(&squares, n * sizeof(int)));
  CHECK(cudaMalloc(&device_values, n * sizeof(int)));
  CHECK(cudaMalloc(&device_squares, n * sizeof(int)));
  CHECK(cudaMallocManaged(&sum, sizeof *sum));
  *sum = 0;
  for (int i = 0; i < n; ++i) values[i] = i % 1000;

  cudaStream_t streams[kStreams], last;
  cudaEvent_t parts_done[kStreams], begin, end;
  for (int s = 0; s < kStreams; ++s) {
    CHECK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&parts_done[s], cudaEventDisableTiming));
  }
  CHECK(cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));

  std::atomic<int> parts_back{0};
  CHECK(cudaEventRecord(begin, last));
  for (int s = 0; s < kStreams; ++s) {
    const int at = s * kPart;
    const size_t bytes = kPart * sizeof(int);
    CHECK(cudaStreamWaitEvent(streams[s], begin, 0));
    int *in = device_values + at, *out = device_squares + at;
    CHECK(cudaMemcpyAsync(in, values + at, bytes, cudaMemcpyHostToDevice, streams[s]));
    square<<<parts(kPart, 256), 256, 0, streams[s]>>>(in, out, kPart);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(squares + at, out, bytes, cudaMemcpyDeviceToHost, streams[s]));
    CHECK(cudaLaunchHostFunc(streams[s], count_part, &parts_back));
    CHECK(cudaEventRecord(parts_done[s], streams[s]));
    CHECK(cudaStreamWaitEvent(last, parts_done[s], 0));
  }
  add_up<<<1, 256, 0, last>>>(device_squares, n, sum);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end, last));
  CHECK(cudaEventSynchronize(end));

  // All work is complete: the last stream waited for all other streams.
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  bool ok = parts_back == kStreams && milliseconds > 0;
  unsigned long long expected = 0;
  for (int i = 0; i < n; ++i) {
    ok = ok && squares[i] == values[i] * values[i];
    expected += values[i] * values[i];
  }
  ok = ok && *sum == expected;
  for (int s = 0; s < kStreams; ++s) {
    CHECK(cudaStreamQuery(streams[s]));
    CHECK(cudaEventDestroy(parts_done[s]));
    CHECK(cudaStreamDestroy(streams[s]));
  }

  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(last));
  CHECK(cudaFreeHost(values));
  CHECK(cudaFreeHost(squares));
  CHECK(cudaFree(device_values));
  CHECK(cudaFree(device_squares));
  CHECK(cudaFree(sum));
  return report("streams_events", ok, std::to_string(kStreams) + " streams");
}
