// Implementation of simtfftXt.h: transforms on several devices.
#include <simtfftXt.h>

#include <algorithm>
#include <new>
#include <vector>

#include "fft/complex.h"
#include "fft/plan.h"
#include "fft/slots.h"

namespace simtrt::fft {

namespace {

constexpr int kMaxPlanDevices = 16;

/// Makes a device the current one, and the previous one again at the end.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    simtGetDevice(&previous_);
    simtSetDevice(device);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() { simtSetDevice(previous_); }

 private:
  int previous_ = 0;
};

/// Slot of a plan for descriptors; null for other handles.
std::shared_ptr<Slot> plan_for_descriptors(simtfftHandle handle) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(handle);
  return slot && slot->plan && !slot->devices.empty() ? slot : nullptr;
}

/// Sizes in bytes of the parts of an array. The array is divided by transforms or, if there is one
/// transform, by rows of the first dimension.
std::vector<std::size_t> part_sizes(const Slot& slot) {
  const Shape& shape = slot.plan->shape();
  const auto lengths = spectrum_of(shape);
  std::size_t rows = shape.batch;
  std::size_t bytes = shape.precision == Precision::kDouble ? sizeof(Complex<double>)
                                                            : sizeof(Complex<float>);
  for (int d = 0; d < shape.rank; ++d) {
    (d == 0 && shape.batch == 1 ? rows : bytes) *= lengths[d];
  }
  const std::size_t count = slot.devices.size();
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < count; ++i) {
    sizes.push_back((rows / count + (i < rows % count ? 1 : 0)) * bytes);
  }
  return sizes;
}

/// True if a descriptor has the parts of the plan's arrays.
bool belongs_to(const simtLibXtDesc* descriptor, const Slot& slot) {
  if (descriptor == nullptr || descriptor->descriptor == nullptr ||
      descriptor->library != LIB_FORMAT_SIMTFFT) {
    return false;
  }
  const simtXtDesc& parts = *descriptor->descriptor;
  const std::vector<std::size_t> sizes = part_sizes(slot);
  return parts.nGPUs == static_cast<int>(sizes.size()) &&
         std::equal(sizes.begin(), sizes.end(), parts.size);
}

void free_parts(const simtXtDesc& parts) {
  for (int i = 0; i < parts.nGPUs; ++i) {
    simtFree(parts.data[i]);
  }
}

simtfftResult allocate(const Slot& slot, simtXtDesc* parts) {
  parts->version = SIMT_XT_DESCRIPTOR_VERSION;
  for (const std::size_t size : part_sizes(slot)) {
    const int device = slot.devices[static_cast<std::size_t>(parts->nGPUs)];
    const CurrentDevice current(device);
    void** data = &parts->data[parts->nGPUs];
    if (size > 0 && simtMalloc(data, size) != simtSuccess) {
      free_parts(*parts);
      return SIMTFFT_ALLOC_FAILED;
    }
    parts->GPUs[parts->nGPUs] = device;
    parts->size[parts->nGPUs] = size;
    ++parts->nGPUs;
  }
  return SIMTFFT_SUCCESS;
}

/// Waits for all work of the devices and calls copy(data, size, offset) for each part.
template <class Copy>
simtfftResult for_each_part(const simtXtDesc& parts, Copy copy) {
  std::size_t offset = 0;
  for (int i = 0; i < parts.nGPUs; ++i) {
    const CurrentDevice current(parts.GPUs[i]);
    if (simtDeviceSynchronize() != simtSuccess ||
        copy(static_cast<char*>(parts.data[i]), parts.size[i], offset) != simtSuccess) {
      return SIMTFFT_EXEC_FAILED;
    }
    offset += parts.size[i];
  }
  return SIMTFFT_SUCCESS;
}

simtfftResult from_memory(const simtXtDesc& to, const char* memory, simtMemcpyKind kind) {
  return for_each_part(to, [=](char* data, std::size_t size, std::size_t offset) {
    return simtMemcpy(data, memory + offset, size, kind);
  });
}
simtfftResult to_memory(const simtXtDesc& from, char* memory, simtMemcpyKind kind) {
  return for_each_part(from, [=](const char* data, std::size_t size, std::size_t offset) {
    return simtMemcpy(memory + offset, data, size, kind);
  });
}

