// Observer of the operators that run, in all threads. torch.<device>.check notes for the runtime which operator launches
// a kernel. A dispatch mode of Python would do the same, but PyTorch computes several operators in another way below a
// mode (at::isTensorSubclassLike), so that the checks would see other kernels.

#include "Bindings.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <torch/csrc/Exceptions.h>

#include <cstdint>
#include <memory>

namespace at::cuda::backend::python {
namespace {

/// Sets the note of the calling thread in the runtime, and returns the one before.
using SetNote = std::uint64_t (*)(std::uint64_t);

struct Observer {
  py::object number_of;  ///< gives the note of an operator, by its name
  SetNote set_note;
};

/// Null while no observer is active. The GIL guards it.
std::unique_ptr<Observer>& observer() {
  static auto& made = *new std::unique_ptr<Observer>();
  return made;
}

/// True while the thread runs an operator that has kernels of its own: those that it calls are a part of it.
thread_local bool in_operator = false;

struct Before : ObserverContext {
  Before(SetNote set_note, std::uint64_t note) : set_note(set_note), note(note) {}
  SetNote set_note;
  std::uint64_t note;
  bool begins_operator = false;
};

/// True for an operator that PyTorch computes by others (`linear`), which are noted instead.
bool is_composite(const OperatorName& name) {
  const auto found = c10::Dispatcher::singleton().findSchema(name);
  return found.has_value() && found->hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd);
}

std::unique_ptr<ObserverContext> begin(const RecordFunction& function) {
  const auto name = function.operator_name();
  if (in_operator || !name.has_value()) return nullptr;
  const py::gil_scoped_acquire gil;
  const auto& active = observer();
  if (active == nullptr) return nullptr;
  try {
    const auto note = active->number_of(toString(*name)).cast<std::uint64_t>();
    auto before = std::make_unique<Before>(active->set_note, active->set_note(note));
    before->begins_operator = in_operator = !is_composite(*name);
    return before;
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("the observer of operators");
    return nullptr;
  }
}

void end(const RecordFunction&, ObserverContext* context) {
  const auto* const before = static_cast<Before*>(context);
  if (before == nullptr) return;
  before->set_note(before->note);
  if (before->begins_operator) in_operator = false;
}

CallbackHandle observe(py::object number_of, std::uintptr_t set_note) {
  TORCH_CHECK(observer() == nullptr, "an observer of operators is active");
  observer() = std::make_unique<Observer>(Observer{std::move(number_of), reinterpret_cast<SetNote>(set_note)});
  return addGlobalCallback(RecordFunctionCallback(&begin, &end).scopes({RecordScope::FUNCTION}));
}

void stopObserving(CallbackHandle handle) {
  removeCallback(handle);
  observer().reset();
}

}  // namespace

void bindOperators(py::module_& module) {
  using torch::wrap_pybind_function;
  module.def("observe_operators", wrap_pybind_function(observe), py::arg("number_of"), py::arg("set_note"));
  module.def("stop_observing_operators", wrap_pybind_function(stopObserving), py::arg("handle"));
}

}  // namespace at::cuda::backend::python
