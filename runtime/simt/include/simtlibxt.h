// Descriptors of memory on several devices. Source of names, values and members: CUDA 12.4,
// cudalibxt.h.
#pragma once

#include <cstddef>

#define SIMT_XT_DESCRIPTOR_VERSION 0x01000000
#define MAX_SIMT_DESCRIPTOR_GPUS 64

typedef enum simtXtCopyType_t {
  LIB_XT_COPY_HOST_TO_DEVICE = 0,
  LIB_XT_COPY_DEVICE_TO_HOST = 1,
  LIB_XT_COPY_DEVICE_TO_DEVICE = 2
} simtLibXtCopyType;

typedef enum libFormat_t { LIB_FORMAT_SIMTFFT = 0, LIB_FORMAT_UNDEFINED = 1 } libFormat;

/// Memory on `nGPUs` devices: for each device its number, memory and size in bytes.
typedef struct simtXtDesc_t {
  int version;
  int nGPUs;
  int GPUs[MAX_SIMT_DESCRIPTOR_GPUS];
  void* data[MAX_SIMT_DESCRIPTOR_GPUS];
  std::size_t size[MAX_SIMT_DESCRIPTOR_GPUS];
  void* cudaXtState;
} simtXtDesc;

/// Memory of a library. `subFormat` is one of the library's formats.
typedef struct simtLibXtDesc_t {
  int version;
  simtXtDesc* descriptor;
  libFormat library;
  int subFormat;
  void* libDescriptor;
} simtLibXtDesc;
