// Activity records for profilers: kernels, copies and fills on devices with their times, the calls
// that submitted them to a stream, and the profiler's own ids around these calls. The interface is
// the part of CUPTI's activity API that PyTorch's profilers use. Source: CUPTI of CUDA 12.4,
// cupti_activity.h, cupti_callbacks.h and cupti_result.h; values of enumerators are CUPTI's.
//
// Times are nanoseconds since the Unix epoch. The profiler provides buffers; the runtime fills them
// and returns each when it is full, or at simtptiActivityFlushAll. While no kind of record is
// enabled, the only cost of a launch is one load of an atomic variable.
#pragma once

#include <simtrt/config.h>

#include <cstddef>
#include <cstdint>

typedef enum {
  SIMTPTI_SUCCESS = 0,
  SIMTPTI_ERROR_INVALID_PARAMETER = 1,
  SIMTPTI_ERROR_INVALID_OPERATION = 7,
  SIMTPTI_ERROR_MAX_LIMIT_REACHED = 12,
  SIMTPTI_ERROR_QUEUE_EMPTY = 18,
  SIMTPTI_ERROR_INVALID_KIND = 21,
} SIMTptiResult;

/// Kinds of records that this runtime writes.
typedef enum {
  SIMTPTI_ACTIVITY_KIND_INVALID = 0,
  SIMTPTI_ACTIVITY_KIND_MEMCPY = 1,
  SIMTPTI_ACTIVITY_KIND_MEMSET = 2,
  SIMTPTI_ACTIVITY_KIND_KERNEL = 3,  ///< the same records as CONCURRENT_KERNEL
  SIMTPTI_ACTIVITY_KIND_RUNTIME = 5,
  SIMTPTI_ACTIVITY_KIND_CONCURRENT_KERNEL = 10,
  SIMTPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION = 39,
} SIMTpti_ActivityKind;

/// Owner of an external id; CUSTOM0 to CUSTOM2 are available to all profilers.
typedef enum {
  SIMTPTI_EXTERNAL_CORRELATION_KIND_INVALID = 0,
  SIMTPTI_EXTERNAL_CORRELATION_KIND_UNKNOWN = 1,
  SIMTPTI_EXTERNAL_CORRELATION_KIND_OPENACC = 2,
  SIMTPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 = 3,
  SIMTPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1 = 4,
  SIMTPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2 = 5,
  SIMTPTI_EXTERNAL_CORRELATION_KIND_SIZE = 6,
  SIMTPTI_EXTERNAL_CORRELATION_KIND_FORCE_INT = 0x7fffffff,
} SIMTpti_ExternalCorrelationKind;

typedef enum {
  SIMTPTI_CB_DOMAIN_RUNTIME_API = 2,
} SIMTpti_CallbackDomain;

/// Kind of memory in a copy. The memory of this target is host memory; records contain UNKNOWN.
typedef enum {
  SIMTPTI_ACTIVITY_MEMCPY_KIND_UNKNOWN = 0,
  SIMTPTI_ACTIVITY_MEMCPY_KIND_HTOD = 1,
  SIMTPTI_ACTIVITY_MEMCPY_KIND_DTOH = 2,
  SIMTPTI_ACTIVITY_MEMCPY_KIND_DTOD = 8,
  SIMTPTI_ACTIVITY_MEMCPY_KIND_HTOH = 9,
  SIMTPTI_ACTIVITY_MEMCPY_KIND_PTOP = 10,
} SIMTpti_ActivityMemcpyKind;

typedef std::uint32_t SIMTpti_CallbackId;

/// Fields with which every record begins.
typedef struct SIMTpti_Activity {
  SIMTpti_ActivityKind kind;
} SIMTpti_Activity;

/// A kernel launch. A call of a library (simtblas, simtfft ...) has a record of this type too.
typedef struct SIMTpti_ActivityKernel4 {
  SIMTpti_ActivityKind kind;
  std::uint32_t correlationId;
  std::uint64_t start;
  std::uint64_t end;
  std::uint32_t deviceId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  std::int32_t gridX, gridY, gridZ;  ///< 0 for a call of a library
  std::int32_t blockX, blockY, blockZ;
  std::int32_t staticSharedMemory;  ///< always 0: the compiler allocates this memory
  std::int32_t dynamicSharedMemory;
  const char* name;  ///< lives as long as the process
} SIMTpti_ActivityKernel4;

