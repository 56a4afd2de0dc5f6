// Calls that name a stream, in states of this stream: captured, joined, broken, joined and broken, null while a blocking
// stream is captured, per-thread. Result, state of the capture afterwards, its end, nodes by type.
#include "calls.h"

using namespace calls;

static Subject subject;

static void end(cudaStream_t captured) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t asked = cudaStreamIsCapturing(captured, &status);
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(captured, &graph);
  std::printf(" capture %s %d end %s nodes", cases::word(asked), int(status), cases::word(ended));
  if (graph != nullptr) {
    cudaGraphNode_t nodes[16];
    std::size_t count = 16;
    cudaGraphGetNodes(graph, nodes, &count);
    for (std::size_t i = 0; i < count; i++) {
      cudaGraphNodeType type;
      cudaGraphNodeGetType(nodes[i], &type);
      std::printf(" %d", int(type));
    }
    cudaGraphDestroy(graph);
  }
  std::printf("\n");
  cudaGetLastError();
}

enum State { kCaptured, kJoined, kBroken, kNull, kNullApart, kLegacy, kPerThread, kPerThreadCaptured, kEventInside };

static void all(const char* name, State state, cudaStreamCaptureMode mode) {
  for (const Call& call : stream_calls) {
    cudaStream_t captured, second;
    cudaEvent_t fork;
    const bool blocking = state == kNull || state == kLegacy || state == kPerThread;
    cudaStreamCreateWithFlags(&captured, blocking ? cudaStreamDefault : cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    if (state == kPerThreadCaptured) captured = cudaStreamPerThread;
    cudaStreamBeginCapture(captured, mode);
    Subject s = subject;
    s.stream = captured;
    if (state == kJoined) {
      cudaEventRecord(fork, captured);
      cudaStreamWaitEvent(second, fork, 0);
      s.stream = second;
    }
    if (state == kBroken) {
      cudaStreamSynchronize(captured);
      cudaGetLastError();
    }
    if (state == kNull || state == kNullApart) s.stream = nullptr;
    if (state == kLegacy) s.stream = cudaStreamLegacy;
    if (state == kPerThread) s.stream = cudaStreamPerThread;
    if (state == kEventInside) {
      s.event = fork;
      cudaEventRecord(fork, captured);
    }
    const cudaError_t result = call.make(s);
    const cudaError_t last = cudaGetLastError();
    std::printf("%s: %s last %s", cases::Name(call.name, name).text, cases::word(result), cases::word(last));
    end(captured);
    if (captured != cudaStreamPerThread) cudaStreamDestroy(captured);
    cudaStreamDestroy(second);
    cudaEventDestroy(fork);
    cudaDeviceSynchronize();
    cudaEventRecord(subject.event, 0);
    cudaDeviceSynchronize();
    cudaGetLastError();
  }
}

int main() {
  prepare(subject);
  all("captured", kCaptured, cudaStreamCaptureModeGlobal);
  all("captured relaxed", kCaptured, cudaStreamCaptureModeRelaxed);
  all("joined", kJoined, cudaStreamCaptureModeRelaxed);
  all("broken", kBroken, cudaStreamCaptureModeRelaxed);
  all("null", kNull, cudaStreamCaptureModeRelaxed);
  all("null global", kNull, cudaStreamCaptureModeGlobal);
  all("null apart", kNullApart, cudaStreamCaptureModeRelaxed);
  all("legacy", kLegacy, cudaStreamCaptureModeRelaxed);
  all("per thread", kPerThread, cudaStreamCaptureModeRelaxed);
  all("per thread captured", kPerThreadCaptured, cudaStreamCaptureModeRelaxed);
  all("event inside", kEventInside, cudaStreamCaptureModeRelaxed);
  return 0;
}
