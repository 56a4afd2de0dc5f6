// Types of the API, texts of errors, the driver API and markers. Numbers are those of CUDA 12.4
// (driver_types.h, cuda.h, library_types.h), which ported code stores, prints and compares.
#include <simt.h>
#include <simt_library_types.h>
#include <simt_profiler_api.h>
#include <simttx.h>

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <string>

// Layout of the type, as part of the binary interface. x86-64 and aarch64 have the same layout.
static_assert(sizeof(simtDeviceProp) == 1032);
static_assert(sizeof(simtUUID_t) == 16);
static_assert(sizeof(simtFuncAttributes) == 144);
static_assert(sizeof(simtPointerAttributes) == 24);
static_assert(sizeof(simtMemcpy3DParms) == 160);
static_assert(sizeof(simtMemcpy3DPeerParms) == 168);
static_assert(sizeof(simtMemPoolProps) == 88);
static_assert(sizeof(simtMemAccessDesc) == 12);
static_assert(sizeof(simtIpcMemHandle_t) == 64 && sizeof(simtIpcEventHandle_t) == 64);

static_assert(simtErrorInvalidValue == 1 && simtErrorMemoryAllocation == 2);
static_assert(simtErrorNoDevice == 100 && simtErrorInvalidResourceHandle == 400);
static_assert(simtErrorNotReady == 600 && simtErrorIllegalAddress == 700);
static_assert(simtErrorPeerAccessAlreadyEnabled == 704 && simtErrorAssert == 710);
static_assert(simtErrorLaunchFailure == 719 && simtErrorNotSupported == 801);
static_assert(simtErrorStreamCaptureUnsupported == 900 && simtErrorUnknown == 999);
static_assert(simtDevAttrWarpSize == 10 && simtDevAttrComputeCapabilityMajor == 75);
static_assert(simtDevAttrMaxSharedMemoryPerBlockOptin == 97);
static_assert(simtMemcpyHostToHost == 0 && simtMemcpyDeviceToHost == 2 && simtMemcpyDefault == 4);
static_assert(SIMT_R_32F == 0 && SIMT_R_16F == 2 && SIMT_R_16BF == 14 && SIMT_R_8F_E5M2 == 29);
static_assert(SIMT_DRV_ERROR_OUT_OF_MEMORY == 2 && SIMT_DRV_ERROR_UNKNOWN == 999);

static_assert(make_simtExtent(1, 2, 3).depth == 3 && make_simtPos(4, 5, 6).y == 5);

namespace {

/// All codes of CUDA 12.4 are below 1000, except cudaErrorApiFailureBase.
std::set<int> known_errors() {
  std::set<int> known;
  for (int code = 0; code <= simtErrorApiFailureBase; ++code) {
    const std::string name = simtGetErrorName(static_cast<simtError_t>(code));
    if (name != "unrecognized error code") known.insert(code);
  }
  return known;
}

}  // namespace

TEST_CASE("names of errors are their enumerators'") {
  CHECK(std::string(simtGetErrorName(simtSuccess)) == "simtSuccess");
  CHECK(std::string(simtGetErrorName(simtErrorMemoryAllocation)) == "simtErrorMemoryAllocation");
  CHECK(std::string(simtGetErrorName(static_cast<simtError_t>(710))) == "simtErrorAssert");
}

TEST_CASE("texts of errors that programs look for") {
  CHECK(std::string(simtGetErrorString(simtSuccess)) == "no error");
  CHECK(std::string(simtGetErrorString(simtErrorInvalidValue)) == "invalid argument");
  CHECK(std::string(simtGetErrorString(simtErrorMemoryAllocation)) == "out of memory");
  CHECK(std::string(simtGetErrorString(simtErrorInvalidDevice)) == "invalid device ordinal");
  CHECK(std::string(simtGetErrorString(simtErrorAssert)) == "device-side assert triggered");
  CHECK(std::string(simtGetErrorString(simtErrorIllegalAddress)) ==
        "an illegal memory access was encountered");
  CHECK(std::string(simtGetErrorString(simtErrorInvalidConfiguration)) ==
        "invalid configuration argument");
}

