// List of the implementations of seam `dnn`, and the selected implementation.

#include "Library.h"
#include "Selection.h"

#include "../Backend.h"

#include <ATen/TensorSubclassLikeUtils.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/irange.h>

#include <atomic>
#include <deque>
#include <mutex>

#ifndef BACKEND_SEAM_DNN
#define BACKEND_SEAM_DNN columns
#endif
#define BACKEND_TEXT_OF(word) #word
#define BACKEND_TEXT(word) BACKEND_TEXT_OF(word)

namespace at::cuda::backend {
namespace dnn {
namespace {

using Counts = std::array<std::atomic<int64_t>, kKinds.size()>;

struct Entry {
  explicit Entry(const Library& given) : library(&given) {}
  const Library* library;
  Counts counts{};
};

// Entries are only added, so that references stay valid.
struct Entries {
  std::mutex mutex;
  std::deque<Entry> list;
};

Entries& entries() {
  static Entries all;
  return all;
}

std::vector<Entry*> provided() {
  const std::lock_guard<std::mutex> lock(entries().mutex);
  std::vector<Entry*> all;
  for (Entry& entry : entries().list) {
    all.push_back(&entry);
  }
  return all;
}

std::atomic<Entry*>& inUse() {
  static std::atomic<Entry*> entry{nullptr};
  return entry;
}

Counts& ownKernels() {
  static Counts counts{};
  return counts;
}

Entry* find(const std::string& name) {
  for (Entry* entry : provided()) {
    if (entry->library->name == name) {
      return entry;
    }
  }
  return nullptr;
}

Entry& known(const std::string& name) {
  Entry* entry = find(name);
  TORCH_CHECK_VALUE(entry, "'", name, "' is not a library of neural network layers; this backend has ",
                    dnn_libraries());
  return *entry;
}

Entry& selectedEntry() {
  Entry* used = inUse().load(std::memory_order_acquire);
  if (!used) {
    used = find(BACKEND_TEXT(BACKEND_SEAM_DNN));
    TORCH_CHECK(used, "the backend was built without ", BACKEND_TEXT(BACKEND_SEAM_DNN),
                ", the first library of neural network layers in the profile");
    inUse().store(used, std::memory_order_release);
  }
  return *used;
}

// Groups of a library, in the order of `Kind`.
std::array<bool, kKinds.size()> groupsOf(const Library& library) {
  return {library.convolution.forward != nullptr, library.batchNorm.forward != nullptr,
          library.attention.forward != nullptr, library.recurrent.forward != nullptr};
}

}  // namespace

Provider::Provider(const Library& library) {
  const std::lock_guard<std::mutex> lock(entries().mutex);
  entries().list.emplace_back(library);
}

const Library& selected() { return *selectedEntry().library; }

const Library& withConvolutions() {
  for (const Entry* entry : provided()) {
    if (entry->library->convolution.forward) {
      return *entry->library;
    }
  }
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, "no library of neural network layers in this backend has convolutions: add `columns` to "
             "`seams: {dnn: ...}` in the target's profile");
}

int64_t positionOf(const Library& library) {
  const auto all = provided();
  for (const auto i : c10::irange(all.size())) {
    if (all[i]->library == &library) {
      return static_cast<int64_t>(i);
    }
  }
  TORCH_INTERNAL_ASSERT(false, library.name, " is not in the list");
}

const Library& libraryAt(int64_t position) { return *provided().at(position)->library; }

void count(Kind kind, const Library* library) {
  const auto index = static_cast<size_t>(kind);
  if (!library) {
    ++ownKernels()[index];
    return;
  }
  Entry& used = selectedEntry();
  Entry& entry = used.library == library ? used : known(library->name);
  ++entry.counts[index];
}

bool areOrdinary(TensorList tensors) {
  if (c10::impl::tls_is_dispatch_key_included(DispatchKey::FuncTorchDynamicLayerFrontMode)) {
    return false;
  }
  optional<Device> device;
  for (const Tensor& tensor : tensors) {
    if (!tensor.defined()) {
      continue;
    }
    if (!device) {
      device = tensor.device();
    }
    if (isTensorSubclassLike(tensor) || tensor.layout() != kStrided || tensor.device() != *device ||
        tensor.numel() == 0 || tensor._fw_grad(0).defined()) {
      return false;
    }
  }
  return device.has_value();
}

}  // namespace dnn

std::vector<std::string> dnn_libraries() {
  std::vector<std::string> names;
  for (const dnn::Entry* one : dnn::provided()) {
    names.emplace_back(one->library->name);
  }
  return names;
}

std::string dnn_library() { return dnn::selected().name; }

void set_dnn_library(const std::string& name) {
  dnn::inUse().store(&dnn::known(name), std::memory_order_release);
}

std::vector<std::string> dnn_groups(const std::string& name) {
  std::vector<std::string> groups;
  const auto present = dnn::groupsOf(*dnn::known(name).library);
  for (const auto i : c10::irange(present.size())) {
    if (present[i]) {
      groups.emplace_back(dnn::kKinds[i]);
    }
  }
  return groups;
}

std::vector<DnnCalls> dnn_calls() {
  std::vector<DnnCalls> calls;
  for (const auto i : c10::irange(dnn::kKinds.size())) {
    calls.push_back({dnn::kKinds[i], "pytorch", dnn::ownKernels()[i]});
    for (const dnn::Entry* one : dnn::provided()) {
      calls.push_back({dnn::kKinds[i], one->library->name, one->counts[i]});
    }
  }
  return calls;
}

}  // namespace at::cuda::backend
