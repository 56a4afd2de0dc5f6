#pragma once

#include "Export.h"
#include "Names.h"

#include <ATen/core/Generator.h>
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/Storage.h>
#include <c10/core/StorageImpl.h>
#include <c10/core/Stream.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

// Functions of the kernels library for the Python binding. This header uses no types of the
// vendor's or the port's headers, so that the binding compiles without those headers. The functions
// check device indices. They throw c10::Error.
namespace at::cuda::backend {

// -- device

struct DeviceUuid {
  std::vector<uint8_t> bytes;  // 16; none if the vendor's runtime gives no UUID

  // Five groups of hexadecimal digits; empty without a UUID.
  BACKEND_API std::string text() const;
};

struct DeviceProperties {
  std::string name;
  int major = 0;
  int minor = 0;
  size_t total_memory = 0;
  int multi_processor_count = 0;
  int warp_size = 0;
  int max_threads_per_multi_processor = 0;
  int max_threads_per_block = 0;
  size_t shared_memory_per_block = 0;
  int regs_per_multiprocessor = 0;
  int L2_cache_size = 0;
  bool is_integrated = false;
  bool is_multi_gpu_board = false;
  DeviceUuid uuid;
};

// Throws an error if there is no device with this index.
void checkIndex(DeviceIndex index);

BACKEND_API void init();
BACKEND_API DeviceIndex device_count();
BACKEND_API DeviceIndex current_device();
BACKEND_API void set_device(DeviceIndex index);
BACKEND_API DeviceIndex exchange_device(DeviceIndex index);
BACKEND_API DeviceIndex maybe_exchange_device(DeviceIndex index);
BACKEND_API void synchronize();
BACKEND_API bool has_primary_context(DeviceIndex index);
BACKEND_API bool can_device_access_peer(DeviceIndex index, DeviceIndex peer);
BACKEND_API DeviceProperties get_device_properties(DeviceIndex index);
BACKEND_API std::pair<size_t, size_t> mem_get_info(DeviceIndex index);  // free, total
BACKEND_API int runtime_version();
BACKEND_API int driver_version();
BACKEND_API int get_sync_debug_mode();
BACKEND_API void set_sync_debug_mode(int mode);  // 0 off, 1 warn, 2 error

// -- memory

using MempoolId = std::pair<unsigned long long, unsigned long long>;
using OutOfMemoryObserver =
    std::function<void(int64_t device, size_t asked, size_t allocated, size_t free)>;

// Values of one counter, which counts allocations or bytes: present value, maximum, total
// allocated, total freed.
struct MemoryStat {
  int64_t current = 0;
  int64_t peak = 0;
  int64_t allocated = 0;
  int64_t freed = 0;
};

// Three counters: for all pools, for the pool of small blocks, and for the pool of large blocks.
using MemoryStatArray = std::array<MemoryStat, 3>;

// Statistics of the caching allocator, with the names of torch.cuda.memory_stats.
struct MemoryStats {
  MemoryStatArray allocation;
  MemoryStatArray segment;
  MemoryStatArray active;
  MemoryStatArray inactive_split;
  MemoryStatArray allocated_bytes;
  MemoryStatArray reserved_bytes;
  MemoryStatArray active_bytes;
  MemoryStatArray inactive_split_bytes;
  MemoryStatArray requested_bytes;
  MemoryStat oversize_allocations;
  MemoryStat oversize_segments;
  int64_t num_alloc_retries = 0;
  int64_t num_ooms = 0;
  int64_t num_sync_all_streams = 0;
  int64_t num_device_alloc = 0;
  int64_t num_device_free = 0;
  int64_t max_split_size = 0;
};

// Call stack of an allocation; null if the stack was not recorded.
using Context = std::shared_ptr<GatheredContext>;

struct Block {
  size_t address = 0;
  size_t size = 0;
  size_t requested_size = 0;
  bool allocated = false;
  bool active = false;
  Context context;
};

struct Segment {
  DeviceIndex device = 0;
  size_t address = 0;
  size_t total_size = 0;
  size_t allocated_size = 0;
  size_t active_size = 0;
  size_t requested_size = 0;
  uintptr_t stream = 0;
  bool is_large = false;
  bool is_expandable = false;
  MempoolId pool{0, 0};
  std::vector<Block> blocks;
  Context context;
};

// One action of the allocator in the recorded history.
struct TraceEntry {
  const char* action = "";  // name in torch.cuda.memory's `_snapshot`
  bool out_of_memory = false;
  size_t address = 0;  // for an out-of-memory entry: free bytes of the device
  size_t size = 0;
  uintptr_t stream = 0;
  int64_t time = 0;  // microseconds since the Unix epoch
  Context context;
};

// Start or end of a torch.profiler.record_function range, recorded in the history.
struct Annotation {
  DeviceIndex device = 0;
  int64_t time = 0;  // microseconds since the Unix epoch
  std::unordered_map<std::string, std::string> metadata;
};

struct AllocatorSettings {
  std::string last_allocator_settings;
  size_t max_split_size = 0;
  double garbage_collection_threshold = 0;
  bool expandable_segments = false;
  size_t pinned_num_register_threads = 0;
  bool release_lock_on_malloc = false;
  bool pinned_use_host_register = false;
  std::vector<size_t> roundup_power2_divisions;
};

struct MemorySnapshot {
  std::vector<Segment> segments;
  std::vector<std::vector<TraceEntry>> traces;  // one for each device
  std::vector<Annotation> annotations;
  AllocatorSettings settings;
};

BACKEND_API MemoryStats memory_stats(DeviceIndex index);
BACKEND_API void reset_accumulated_memory_stats(DeviceIndex index);
BACKEND_API void reset_peak_memory_stats(DeviceIndex index);
BACKEND_API void empty_cache();
BACKEND_API void host_empty_cache();
BACKEND_API void set_memory_fraction(double fraction, DeviceIndex index);
BACKEND_API double get_memory_fraction(DeviceIndex index);
BACKEND_API MemorySnapshot memory_snapshot();
// Implements torch.cuda.memory's `_record_memory_history`. If `enabled` has no value, recording
// ends.
BACKEND_API void record_memory_history(const std::optional<std::string>& enabled,
                                       const std::optional<std::string>& context,
                                       const std::string& stacks, size_t max_entries);
BACKEND_API uintptr_t caching_allocator_alloc(size_t size, uintptr_t stream);
BACKEND_API void caching_allocator_delete(uintptr_t pointer);
BACKEND_API void caching_allocator_enable(bool enabled);
BACKEND_API bool is_memory_history_enabled();
BACKEND_API void set_allocator_settings(const std::string& settings);
BACKEND_API std::string allocator_backend();
BACKEND_API void attach_out_of_memory_observer(OutOfMemoryObserver observer);
BACKEND_API bool is_pinned_ptr(uintptr_t pointer);

// Private pool of the caching allocator.
class BACKEND_API MemoryPool {
 public:
  MemoryPool();
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  MempoolId id();
  int use_count();

