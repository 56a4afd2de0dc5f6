#pragma once

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/ivalue.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace at::cuda::backend::distributed {

/// Copies, in the host's memory, of the device's tensors that take part in one operation.
class HostCopies {
 public:
  /// Use of a tensor by the operation, on this rank: `input` and `sent` tensors are read, `output` tensors are
  /// written, and `changed` tensors are both. All except `input` tensors are results of the operation.
  enum class Use { input, sent, output, changed };

  /// Tensor of the host for a tensor of the device: a copy if the operation reads the tensor. The function waits for
  /// the current stream, because the operation ends on another thread, with another stream.
  at::Tensor of(const at::Tensor& tensor, Use use) {
    const AutoDispatchBelowADInplaceOrView guard;
    at::Tensor copy;
    if (use == Use::output) {
      copy = at::empty_like(tensor, tensor.options().device(at::kCPU));
      c10::cuda::getCurrentCUDAStream(tensor.get_device()).synchronize();
    } else {
      copy = tensor.to(at::kCPU);
    }
    if (use != Use::input) {
      results_.push_back(tensor);
    }
    if (use == Use::output || use == Use::changed) {
      written_.emplace_back(tensor, copy);
    }
    return copy;
  }

  /// Makes `host`, which is of the host's memory, the value of a result of the operation.
  void resultFrom(const at::Tensor& tensor, const at::Tensor& host) {
    results_.push_back(tensor);
    written_.emplace_back(tensor, host);
  }

  std::vector<at::Tensor> of(const std::vector<at::Tensor>& tensors, Use use) {
    std::vector<at::Tensor> copies;
    for (const auto& tensor : tensors) {
      copies.push_back(of(tensor, use));
    }
    return copies;
  }

  std::vector<std::vector<at::Tensor>> of(
      const std::vector<std::vector<at::Tensor>>& lists,
      Use use) {
    std::vector<std::vector<at::Tensor>> copies;
    for (const auto& tensors : lists) {
      copies.push_back(of(tensors, use));
    }
    return copies;
  }

  void copyBack() const {
    const AutoDispatchBelowADInplaceOrView guard;
    for (const auto& [tensor, copy] : written_) {
      tensor.copy_(copy);
    }
  }

  /// Results on the device, in the order in which the operation has them.
  const std::vector<at::Tensor>& results() const {
    return results_;
  }

 private:
  std::vector<at::Tensor> results_;
  std::vector<std::pair<at::Tensor, at::Tensor>> written_;
};

/// Work of an operation on copies. It is complete when the results are on the device.
class HostWork : public c10d::Work {
 public:
  HostWork(c10::intrusive_ptr<c10d::Work> work, HostCopies copies)
      : work_(std::move(work)), future_(copiedBack(*work_, std::move(copies))) {}

  bool isCompleted() override {
    return future_->completed();
  }
  bool isSuccess() const override {
    return future_->completed() && !future_->hasError();
  }
  std::exception_ptr exception() const override {
    return future_->hasError() ? future_->exception_ptr() : nullptr;
  }
  std::vector<at::Tensor> result() override {
    return future_->value().toTensorVector();
  }
  void synchronize() override {
    wait();
  }
  bool wait(std::chrono::milliseconds timeout = kNoTimeout) override {
    const bool ended = work_->wait(timeout);  // throws after the timeout
    future_->waitAndThrow();
    return ended;
  }
  void abort() override {
    work_->abort();
  }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override {
    return future_;
  }

 private:
  using Future = c10::ivalue::Future;

  static c10::intrusive_ptr<Future> copiedBack(c10d::Work& work, HostCopies copies) {
    std::vector<c10::Device> devices;
    if (!copies.results().empty()) {
      devices.push_back(copies.results().front().device());
    }
    auto copied = c10::make_intrusive<Future>(
        c10::ListType::create(c10::TensorType::get()), std::move(devices));
    work.getFuture()->addCallback([copied, copies = std::move(copies)](Future& done) {
      if (done.hasError()) {
        copied->setError(done.exception_ptr());
        return;
      }
      try {
        copies.copyBack();
        copied->markCompleted(c10::IValue(copies.results()));
      } catch (...) {
        copied->setError(std::current_exception());
      }
    });
    return copied;
  }

  const c10::intrusive_ptr<c10d::Work> work_;
  const c10::intrusive_ptr<Future> future_;
};

/// Collectives of the device's tensors by a backend for the CPU, such as gloo, with copies in the host's
/// memory. PyTorch's gloo does the same for tensors of CUDA, in code that libtorch_cpu lacks.
class HostBackend : public c10d::Backend {
  using Tensors = std::vector<at::Tensor>;
  using TensorLists = std::vector<Tensors>;
  using WorkPointer = c10::intrusive_ptr<c10d::Work>;
  using Use = HostCopies::Use;

 public:
  explicit HostBackend(const c10::intrusive_ptr<c10d::Backend>& host)
      : Backend(host->getRank(), host->getSize()), host_(host) {}

  const std::string getBackendName() const override {
    return host_->getBackendName();
  }
  void setSequenceNumberForGroup() override {
    host_->setSequenceNumberForGroup();
  }
  uint64_t getSequenceNumberForGroup() override {
    return host_->getSequenceNumberForGroup();
  }
  WorkPointer barrier(const c10d::BarrierOptions& options = {}) override {
    return host_->barrier(options);
  }

  WorkPointer broadcast(Tensors& tensors, const c10d::BroadcastOptions& options = {}) override {
    HostCopies copies;
    Tensors own;
    for (const auto& tensor : tensors) {
      const bool sent = getRank() == options.rootRank &&
          static_cast<int64_t>(own.size()) == options.rootTensor;
      own.push_back(copies.of(tensor, sent ? Use::sent : Use::output));
    }
    return finish(host_->broadcast(own, options), std::move(copies));
  }
  WorkPointer allreduce(Tensors& tensors, const c10d::AllreduceOptions& options = {}) override {
    return in_place(&Backend::allreduce, tensors, Use::changed, options);
  }
  WorkPointer allreduce_coalesced(
      Tensors& tensors,
      const c10d::AllreduceCoalescedOptions& options = {}) override {
    return in_place(&Backend::allreduce_coalesced, tensors, Use::changed, options);
  }
  WorkPointer reduce(Tensors& tensors, const c10d::ReduceOptions& options = {}) override {
    const Use use = getRank() == options.rootRank ? Use::changed : Use::sent;
    return in_place(&Backend::reduce, tensors, use, options);
  }
  WorkPointer allgather(
      TensorLists& outputs,
      Tensors& inputs,
      const c10d::AllgatherOptions& options = {}) override {
    return written(&Backend::allgather, outputs, inputs, options);
  }
  WorkPointer _allgather_base(
      at::Tensor& output,
      at::Tensor& input,
      const c10d::AllgatherOptions& options = {}) override {
    return written(&Backend::_allgather_base, output, input, options);
  }
  WorkPointer gather(
      TensorLists& outputs,
      Tensors& inputs,
      const c10d::GatherOptions& options = {}) override {
    return written(&Backend::gather, outputs, inputs, options);
  }
  WorkPointer scatter(
      Tensors& outputs,
      TensorLists& inputs,
      const c10d::ScatterOptions& options = {}) override {
    return written(&Backend::scatter, outputs, inputs, options);
  }
  /// gloo has no reduce-scatter: each rank takes its part of an all-reduce.
  WorkPointer _reduce_scatter_base(
      at::Tensor& output,
      at::Tensor& input,
      const c10d::ReduceScatterOptions& options = {}) override {
    TORCH_CHECK(
        output.numel() * getSize() == input.numel(),
        "the input of reduce_scatter must have as many elements as the outputs of all ranks");
    HostCopies copies;
    Tensors own = {copies.of(input, Use::input).contiguous()};
    const at::Tensor parts = own.front().view({getSize(), output.numel()});
    copies.resultFrom(output, parts[getRank()].view(output.sizes()));
    c10d::AllreduceOptions reduction;
    reduction.reduceOp = options.reduceOp;
    reduction.timeout = options.timeout;
    return finish(host_->allreduce(own, reduction), std::move(copies));
  }
  WorkPointer alltoall_base(
      at::Tensor& output,
      at::Tensor& input,
      std::vector<int64_t>& output_sizes,
      std::vector<int64_t>& input_sizes,
      const c10d::AllToAllOptions& options = {}) override {
    return written(&Backend::alltoall_base, output, input, output_sizes, input_sizes, options);
  }

 private:
  /// Work of an operation whose results are its inputs.
  template <class Operation, class Options>
  WorkPointer in_place(Operation operation, Tensors& tensors, Use use, const Options& options) {
    HostCopies copies;
    auto own = copies.of(tensors, use);
    return finish(((*host_).*operation)(own, options), std::move(copies));
  }

  /// Work of an operation that writes results and reads inputs.
  template <class Operation, class Outputs, class Inputs, class... Rest>
  WorkPointer written(Operation operation, Outputs& outputs, Inputs& inputs, Rest&... rest) {
    HostCopies copies;
    auto results = copies.of(outputs, Use::output);
    auto own = copies.of(inputs, Use::input);
    return finish(((*host_).*operation)(results, own, rest...), std::move(copies));
  }

  static WorkPointer finish(WorkPointer work, HostCopies copies) {
    return c10::make_intrusive<HostWork>(std::move(work), std::move(copies));
  }

  const c10::intrusive_ptr<c10d::Backend> host_;
};

}  // namespace at::cuda::backend::distributed
