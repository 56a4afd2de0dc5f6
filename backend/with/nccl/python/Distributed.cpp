// Process group of the device's collectives, with the members of PyTorch's binding of ProcessGroupNCCL.

#include "../../../csrc/python/Bindings.h"
#include "../../../csrc/distributed/Joining.h"
#include "../distributed/Distributed.h"
#include "AttemptStore.h"
#include "HostBackend.h"

#include <pybind11/chrono.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include <cstring>
#include <utility>

namespace {

/// Holder that releases the GIL while it destroys its object: the destructor of a process group joins
/// threads, which may need the GIL.
template <class T>
class NoGilHolder {
 public:
  using element_type = T;
  NoGilHolder() = default;
  NoGilHolder(const NoGilHolder&) = default;
  NoGilHolder(NoGilHolder&&) noexcept = default;
  NoGilHolder& operator=(const NoGilHolder&) = default;
  NoGilHolder& operator=(NoGilHolder&&) noexcept = default;
  NoGilHolder(c10::intrusive_ptr<T> pointer) : pointer_(std::move(pointer)) {}
  // `pointer` denotes a new object, which no other reference owns.
  explicit NoGilHolder(T* pointer)
      : pointer_(c10::intrusive_ptr<T>::unsafe_steal_from_new(pointer)) {}
  ~NoGilHolder() {
    if (pointer_ && PyGILState_Check()) {
      const pybind11::gil_scoped_release released;
      pointer_.reset();
    }
  }

  T& operator*() const noexcept { return *pointer_; }
  T* operator->() const noexcept { return pointer_.get(); }
  T* get() const noexcept { return pointer_.get(); }
  operator bool() const noexcept { return static_cast<bool>(pointer_); }

 private:
  c10::intrusive_ptr<T> pointer_;
};

}  // namespace

PYBIND11_DECLARE_HOLDER_TYPE(T, NoGilHolder<T>, true)

