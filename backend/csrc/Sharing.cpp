// Storages and events that processes share.
//
// The process that shares a storage keeps its memory as long as a description of the storage is in use,
// although it may drop the storage: a counter in shared memory has the number of descriptions that
// were neither released nor opened and closed. Dropped storages whose counter is not 0 wait in a list.

#include "Backend.h"
#include "SharedCounters.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/core/StorageImpl.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include <unistd.h>

#include <cstring>
#include <mutex>

namespace at::cuda::backend {
namespace {

template <class Handle>
std::string bytesOf(const Handle& handle) {
  return {reinterpret_cast<const char*>(&handle), sizeof handle};
}

template <class Handle>
Handle handleOf(const std::string& bytes) {
  Handle handle{};
  TORCH_CHECK(bytes.size() == sizeof handle, "a handle of another process has ", sizeof handle,
              " bytes, not ", bytes.size());
  std::memcpy(&handle, bytes.data(), sizeof handle);
  return handle;
}

void synchronize(DeviceIndex index) {
  C10_CUDA_CHECK(cudaStreamSynchronize(c10::cuda::getCurrentCUDAStream(index)));
}

// Context of the memory of a shared storage, in place of the allocator's context.
struct Sent {
  at::DataPtr memory;
  SharedCounter uses = SharedCounter::make();
  at::cuda::CUDAEvent ready{cudaEventDisableTiming | cudaEventInterprocess | cudaEventBlockingSync};
  const pid_t process = getpid();
  std::mutex mutex;

