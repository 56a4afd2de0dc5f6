// Updates of executable graphs: results for each kind of difference, and changes of single nodes.
#include "cases.h"

__global__ void one(int* p, int v) { *p = v; }
__global__ void two(int* p, int v) { *p = v + 100; }
static void host_function(void* p) { *static_cast<int*>(p) += 1; }
static void host_function_2(void* p) { *static_cast<int*>(p) += 10; }

static int *memory, *memory2;
static int counter;
static cudaStream_t stream;

// A captured graph; `kind` chooses one difference from the graph of kind 0.
static cudaGraph_t make(int kind) {
  cudaGraph_t g = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  if (kind == 1) {
    two<<<1, 1, 0, stream>>>(memory, 5);
  } else {
    one<<<kind == 2 ? 2 : 1, kind == 3 ? 32 : 1, kind == 4 ? 1024 : 0, stream>>>(kind == 5 ? memory2 : memory, 5);
  }
  if (kind == 6) {
    cudaMemcpyAsync(memory2, memory, 4, cudaMemcpyDeviceToDevice, stream);
  } else if (kind != 7) {
    cudaMemsetAsync(kind == 8 ? memory : memory2, kind == 9 ? 7 : 3, kind == 10 ? 8 : 4, stream);
  }
  if (kind == 11) cudaMemsetAsync(memory, 1, 4, stream);
  if (kind == 12) cudaMemset2DAsync(memory2, 8, 1, 4, 2, stream);
  cudaLaunchHostFunc(stream, kind == 13 ? host_function_2 : host_function, &counter);
  cudaMemcpyAsync(memory, kind == 14 ? memory2 + 1 : memory2, kind == 15 ? 8 : 4, cudaMemcpyDeviceToDevice, stream);
  cudaStreamEndCapture(stream, &g);
  return g;
}

static void whole() {
  for (int kind = 0; kind <= 15; kind++) {
    cudaGraph_t first = make(0), second = make(kind);
    cudaGraphExec_t e = nullptr;
    cudaGraphInstantiate(&e, first, 0);
    cudaGraphExecUpdateResultInfo info{};
    info.result = (cudaGraphExecUpdateResult)77;
    char line[32];
    std::snprintf(line, sizeof line, "update %d", kind);
    CALL(line, cudaGraphExecUpdate(e, second, &info), int(info.result), info.errorNode != nullptr,
         info.errorFromNode != nullptr);
    counter = 0;
    int got[2] = {};
    cudaMemset(memory, 0, 16);
    cudaGraphLaunch(e, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(&got[0], memory, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&got[1], memory2, 4, cudaMemcpyDeviceToHost);
    std::snprintf(line, sizeof line, "run %d", kind);
    CALL(line, cudaGetLastError(), counter, got[0], got[1]);
    cudaGraphExecDestroy(e);
    cudaGraphDestroy(first);
    cudaGraphDestroy(second);
  }
  cudaGraphExecUpdateResultInfo info{};
  cudaGraph_t g = make(0);
  cudaGraphExec_t e;
  cudaGraphInstantiate(&e, g, 0);
  CALL("null exec", cudaGraphExecUpdate(nullptr, g, &info));
  CALL("null graph", cudaGraphExecUpdate(e, nullptr, &info));
  CALL("null info", cudaGraphExecUpdate(e, g, nullptr));
  CALL("same graph", cudaGraphExecUpdate(e, g, &info), int(info.result));
}

static void single() {
  cudaGraph_t g;
  cudaGraphNode_t k, m, c, h;
  cudaGraphCreate(&g, 0);
  int value = 5;
  void* arguments[] = {&memory, &value};
  cudaKernelNodeParams params{};
  params.func = (void*)one;
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphAddKernelNode(&k, g, nullptr, 0, &params);
  cudaMemsetParams set{};
  set.dst = memory2;
  set.elementSize = 1;
  set.width = 4;
  set.height = 1;
  cudaGraphAddMemsetNode(&m, g, nullptr, 0, &set);
  cudaGraphAddMemcpyNode1D(&c, g, &m, 1, memory + 1, memory2, 4, cudaMemcpyDeviceToDevice);
  cudaHostNodeParams call{host_function, &counter};
  cudaGraphAddHostNode(&h, g, nullptr, 0, &call);
  cudaGraphExec_t e;
  CALL("instantiate", cudaGraphInstantiate(&e, g, 0));
  value = 9;
  CALL("kernel", cudaGraphExecKernelNodeSetParams(e, k, &params));
  params.func = (void*)two;
  CALL("kernel function", cudaGraphExecKernelNodeSetParams(e, k, &params));
  params.gridDim = dim3(0);
  CALL("kernel grid 0", cudaGraphExecKernelNodeSetParams(e, k, &params));
  params.gridDim = dim3(1);
  CALL("kernel of other node", cudaGraphExecKernelNodeSetParams(e, m, &params));
  CALL("kernel null", cudaGraphExecKernelNodeSetParams(e, k, nullptr));
  set.value = 2;
  CALL("fill", cudaGraphExecMemsetNodeSetParams(e, m, &set));
  set.width = 8;
  CALL("fill wider", cudaGraphExecMemsetNodeSetParams(e, m, &set));
  set.elementSize = 4;
  set.width = 1;
  CALL("fill element", cudaGraphExecMemsetNodeSetParams(e, m, &set));
  set.height = 2;
  set.pitch = 4;
  CALL("fill 2d", cudaGraphExecMemsetNodeSetParams(e, m, &set));
  CALL("copy size", cudaGraphExecMemcpyNodeSetParams1D(e, c, memory + 1, memory2, 8, cudaMemcpyDeviceToDevice));
  int host = 0;
  CALL("copy kind", cudaGraphExecMemcpyNodeSetParams1D(e, c, &host, memory2, 4, cudaMemcpyDeviceToHost));
  CALL("copy 0", cudaGraphExecMemcpyNodeSetParams1D(e, c, memory + 1, memory2, 0, cudaMemcpyDeviceToDevice));
  call.fn = host_function_2;
  CALL("host", cudaGraphExecHostNodeSetParams(e, h, &call));
  counter = 0;
  CALL("launch", cudaGraphLaunch(e, stream));
  int got[2] = {};
  CALL("sync", cudaStreamSynchronize(stream), counter);
  cudaMemcpy(got, memory, 8, cudaMemcpyDeviceToHost);
  cases::put_array("values", got, 2);
  cudaGraphNode_t foreign;
  cudaGraph_t other;
  cudaGraphCreate(&other, 0);
  cudaGraphAddHostNode(&foreign, other, nullptr, 0, &call);
  CALL("foreign node", cudaGraphExecHostNodeSetParams(e, foreign, &call));
  CALL("destroy node of instantiated", cudaGraphDestroyNode(h));
  CALL("set of destroyed graph's", cudaGraphDestroy(other));
  CALL("launch after", cudaGraphLaunch(e, stream));
  CALL("sync after", cudaStreamSynchronize(stream), counter);
}

static void allocate() {
  cudaMalloc(&memory, 64);
  cudaMalloc(&memory2, 64);
  cudaMemset(memory2, 0, 64);
  cudaStreamCreate(&stream);
}
static void whole_graphs() {
  allocate();
  whole();
}
static void single_nodes() {
  allocate();
  single();
}

int main() {
  const cases::Case all[] = {{"whole graphs", whole_graphs}, {"single nodes", single_nodes}};
  cases::run_all(all, 2);
  return 0;
}
