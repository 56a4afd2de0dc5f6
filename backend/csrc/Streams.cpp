#include "Backend.h"
#include "release/Graph.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/cuda/CUDAGraphsUtils.cuh>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

namespace at::cuda::backend {

Stream current_stream(DeviceIndex index) { return c10::cuda::getCurrentCUDAStream(index); }

Stream default_stream(DeviceIndex index) { return c10::cuda::getDefaultCUDAStream(index); }

void set_stream(Stream stream) {
  if (c10::cuda::current_device() != stream.device_index()) {
    c10::cuda::set_device(stream.device_index());
  }
  c10::cuda::setCurrentCUDAStream(c10::cuda::CUDAStream(stream));
}

Stream stream_from_pool(int priority, DeviceIndex index) {
  return c10::cuda::getStreamFromPool(priority, index);
}

Stream stream_from_external(uintptr_t handle, DeviceIndex index) {
  const auto device = index < 0 ? c10::cuda::current_device() : index;
  return c10::cuda::getStreamFromExternal(reinterpret_cast<cudaStream_t>(handle), device);
}

uintptr_t stream_handle(Stream stream) {
  return reinterpret_cast<uintptr_t>(c10::cuda::CUDAStream(stream).stream());
}

int stream_priority(Stream stream) { return c10::cuda::CUDAStream(stream).priority(); }

std::pair<int, int> stream_priority_range() {
  const auto [least, greatest] = c10::cuda::CUDAStream::priority_range();
  return {least, greatest};
}

bool is_current_stream_capturing() {
  return at::cuda::currentStreamCaptureStatus() == at::cuda::CaptureStatus::Active;
}

MempoolId graph_pool_handle() { return at::cuda::graph_pool_handle(); }

struct Graph::Implementation {
  at::cuda::CUDAGraph graph;
};

Graph::Graph() : implementation_(std::make_unique<Implementation>()) {}
Graph::~Graph() = default;

void Graph::capture_begin(MempoolId pool, const std::string& mode) {
  cudaStreamCaptureMode value = cudaStreamCaptureModeGlobal;
  if (mode == "thread_local") {
    value = cudaStreamCaptureModeThreadLocal;
  } else if (mode == "relaxed") {
    value = cudaStreamCaptureModeRelaxed;
  } else {
    TORCH_CHECK(mode == "global",
                "the capture error modes are global, thread_local and relaxed, not ", mode);
  }
  implementation_->graph.capture_begin(pool, value);
}

void Graph::capture_end() { implementation_->graph.capture_end(); }

void Graph::replay() { implementation_->graph.replay(); }

void Graph::reset() { implementation_->graph.reset(); }

MempoolId Graph::pool() { return implementation_->graph.pool(); }

void Graph::register_generator_state(const Generator& generator) {
  release::registerGenerator(implementation_->graph, generator, 0);
}

void Graph::enable_debug_mode() { implementation_->graph.enable_debug_mode(); }

void Graph::debug_dump(const std::string& path) {
  release::debugDump(implementation_->graph, path, 0);
}

}  // namespace at::cuda::backend