namespace at::cuda::backend::python {
namespace {

using Group = c10d::ProcessGroupNCCL;
using Options = Group::Options;
using Milliseconds = std::chrono::milliseconds;
using NoGil = py::call_guard<py::gil_scoped_release>;

bool acquire_gil() {
  if (Py_IsInitialized()) {
    const py::gil_scoped_acquire gil;
  }
  return true;
}

c10::intrusive_ptr<Group> makeGroup(
    const c10::intrusive_ptr<c10d::Store>& store,
    int rank,
    int size,
    const c10::intrusive_ptr<Options>& options) {
  distributed::announce_process(*store, rank);
  return c10::make_intrusive<Group>(store, rank, size, options);
}

template <class Class>
void bindMembers(Class& group) {
  group
      .def(
          py::init(&makeGroup),
          py::arg("store"),
          py::arg("rank"),
          py::arg("size"),
          py::arg("options"),
          NoGil())
      .def(
          py::init([](const c10::intrusive_ptr<c10d::Store>& store,
                      int rank,
                      int size,
                      const Milliseconds& timeout) {
            auto options = Options::create();
            options->timeout = timeout;
            return makeGroup(store, rank, size, options);
          }),
          py::arg("store"),
          py::arg("rank"),
          py::arg("size"),
          py::arg("timeout") = c10d::kProcessGroupNCCLDefaultTimeout,
          NoGil())
      .def("_shutdown", [](Group& self) { self.shutdown(); }, NoGil())
      .def("_group_start", &Group::groupStart)
      .def("_group_end", &Group::groupEnd)
      .def("comm_split_count", &Group::getCommSplitCounter)
      .def(
          "_set_default_timeout",
          [](Group& self, Milliseconds timeout) { self.getOptions()->timeout = timeout; },
          py::arg("timeout"),
          NoGil())
      .def(
          "_add_ephemeral_timeout",
          [](Group& self, const Milliseconds& timeout) { self.addEphemeralTimeout(timeout); },
          py::arg("timeout"))
      .def(
          "_verify_work_timeout",
          [](Group& self, const c10::intrusive_ptr<c10d::Work>& work, const Milliseconds& timeout) {
            return self.verifyWorkTimeoutForTest(work, timeout);
          },
          py::arg("work"),
          py::arg("timeout"))
      .def_property_readonly("options", &Group::getOptions)
      .def_property_readonly("uid", &Group::getUid)
      .def_property("bound_device_id", &Group::getBoundDeviceId, &Group::setBoundDeviceId)
      .def("perform_nocolor_split", &Group::performNocolorSplit)
      .def("abort", [](Group& self) { self.abort(); }, NoGil())
      .def("_is_initialized", &Group::isInitialized, NoGil());
}

#ifdef NCCL_HAS_COMM_NONBLOCKING
using Config = decltype(Options::config);

void bindConfig(py::handle group) {
  py::class_<Config>(group, "Config", py::module_local())
      .def(py::init<>())
      .def_readwrite("blocking", &Config::blocking)
      .def_readwrite("cga_cluster_size", &Config::cgaClusterSize)
      .def_readwrite("min_ctas", &Config::minCTAs)
      .def_readwrite("max_ctas", &Config::maxCTAs)
      .def_readwrite("split_share", &Config::splitShare)
      .def_property(
          "net_name",
          [](const Config& self) { return self.netName; },
          // The library may keep the pointer for the life of the process.
          [](Config& self, const char* name) { self.netName = strdup(name); });
}
#endif

void bindOptions(py::handle group) {
  py::class_<Options, c10d::Backend::Options, c10::intrusive_ptr<Options>>(group, "Options")
      .def(py::init<bool>(), py::arg("is_high_priority_stream") = false)
#ifdef NCCL_HAS_COMM_NONBLOCKING
      .def_readwrite("config", &Options::config)
#endif
      .def_readwrite("is_high_priority_stream", &Options::is_high_priority_stream)
      .def_readwrite("split_from", &Options::split_from)
      .def_readwrite("split_color", &Options::split_color)
      .def_readwrite("global_ranks_in_group", &Options::global_ranks_in_group)
      .def_readwrite("group_name", &Options::group_name);
}

/// Makes the Python classes. torch.distributed, which registers the base classes, must be imported.
py::object bindProcessGroup(py::module_ module) {
  distributed::set_gil_checker(&acquire_gil);
  py::class_<Group, c10d::Backend, NoGilHolder<Group>> group(module, "ProcessGroup");
#ifdef NCCL_HAS_COMM_NONBLOCKING
  bindConfig(group);
#endif
  bindOptions(group);
  bindMembers(group);
  using distributed::AttemptStore;
  py::class_<AttemptStore, c10d::Store, c10::intrusive_ptr<AttemptStore>>(module, "AttemptStore")
      .def(
          py::init<const c10::intrusive_ptr<c10d::Store>&, const std::string&>(),
          py::arg("store"),
          py::arg("attempt"));
  using distributed::HostBackend;
  py::class_<HostBackend, c10d::Backend, c10::intrusive_ptr<HostBackend>>(module, "HostBackend")
      .def(py::init<const c10::intrusive_ptr<c10d::Backend>&>(), py::arg("backend"));
  return group;
}

py::bytes dumpTrace(bool collectives, bool stacks, bool only_active) {
  return py::bytes(distributed::dump_trace(collectives, stacks, only_active));
}

}  // namespace

void bindDistributed(py::module_& module) {
  using torch::wrap_pybind_function;
  module.def("bind_process_group", [module] { return bindProcessGroup(module); });
  module.def("collectives_version", wrap_pybind_function(distributed::library_version));
  module.def(
      "dump_collectives",
      wrap_pybind_function(dumpTrace),
      py::arg("collectives") = true,
      py::arg("stacks") = true,
      py::arg("only_active") = false);
  module.def(
      "dump_collectives_json",
      wrap_pybind_function(distributed::dump_trace_json),
      py::arg("collectives") = true,
      py::arg("only_active") = false);
  bindNccl(module);
}

}  // namespace at::cuda::backend::python
