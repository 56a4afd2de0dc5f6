// Graphs built node by node: results of wrong arguments, order of nodes and edges, dependencies, clones, parameters.
#include "cases.h"

__global__ void kernel(int* p, int v) { *p = v; }
static void host_function(void* p) { *static_cast<int*>(p) += 1; }

#if CUDART_VERSION >= 13000
#define EDGE_DATA nullptr,
#else
#define EDGE_DATA
#endif

static int* memory;

static cudaGraphNode_t empty(cudaGraph_t g, const cudaGraphNode_t* after = nullptr, std::size_t n = 0) {
  cudaGraphNode_t node = nullptr;
  cudaGraphAddEmptyNode(&node, g, after, n);
  return node;
}

static void adding() {
  cudaGraph_t g, other;
  cudaGraphNode_t n = nullptr, a, b, c, d;
  CALL("create", cudaGraphCreate(&g, 0));
  cudaGraphCreate(&other, 0);
  CALL("empty", cudaGraphAddEmptyNode(&a, g, nullptr, 0));
  CALL("empty null out", cudaGraphAddEmptyNode(nullptr, g, nullptr, 0));
  CALL("empty null graph", cudaGraphAddEmptyNode(&n, nullptr, nullptr, 0));
  CALL("empty count without list", cudaGraphAddEmptyNode(&n, g, nullptr, 1));
  CALL("empty after", cudaGraphAddEmptyNode(&b, g, &a, 1));
  cudaGraphNode_t twice[2] = {a, a};
  CALL("empty after twice", cudaGraphAddEmptyNode(&n, g, twice, 2));
  cudaGraphNode_t foreign = empty(other);
  CALL("empty after foreign", cudaGraphAddEmptyNode(&n, g, &foreign, 1));
  cudaGraphNode_t none = nullptr;
  CALL("empty after null", cudaGraphAddEmptyNode(&n, g, &none, 1));
  c = empty(g);
  d = empty(g, &b, 1);
  std::size_t count = 77;
  CALL("count", cudaGraphGetNodes(g, nullptr, &count), count);
  cudaGraphNode_t list[10] = {};
  count = 10;
  CALL("nodes", cudaGraphGetNodes(g, list, &count), count, list[0] == a, list[1] == b, list[2] == c, list[3] == d,
       list[4] == nullptr);
  list[1] = (cudaGraphNode_t)8;
  count = 1;
  CALL("nodes 1", cudaGraphGetNodes(g, list, &count), count, list[0] == a, list[1] == (cudaGraphNode_t)8);
  count = 10;
  CALL("roots", cudaGraphGetRootNodes(g, list, &count), count, list[0] == a, list[1] == c);
  CALL("nodes null count", cudaGraphGetNodes(g, list, nullptr));
  cudaGraphNode_t from[10] = {}, to[10] = {};
  count = 10;
  CALL("edges", cudaGraphGetEdges(g, from, to, EDGE_DATA &count), count, from[0] == a, to[0] == b, from[1] == b, to[1] == d);
  CALL("edges one list", cudaGraphGetEdges(g, from, nullptr, EDGE_DATA &count), count);
  CALL("add edge", cudaGraphAddDependencies(g, &c, &d, EDGE_DATA 1));
  CALL("add edge again", cudaGraphAddDependencies(g, &c, &d, EDGE_DATA 1));
  CALL("add edge to itself", cudaGraphAddDependencies(g, &c, &c, EDGE_DATA 1));
  CALL("add cycle", cudaGraphAddDependencies(g, &d, &a, EDGE_DATA 1));
  cudaGraphExec_t e = nullptr;
  CALL("instantiate cycle", cudaGraphInstantiate(&e, g, 0));
  CALL("remove cycle", cudaGraphRemoveDependencies(g, &d, &a, EDGE_DATA 1));
  CALL("remove absent", cudaGraphRemoveDependencies(g, &d, &a, EDGE_DATA 1));
  CALL("add foreign", cudaGraphAddDependencies(g, &foreign, &a, EDGE_DATA 1));
  CALL("add none", cudaGraphAddDependencies(g, nullptr, nullptr, EDGE_DATA 0));
  CALL("add null", cudaGraphAddDependencies(g, nullptr, nullptr, EDGE_DATA 1));
  count = 10;
  CALL("dependencies", cudaGraphNodeGetDependencies(d, list, EDGE_DATA &count), count, list[0] == b, list[1] == c);
  count = 10;
  CALL("dependents", cudaGraphNodeGetDependentNodes(a, list, EDGE_DATA &count), count, list[0] == b);
  cudaGraph_t clone = nullptr;
  CALL("clone", cudaGraphClone(&clone, g));
  CALL("find in clone", cudaGraphNodeFindInClone(&n, b, clone), n != nullptr, n != b);
  CALL("find in other", cudaGraphNodeFindInClone(&n, b, other));
  CALL("find foreign", cudaGraphNodeFindInClone(&n, foreign, clone));
  CALL("destroy node", cudaGraphDestroyNode(b));
  count = 0;
  CALL("count after", cudaGraphGetNodes(g, nullptr, &count), count);
  CALL("edges after", cudaGraphGetEdges(g, nullptr, nullptr, EDGE_DATA &count), count);
  CALL("find destroyed", cudaGraphNodeFindInClone(&n, b, clone));
  CALL("clone keeps", cudaGraphGetNodes(clone, nullptr, &count), count);
  CALL("destroy null node", cudaGraphDestroyNode(nullptr));
  CALL("child", cudaGraphAddChildGraphNode(&n, g, nullptr, 0, other));
  CALL("child of itself", cudaGraphAddChildGraphNode(&n, g, nullptr, 0, g));
  CALL("child null", cudaGraphAddChildGraphNode(&n, g, nullptr, 0, nullptr));
  CALL("instantiate", cudaGraphInstantiate(&e, g, 0));
  CALL("instantiate flags", cudaGraphInstantiate(&e, g, 1 << 20));
  CALL("instantiate null out", cudaGraphInstantiate(nullptr, g, 0));
  CALL("launch", cudaGraphLaunch(e, 0));
  unsigned long long flags = 77;
  CALL("flags", cudaGraphExecGetFlags(e, &flags), flags);
  CALL("instantiate upload", cudaGraphInstantiateWithFlags(&e, g, cudaGraphInstantiateFlagUpload));
  CALL("instantiate auto free", cudaGraphInstantiate(&e, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CALL("instantiate priority", cudaGraphInstantiate(&e, g, cudaGraphInstantiateFlagUseNodePriority));
  CALL("flags 2", cudaGraphExecGetFlags(e, &flags), flags);
  cudaGraphInstantiateParams params{};
  CALL("with params", cudaGraphInstantiateWithParams(&e, g, &params), int(params.result_out));
  params.flags = cudaGraphInstantiateFlagUpload;
  CALL("with params upload", cudaGraphInstantiateWithParams(&e, g, &params), int(params.result_out));
  cudaGraphAddDependencies(g, &c, &d, EDGE_DATA 1);
  cudaGraphAddDependencies(g, &d, &c, EDGE_DATA 1);
  params = {};
  CALL("with params cycle", cudaGraphInstantiateWithParams(&e, g, &params), int(params.result_out));
  CALL("end", cudaDeviceSynchronize());
}

static void parameters() {
  cudaGraph_t g;
  cudaGraphCreate(&g, 0);
  cudaGraphNode_t k, m, f, h, n;
  int value = 5, counter = 0, host = 0;
  void* arguments[] = {&memory, &value};
  cudaKernelNodeParams kernel_params{};
  kernel_params.func = (void*)kernel;
  kernel_params.gridDim = dim3(1);
  kernel_params.blockDim = dim3(1);
  kernel_params.kernelParams = arguments;
  CALL("kernel", cudaGraphAddKernelNode(&k, g, nullptr, 0, &kernel_params));
  CALL("kernel null", cudaGraphAddKernelNode(&n, g, nullptr, 0, nullptr));
  for (int i = 0; i < 7; i++) {
    cudaKernelNodeParams p = kernel_params;
    if (i == 0) p.func = nullptr;
    if (i == 1) p.gridDim = dim3(0);
    if (i == 2) p.blockDim = dim3(1025);
    if (i == 3) p.sharedMemBytes = 1 << 20;
    if (i == 4) p.gridDim = dim3(1, 65536);
    if (i == 5) p.func = (void*)&host;
    if (i == 6) p.blockDim = dim3(1, 1, 65);
    char line[32];
    std::snprintf(line, sizeof line, "kernel bad %d", i);
    CALL(line, cudaGraphAddKernelNode(&n, g, nullptr, 0, &p));
  }
  cudaMemsetParams set{};
  set.dst = memory + 1;
  set.value = 0x01020304;
  set.elementSize = 4;
  set.width = 3;
  set.height = 1;
  CALL("fill", cudaGraphAddMemsetNode(&m, g, nullptr, 0, &set));
  for (int i = 0; i < 9; i++) {
    cudaMemsetParams p = set;
    if (i == 0) p.dst = nullptr;
    if (i == 1) p.elementSize = 3;
    if (i == 2) p.elementSize = 8;
    if (i == 3) p.width = 0;
    if (i == 4) p.height = 0;
    if (i == 5) p.height = 2, p.pitch = 4;
    if (i == 6) p.elementSize = 1, p.value = 0x1234;
    if (i == 7) p.dst = &host;
    if (i == 8) p.dst = (char*)memory + 1;
    char line[32];
    std::snprintf(line, sizeof line, "fill bad %d", i);
    CALL(line, cudaGraphAddMemsetNode(&n, g, nullptr, 0, &p));
    cudaGraphNode_t list[20];
    std::size_t count = 20;
    cudaGraphGetNodes(g, list, &count);
    if (count > 2) cudaGraphDestroyNode(list[count - 1]);
  }
  cudaGraphNode_t both[] = {k, m};
  CALL("copy", cudaGraphAddMemcpyNode1D(&f, g, both, 2, &host, memory, 4, cudaMemcpyDeviceToHost));
  CALL("copy 0", cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, &host, memory, 0, cudaMemcpyDeviceToHost));
  CALL("copy null", cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, nullptr, memory, 4, cudaMemcpyDeviceToHost));
  CALL("copy kind", cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, &host, memory, 4, (cudaMemcpyKind)9));
  CALL("copy wrong kind", cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, &host, memory, 4, cudaMemcpyDeviceToDevice));
  cudaHostNodeParams call{host_function, &counter};
  CALL("host", cudaGraphAddHostNode(&h, g, &f, 1, &call));
  cudaHostNodeParams no_call{};
  CALL("host null function", cudaGraphAddHostNode(&n, g, nullptr, 0, &no_call));
  CALL("host null", cudaGraphAddHostNode(&n, g, nullptr, 0, nullptr));
  CALL("event record null", cudaGraphAddEventRecordNode(&n, g, nullptr, 0, nullptr));
  CALL("event wait null", cudaGraphAddEventWaitNode(&n, g, nullptr, 0, nullptr));
  value = 6;
  cudaGraphExec_t e;
  CALL("instantiate 2", cudaGraphInstantiate(&e, g, 0));
  CALL("launch 2", cudaGraphLaunch(e, 0));
  CALL("sync 2", cudaDeviceSynchronize(), host, counter);
  int got[4] = {};
  cudaMemcpy(got, memory, 16, cudaMemcpyDeviceToHost);
  cases::put_array("memory", got, 4);
  cudaGraphNodeType type;
  for (cudaGraphNode_t node : {k, m, f, h}) {
    char line[32];
    cudaGraphNodeGetType(node, &type);
    std::snprintf(line, sizeof line, "type %d", int(type));
    CALL(line, cudaSuccess, int(type));
  }
  cudaKernelNodeParams read{};
  CALL("get kernel", cudaGraphKernelNodeGetParams(k, &read), read.func == (void*)kernel, read.gridDim.x, read.blockDim.x,
       read.sharedMemBytes, read.extra == nullptr, *(int*)read.kernelParams[1]);
  CALL("get kernel of fill", cudaGraphKernelNodeGetParams(m, &read));
  cudaMemsetParams read_set{};
  CALL("get fill", cudaGraphMemsetNodeGetParams(m, &read_set), read_set.value, read_set.elementSize, read_set.width,
       read_set.height, read_set.pitch);
  cudaMemcpy3DParms read_copy{};
  CALL("get copy", cudaGraphMemcpyNodeGetParams(f, &read_copy), int(read_copy.kind), read_copy.extent.width,
       read_copy.extent.height, read_copy.extent.depth, read_copy.srcPtr.ptr == memory, read_copy.srcPtr.pitch,
       read_copy.srcPtr.xsize, read_copy.srcPtr.ysize);
  cudaHostNodeParams read_host{};
  CALL("get host", cudaGraphHostNodeGetParams(h, &read_host), read_host.fn == host_function);
  CALL("get host of kernel", cudaGraphHostNodeGetParams(k, &read_host));
  unsigned enabled = 77;
  CALL("enabled", cudaGraphNodeGetEnabled(e, k, &enabled), enabled);
  CALL("disable", cudaGraphNodeSetEnabled(e, k, 0));
  CALL("enabled 2", cudaGraphNodeGetEnabled(e, k, &enabled), enabled);
  CALL("disable host", cudaGraphNodeSetEnabled(e, h, 0));
  CALL("set to 2", cudaGraphNodeSetEnabled(e, k, 2));
  CALL("enabled host", cudaGraphNodeGetEnabled(e, h, &enabled), enabled);
  CALL("enable fill null exec", cudaGraphNodeSetEnabled(nullptr, m, 1));
  CALL("dot", cudaGraphDebugDotPrint(g, "/dev/null", 0));
  CALL("dot null", cudaGraphDebugDotPrint(g, nullptr, 0));
  CALL("dot bad path", cudaGraphDebugDotPrint(g, "/no/such/folder/x", 0));
  CALL("end 2", cudaDeviceSynchronize());
}

static void without_parameters() {
  cudaGraph_t g;
  cudaGraphNode_t n;
  cudaGraphCreate(&g, 0);
  cudaKernelNodeParams p{};
  p.func = (void*)kernel;
  p.gridDim = p.blockDim = dim3(1);
  SAY("result", cudaGraphAddKernelNode(&n, g, nullptr, 0, &p));
}

static void nodes() {
  cudaMalloc(&memory, 64);
  adding();
}
static void node_parameters() {
  cudaMalloc(&memory, 64);
  parameters();
}

int main() {
  const cases::Case all[] = {
      {"adding", nodes}, {"parameters", node_parameters}, {"without parameters", without_parameters}};
  cases::run_all(all, 3);
  return 0;
}
