// Addresses of functions of the driver API by name. CUDA Driver API, "Driver Entry Point Access".
#include "driver_test.h"

TEST_CASE("functions of the driver API are found by their names in CUDA") {
  void* function = nullptr;
  simtDriverEntryPointQueryResult found{};
  REQUIRE_OK(simtGetDriverEntryPoint("cuDeviceGetCount", &function, simtEnableDefault, &found));
  CHECK(found == simtDriverEntryPointSuccess);
  int count = 0;
  CHECK(reinterpret_cast<simtDrvResult (*)(int*)>(function)(&count) == SIMT_DRV_SUCCESS);
  CHECK(count >= 1);
  void* same = nullptr;
  CHECK_OK(simtGetDriverEntryPointByVersion("cuDeviceGetCount", &same, 12000, simtEnableLegacyStream, &found));
  CHECK(same == function);
  simtDrvDriverProcAddressQueryResult result{};
  same = nullptr;
  CHECK(simtDrvGetProcAddress("cuDeviceGetCount", &same, 11030, SIMT_DRV_GET_PROC_ADDRESS_DEFAULT, &result) ==
        SIMT_DRV_SUCCESS);
  CHECK(result == SIMT_DRV_GET_PROC_ADDRESS_SUCCESS);
  CHECK(same == function);
  CHECK(simtDrvGetProcAddress("cuGetProcAddress", &same, 12000, SIMT_DRV_GET_PROC_ADDRESS_DEFAULT) == SIMT_DRV_SUCCESS);
  CHECK(same == reinterpret_cast<void*>(&simtDrvGetProcAddress));
}

TEST_CASE("names that are not functions of the driver API") {
  for (const char* name : {"cuTensorMapEncodeTiled", "cudaMalloc", "cu", "", "simtDrvInit", "cuMemAlloc_v2"}) {
    CAPTURE(name);
    int dummy = 0;
    void* function = &dummy;
    simtDriverEntryPointQueryResult found{};
    CHECK_OK(simtGetDriverEntryPoint(name, &function, simtEnableDefault, &found));
    CHECK(found == simtDriverEntryPointSymbolNotFound);
    CHECK(function == nullptr);
    simtDrvDriverProcAddressQueryResult result{};
    CHECK(simtDrvGetProcAddress(name, &function, 12000, 0, &result) == SIMT_DRV_SUCCESS);
    CHECK(result == SIMT_DRV_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  }
}

TEST_CASE("wrong arguments of queries of functions") {
  void* function = nullptr;
  CHECK(simtGetDriverEntryPoint(nullptr, &function, 0) == simtErrorInvalidValue);
  CHECK(simtGetDriverEntryPoint("cuInit", nullptr, 0) == simtErrorInvalidValue);
  CHECK(simtGetDriverEntryPoint("cuInit", &function, 3) == simtErrorInvalidValue);
  CHECK(simtGetDriverEntryPoint("cuInit", &function, simtEnablePerThreadDefaultStream) == simtErrorNotSupported);
  CHECK(simtDrvGetProcAddress("cuInit", &function, 12000, 4) == SIMT_DRV_ERROR_INVALID_VALUE);
  CHECK(simtDrvGetProcAddress("cuInit", nullptr, 12000, 0) == SIMT_DRV_ERROR_INVALID_VALUE);
  simtGetLastError();
}