 private:
  friend class MemoryPoolContext;
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Makes a pool the active pool of the calling thread during the object's lifetime. During that
// time, snapshots and `empty_cache` concern this pool only. The pool must outlive the object.
class BACKEND_API MemoryPoolContext {
 public:
  explicit MemoryPoolContext(MemoryPool* pool);
  ~MemoryPoolContext();
  MemoryPoolContext(const MemoryPoolContext&) = delete;
  MemoryPoolContext& operator=(const MemoryPoolContext&) = delete;

  static MemoryPool* active_pool();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// Id of the calling thread's active pool; {0, 0} without an active pool.
MempoolId active_pool_id();

// Between begin_allocate_to_pool and end_allocate_to_pool, all allocations on the device come from
// the pool.
BACKEND_API void begin_allocate_to_pool(DeviceIndex index, MempoolId pool);
BACKEND_API void end_allocate_to_pool(DeviceIndex index, MempoolId pool);
// Ends the use of a pool. The allocator may free the pool's memory when no tensor occupies this
// memory.
BACKEND_API void release_pool(DeviceIndex index, MempoolId pool);
// As begin_allocate_to_pool, for allocations on the current stream of the device only.
BACKEND_API void begin_allocate_current_stream_to_pool(DeviceIndex index, MempoolId pool);
// True if the blocks of the pool that are in use are those at `addresses`.
BACKEND_API bool pool_has_allocations(DeviceIndex index, MempoolId pool,
                                      const std::unordered_set<void*>& addresses);

// The blocks of a pool that are in use, at the time of the object's construction.
class BACKEND_API PoolState {
 public:
  PoolState(DeviceIndex index, MempoolId pool);
  ~PoolState();
  PoolState(const PoolState&) = delete;
  PoolState& operator=(const PoolState&) = delete;

