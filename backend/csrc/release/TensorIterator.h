#pragma once

#include <ATen/TensorIterator.h>

namespace at::cuda::backend {

namespace release {

template <class Config>
auto addConstInput(Config& config, const TensorBase& tensor, int /*preferred*/)
    -> decltype(config.add_const_input(tensor)) {
  return config.add_const_input(tensor);
}

template <class Config>
Config& addConstInput(Config& config, const TensorBase& tensor, long /*otherwise*/) {
  return config.add_input(tensor);
}

template <class Config>
auto addOwnedConstInput(Config& config, const TensorBase& tensor, int /*preferred*/)
    -> decltype(config.add_owned_const_input(tensor)) {
  return config.add_owned_const_input(tensor);
}

template <class Config>
Config& addOwnedConstInput(Config& config, const TensorBase& tensor, long /*otherwise*/) {
  return config.add_owned_input(tensor);
}

}  // namespace release

// Adds a tensor that the kernel only reads. Releases before 2.3 do not distinguish such inputs.
inline TensorIteratorConfig& addConstInput(TensorIteratorConfig& config, const TensorBase& tensor) {
  return release::addConstInput(config, tensor, 0);
}

// Adds a tensor that the kernel only reads, and makes the iterator an owner of the tensor.
inline TensorIteratorConfig& addOwnedConstInput(TensorIteratorConfig& config,
                                                const TensorBase& tensor) {
  return release::addOwnedConstInput(config, tensor, 0);
}

}  // namespace at::cuda::backend