/// Copies the parts to one array on the first device, transforms it, and copies it back.
simtfftResult execute(const Slot& slot, const simtXtDesc& input, const simtXtDesc& output,
                      int direction) {
  std::size_t total = 0;
  for (int i = 0; i < input.nGPUs; ++i) {
    total += input.size[i];
  }
  const CurrentDevice current(slot.devices[0]);
  void* memory = nullptr;
  if (simtMalloc(&memory, total) != simtSuccess) {
    return SIMTFFT_ALLOC_FAILED;
  }
  const std::shared_ptr<void> array(memory, simtFree);
  simtfftResult status = to_memory(input, static_cast<char*>(memory), simtMemcpyDeviceToDevice);
  if (status == SIMTFFT_SUCCESS) {
    status = slot.plan->execute(nullptr, memory, memory, slot.work, slot.own_work, direction, {});
  }
  if (status == SIMTFFT_SUCCESS && simtDeviceSynchronize() != simtSuccess) {
    status = SIMTFFT_EXEC_FAILED;
  }
  return status != SIMTFFT_SUCCESS
             ? status
             : from_memory(output, static_cast<const char*>(memory), simtMemcpyDeviceToDevice);
}

simtfftResult execute(simtfftHandle plan, const simtLibXtDesc* input, const simtLibXtDesc* output,
                      int direction) {
  const std::shared_ptr<Slot> slot = plan_for_descriptors(plan);
  if (!slot) {
    return SIMTFFT_INVALID_PLAN;
  }
  if (!belongs_to(input, *slot) || !belongs_to(output, *slot)) {
    return SIMTFFT_INVALID_VALUE;
  }
  return execute(*slot, *input->descriptor, *output->descriptor, direction);
}

/// Executes a plan, which must have the type of the called function.
simtfftResult execute(simtfftHandle plan, simtfftType type, const simtLibXtDesc* input,
                      const simtLibXtDesc* output, int direction) {
  const std::shared_ptr<Slot> slot = plan_for_descriptors(plan);
  Type kind;
  if (slot && (type_of(type, &kind) != SIMTFFT_SUCCESS || !(kind == slot->plan->type()))) {
    return SIMTFFT_INVALID_TYPE;
  }
  return execute(plan, input, output, direction);
}

}  // namespace

}  // namespace simtrt::fft

using simtrt::fft::Slot;
using simtrt::fft::Slots;

