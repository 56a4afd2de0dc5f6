// Names of devices, contexts, streams and events for profilers (NVTX). The functions do nothing.
// Source: CUDA 12.4, nvtx3/nvToolsExtCuda.h and nvtx3/nvToolsExtCudaRt.h.
#pragma once

#include <simt_driver.h>
#include <simt_runtime_api.h>
#include <simttx.h>

inline void simttxNameDrvDeviceA(simtDrvDevice, const char*) {}
inline void simttxNameDrvContextA(simtDrvContext, const char*) {}
inline void simttxNameDrvStreamA(simtDrvStream, const char*) {}
inline void simttxNameDrvEventA(simtDrvEvent, const char*) {}

inline void simttxNameDeviceA(int, const char*) {}
inline void simttxNameStreamA(simtStream_t, const char*) {}
inline void simttxNameEventA(simtEvent_t, const char*) {}

#define simttxNameDrvDevice simttxNameDrvDeviceA
#define simttxNameDrvContext simttxNameDrvContextA
#define simttxNameDrvStream simttxNameDrvStreamA
#define simttxNameDrvEvent simttxNameDrvEventA
#define simttxNameDevice simttxNameDeviceA
#define simttxNameStream simttxNameStreamA
#define simttxNameEvent simttxNameEventA
