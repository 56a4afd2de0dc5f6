// Resources of graphics APIs: none can be registered, so that every call reports an error.
#include "api/call.h"

#include <simt_gl_interop.h>

using namespace simtrt;

namespace {

simtError_t no_context() {
  return call([] { return simtErrorInvalidGraphicsContext; });
}

simtError_t no_resource() {
  return call([] { return simtErrorInvalidResourceHandle; });
}

// CUDA Runtime API, cudaGraphicsMapResources: maps `count` resources.
simtError_t no_resources(int count, const simtGraphicsResource_t* resources) {
  return call([&] {
    return count <= 0 || resources == nullptr ? simtErrorInvalidValue
                                              : simtErrorInvalidResourceHandle;
  });
}

}  // namespace

simtError_t simtGraphicsUnregisterResource(simtGraphicsResource_t) { return no_resource(); }
simtError_t simtGraphicsResourceSetMapFlags(simtGraphicsResource_t, unsigned) {
  return no_resource();
}
simtError_t simtGraphicsMapResources(int count, simtGraphicsResource_t* resources, simtStream_t) {
  return no_resources(count, resources);
}
simtError_t simtGraphicsUnmapResources(int count, simtGraphicsResource_t* resources, simtStream_t) {
  return no_resources(count, resources);
}
simtError_t simtGraphicsResourceGetMappedPointer(void**, std::size_t*, simtGraphicsResource_t) {
  return no_resource();
}
simtError_t simtGraphicsSubResourceGetMappedArray(simtArray_t*, simtGraphicsResource_t, unsigned,
                                                  unsigned) {
  return no_resource();
}

simtError_t simtGLGetDevices(unsigned*, int*, unsigned, enum simtGLDeviceList) {
  return no_context();
}
simtError_t simtGraphicsGLRegisterBuffer(simtGraphicsResource_t*, GLuint, unsigned) {
  return no_context();
}
simtError_t simtGraphicsGLRegisterImage(simtGraphicsResource_t*, GLuint, GLenum, unsigned) {
  return no_context();
}

simtError_t simtGLSetGLDevice(int device) { return simtSetDevice(device); }
simtError_t simtGLRegisterBufferObject(GLuint) { return no_context(); }
simtError_t simtGLUnregisterBufferObject(GLuint) { return no_context(); }
simtError_t simtGLSetBufferObjectMapFlags(GLuint, unsigned) { return no_context(); }
simtError_t simtGLMapBufferObject(void**, GLuint) { return no_context(); }
simtError_t simtGLMapBufferObjectAsync(void**, GLuint, simtStream_t) { return no_context(); }
simtError_t simtGLUnmapBufferObject(GLuint) { return no_context(); }
simtError_t simtGLUnmapBufferObjectAsync(GLuint, simtStream_t) { return no_context(); }
