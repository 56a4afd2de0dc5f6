// Memory that graphs allocate: captures and nodes, second launches, instances, clones, frees inside and outside, reuse.
#include "cases.h"

__global__ void store(int* p, int v) { *p = v; }

static cudaStream_t stream;

static cudaGraph_t allocating(void** p, bool frees) {
  cudaGraph_t g;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  cudaMallocAsync(p, 4096, stream);
  store<<<1, 1, 0, stream>>>((int*)*p, 42);
  if (frees) cudaFreeAsync(*p, stream);
  cudaStreamEndCapture(stream, &g);
  return g;
}

static void leaving() {
  cudaStreamCreate(&stream);
  void* p;
  cudaGraph_t g = allocating(&p, false), clone = nullptr;
  cudaGraphExec_t e = nullptr, e2 = nullptr;
  CALL("free before", cudaFree(p));
  CALL("instantiate", cudaGraphInstantiate(&e, g, 0));
  CALL("instantiate second", cudaGraphInstantiate(&e2, g, 0));
  CALL("clone", cudaGraphClone(&clone, g));
  cudaGraph_t parent;
  cudaGraphNode_t node;
  cudaGraphCreate(&parent, 0);
  CALL("as child", cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, g));
  CALL("free before launch", cudaFreeAsync(p, stream));
  CALL("launch", cudaGraphLaunch(e, stream));
  CALL("launch again", cudaGraphLaunch(e, stream));
  int v = 0;
  CALL("read", cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost), v);
  cudaPointerAttributes a{};
  CALL("attributes", cudaPointerGetAttributes(&a, p), int(a.type), a.device);
  CALL("free", cudaFreeAsync(p, stream));
  CALL("free twice", cudaFreeAsync(p, stream));
  CALL("launch after free", cudaGraphLaunch(e, stream));
  CALL("cudaFree", cudaFree(p));
  CALL("launch after cudaFree", cudaGraphLaunch(e, stream));
  CALL("destroy exec", cudaGraphExecDestroy(e));
  CALL("read after destroy", cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost), v);
  CALL("destroy graph", cudaGraphDestroy(g));
  CALL("free after destroy", cudaFree(p));
  CALL("sync", cudaDeviceSynchronize());
}

static void automatic() {
  cudaStreamCreate(&stream);
  void* p;
  cudaGraph_t g = allocating(&p, false);
  cudaGraphExec_t e;
  CALL("auto instantiate", cudaGraphInstantiate(&e, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CALL("auto launch", cudaGraphLaunch(e, stream));
  CALL("auto launch again", cudaGraphLaunch(e, stream));
  CALL("auto free", cudaFreeAsync(p, stream));
  CALL("auto launch after free", cudaGraphLaunch(e, stream));
  CALL("auto sync", cudaStreamSynchronize(stream));
  CALL("auto destroy", cudaGraphExecDestroy(e));
}

static void inside() {
  cudaStreamCreate(&stream);
  void* p;
  cudaGraph_t g = allocating(&p, true);
  cudaGraphExec_t e;
  CALL("inside instantiate", cudaGraphInstantiate(&e, g, 0));
  CALL("inside launch", cudaGraphLaunch(e, stream));
  CALL("inside launch again", cudaGraphLaunch(e, stream));
  CALL("inside free", cudaFreeAsync(p, stream));
  CALL("inside sync", cudaStreamSynchronize(stream));
  cudaGraphExecUpdateResultInfo info{};
  CALL("inside update", cudaGraphExecUpdate(e, g, &info), int(info.result));
}

static void in_captures() {
  cudaStreamCreate(&stream);
  void *p = nullptr, *q = nullptr, *outer = nullptr;
  cudaGraph_t g;
  cudaMallocAsync(&outer, 64, stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  CALL("free outer in capture", cudaFreeAsync(outer, stream));
  CALL("end outer", cudaStreamEndCapture(stream, &g));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  cudaMallocAsync(&p, 64, stream);
  CALL("free in capture", cudaFreeAsync(p, stream));
  CALL("free twice in capture", cudaFreeAsync(p, stream));
  CALL("free odd in capture", cudaFreeAsync((void*)16, stream));
  CALL("free null in capture", cudaFreeAsync(nullptr, stream));
  CALL("malloc 0 in capture", cudaMallocAsync(&q, 0, stream), q == nullptr);
  CALL("malloc huge in capture", cudaMallocAsync(&q, std::size_t(1) << 60, stream));
  CALL("end capture", cudaStreamEndCapture(stream, &g));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  cudaMallocAsync(&p, 4096, stream);
  CALL("cudaFree in capture", cudaFree(p));
  cudaFreeAsync(p, stream);
  cudaMallocAsync(&q, 4096, stream);
  CALL("reuse in graph", cudaGetLastError(), p == q);
  cudaFreeAsync(q, stream);
  cudaGraph_t g2;
  CALL("end reuse", cudaStreamEndCapture(stream, &g2));
}

static void nodes() {
  cudaGraph_t g, other;
  cudaGraphCreate(&g, 0);
  cudaGraphCreate(&other, 0);
  cudaMemAllocNodeParams p{};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = 4096;
  cudaGraphNode_t a, f, n;
  CALL("alloc node", cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p), p.dptr != nullptr);
  cudaMemAllocNodeParams bad = p;
  bad.bytesize = 0;
  CALL("alloc node 0", cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &bad));
  bad = p;
  bad.poolProps.location.id = 99;
  CALL("alloc node device", cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &bad));
  CALL("alloc node null", cudaGraphAddMemAllocNode(&n, g, nullptr, 0, nullptr));
  CALL("free node null", cudaGraphAddMemFreeNode(&n, g, &a, 1, nullptr));
  CALL("free node odd", cudaGraphAddMemFreeNode(&n, g, &a, 1, (void*)16));
  CALL("free node without order", cudaGraphAddMemFreeNode(&n, g, nullptr, 0, p.dptr));
  CALL("free node elsewhere", cudaGraphAddMemFreeNode(&n, other, nullptr, 0, p.dptr));
  CALL("free node", cudaGraphAddMemFreeNode(&f, g, &a, 1, p.dptr));
  CALL("free node twice", cudaGraphAddMemFreeNode(&n, g, &a, 1, p.dptr));
  CALL("destroy alloc node", cudaGraphDestroyNode(a));
  CALL("remove edge", cudaSuccess);
  cudaGraphExec_t e = nullptr;
  CALL("instantiate nodes", cudaGraphInstantiate(&e, g, 0));
  if (e != nullptr) CALL("launch nodes", cudaGraphLaunch(e, 0));
  CALL("sync nodes", cudaDeviceSynchronize());
}

int main() {
  const cases::Case all[] = {{"leaving", leaving},         {"automatic", automatic}, {"inside", inside},
                             {"in captures", in_captures}, {"nodes", nodes}};
  cases::run_all(all, 5);
  return 0;
}