typedef struct SIMTpti_ActivityMemcpy {
  SIMTpti_ActivityKind kind;
  std::uint32_t correlationId;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t bytes;
  std::uint32_t deviceId;
  std::uint32_t contextId;
  std::uint32_t streamId;
  std::uint8_t copyKind;  ///< SIMTpti_ActivityMemcpyKind
} SIMTpti_ActivityMemcpy;

typedef struct SIMTpti_ActivityMemset {
  SIMTpti_ActivityKind kind;
  std::uint32_t correlationId;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t bytes;
  std::uint32_t deviceId;
  std::uint32_t contextId;
  std::uint32_t streamId;
} SIMTpti_ActivityMemset;

/// A call that submitted work to a stream. The recorded time begins when the runtime creates the
/// work, and ends when the call returns.
typedef struct SIMTpti_ActivityAPI {
  SIMTpti_ActivityKind kind;
  std::uint32_t correlationId;
  std::uint64_t start;
  std::uint64_t end;
  SIMTpti_CallbackId cbid;  ///< for simtptiGetCallbackName
  std::uint32_t processId;
  std::uint32_t threadId;  ///< the operating system's number of the thread
} SIMTpti_ActivityAPI;

/// External id of a call: the id of one kind that the calling thread had pushed last.
typedef struct SIMTpti_ActivityExternalCorrelation {
  SIMTpti_ActivityKind kind;
  std::uint32_t correlationId;  ///< same number as in the call's other records
  SIMTpti_ExternalCorrelationKind externalKind;
  std::uint64_t externalId;
} SIMTpti_ActivityExternalCorrelation;

/// Requests an empty buffer. If `max_records` is 0, the buffer takes as many records as fit. The
/// runtime calls this function and the next one while it holds a lock of this API. Neither may
/// submit work to a device, call this API (except simtptiActivityGetNextRecord), or take a lock
/// that a caller of this API holds.
typedef void (*SIMTpti_BuffersCallbackRequestFunc)(std::uint8_t** buffer, std::size_t* size,
                                                   std::size_t* max_records);
/// Returns a buffer to the profiler. `context` is null and `stream_id` is 0.
typedef void (*SIMTpti_BuffersCallbackCompleteFunc)(void* context, std::uint32_t stream_id,
                                                    std::uint8_t* buffer, std::size_t size,
                                                    std::size_t valid_size);

extern "C" {

SIMTRT_EXPORT SIMTptiResult simtptiActivityRegisterCallbacks(
    SIMTpti_BuffersCallbackRequestFunc request, SIMTpti_BuffersCallbackCompleteFunc complete);
SIMTRT_EXPORT SIMTptiResult simtptiActivityEnable(SIMTpti_ActivityKind kind);
SIMTRT_EXPORT SIMTptiResult simtptiActivityDisable(SIMTpti_ActivityKind kind);

/// Returns the partly filled buffer to the profiler. Work that is not complete has no record yet.
SIMTRT_EXPORT SIMTptiResult simtptiActivityFlushAll(std::uint32_t flag);

/// Record after `*record`, or the first record if `*record` is null. Returns
/// SIMTPTI_ERROR_MAX_LIMIT_REACHED after the last record.
SIMTRT_EXPORT SIMTptiResult simtptiActivityGetNextRecord(std::uint8_t* buffer,
                                                         std::size_t valid_size,
                                                         SIMTpti_Activity** record);

/// Number of records dropped since the last query because no buffer was available.
SIMTRT_EXPORT SIMTptiResult simtptiActivityGetNumDroppedRecords(void* context,
                                                                std::uint32_t stream_id,
                                                                std::size_t* dropped);

/// External ids of the calling thread: a stack for each kind. A pop from an empty stack returns
/// SIMTPTI_ERROR_QUEUE_EMPTY.
SIMTRT_EXPORT SIMTptiResult simtptiActivityPushExternalCorrelationId(
    SIMTpti_ExternalCorrelationKind kind, std::uint64_t id);
SIMTRT_EXPORT SIMTptiResult simtptiActivityPopExternalCorrelationId(
    SIMTpti_ExternalCorrelationKind kind, std::uint64_t* last);

SIMTRT_EXPORT SIMTptiResult simtptiGetTimestamp(std::uint64_t* timestamp);
SIMTRT_EXPORT SIMTptiResult simtptiGetCallbackName(SIMTpti_CallbackDomain domain,
                                                   SIMTpti_CallbackId id, const char** name);
SIMTRT_EXPORT SIMTptiResult simtptiGetResultString(SIMTptiResult result, const char** text);

}  // extern "C"
