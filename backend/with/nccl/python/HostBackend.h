#pragma once

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace at::cuda::backend::distributed {

/// Copies, in the host's memory, of the device's tensors that take part in one operation.
class HostCopies {
 public:
  enum class Role { input, result };

  /// Copy of a tensor. The copy waits for the current stream. A result is copied back by copyBack().
  at::Tensor of(const at::Tensor& tensor, Role role) {
    const AutoDispatchBelowADInplaceOrView guard;
    at::Tensor copy = tensor.to(at::kCPU);
    if (role == Role::result) {
      results_.push_back(tensor);
      copies_.push_back(copy);
    }
    return copy;
  }

  std::vector<at::Tensor> of(const std::vector<at::Tensor>& tensors, Role role) {
    std::vector<at::Tensor> copies;
    for (const auto& tensor : tensors) {
      copies.push_back(of(tensor, role));
    }
    return copies;
  }

  std::vector<std::vector<at::Tensor>> of(
      const std::vector<std::vector<at::Tensor>>& lists,
      Role role) {
    std::vector<std::vector<at::Tensor>> copies;
    for (const auto& tensors : lists) {
      copies.push_back(of(tensors, role));
    }
    return copies;
  }

  void copyBack() const {
    const AutoDispatchBelowADInplaceOrView guard;
    for (size_t i = 0; i < results_.size(); ++i) {
      results_[i].copy_(copies_[i]);
    }
  }

  /// Results on the device, in the order in which the operation has them.
  const std::vector<at::Tensor>& results() const {
    return results_;
  }

 private:
  std::vector<at::Tensor> results_;
  std::vector<at::Tensor> copies_;
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
  using Role = HostCopies::Role;

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
    return changed(&Backend::broadcast, tensors, options);
  }
  WorkPointer allreduce(Tensors& tensors, const c10d::AllreduceOptions& options = {}) override {
    return changed(&Backend::allreduce, tensors, options);
  }
  WorkPointer allreduce_coalesced(
      Tensors& tensors,
      const c10d::AllreduceCoalescedOptions& options = {}) override {
    return changed(&Backend::allreduce_coalesced, tensors, options);
  }
  WorkPointer reduce(Tensors& tensors, const c10d::ReduceOptions& options = {}) override {
    return changed(&Backend::reduce, tensors, options);
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
  WorkPointer _reduce_scatter_base(
      at::Tensor& output,
      at::Tensor& input,
      const c10d::ReduceScatterOptions& options = {}) override {
    return written(&Backend::_reduce_scatter_base, output, input, options);
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
  /// Work of an operation that changes its tensors.
  template <class Operation, class Options>
  WorkPointer changed(Operation operation, Tensors& tensors, const Options& options) {
    HostCopies copies;
    auto own = copies.of(tensors, Role::result);
    return finish(((*host_).*operation)(own, options), std::move(copies));
  }

  /// Work of an operation that writes results and reads inputs.
  template <class Operation, class Outputs, class Inputs, class... Rest>
  WorkPointer written(Operation operation, Outputs& outputs, Inputs& inputs, Rest&... rest) {
    HostCopies copies;
    auto results = copies.of(outputs, Role::result);
    auto own = copies.of(inputs, Role::input);
    return finish(((*host_).*operation)(results, own, rest...), std::move(copies));
  }

  static WorkPointer finish(WorkPointer work, HostCopies copies) {
    return c10::make_intrusive<HostWork>(std::move(work), std::move(copies));
  }

  const c10::intrusive_ptr<c10d::Backend> host_;
};

}  // namespace at::cuda::backend::distributed
