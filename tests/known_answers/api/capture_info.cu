// What cudaStreamGetCaptureInfo says before, during and after captures.
#include "cases.h"

__global__ void nothing() {}

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  unsigned long long id = 77;
  cudaGraph_t g = (cudaGraph_t)8;
  const cudaGraphNode_t* after = nullptr;
  std::size_t n = 77;
#if CUDART_VERSION >= 13000
#define INFO(stream, status, ...) cudaStreamGetCaptureInfo(stream, status, ##__VA_ARGS__)
  const cudaGraphEdgeData* data = nullptr;
#define REST &id, &g, &after, &data, &n
#else
#define INFO(stream, status, ...) cudaStreamGetCaptureInfo(stream, status, ##__VA_ARGS__)
#define REST &id, &g, &after, &n
#endif
  CALL("info idle", INFO(s, &status, REST), int(status), id == 77, g == (cudaGraph_t)8, n == 77);
  CALL("info null status", INFO(s, nullptr));
  CALL("info null stream", INFO(nullptr, &status), int(status));
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  CALL("info begun", INFO(s, &status, REST), int(status), id != 77, g != (cudaGraph_t)8, n);
  nothing<<<1, 1, 0, s>>>();
  CALL("info after a node", INFO(s, &status, REST), int(status), n);
  unsigned long long first = id;
  cudaEvent_t e;
  cudaEventCreate(&e);
  cudaEventRecord(e, s);
  cudaStream_t t;
  cudaStreamCreate(&t);
  cudaStreamWaitEvent(t, e, 0);
  nothing<<<1, 1, 0, t>>>();
  CALL("info joined", INFO(t, &status, REST), int(status), id == first, n);
  cudaEventRecord(e, t);
  cudaStreamWaitEvent(s, e, 0);
  CALL("info two", INFO(s, &status, REST), int(status), n);
  CALL("info legacy", INFO(nullptr, &status, &id), int(status));
  cudaGraph_t ended;
  CALL("end", cudaStreamEndCapture(s, &ended), ended == g);
  CALL("info ended", INFO(s, &status, &id), int(status));
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  INFO(s, &status, &id);
  cases::put_values("another id", id != first);
  cudaStreamSynchronize(s);
  cudaGetLastError();
  CALL("info broken", INFO(s, &status, REST), int(status));
  CALL("end broken", cudaStreamEndCapture(s, &ended), ended == nullptr);
  return 0;
}