  ~Sent() { uses.recycle(); }
};

// Storages that this process has dropped and other processes use.
struct Dropped {
  std::mutex mutex;
  std::vector<std::unique_ptr<Sent>> storages;
};

Dropped& dropped() {
  static auto& all = *new Dropped();  // never destroyed: the process may end in any order
  return all;
}

void dropSent(void* context) {
  std::unique_ptr<Sent> sent(static_cast<Sent*>(context));
  if (sent->process != getpid()) {
    // A forked child must not free the parent's memory.
    sent.release();
    return;
  }
  if (sent->uses.value() != 0) {
    const std::lock_guard<std::mutex> lock(dropped().mutex);
    dropped().storages.push_back(std::move(sent));
  }
  collect_shared_storages();
}

// Puts the storage's memory into a Sent, unless it is in one already.
Sent& sentOf(StorageImpl& storage) {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  if (storage.data_ptr().get_deleter() != &dropSent) {
    auto sent = std::make_unique<Sent>();
    void* const data = storage.data_ptr().get();
    const auto device = storage.data_ptr().device();
    Sent* const made = sent.get();
    made->memory = storage.set_data_ptr(at::DataPtr(data, sent.release(), &dropSent, device));
  }
  return *static_cast<Sent*>(storage.data_ptr().get_context());
}

// Handle of an event after the current stream's work. The event also follows its earlier records,
// which other processes may not have seen yet. Without such events, or with too many, waits for the
// work and returns no handle.
std::string readyHandle(Sent& sent, DeviceIndex index) {
  const std::lock_guard<std::mutex> lock(sent.mutex);
  try {
    const auto stream = c10::cuda::getCurrentCUDAStream(index);
    sent.ready.block(stream);
    sent.ready.record(stream);
    cudaIpcEventHandle_t handle{};
    sent.ready.ipc_handle(&handle);
    return bytesOf(handle);
  } catch (const c10::Error&) {
    synchronize(index);
    return {};
  }
}

// Context of the memory of an opened storage.
struct Received {
  void* base = nullptr;
  SharedCounter uses;
  DeviceIndex device = 0;
  pid_t process = getpid();
};

void dropReceived(void* context) {
  const std::unique_ptr<Received> received(static_cast<Received*>(context));
  if (received->process != getpid()) return;
  try {
    // The other process may reuse the memory as soon as the counter is 0.
    const c10::cuda::CUDAGuard guard(received->device);
    synchronize(received->device);
    C10_CUDA_CHECK(cudaIpcCloseMemHandle(received->base));
  } catch (const c10::Error&) {
    // The device has failed, or this process ends: the mapping ends with it.
  }
  received->uses.add(-1);
}

class CollectWhenMemoryIsShort final : public c10::FreeMemoryCallback {
 public:
  bool Execute() override { return collect_shared_storages(); }
};

}  // namespace

SharedStorage share_storage(const Storage& storage) {
  StorageImpl& own = *storage.unsafeGetStorageImpl();
  TORCH_CHECK(!own.received_cuda(),
              "a tensor that was received from another process cannot be sent on. Send a clone of it");
  SharedStorage shared;
  shared.device = own.device().index();
  shared.bytes = own.nbytes();
  if (own.data_ptr().get() == nullptr || shared.bytes == 0) return shared;
  const c10::cuda::CUDAGuard guard(shared.device);
  auto* const data = static_cast<char*>(own.data_ptr().get());
  auto* const base =
      static_cast<char*>(c10::cuda::CUDACachingAllocator::getBaseAllocation(data, nullptr));
  cudaIpcMemHandle_t handle{};
  C10_CUDA_CHECK(cudaIpcGetMemHandle(&handle, base));
  shared.memory = bytesOf(handle);
  shared.offset = static_cast<size_t>(data - base);
  Sent& sent = sentOf(own);
  shared.ready = readyHandle(sent, shared.device);
  sent.uses.add(1);
  shared.uses = sent.uses.address();
  return shared;
}

Storage open_shared_storage(const SharedStorage& shared) {
  const c10::cuda::CUDAGuard guard(shared.device);
  auto received = std::make_unique<Received>();
  received->device = shared.device;
  received->uses = SharedCounter::open(shared.uses);
  const char* const help =
      ". A process that shares a tensor must not end before other processes have received the tensor";
  TORCH_CHECK(received->uses, "the process that shared this tensor has ended", help);
  const auto error =
      cudaIpcOpenMemHandle(&received->base, handleOf<cudaIpcMemHandle_t>(shared.memory),
                           cudaIpcMemLazyEnablePeerAccess);
  if (error != cudaSuccess) (void)cudaGetLastError();
  TORCH_CHECK(error == cudaSuccess, "the memory of a shared tensor cannot be opened: ",
              cudaGetErrorString(error), help);
  auto* const data = static_cast<char*>(received->base) + shared.offset;
  at::DataPtr memory(data, received.release(), &dropReceived,
                     c10::Device(c10::DeviceType::CUDA, shared.device));
  if (!shared.ready.empty()) {
    const auto handle = handleOf<cudaIpcEventHandle_t>(shared.ready);
    at::cuda::CUDAEvent(shared.device, &handle).block(c10::cuda::getCurrentCUDAStream(shared.device));
  }
  auto storage = c10::make_intrusive<StorageImpl>(c10::StorageImpl::use_byte_size_t(), shared.bytes,
                                                  std::move(memory), nullptr, /*resizable=*/false);
  storage->set_received_cuda(true);
  return Storage(std::move(storage));
}

void release_shared_storage(const std::string& uses) {
  if (const SharedCounter counter = SharedCounter::open(uses)) counter.add(-1);
}

bool collect_shared_storages() {
  std::vector<std::unique_ptr<Sent>> unused;
  {
    const std::lock_guard<std::mutex> lock(dropped().mutex);
    auto& storages = dropped().storages;
    for (auto it = storages.begin(); it != storages.end();) {
      if ((*it)->uses.value() != 0) {
        ++it;
        continue;
      }
      unused.push_back(std::move(*it));
      it = storages.erase(it);
    }
  }
  return !unused.empty();  // frees the memory without the lock: the allocator calls this function
}

struct InterprocessEvent::Implementation {
  at::cuda::CUDAEvent event;
};

InterprocessEvent::InterprocessEvent(bool blocking)
    : implementation_(new Implementation{at::cuda::CUDAEvent(
          cudaEventDisableTiming | cudaEventInterprocess |
          (blocking ? cudaEventBlockingSync : cudaEventDefault))}) {}

InterprocessEvent::InterprocessEvent(DeviceIndex index, const std::string& bytes) {
  const auto handle = handleOf<cudaIpcEventHandle_t>(bytes);
  implementation_.reset(new Implementation{at::cuda::CUDAEvent(index, &handle)});
}

InterprocessEvent::~InterprocessEvent() = default;

void InterprocessEvent::record(Stream stream) {
  implementation_->event.record(c10::cuda::CUDAStream(stream));
}

void InterprocessEvent::block(Stream stream) {
  implementation_->event.block(c10::cuda::CUDAStream(stream));
}

bool InterprocessEvent::query() const { return implementation_->event.query(); }

void InterprocessEvent::synchronize() const { implementation_->event.synchronize(); }

std::string InterprocessEvent::handle() {
  cudaIpcEventHandle_t handle{};
  implementation_->event.ipc_handle(&handle);
  return bytesOf(handle);
}

uintptr_t InterprocessEvent::event_handle() const {
  return reinterpret_cast<uintptr_t>(implementation_->event.event());
}

}  // namespace at::cuda::backend

namespace c10 {
namespace {
using CollectSharedStorages = at::cuda::backend::CollectWhenMemoryIsShort;
REGISTER_FREE_MEMORY_CALLBACK("shared storages", CollectSharedStorages)
}  // namespace
}  // namespace c10
