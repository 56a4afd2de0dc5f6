// Interoperation with OpenGL: every call states that the device has no graphics.
#include "kernel_test.h"

#include <simt_gl_interop.h>

TEST_CASE("an OpenGL buffer or image cannot be registered") {
  simtGraphicsResource_t resource = nullptr;
  CHECK_EQ(simtGraphicsGLRegisterBuffer(&resource, 1, simtGraphicsRegisterFlagsWriteDiscard),
           simtErrorInvalidGraphicsContext);
  CHECK_EQ(simtGraphicsGLRegisterImage(&resource, 1, 0x0DE1, simtGraphicsRegisterFlagsNone),
           simtErrorInvalidGraphicsContext);
  CHECK_EQ(resource, nullptr);
  CHECK_EQ(simtGetLastError(), simtErrorInvalidGraphicsContext);
  unsigned count = 0;
  int device = 0;
  CHECK_EQ(simtGLGetDevices(&count, &device, 1, simtGLDeviceListAll),
           simtErrorInvalidGraphicsContext);
  void* pointer = nullptr;
  CHECK_EQ(simtGLMapBufferObject(&pointer, 1), simtErrorInvalidGraphicsContext);
  simtGetLastError();
}

TEST_CASE("no resource of a graphics API can be mapped") {
  simtGraphicsResource_t resource = nullptr;
  CHECK_EQ(simtGraphicsMapResources(1, &resource), simtErrorInvalidResourceHandle);
  CHECK_EQ(simtGraphicsMapResources(0, &resource), simtErrorInvalidValue);
  void* pointer = nullptr;
  std::size_t size = 0;
  CHECK_EQ(simtGraphicsResourceGetMappedPointer(&pointer, &size, resource),
           simtErrorInvalidResourceHandle);
  CHECK_EQ(simtGraphicsUnregisterResource(resource), simtErrorInvalidResourceHandle);
  simtGetLastError();
}

TEST_CASE("the device for OpenGL is the current device") {
  CHECK_EQ(simtGLSetGLDevice(-1), simtErrorInvalidDevice);
  simtGetLastError();
  REQUIRE_OK(simtGLSetGLDevice(0));
  int device = -1;
  REQUIRE_OK(simtGetDevice(&device));
  CHECK_EQ(device, 0);
}
