#include "Backend.h"
#include "release/Allocator.h"

#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace at::cuda::backend {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

thread_local MemoryPool* active = nullptr;

// Makes the end of the storage free nothing.
void disown(StorageImpl& storage) {
  const bool owned = storage.mutable_data_ptr().compare_exchange_deleter(
      allocator::get()->raw_deleter(), &c10::detail::deleteNothing);
  TORCH_CHECK(owned, "the caching allocator does not own the memory of a storage");
}

// The allocator itself does not check the index.
void checkPoolOf(DeviceIndex index) {
  init();
  checkIndex(index);
}

// Each block that is free after a change, and was in use before, has a storage that no longer owns it.
void checkAllDropped(const allocator::CheckpointDelta& changes, size_t dropped) {
  std::unordered_set<const void*> in_use;
  for (const DataPtr& block : changes.dataptrs_allocd) {
    in_use.insert(block.get());
  }
  const auto gone = std::count_if(changes.ptrs_freed.begin(), changes.ptrs_freed.end(),
                                  [&](const void* block) { return in_use.count(block) == 0; });
  TORCH_CHECK(static_cast<size_t>(gone) <= dropped, "the state of the pool frees ", gone,
              " blocks, but ", dropped, " storages are dropped");
}

}  // namespace

struct MemoryPool::Implementation {
  release::Pool pool;
};

MemoryPool::MemoryPool() {
  init();
  implementation_ = std::make_unique<Implementation>();
}
MemoryPool::~MemoryPool() = default;

MempoolId MemoryPool::id() { return implementation_->pool.id(); }

int MemoryPool::use_count() { return release::useCount(implementation_->pool); }

struct MemoryPoolContext::Implementation {
  explicit Implementation(MemoryPool* pool, release::Pool* known)
      : context(known), before(active) {
    active = pool;
  }
  ~Implementation() { active = before; }

  release::ActivePool context;
  MemoryPool* const before;
};

MemoryPoolContext::MemoryPoolContext(MemoryPool* pool)
    : implementation_(std::make_unique<Implementation>(pool, &pool->implementation_->pool)) {}
MemoryPoolContext::~MemoryPoolContext() = default;

MemoryPool* MemoryPoolContext::active_pool() { return active; }

MempoolId active_pool_id() { return active == nullptr ? MempoolId{0, 0} : active->id(); }

void begin_allocate_to_pool(DeviceIndex index, MempoolId pool) {
  release::beginAllocateToPool(index, pool, [](cudaStream_t) { return true; });
}

void end_allocate_to_pool(DeviceIndex index, MempoolId pool) {
  release::endAllocateToPool(index, pool);
}

void release_pool(DeviceIndex index, MempoolId pool) { allocator::releasePool(index, pool); }

void begin_allocate_current_stream_to_pool(DeviceIndex index, MempoolId pool) {
  const cudaStream_t current = c10::cuda::getCurrentCUDAStream(index);
  release::beginAllocateToPool(index, pool,
                               [current](cudaStream_t stream) { return stream == current; });
}

bool pool_has_allocations(DeviceIndex index, MempoolId pool,
                          const std::unordered_set<void*>& addresses) {
  checkPoolOf(index);
  return allocator::checkPoolLiveAllocations(index, pool, addresses);
}

struct PoolState::Implementation {
  DeviceIndex index;
  std::shared_ptr<allocator::AllocatorState> state;
};

PoolState::PoolState(DeviceIndex index, MempoolId pool) {
  checkPoolOf(index);
  implementation_ = std::make_unique<Implementation>(
      Implementation{index, allocator::getCheckpointState(index, pool)});
}
PoolState::~PoolState() = default;

void PoolState::restore(const std::vector<StorageImpl*>& dropped,
                        const std::vector<StorageImpl*>& owners) const {
  auto changes = allocator::setCheckpointPoolState(implementation_->index, implementation_->state);
  const std::unordered_set<StorageImpl*> unique(dropped.begin(), dropped.end());
  checkAllDropped(changes, unique.size());
  const std::unordered_set<void*> freed(changes.ptrs_freed.begin(), changes.ptrs_freed.end());
  for (StorageImpl* const storage : unique) {
    TORCH_CHECK(freed.count(storage->mutable_data()) != 0,
                "the state of the pool frees no block of a dropped storage");
    disown(*storage);
  }
  std::unordered_map<void*, StorageImpl*> by_address;
  for (StorageImpl* const storage : owners) {
    by_address[storage->mutable_data()] = storage;
  }
  for (DataPtr& block : changes.dataptrs_allocd) {
    const auto owner = by_address.find(block.get());
    if (owner == by_address.end()) {
      block.release_context();  // the pool keeps the block in use without an owner
      continue;
    }
    TORCH_CHECK(owner->second->data_ptr().get_deleter() == &c10::detail::deleteNothing,
                "an owner has memory already");
    owner->second->set_data_ptr_noswap(std::move(block));
  }
}

bool owns_memory(const StorageImpl& storage) {
  return storage.data_ptr().get_deleter() == allocator::get()->raw_deleter();
}

void free_memory_of(StorageImpl& storage) {
  disown(storage);
  allocator::raw_delete(storage.mutable_data());
}

}  // namespace at::cuda::backend
