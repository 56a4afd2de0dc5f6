// Buffers and images of OpenGL. Names and values: CUDA 12.4, cuda_gl_interop.h.
//
// No context of OpenGL belongs to the device, and no buffer or image can be registered: the functions return
// simtErrorInvalidGraphicsContext, as CUDA's do without a context.
#pragma once

#include <simt_graphics.h>

// Programs that draw nothing compile on machines without the headers of OpenGL.
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#else
typedef unsigned int GLenum;
typedef unsigned int GLuint;
#endif

enum simtGLDeviceList {
  simtGLDeviceListAll = 1,
  simtGLDeviceListCurrentFrame = 2,
  simtGLDeviceListNextFrame = 3,
};

enum simtGLMapFlags {
  simtGLMapFlagsNone = 0,
  simtGLMapFlagsReadOnly = 1,
  simtGLMapFlagsWriteDiscard = 2,
};

SIMTRT_EXPORT simtError_t simtGLGetDevices(unsigned* count, int* devices, unsigned most,
                                           enum simtGLDeviceList list);
SIMTRT_EXPORT simtError_t simtGraphicsGLRegisterBuffer(struct simtGraphicsResource** resource,
                                                       GLuint buffer, unsigned flags);
SIMTRT_EXPORT simtError_t simtGraphicsGLRegisterImage(struct simtGraphicsResource** resource,
                                                      GLuint image, GLenum target, unsigned flags);

// Functions that CUDA 5.0 deprecated.

/// Selects the device, as simtSetDevice: CUDA needs no other preparation since release 5.0.
SIMTRT_EXPORT simtError_t simtGLSetGLDevice(int device);
SIMTRT_EXPORT simtError_t simtGLRegisterBufferObject(GLuint buffer);
SIMTRT_EXPORT simtError_t simtGLUnregisterBufferObject(GLuint buffer);
SIMTRT_EXPORT simtError_t simtGLSetBufferObjectMapFlags(GLuint buffer, unsigned flags);
SIMTRT_EXPORT simtError_t simtGLMapBufferObject(void** pointer, GLuint buffer);
SIMTRT_EXPORT simtError_t simtGLMapBufferObjectAsync(void** pointer, GLuint buffer,
                                                     simtStream_t stream);
SIMTRT_EXPORT simtError_t simtGLUnmapBufferObject(GLuint buffer);
SIMTRT_EXPORT simtError_t simtGLUnmapBufferObjectAsync(GLuint buffer, simtStream_t stream);