TEST_CASE("every error has a name and a text of its own") {
  const std::set<int> known = known_errors();
  CHECK(known.size() == 129);  // enumerators of cudaError in driver_types.h
  std::set<std::string> names, texts;
  for (const int code : known) {
    names.insert(simtGetErrorName(static_cast<simtError_t>(code)));
    texts.insert(simtGetErrorString(static_cast<simtError_t>(code)));
  }
  CHECK(names.size() == known.size());
  CHECK(texts.size() == known.size());
}

TEST_CASE("a number that is no error") {
  CHECK(std::string(simtGetErrorName(static_cast<simtError_t>(10))) == "unrecognized error code");
  CHECK(std::string(simtGetErrorString(static_cast<simtError_t>(10))) == "unrecognized error code");
}

TEST_CASE("the driver's errors are those of the runtime under other names") {
  const char* text = nullptr;
  REQUIRE(simtDrvGetErrorName(SIMT_DRV_ERROR_OUT_OF_MEMORY, &text) == SIMT_DRV_SUCCESS);
  CHECK(std::string(text) == "SIMT_DRV_ERROR_OUT_OF_MEMORY");
  REQUIRE(simtDrvGetErrorString(SIMT_DRV_ERROR_OUT_OF_MEMORY, &text) == SIMT_DRV_SUCCESS);
  CHECK(std::string(text) == "out of memory");
  REQUIRE(simtDrvGetErrorString(SIMT_DRV_ERROR_FUNCTION_NOT_LOADED, &text) == SIMT_DRV_SUCCESS);
  CHECK(text != nullptr);

  int both = 0;
  for (const int code : known_errors()) {
    const auto error = static_cast<simtDrvResult>(code);
    const char* name = nullptr;
    if (simtDrvGetErrorName(error, &name) != SIMT_DRV_SUCCESS) continue;
    ++both;
    REQUIRE(simtDrvGetErrorString(error, &text) == SIMT_DRV_SUCCESS);
    CHECK(std::string(text) == simtGetErrorString(static_cast<simtError_t>(code)));
  }
  CHECK(both == 93);  // numbers that cuda.h and driver_types.h have in common
}

