// A graph built node by node: two kernels that are independent of each other, a kernel that needs
// both, and a copy. Later launches have other parameters. The kernels read registers by PTX.
#include "check.h"

#include <vector>

__device__ unsigned lane() {
  unsigned result;
  asm("mov.u32 %0, %%laneid;" : "=r"(result));
  return result;
}

__global__ void fill(int* out, int start) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = start + int(lane());
}

__global__ void add(const int* a, const int* b, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum;
  asm("mad.lo.s32 %0, %1, 2, %2;" : "=r"(sum) : "r"(a[i]), "r"(b[i]));
  out[i] = sum;
}

int main() {
  const int n = 1024, threads = 128;
  int *a, *b, *out;
  CHECK(cudaMalloc(&a, n * sizeof(int)));
  CHECK(cudaMalloc(&b, n * sizeof(int)));
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  std::vector<int> result(n);

  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams params = {};
  params.gridDim = dim3(n / threads);
  params.blockDim = dim3(threads);

  cudaGraphNode_t fills[2], sum, copy;
  int start = 100;
  void* fill_a[] = {&a, &start};
  params.func = (void*)fill;
  params.kernelParams = fill_a;
  CHECK(cudaGraphAddKernelNode(&fills[0], graph, nullptr, 0, &params));
  start = 7;
  void* fill_b[] = {&b, &start};
  params.kernelParams = fill_b;
  CHECK(cudaGraphAddKernelNode(&fills[1], graph, nullptr, 0, &params));
  void* sum_of[] = {&a, &b, &out};
  params.func = (void*)add;
  params.kernelParams = sum_of;
  CHECK(cudaGraphAddKernelNode(&sum, graph, fills, 2, &params));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &sum, 1, result.data(), out, n * sizeof(int),
                                 cudaMemcpyDeviceToHost));

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  bool ok = true;
  for (int launch = 0; launch < 3; ++launch) {
    start = launch * 1000;
    params.func = (void*)fill;
    params.kernelParams = fill_a;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, fills[0], &params));
    CHECK(cudaGraphLaunch(exec, nullptr));
    CHECK(cudaStreamSynchronize(nullptr));
    for (int i = 0; i < n; ++i) ok = ok && result[i] == 2 * (start + i % 32) + 7 + i % 32;
  }

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(out));
  return report("graph_nodes", ok, "3 launches of 4 nodes");
}
