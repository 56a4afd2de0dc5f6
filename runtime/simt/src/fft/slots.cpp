#include "fft/slots.h"

namespace simtrt::fft {

Slots& Slots::instance() {
  // Never destroyed: destructors of static objects may use their plans while the process ends.
  static auto& slots = *new Slots;
  return slots;
}

simtfftHandle Slots::add() {
  const std::lock_guard lock(mutex_);
  slots_.emplace(next_, std::make_shared<Slot>());
  return next_++;
}

std::shared_ptr<Slot> Slots::find(simtfftHandle handle) {
  const std::lock_guard lock(mutex_);
  const auto found = slots_.find(handle);
  return found == slots_.end() ? nullptr : found->second;
}

bool Slots::remove(simtfftHandle handle) {
  const std::lock_guard lock(mutex_);
  return slots_.erase(handle) > 0;
}

}  // namespace simtrt::fft
