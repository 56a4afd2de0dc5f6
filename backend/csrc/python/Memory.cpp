#include "Bindings.h"

#include "../Backend.h"

#include <torch/csrc/Exceptions.h>

namespace at::cuda::backend::python {
namespace {

py::dict dictOf(const MemoryStat& stat) {
  py::dict result;
  result["current"] = stat.current;
  result["peak"] = stat.peak;
  result["allocated"] = stat.allocated;
  result["freed"] = stat.freed;
  return result;
}

py::dict dictOf(const MemoryStatArray& stats) {
  static constexpr std::array<const char*, 3> pools{"all", "small_pool", "large_pool"};
  py::dict result;
  for (const auto i : c10::irange(pools.size())) {
    result[pools[i]] = dictOf(stats[i]);
  }
  return result;
}

// Statistics as a nested dictionary. It has the keys of torch.cuda, because torch.cuda's functions
// for flattening and printing read it.
py::dict memoryStats(DeviceIndex index) {
  const MemoryStats stats = memory_stats(index);
  py::dict result;
  result["num_alloc_retries"] = stats.num_alloc_retries;
  result["num_ooms"] = stats.num_ooms;
  result["max_split_size"] = stats.max_split_size;
  result["num_sync_all_streams"] = stats.num_sync_all_streams;
  result["num_device_alloc"] = stats.num_device_alloc;
  result["num_device_free"] = stats.num_device_free;
  result["allocation"] = dictOf(stats.allocation);
  result["segment"] = dictOf(stats.segment);
  result["active"] = dictOf(stats.active);
  result["inactive_split"] = dictOf(stats.inactive_split);
  result["allocated_bytes"] = dictOf(stats.allocated_bytes);
  result["reserved_bytes"] = dictOf(stats.reserved_bytes);
  result["active_bytes"] = dictOf(stats.active_bytes);
  result["inactive_split_bytes"] = dictOf(stats.inactive_split_bytes);
  result["requested_bytes"] = dictOf(stats.requested_bytes);
  result["oversize_allocations"] = dictOf(stats.oversize_allocations);
  result["oversize_segments"] = dictOf(stats.oversize_segments);
  return result;
}

// torch.UntypedStorage's `_cdata`: address of the implementation.
c10::StorageImpl* storageAt(uintptr_t address) {
  return reinterpret_cast<c10::StorageImpl*>(address);
}

std::vector<c10::StorageImpl*> storagesAt(const std::vector<uintptr_t>& addresses) {
  std::vector<c10::StorageImpl*> storages;
  for (const uintptr_t address : addresses) {
    storages.push_back(storageAt(address));
  }
  return storages;
}

void restorePool(const PoolState& state, const std::vector<uintptr_t>& dropped,
                 const std::vector<uintptr_t>& owners) {
  state.restore(storagesAt(dropped), storagesAt(owners));
}

bool poolHasAllocations(DeviceIndex index, MempoolId pool,
                        const std::unordered_set<uintptr_t>& addresses) {
  std::unordered_set<void*> pointers;
  for (const uintptr_t address : addresses) {
    pointers.insert(reinterpret_cast<void*>(address));
  }
  return pool_has_allocations(index, pool, pointers);
}

bool ownsMemory(uintptr_t storage) { return owns_memory(*storageAt(storage)); }

void freeMemoryOf(uintptr_t storage) { free_memory_of(*storageAt(storage)); }

void attachObserver(py::function function) {
  // Leaked intentionally: the allocator calls observers until the process ends, possibly after
  // Python's finalization.
  auto* const kept = new py::function(std::move(function));
  attach_out_of_memory_observer(
      [kept](int64_t device, size_t asked, size_t allocated, size_t free) {
        const py::gil_scoped_acquire gil;
        (*kept)(device, asked, allocated, free);
      });
}

}  // namespace

void bindMemory(py::module_& module) {
  using torch::wrap_pybind_function;
  using torch::wrap_pybind_function_no_gil;

  module.def("memory_stats", wrap_pybind_function(memoryStats), py::arg("index"));
  module.def("reset_accumulated_memory_stats", wrap_pybind_function(reset_accumulated_memory_stats),
             py::arg("index"));
  module.def("reset_peak_memory_stats", wrap_pybind_function(reset_peak_memory_stats),
             py::arg("index"));
  module.def("empty_cache", wrap_pybind_function_no_gil(empty_cache));
  module.def("host_empty_cache", wrap_pybind_function_no_gil(host_empty_cache));
  module.def("set_memory_fraction", wrap_pybind_function(set_memory_fraction), py::arg("fraction"),
             py::arg("index"));
  module.def("get_memory_fraction", wrap_pybind_function(get_memory_fraction), py::arg("index"));
  module.def("caching_allocator_alloc", wrap_pybind_function_no_gil(caching_allocator_alloc),
             py::arg("size"), py::arg("stream"));
  module.def("caching_allocator_delete", wrap_pybind_function_no_gil(caching_allocator_delete),
             py::arg("pointer"));
  module.def("caching_allocator_enable", wrap_pybind_function(caching_allocator_enable),
             py::arg("enabled"));
  module.def("is_memory_history_enabled", wrap_pybind_function(is_memory_history_enabled));
  module.def("set_allocator_settings", wrap_pybind_function(set_allocator_settings),
             py::arg("settings"));
  module.def("allocator_backend", wrap_pybind_function(allocator_backend));
  module.def("attach_out_of_memory_observer", wrap_pybind_function(attachObserver),
             py::arg("observer"));
  module.def("is_pinned_ptr", wrap_pybind_function(is_pinned_ptr), py::arg("pointer"));

  py::class_<MemoryPool>(module, "MemPool", py::module_local())
      .def(py::init<>())
      .def_property_readonly("id", &MemoryPool::id)
      .def("use_count", &MemoryPool::use_count);
  py::class_<MemoryPoolContext>(module, "MemPoolContext", py::module_local())
      .def(py::init<MemoryPool*>(), py::arg("pool"), py::keep_alive<1, 2>())
      .def_static("active_pool", &MemoryPoolContext::active_pool,
                  py::return_value_policy::reference);
  const auto index = py::arg("index"), pool = py::arg("pool");
  module.def("begin_allocate_to_pool", wrap_pybind_function(begin_allocate_to_pool), index, pool);
  module.def("end_allocate_to_pool", wrap_pybind_function(end_allocate_to_pool), index, pool);
  module.def("release_pool", wrap_pybind_function(release_pool), index, pool);
  module.def("begin_allocate_current_stream_to_pool",
             wrap_pybind_function(begin_allocate_current_stream_to_pool), index, pool);
  module.def("pool_has_allocations", wrap_pybind_function(poolHasAllocations), index, pool,
             py::arg("addresses"));
  py::class_<PoolState>(module, "PoolState", py::module_local())
      .def(py::init<DeviceIndex, MempoolId>(), index, pool)
      .def("restore", wrap_pybind_function(restorePool), py::arg("dropped"), py::arg("owners"));
  module.def("owns_memory", wrap_pybind_function(ownsMemory), py::arg("storage"));
  module.def("free_memory_of", wrap_pybind_function(freeMemoryOf), py::arg("storage"));
}

}  // namespace at::cuda::backend::python
