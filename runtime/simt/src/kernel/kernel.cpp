#include "kernel/kernel.h"

#include <new>

namespace simtrt {

void* new_call(std::size_t size, std::size_t alignment) {
  return ::operator new(size, std::align_val_t(alignment));
}

Kernel::~Kernel() {
  if (call_.destroy != nullptr) call_.destroy(call_.call);
  ::operator delete(call_.call, std::align_val_t(call_.alignment));
}

}  // namespace simtrt