  // Puts the pool back into this state. `dropped` are the storages of blocks that this frees; they
  // no longer own their memory. Of the blocks that are in use again, the storages `owners` own those
  // at their addresses; these storages must own no memory.
  void restore(const std::vector<c10::StorageImpl*>& dropped,
               const std::vector<c10::StorageImpl*>& owners) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// True if the caching allocator frees the storage's memory.
BACKEND_API bool owns_memory(const c10::StorageImpl& storage);
// Frees the storage's memory now. The storage keeps the address, and no longer owns the memory.
BACKEND_API void free_memory_of(c10::StorageImpl& storage);

// -- streams and graphs; index -1 is the current device

BACKEND_API Stream current_stream(DeviceIndex index);
BACKEND_API Stream default_stream(DeviceIndex index);
BACKEND_API void set_stream(Stream stream);  // also makes the stream's device current
BACKEND_API Stream stream_from_pool(int priority, DeviceIndex index);
BACKEND_API Stream stream_from_external(uintptr_t handle, DeviceIndex index);
BACKEND_API uintptr_t stream_handle(Stream stream);
BACKEND_API int stream_priority(Stream stream);
BACKEND_API std::pair<int, int> stream_priority_range();  // least, greatest
BACKEND_API bool is_current_stream_capturing();
BACKEND_API MempoolId graph_pool_handle();

// Captured work of a stream, for replay.
class BACKEND_API Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // `mode`: "global", "thread_local" or "relaxed".
  void capture_begin(MempoolId pool, const std::string& mode);
  void capture_end();
  void replay();
  void reset();
  MempoolId pool();
  void register_generator_state(const Generator& generator);
  void enable_debug_mode();
  void debug_dump(const std::string& path);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// -- tensors and events of other processes (Sharing.cpp)

// Description of a storage for another process. Handles are bytes without meaning for the caller.
struct SharedStorage {
  DeviceIndex device = 0;
  std::string memory;  // handle of the allocation; empty for a storage of 0 bytes
  size_t bytes = 0;
  size_t offset = 0;   // of the storage in the allocation, in bytes
  std::string uses;    // counter of the descriptions that other processes have not released
  std::string ready;   // handle of an event after the current stream's work; may be empty
};

// Describes a storage. Its memory stays until the other process has released the description, even
// if this process drops the storage. The storage must not come from another process.
BACKEND_API SharedStorage share_storage(const Storage& storage);
// Opens a described storage; the current stream waits for `ready`. The storage releases the
// description when it is destroyed.
BACKEND_API Storage open_shared_storage(const SharedStorage& shared);
// Releases a description that is not opened, because its storage is open already.
BACKEND_API void release_shared_storage(const std::string& uses);
// Frees the storages that this process has dropped and other processes have released. Returns true
// if some were freed.
BACKEND_API bool collect_shared_storages();

// Event that other processes can open.
class BACKEND_API InterprocessEvent {
 public:
  explicit InterprocessEvent(bool blocking);
  InterprocessEvent(DeviceIndex index, const std::string& handle);  // opens an event
  ~InterprocessEvent();
  InterprocessEvent(const InterprocessEvent&) = delete;
  InterprocessEvent& operator=(const InterprocessEvent&) = delete;

  void record(Stream stream);
  void block(Stream stream);
  bool query() const;
  void synchronize() const;
  std::string handle();
  uintptr_t event_handle() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// -- random numbers

BACKEND_API const Generator& default_generator(DeviceIndex index);

// -- profiler

// Starts Kineto unless it is running. PyTorch starts Kineto with NVIDIA's profiler if any
// out-of-tree backend is loaded, and NVIDIA's profiler prints a warning on machines without its
// library. With `host_only`, this function starts Kineto without NVIDIA's profiler.
BACKEND_API void prepare_profiler(bool host_only);

// -- operators that ran on the CPU

BACKEND_API std::unordered_map<std::string, int64_t> fallback_counts();
BACKEND_API void reset_fallback_counts();
BACKEND_API bool fallback_allowed();
BACKEND_API void set_fallback_allowed(bool allowed);

// -- library of neural network layers (dnn/Library.h)

// Number of layers of one kind that a library has computed, forward, in this process. The name
// "pytorch" denotes PyTorch's own kernels.
struct DnnCalls {
  std::string kind;
  std::string library;
  int64_t calls = 0;
};

// Lets scaled_dot_product_attention ask the selected library. The caller calls this function after
// all libraries are loaded, because PyTorch's kernels set the same function pointer at that time.
BACKEND_API void choose_attention_by_dnn_library();
BACKEND_API std::vector<std::string> dnn_libraries();
BACKEND_API std::vector<std::string> dnn_groups(const std::string& name);  // as set_dnn_library
BACKEND_API std::vector<DnnCalls> dnn_calls();
BACKEND_API std::string dnn_library();
BACKEND_API void set_dnn_library(const std::string& name);  // ValueError for an unknown name

}  // namespace at::cuda::backend