extern "C" {

simtfftResult simtfftXtSetGPUs(simtfftHandle plan, int count, int* devices) {
  const std::shared_ptr<Slot> slot = Slots::instance().find(plan);
  if (!slot || slot->plan) {
    return SIMTFFT_INVALID_PLAN;
  }
  if (devices == nullptr || count < 1 || count > simtrt::fft::kMaxPlanDevices) {
    return SIMTFFT_INVALID_VALUE;
  }
  int present = 0;
  simtGetDeviceCount(&present);
  for (int i = 0; i < count; ++i) {
    const bool is_repeated = std::find(devices, devices + i, devices[i]) != devices + i;
    if (devices[i] < 0 || devices[i] >= present || is_repeated) {
      return SIMTFFT_INVALID_DEVICE;
    }
  }
  slot->devices.assign(devices, devices + count);
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftXtSetWorkArea(simtfftHandle plan, void** work_areas) {
  const std::shared_ptr<Slot> slot = simtrt::fft::plan_for_descriptors(plan);
  if (!slot) {
    return SIMTFFT_INVALID_PLAN;
  }
  return work_areas == nullptr ? SIMTFFT_INVALID_VALUE : simtfftSetWorkArea(plan, work_areas[0]);
}

simtfftResult simtfftXtMalloc(simtfftHandle plan, simtLibXtDesc** descriptor,
                              simtfftXtSubFormat format) {
  const std::shared_ptr<Slot> slot = simtrt::fft::plan_for_descriptors(plan);
  if (!slot) {
    return SIMTFFT_INVALID_PLAN;
  }
  if (descriptor == nullptr || format < SIMTFFT_XT_FORMAT_INPUT ||
      format >= SIMTFFT_FORMAT_UNDEFINED) {
    return SIMTFFT_INVALID_VALUE;
  }
  if (format >= SIMTFFT_XT_FORMAT_DISTRIBUTED_INPUT) {
    return SIMTFFT_NOT_SUPPORTED;
  }
  std::unique_ptr<simtXtDesc> parts(new (std::nothrow) simtXtDesc{});
  std::unique_ptr<simtLibXtDesc> made(new (std::nothrow) simtLibXtDesc{});
  if (!parts || !made) {
    return SIMTFFT_ALLOC_FAILED;
  }
  const simtfftResult status = simtrt::fft::allocate(*slot, parts.get());
  if (status != SIMTFFT_SUCCESS) {
    return status;
  }
  *made = {SIMT_XT_DESCRIPTOR_VERSION, parts.release(), LIB_FORMAT_SIMTFFT, format, nullptr};
  *descriptor = made.release();
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftXtFree(simtLibXtDesc* descriptor) {
  if (descriptor == nullptr || descriptor->descriptor == nullptr) {
    return SIMTFFT_INVALID_VALUE;
  }
  simtrt::fft::free_parts(*descriptor->descriptor);
  delete descriptor->descriptor;
  delete descriptor;
  return SIMTFFT_SUCCESS;
}

simtfftResult simtfftXtMemcpy(simtfftHandle plan, void* to, void* from, simtfftXtCopyType type) {
  const std::shared_ptr<Slot> slot = simtrt::fft::plan_for_descriptors(plan);
  if (!slot) {
    return SIMTFFT_INVALID_PLAN;
  }
  if (to == nullptr || from == nullptr || type < SIMTFFT_COPY_HOST_TO_DEVICE ||
      type >= SIMTFFT_COPY_UNDEFINED) {
    return SIMTFFT_INVALID_VALUE;
  }
  const auto* target = static_cast<const simtLibXtDesc*>(to);
  const auto* source = static_cast<const simtLibXtDesc*>(from);
  if ((type != SIMTFFT_COPY_DEVICE_TO_HOST && !simtrt::fft::belongs_to(target, *slot)) ||
      (type != SIMTFFT_COPY_HOST_TO_DEVICE && !simtrt::fft::belongs_to(source, *slot))) {
    return SIMTFFT_INVALID_VALUE;
  }
  if (type == SIMTFFT_COPY_HOST_TO_DEVICE) {
    return simtrt::fft::from_memory(*target->descriptor, static_cast<const char*>(from),
                                    simtMemcpyHostToDevice);
  }
  if (type == SIMTFFT_COPY_DEVICE_TO_HOST) {
    return simtrt::fft::to_memory(*source->descriptor, static_cast<char*>(to),
                                  simtMemcpyDeviceToHost);
  }
  int part = 0;
  return simtrt::fft::for_each_part(
      *target->descriptor, [&](char* data, std::size_t size, std::size_t) {
        return simtMemcpy(data, source->descriptor->data[part++], size, simtMemcpyDeviceToDevice);
      });
}

simtfftResult simtfftXtExecDescriptor(simtfftHandle plan, simtLibXtDesc* input,
                                      simtLibXtDesc* output, int direction) {
  return simtrt::fft::execute(plan, input, output, direction);
}
simtfftResult simtfftXtExecDescriptorC2C(simtfftHandle plan, simtLibXtDesc* input,
                                         simtLibXtDesc* output, int direction) {
  return simtrt::fft::execute(plan, SIMTFFT_C2C, input, output, direction);
}
simtfftResult simtfftXtExecDescriptorR2C(simtfftHandle plan, simtLibXtDesc* input,
                                         simtLibXtDesc* output) {
  return simtrt::fft::execute(plan, SIMTFFT_R2C, input, output, SIMTFFT_FORWARD);
}
simtfftResult simtfftXtExecDescriptorC2R(simtfftHandle plan, simtLibXtDesc* input,
                                         simtLibXtDesc* output) {
  return simtrt::fft::execute(plan, SIMTFFT_C2R, input, output, SIMTFFT_INVERSE);
}
simtfftResult simtfftXtExecDescriptorZ2Z(simtfftHandle plan, simtLibXtDesc* input,
                                         simtLibXtDesc* output, int direction) {
  return simtrt::fft::execute(plan, SIMTFFT_Z2Z, input, output, direction);
}
simtfftResult simtfftXtExecDescriptorD2Z(simtfftHandle plan, simtLibXtDesc* input,
                                         simtLibXtDesc* output) {
  return simtrt::fft::execute(plan, SIMTFFT_D2Z, input, output, SIMTFFT_FORWARD);
}
simtfftResult simtfftXtExecDescriptorZ2D(simtfftHandle plan, simtLibXtDesc* input,
                                         simtLibXtDesc* output) {
  return simtrt::fft::execute(plan, SIMTFFT_Z2D, input, output, SIMTFFT_INVERSE);
}

}  // extern "C"
