// Code shared by the tests of the driver API: checked calls, device pointers, arrays.
#pragma once

#include "kernel_test.h"

#include <simt_driver.h>

#include <cstdint>

#define CHECK_DRV(...) CHECK_EQ((__VA_ARGS__), SIMT_DRV_SUCCESS)
#define REQUIRE_DRV(...) REQUIRE_EQ((__VA_ARGS__), SIMT_DRV_SUCCESS)

inline simtDrvDeviceptr device_pointer(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

inline SIMT_DRV_ARRAY3D_DESCRIPTOR shape(
    std::size_t width, std::size_t height, std::size_t depth,
    simtDrvArray_format format = SIMT_DRV_AD_FORMAT_UNSIGNED_INT8, unsigned channels = 1,
    unsigned flags = 0) {
  return {width, height, depth, format, channels, flags};
}

/// Array that exists until the end of the test.
class DriverArray {
 public:
  explicit DriverArray(const SIMT_DRV_ARRAY3D_DESCRIPTOR& descriptor) {
    REQUIRE_DRV(simtDrvArray3DCreate(&array_, &descriptor));
  }
  template <class T>
  DriverArray(const SIMT_DRV_ARRAY3D_DESCRIPTOR& descriptor, const std::vector<T>& values)
      : DriverArray(descriptor) {
    REQUIRE_DRV(simtDrvMemcpyHtoA(array_, 0, values.data(), values.size() * sizeof(T)));
  }
  DriverArray(const DriverArray&) = delete;
  DriverArray& operator=(const DriverArray&) = delete;
  ~DriverArray() { simtDrvArrayDestroy(array_); }
  operator simtDrvArray() const { return array_; }

 private:
  simtDrvArray array_ = nullptr;
};
