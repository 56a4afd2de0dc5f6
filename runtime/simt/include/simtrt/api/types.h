// Types, enumerators and constants of the runtime API: those of CUDA 12.4, with the names in
// mappings/simt. Constants are macros, as in CUDA, for code that tests them with #ifdef.
#pragma once

#include <simtrt/api/device_types.h>
#include <simtrt/api/error_codes.h>
#include <simtrt/api/graph_types.h>
#include <simtrt/api/memory_types.h>

typedef struct SIMTstream_st* simtStream_t;
typedef struct SIMTevent_st* simtEvent_t;

/// Calling convention of callbacks: the compiler's default.
#define SIMTRT_CB

/// Function for simtLaunchHostFunc, called with the data of the launch.
typedef void(SIMTRT_CB* simtHostFn_t)(void* data);

/// Function for simtStreamAddCallback, called with the error of the stream's earlier work.
typedef void(SIMTRT_CB* simtStreamCallback_t)(simtStream_t stream, simtError_t status, void* data);

// Flags of simtStreamCreateWithFlags.
#define simtStreamDefault 0x00
#define simtStreamNonBlocking 0x01

// Special streams: the default stream of the device, and the calling thread's own stream.
#define simtStreamLegacy ((simtStream_t)0x1)
#define simtStreamPerThread ((simtStream_t)0x2)

// Flags of simtEventCreateWithFlags.
#define simtEventDefault 0x00
#define simtEventBlockingSync 0x01
#define simtEventDisableTiming 0x02
#define simtEventInterprocess 0x04

// Flags of simtEventRecordWithFlags.
#define simtEventRecordDefault 0x00
#define simtEventRecordExternal 0x01

// Flags of simtStreamWaitEvent.
#define simtEventWaitDefault 0x00
#define simtEventWaitExternal 0x01
