// Marks, ranges, domains and names for profilers (NVTX). The functions do nothing, and return NVTX's
// results for a process without a profiler. Source: CUDA 12.4, nvtx3/nvToolsExt.h.
#pragma once

#include <cstdint>

#define SIMTTX_VERSION 3
#define SIMTTX_SUCCESS 0
#define SIMTTX_FAIL 1
#define SIMTTX_NO_PUSH_POP_TRACKING (-2)

typedef std::uint64_t simttxRangeId_t;
typedef struct simttxDomainRegistration_st* simttxDomainHandle_t;
typedef struct simttxStringRegistration_st* simttxStringHandle_t;

typedef enum simttxColorType_t { SIMTTX_COLOR_UNKNOWN = 0, SIMTTX_COLOR_ARGB = 1 } simttxColorType_t;

typedef enum simttxMessageType_t {
  SIMTTX_MESSAGE_UNKNOWN = 0,
  SIMTTX_MESSAGE_TYPE_ASCII = 1,
  SIMTTX_MESSAGE_TYPE_UNICODE = 2,
  SIMTTX_MESSAGE_TYPE_REGISTERED = 3
} simttxMessageType_t;

typedef enum simttxPayloadType_t {
  SIMTTX_PAYLOAD_UNKNOWN = 0,
  SIMTTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  SIMTTX_PAYLOAD_TYPE_INT64 = 2,
  SIMTTX_PAYLOAD_TYPE_DOUBLE = 3,
  SIMTTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  SIMTTX_PAYLOAD_TYPE_INT32 = 5,
  SIMTTX_PAYLOAD_TYPE_FLOAT = 6
} simttxPayloadType_t;

typedef union simttxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  simttxStringHandle_t registered;
} simttxMessageValue_t;

/// Attributes of a mark or of a range. `version` and `size` are SIMTTX_VERSION and the size of the structure.
typedef struct simttxEventAttributes_v2 {
  std::uint16_t version;
  std::uint16_t size;
  std::uint32_t category;
  std::int32_t colorType;
  std::uint32_t color;
  std::int32_t payloadType;
  std::int32_t reserved0;
  union payload_t {
    std::uint64_t ullValue;
    std::int64_t llValue;
    double dValue;
    std::uint32_t uiValue;
    std::int32_t iValue;
    float fValue;
  } payload;
  std::int32_t messageType;
  simttxMessageValue_t message;
} simttxEventAttributes_v2;

typedef simttxEventAttributes_v2 simttxEventAttributes_t;

#define SIMTTX_EVENT_ATTRIB_STRUCT_SIZE ((std::uint16_t)sizeof(simttxEventAttributes_t))

inline void simttxInitialize(const void*) {}

inline void simttxMarkEx(const simttxEventAttributes_t*) {}
inline void simttxMarkA(const char*) {}
inline void simttxMarkW(const wchar_t*) {}

/// Begin and end a range of the calling thread. The functions return the depth of the range, or -2
/// without a profiler.
inline int simttxRangePushEx(const simttxEventAttributes_t*) { return SIMTTX_NO_PUSH_POP_TRACKING; }
inline int simttxRangePushA(const char*) { return SIMTTX_NO_PUSH_POP_TRACKING; }
inline int simttxRangePushW(const wchar_t*) { return SIMTTX_NO_PUSH_POP_TRACKING; }
inline int simttxRangePop() { return SIMTTX_NO_PUSH_POP_TRACKING; }

/// Begin and end a range that another thread may end.
inline simttxRangeId_t simttxRangeStartEx(const simttxEventAttributes_t*) { return 0; }
inline simttxRangeId_t simttxRangeStartA(const char*) { return 0; }
inline simttxRangeId_t simttxRangeStartW(const wchar_t*) { return 0; }
inline void simttxRangeEnd(simttxRangeId_t) {}

inline void simttxNameCategoryA(std::uint32_t, const char*) {}
inline void simttxNameCategoryW(std::uint32_t, const wchar_t*) {}
inline void simttxNameOsThreadA(std::uint32_t, const char*) {}
inline void simttxNameOsThreadW(std::uint32_t, const wchar_t*) {}

/// Domains separate the events of libraries. Without a profiler, the handles of domains and of
/// registered strings are null.
inline simttxDomainHandle_t simttxDomainCreateA(const char*) { return nullptr; }
inline simttxDomainHandle_t simttxDomainCreateW(const wchar_t*) { return nullptr; }
inline void simttxDomainDestroy(simttxDomainHandle_t) {}
inline void simttxDomainMarkEx(simttxDomainHandle_t, const simttxEventAttributes_t*) {}
inline int simttxDomainRangePushEx(simttxDomainHandle_t, const simttxEventAttributes_t*) {
  return SIMTTX_NO_PUSH_POP_TRACKING;
}
inline int simttxDomainRangePop(simttxDomainHandle_t) { return SIMTTX_NO_PUSH_POP_TRACKING; }
inline simttxRangeId_t simttxDomainRangeStartEx(simttxDomainHandle_t, const simttxEventAttributes_t*) {
  return 0;
}
inline void simttxDomainRangeEnd(simttxDomainHandle_t, simttxRangeId_t) {}
inline simttxStringHandle_t simttxDomainRegisterStringA(simttxDomainHandle_t, const char*) { return nullptr; }
inline simttxStringHandle_t simttxDomainRegisterStringW(simttxDomainHandle_t, const wchar_t*) {
  return nullptr;
}
inline void simttxDomainNameCategoryA(simttxDomainHandle_t, std::uint32_t, const char*) {}
inline void simttxDomainNameCategoryW(simttxDomainHandle_t, std::uint32_t, const wchar_t*) {}

#define simttxMark simttxMarkA
#define simttxRangePush simttxRangePushA
#define simttxRangeStart simttxRangeStartA
#define simttxNameCategory simttxNameCategoryA
#define simttxNameOsThread simttxNameOsThreadA
#define simttxDomainCreate simttxDomainCreateA
#define simttxDomainRegisterString simttxDomainRegisterStringA
#define simttxDomainNameCategory simttxDomainNameCategoryA
