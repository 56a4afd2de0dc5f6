// Second name of the device: the name of another device type of PyTorch, for example cuda. PyTorch
// reads and prints device types by two functions of libc10. This file makes PyTorch's libraries call
// its own functions instead. Operators and factory functions therefore need no wrapper, and their cost
// does not change.

#include "Bindings.h"
#include "ImportedFunctions.h"

#include "../release/Version.h"

#include <ATen/autocast_mode.h>
#include <c10/core/Device.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <torch/csrc/utils/python_arg_parser.h>

#include <new>

namespace at::cuda::backend::python {
namespace {

constexpr auto kOwn = c10::DeviceType::PrivateUse1;
// Device type whose name the device has taken.
auto named = kOwn;

c10::DeviceType own(c10::DeviceType type) { return type == named ? kOwn : type; }

// Replaces the constructor of c10::Device.
void deviceOfText(c10::Device* self, const std::string& text) {
  const c10::Device device(text);
  new (self) c10::Device(own(device.type()), device.index());
}

// Replaces c10::DeviceTypeName.
std::string nameOfType(c10::DeviceType type, bool lower_case) {
  return c10::DeviceTypeName(type == kOwn ? named : type, lower_case);
}

#if BACKEND_HAS_AUTOCAST_OF_DEVICE

// Replacements of at::autocast's functions. Python functions without a device parameter, such as
// torch.is_autocast_enabled(), pass CUDA as the device type.
bool autocastEnabled(at::DeviceType type) { return at::autocast::is_autocast_enabled(own(type)); }

void setAutocastEnabled(at::DeviceType type, bool enabled) {
  at::autocast::set_autocast_enabled(own(type), enabled);
}

at::ScalarType autocastDtype(at::DeviceType type) {
  return at::autocast::get_autocast_dtype(own(type));
}

void setAutocastDtype(at::DeviceType type, at::ScalarType dtype) {
  at::autocast::set_autocast_dtype(own(type), dtype);
}

#endif

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

std::vector<ImportedFunction> replacements() {
#if _GLIBCXX_USE_CXX11_ABI
  const std::string text = "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
  const std::string type_name = "_ZN3c1014DeviceTypeNameB5cxx11ENS_10DeviceTypeEb";
#else
  const std::string text = "RKSs";
  const std::string type_name = "_ZN3c1014DeviceTypeNameENS_10DeviceTypeEb";
#endif
  return {
      {{"_ZN3c106DeviceC1E" + text, "_ZN3c106DeviceC2E" + text}, address(deviceOfText)},
      {{type_name}, address(nameOfType)},
#if BACKEND_HAS_AUTOCAST_OF_DEVICE
      {{"_ZN2at8autocast19is_autocast_enabledEN3c1010DeviceTypeE"}, address(autocastEnabled)},
      {{"_ZN2at8autocast20set_autocast_enabledEN3c1010DeviceTypeEb"}, address(setAutocastEnabled)},
      {{"_ZN2at8autocast18get_autocast_dtypeEN3c1010DeviceTypeE"}, address(autocastDtype)},
      {{"_ZN2at8autocast18set_autocast_dtypeEN3c1010DeviceTypeENS1_10ScalarTypeE"},
       address(setAutocastDtype)},
#endif
  };
}

// Replaces the operator of TorchScript that moves a tensor to the device type.
void replaceScriptOperator(const std::string& name) {
  static const auto schema = "aten::" + name + "(Tensor(a) self) -> Tensor(a|b)";
  const auto found = torch::jit::getOperatorForLiteral(schema.c_str());
  const auto analysis = found->aliasAnalysisKind();
  const auto move = [](torch::jit::Stack& stack) {
    const auto tensor = torch::jit::pop(stack).toTensor();
    torch::jit::push(stack, tensor.to(tensor.options().device(kOwn)));
  };
  torch::jit::deregisterOperator(found->schema());
  torch::jit::registerOperator(torch::jit::Operator(schema, move, analysis));
}

void adoptName(const std::string& name) {
  named = c10::Device(name).type();
  static const auto functions = replacements();
  for (const std::string library : {"libtorch_python.so", "libtorch_cpu.so", "libc10.so"}) {
    TORCH_CHECK(replaceImportedFunctions(library, functions) > 0, "the device cannot have the name '",
                name, "': ", library,
                " of the installed PyTorch does not import the functions that read and print devices");
  }
  TORCH_CHECK(c10::Device(kOwn).str() == name, "the device cannot have the name '", name,
              "': this build of PyTorch prints devices otherwise");
  replaceScriptOperator(name);
}

// Getter of the property of tensors; `name` is the name of the property.
PyObject* isOwn(PyObject* self, void* name) {
  HANDLE_TH_ERRORS
  if (torch::check_has_torch_function(self)) {
    return torch::handle_torch_function_getter(reinterpret_cast<THPVariable*>(self),
                                               static_cast<const char*>(name));
  }
  return PyBool_FromLong(THPVariable_Unpack(self).device().type() == kOwn);
  END_HANDLE_TH_ERRORS
}

py::object isOwnProperty(const std::string& name) {
  static const std::string text = name;
  static auto* closure = const_cast<char*>(text.c_str());
  static PyGetSetDef definition{closure, isOwn, nullptr, "True if the tensor is on the device.",
                                closure};
  auto* type = reinterpret_cast<PyTypeObject*>(THPVariableClass);
  return py::reinterpret_steal<py::object>(PyDescr_NewGetSet(type, &definition));
}

}  // namespace

void bindDeviceName(py::module_& module) {
  using torch::wrap_pybind_function;
  module.def("adopt_name", wrap_pybind_function(adoptName), py::arg("name"));
  module.def("is_own_property", wrap_pybind_function(isOwnProperty), py::arg("name"));
}

}  // namespace at::cuda::backend::python
