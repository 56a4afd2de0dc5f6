#include "Backend.h"
#include "release/Allocator.h"

namespace at::cuda::backend {
namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

thread_local MemoryPool* active = nullptr;

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
  release::beginAllocateToPool(index, pool);
}

void end_allocate_to_pool(DeviceIndex index, MempoolId pool) {
  release::endAllocateToPool(index, pool);
}

void release_pool(DeviceIndex index, MempoolId pool) { allocator::releasePool(index, pool); }

}  // namespace at::cuda::backend
