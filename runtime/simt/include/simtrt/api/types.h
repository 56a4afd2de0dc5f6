// Types, enumerators and constants of the runtime API: CUDA 12.4's, named as mappings/simt says.
// Constants are macros, as in CUDA, whose code may ask for them with #ifdef.
#pragma once

#include <simtrt/api/device_types.h>
#include <simtrt/api/error_codes.h>
#include <simtrt/api/graph_types.h>
#include <simtrt/api/memory_types.h>

typedef struct SIMTstream_st* simtStream_t;
typedef struct SIMTevent_st* simtEvent_t;

/// The calling convention of functions that the runtime calls back: the compiler's own.
#define SIMTRT_CB

/// Function that simtLaunchHostFunc calls, with the data it was given.
typedef void(SIMTRT_CB* simtHostFn_t)(void* data);

/// Function that simtStreamAddCallback calls, with the error of the stream's work before it.
typedef void(SIMTRT_CB* simtStreamCallback_t)(simtStream_t stream, simtError_t status, void* data);

// Of simtStreamCreateWithFlags.
#define simtStreamDefault 0x00
#define simtStreamNonBlocking 0x01

// In place of a stream: the default stream of the device, and the calling thread's own.
#define simtStreamLegacy ((simtStream_t)0x1)
#define simtStreamPerThread ((simtStream_t)0x2)

// Of simtEventCreateWithFlags.
#define simtEventDefault 0x00
#define simtEventBlockingSync 0x01
#define simtEventDisableTiming 0x02
#define simtEventInterprocess 0x04

// Of simtEventRecordWithFlags.
#define simtEventRecordDefault 0x00
#define simtEventRecordExternal 0x01

// Of simtStreamWaitEvent.
#define simtEventWaitDefault 0x00
#define simtEventWaitExternal 0x01
