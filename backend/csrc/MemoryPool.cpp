#include "Backend.h"

#include <c10/cuda/CUDACachingAllocator.h>

namespace at::cuda::backend {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

thread_local MemoryPool* active = nullptr;

}  // namespace

struct MemoryPool::Implementation {
  c10::cuda::MemPool pool;
};

MemoryPool::MemoryPool() {
  init();
  implementation_ = std::make_unique<Implementation>();
}
MemoryPool::~MemoryPool() = default;

MempoolId MemoryPool::id() { return implementation_->pool.id(); }

int MemoryPool::use_count() { return implementation_->pool.use_count(); }

struct MemoryPoolContext::Implementation {
  explicit Implementation(MemoryPool* pool, c10::cuda::MemPool* known)
      : context(known), before(active) {
    active = pool;
  }
  ~Implementation() { active = before; }

  c10::cuda::MemPoolContext context;
  MemoryPool* const before;
};

MemoryPoolContext::MemoryPoolContext(MemoryPool* pool)
    : implementation_(std::make_unique<Implementation>(pool, &pool->implementation_->pool)) {}
MemoryPoolContext::~MemoryPoolContext() = default;

MemoryPool* MemoryPoolContext::active_pool() { return active; }

void begin_allocate_to_pool(DeviceIndex index, MempoolId pool) {
  allocator::beginAllocateToPool(index, pool, [](cudaStream_t) { return true; });
}

void end_allocate_to_pool(DeviceIndex index, MempoolId pool) {
  allocator::endAllocateToPool(index, pool);
}

void release_pool(DeviceIndex index, MempoolId pool) { allocator::releasePool(index, pool); }

}  // namespace at::cuda::backend
