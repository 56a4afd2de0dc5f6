// Calls that do not name a captured stream, while a capture by this or another thread is active: result, whether the capture
// is still valid, result of its end, and number of nodes.
#include "calls.h"

#include <future>
#include <thread>

using namespace calls;

static Subject subject;

static void line(const char* state, const Call& call, cudaStream_t captured) {
  const cudaError_t result = call.make(subject);
  const cudaError_t last = cudaGetLastError();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t asked = cudaStreamIsCapturing(captured, &status);
  std::printf("%s: %s last %s capture %s %d", cases::Name(call.name, state).text, cases::word(result), cases::word(last),
              cases::word(asked), int(status));
}

static void end(cudaStream_t captured) {
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(captured, &graph);
  std::size_t nodes = 0;
  if (graph != nullptr) {
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphDestroy(graph);
  }
  std::printf(" end %s graph %d nodes %zu\n", cases::word(ended), graph != nullptr, nodes);
  cudaGetLastError();
}

template <int kCount>
static void all(const char* state, const Call (&table)[kCount], cudaStreamCaptureMode mode, bool blocking) {
  for (const Call& call : table) {
    cudaStream_t captured;
    cudaStreamCreateWithFlags(&captured, blocking ? cudaStreamDefault : cudaStreamNonBlocking);
    cudaStreamBeginCapture(captured, mode);
    line(state, call, captured);
    end(captured);
    cudaStreamDestroy(captured);
    cudaDeviceSynchronize();
    cudaGetLastError();
  }
}

template <int kCount>
static void by_another_thread(const char* state, const Call (&table)[kCount], cudaStreamCaptureMode mode) {
  for (const Call& call : table) {
    std::promise<cudaStream_t> begun;
    std::promise<void> done;
    std::thread other([&] {
      cudaStream_t captured;
      cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking);
      cudaStreamBeginCapture(captured, mode);
      begun.set_value(captured);
      done.get_future().wait();
      end(captured);
      cudaStreamDestroy(captured);
    });
    line(state, call, begun.get_future().get());
    done.set_value();
    other.join();
    cudaDeviceSynchronize();
    cudaGetLastError();
  }
}

static void exchanges_nothing() { CALL("exchange null", cudaThreadExchangeStreamCaptureMode(nullptr)); }

static void every_call() {
  prepare(subject);
  all("global", device_calls, cudaStreamCaptureModeGlobal, false);
  all("thread", device_calls, cudaStreamCaptureModeThreadLocal, false);
  all("relaxed", device_calls, cudaStreamCaptureModeRelaxed, false);
  all("blocking relaxed", device_calls, cudaStreamCaptureModeRelaxed, true);
  all("stream global", stream_calls, cudaStreamCaptureModeGlobal, false);
  by_another_thread("other global", device_calls, cudaStreamCaptureModeGlobal);
  by_another_thread("other thread", device_calls, cudaStreamCaptureModeThreadLocal);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  CALL("exchange", cudaThreadExchangeStreamCaptureMode(&mode), int(mode));
  all("exchanged relaxed global", device_calls, cudaStreamCaptureModeGlobal, false);
  CALL("exchange back", cudaThreadExchangeStreamCaptureMode(&mode), int(mode));
  mode = cudaStreamCaptureModeThreadLocal;
  CALL("exchange thread", cudaThreadExchangeStreamCaptureMode(&mode), int(mode));
  by_another_thread("exchanged thread other global", device_calls, cudaStreamCaptureModeGlobal);
  mode = static_cast<cudaStreamCaptureMode>(5);
  CALL("exchange wrong", cudaThreadExchangeStreamCaptureMode(&mode), int(mode));
}

int main() {
  const cases::Case all_cases[] = {{"calls", every_call}, {"null", exchanges_nothing}};
  cases::seconds = 25;
  cases::run_all(all_cases, 2);
  return 0;
}