TEST_CASE("the driver rejects a number that is no error") {
  const char* text = "unchanged";
  // In the runtime API, 9 is simtErrorInvalidConfiguration; the driver API has no such error.
  CHECK(simtDrvGetErrorString(static_cast<simtDrvResult>(9), &text) ==
        SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK(text == nullptr);
  CHECK(simtDrvGetErrorName(static_cast<simtDrvResult>(9), &text) == SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK(simtDrvGetErrorName(SIMT_DRV_SUCCESS, nullptr) == SIMT_DRV_ERROR_INVALID_VALUE);
}

TEST_CASE("driver and runtime have the same devices") {
  REQUIRE(simtDrvInit(0) == SIMT_DRV_SUCCESS);
  CHECK(simtDrvInit(1) == SIMT_DRV_ERROR_INVALID_VALUE);
  int version = 0, runtime_version = 0, count = 0, runtime_count = 0;
  CHECK(simtDrvDriverGetVersion(&version) == SIMT_DRV_SUCCESS);
  CHECK(simtDriverGetVersion(&runtime_version) == simtSuccess);
  CHECK(version == runtime_version);
  CHECK(simtDrvDeviceGetCount(&count) == SIMT_DRV_SUCCESS);
  CHECK(simtGetDeviceCount(&runtime_count) == simtSuccess);
  CHECK(count == runtime_count);

  simtDrvDevice device = -1;
  CHECK(simtDrvDeviceGet(&device, count) == SIMT_DRV_ERROR_INVALID_DEVICE);
  CHECK(simtDrvDeviceGet(&device, -1) == SIMT_DRV_ERROR_INVALID_DEVICE);
  REQUIRE(simtDrvDeviceGet(&device, count - 1) == SIMT_DRV_SUCCESS);
  simtDeviceProp properties;
  REQUIRE(simtGetDeviceProperties(&properties, count - 1) == simtSuccess);
  char name[256];
  REQUIRE(simtDrvDeviceGetName(name, sizeof name, device) == SIMT_DRV_SUCCESS);
  CHECK(std::string(name) == properties.name);
  REQUIRE(simtDrvDeviceGetName(name, 3, device) == SIMT_DRV_SUCCESS);
  CHECK(std::strlen(name) == 2);
  CHECK(simtDrvDeviceGetName(name, 0, device) == SIMT_DRV_ERROR_INVALID_VALUE);
  // A failed call of the driver API stores no error in the runtime API.
  CHECK(simtGetLastError() == simtSuccess);
}

TEST_CASE("the current context is that of the current device") {
  int count = 0, before = 0;
  REQUIRE(simtGetDeviceCount(&count) == simtSuccess);
  REQUIRE(simtGetDevice(&before) == simtSuccess);
  const int last = count - 1;

  simtDrvContext context = nullptr;
  REQUIRE(simtDrvDevicePrimaryCtxRetain(&context, last) == SIMT_DRV_SUCCESS);
  REQUIRE(context != nullptr);
  REQUIRE(simtDrvCtxSetCurrent(context) == SIMT_DRV_SUCCESS);
  int now = -1;
  REQUIRE(simtGetDevice(&now) == simtSuccess);
  CHECK(now == last);
  simtDrvContext current = nullptr;
  REQUIRE(simtDrvCtxGetCurrent(&current) == SIMT_DRV_SUCCESS);
  CHECK(current == context);

  unsigned flags = 0;
  int active = 0;
  CHECK(simtDrvDevicePrimaryCtxGetState(last, &flags, &active) == SIMT_DRV_SUCCESS);
  CHECK(active == 1);
  CHECK(simtDrvDevicePrimaryCtxRelease(last) == SIMT_DRV_SUCCESS);
  CHECK(simtDrvDevicePrimaryCtxRelease(last) == SIMT_DRV_ERROR_INVALID_CONTEXT);
  CHECK(simtSetDevice(before) == simtSuccess);
}

TEST_CASE("invalid contexts and devices are rejected") {
  simtDrvContext context = nullptr;
  CHECK(simtDrvDevicePrimaryCtxRetain(&context, 1000) == SIMT_DRV_ERROR_INVALID_DEVICE);
  CHECK(simtDrvDevicePrimaryCtxRelease(-1) == SIMT_DRV_ERROR_INVALID_DEVICE);
  CHECK(simtDrvCtxSetCurrent(nullptr) == SIMT_DRV_ERROR_NOT_SUPPORTED);
  int nothing = 0;
  CHECK(simtDrvCtxSetCurrent(reinterpret_cast<simtDrvContext>(&nothing)) ==
        SIMT_DRV_ERROR_INVALID_CONTEXT);
  unsigned flags = 0;
  CHECK(simtDrvDevicePrimaryCtxGetState(0, &flags, nullptr) == SIMT_DRV_ERROR_INVALID_VALUE);
}

TEST_CASE("markers and the profiler's switches do nothing") {
  simttxMarkA("here");
  simttxMark("here");
  CHECK(simttxRangePushA("outer") < 0);  // NVTX: negative without a profiler
  CHECK(simttxRangePop() < 0);
  const simttxRangeId_t range = simttxRangeStartA("a while");
  simttxRangeEnd(range);
  const simttxDomainHandle_t domain = simttxDomainCreate("library");
  simttxEventAttributes_t event = {};
  event.version = SIMTTX_VERSION;
  event.size = SIMTTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = SIMTTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "step";
  CHECK(event.size == 48);  // as in CUDA 12.4
  CHECK(simttxRangePushEx(&event) < 0);
  CHECK(simttxDomainRangePushEx(domain, &event) < 0);
  CHECK(simttxDomainRangePop(domain) < 0);
  simttxDomainDestroy(domain);
  CHECK(simtProfilerStart() == simtSuccess);
  CHECK(simtProfilerStop() == simtSuccess);
}
