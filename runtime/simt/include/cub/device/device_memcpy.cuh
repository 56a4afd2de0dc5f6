// cub::DeviceMemcpy: copies of many buffers of bytes. Interface: CUDA 12.4, cub/device/device_memcpy.cuh.
#pragma once

#include <simtrt/cub/device.h>

#include <cstring>

CUB_NAMESPACE_BEGIN

/// With a null `d_temp_storage`, only sets temp_storage_bytes to the required size. detail::in_two_phases
/// (simtrt/cub/device.h) lists the errors.
struct DeviceMemcpy {
  /// Copies buffer_sizes[i] bytes from input_buffer_it[i] to output_buffer_it[i], for each of `num_buffers`
  /// buffers. Input and output buffers must not overlap. The iterators are read in stream order.
  template <class InputBufferIt, class OutputBufferIt, class BufferSizeIteratorT>
  static simtError_t Batched(void* d_temp_storage, std::size_t& temp_storage_bytes,
                             InputBufferIt input_buffer_it, OutputBufferIt output_buffer_it,
                             BufferSizeIteratorT buffer_sizes, std::uint32_t num_buffers,
                             simtStream_t stream = nullptr) {
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceMemcpy::Batched", [=] {
          simtrt::parallel_for(num_buffers, 64, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
              const auto bytes = static_cast<std::size_t>(buffer_sizes[i]);
              // The pointers of an empty buffer may be null.
              if (bytes > 0) std::memcpy(output_buffer_it[i], input_buffer_it[i], bytes);
            }
          });
        });
  }
};

CUB_NAMESPACE_END
