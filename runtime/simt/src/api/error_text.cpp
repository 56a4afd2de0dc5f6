// simtGetErrorName and simtGetErrorString. Texts that programs search for are those of CUDA 12.4:
// PyTorch's tests search for "out of memory" and "device-side assert triggered".
#include "api/error_text.h"

#include <simt_runtime_api.h>

namespace simtrt {

ErrorText error_text(simtError_t error) {
#define SIMTRT_ERROR(error, text)   \
  case error: return { #error, text \
    };
  switch (error) {
    SIMTRT_ERROR(simtSuccess, "no error")
    SIMTRT_ERROR(simtErrorInvalidValue, "invalid argument")
    SIMTRT_ERROR(simtErrorMemoryAllocation, "out of memory")
    SIMTRT_ERROR(simtErrorInitializationError, "initialization error")
    SIMTRT_ERROR(simtErrorSimtrtUnloading, "driver shutting down")
    SIMTRT_ERROR(simtErrorProfilerDisabled, "profiler disabled")
    SIMTRT_ERROR(simtErrorProfilerNotInitialized, "profiler not initialized")
    SIMTRT_ERROR(simtErrorProfilerAlreadyStarted, "profiler already started")
    SIMTRT_ERROR(simtErrorProfilerAlreadyStopped, "profiler already stopped")
    SIMTRT_ERROR(simtErrorInvalidConfiguration, "invalid configuration argument")
    SIMTRT_ERROR(simtErrorInvalidPitchValue, "invalid pitch argument")
    SIMTRT_ERROR(simtErrorInvalidSymbol, "invalid device symbol")
    SIMTRT_ERROR(simtErrorInvalidHostPointer, "invalid host pointer")
    SIMTRT_ERROR(simtErrorInvalidDevicePointer, "invalid device pointer")
    SIMTRT_ERROR(simtErrorInvalidTexture, "invalid texture reference")
    SIMTRT_ERROR(simtErrorInvalidTextureBinding, "texture is not bound to a pointer")
    SIMTRT_ERROR(simtErrorInvalidChannelDescriptor, "invalid channel descriptor")
    SIMTRT_ERROR(simtErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")
    SIMTRT_ERROR(simtErrorAddressOfConstant, "address of a constant variable taken")
    SIMTRT_ERROR(simtErrorTextureFetchFailed, "fetch from texture failed")
    SIMTRT_ERROR(simtErrorTextureNotBound, "fetch from a texture that is not bound")
    SIMTRT_ERROR(simtErrorSynchronizationError, "error while synchronizing")
    SIMTRT_ERROR(simtErrorInvalidFilterSetting,
                 "linear filtering of a type that is not floating point")
    SIMTRT_ERROR(simtErrorInvalidNormSetting, "texture cannot be read as normalized floating point")
    SIMTRT_ERROR(simtErrorMixedDeviceExecution, "device and emulated code mixed")
    SIMTRT_ERROR(simtErrorNotYetImplemented, "feature not yet implemented")
    SIMTRT_ERROR(simtErrorMemoryValueTooLarge, "memory value too large")
    SIMTRT_ERROR(simtErrorStubLibrary, "driver is a stub library")
    SIMTRT_ERROR(simtErrorInsufficientDriver, "driver version is insufficient for runtime version")
    SIMTRT_ERROR(simtErrorCallRequiresNewerDriver, "call requires a newer driver")
    SIMTRT_ERROR(simtErrorInvalidSurface, "invalid surface reference")
    SIMTRT_ERROR(simtErrorDuplicateVariableName,
                 "several global or constant variables share a name")
    SIMTRT_ERROR(simtErrorDuplicateTextureName, "several textures share a name")
    SIMTRT_ERROR(simtErrorDuplicateSurfaceName, "several surfaces share a name")
    SIMTRT_ERROR(simtErrorDevicesUnavailable, "all devices are busy or unavailable")
    SIMTRT_ERROR(simtErrorIncompatibleDriverContext, "incompatible driver context")
    SIMTRT_ERROR(simtErrorMissingConfiguration, "kernel launched without a configuration")
    SIMTRT_ERROR(simtErrorPriorLaunchFailure, "unspecified launch failure in prior launch")
    SIMTRT_ERROR(simtErrorLaunchMaxDepthExceeded,
                 "launch exceeds the maximum depth of nested launches")
    SIMTRT_ERROR(simtErrorLaunchFileScopedTex, "kernel uses textures of file scope")
    SIMTRT_ERROR(simtErrorLaunchFileScopedSurf, "kernel uses surfaces of file scope")
    SIMTRT_ERROR(simtErrorSyncDepthExceeded,
                 "synchronization exceeds the maximum depth of nested launches")
    SIMTRT_ERROR(simtErrorLaunchPendingCountExceeded,
                 "launch exceeds the maximum number of pending launches")
    SIMTRT_ERROR(simtErrorInvalidDeviceFunction, "invalid device function")
    SIMTRT_ERROR(simtErrorNoDevice, "no device is detected")
    SIMTRT_ERROR(simtErrorInvalidDevice, "invalid device ordinal")
    SIMTRT_ERROR(simtErrorDeviceNotLicensed, "device has no valid license")
    SIMTRT_ERROR(simtErrorSoftwareValidityNotEstablished,
                 "integrity checks of the device have not succeeded")
    SIMTRT_ERROR(simtErrorStartupFailure, "startup of the runtime failed")
    SIMTRT_ERROR(simtErrorInvalidKernelImage, "device kernel image is invalid")
    SIMTRT_ERROR(simtErrorDeviceUninitialized, "invalid device context")
    SIMTRT_ERROR(simtErrorMapBufferObjectFailed, "mapping of buffer object failed")
    SIMTRT_ERROR(simtErrorUnmapBufferObjectFailed, "unmapping of buffer object failed")
    SIMTRT_ERROR(simtErrorArrayIsMapped, "array is mapped")
    SIMTRT_ERROR(simtErrorAlreadyMapped, "resource already mapped")
    SIMTRT_ERROR(simtErrorNoKernelImageForDevice,
                 "no kernel image is available for execution on the device")
    SIMTRT_ERROR(simtErrorAlreadyAcquired, "resource already acquired")
    SIMTRT_ERROR(simtErrorNotMapped, "resource not mapped")
    SIMTRT_ERROR(simtErrorNotMappedAsArray, "resource not mapped as array")
    SIMTRT_ERROR(simtErrorNotMappedAsPointer, "resource not mapped as pointer")
    SIMTRT_ERROR(simtErrorECCUncorrectable, "uncorrectable ECC error encountered")
    SIMTRT_ERROR(simtErrorUnsupportedLimit, "limit is not supported on this architecture")
    SIMTRT_ERROR(simtErrorDeviceAlreadyInUse, "device is already in use by another thread")
    SIMTRT_ERROR(simtErrorPeerAccessUnsupported,
                 "peer access is not supported between these two devices")
    SIMTRT_ERROR(simtErrorInvalidPtx, "PTX compilation failed")
    SIMTRT_ERROR(simtErrorInvalidGraphicsContext, "invalid graphics context")
    SIMTRT_ERROR(simtErrorNvlinkUncorrectable, "uncorrectable error of the link between devices")
    SIMTRT_ERROR(simtErrorJitCompilerNotFound, "PTX compiler not found")
    SIMTRT_ERROR(simtErrorUnsupportedPtxVersion, "PTX version is not supported")
    SIMTRT_ERROR(simtErrorJitCompilationDisabled, "PTX compilation is disabled")
    SIMTRT_ERROR(simtErrorUnsupportedExecAffinity, "execution affinity is not supported")
    SIMTRT_ERROR(simtErrorUnsupportedDevSideSync,
                 "device code synchronizes with its own launches, which is not supported")
    SIMTRT_ERROR(simtErrorInvalidSource, "device kernel image is invalid or its source is missing")
    SIMTRT_ERROR(simtErrorFileNotFound, "file not found")
    SIMTRT_ERROR(simtErrorSharedObjectSymbolNotFound, "shared object symbol not found")
    SIMTRT_ERROR(simtErrorSharedObjectInitFailed, "shared object initialization failed")
    SIMTRT_ERROR(simtErrorOperatingSystem, "call to the operating system failed")
    SIMTRT_ERROR(simtErrorInvalidResourceHandle, "invalid resource handle")
    SIMTRT_ERROR(simtErrorIllegalState, "operation not possible in the present state")
    SIMTRT_ERROR(simtErrorLossyQuery, "query would lose information")
    SIMTRT_ERROR(simtErrorSymbolNotFound, "named symbol not found")
    SIMTRT_ERROR(simtErrorNotReady, "device not ready")
    SIMTRT_ERROR(simtErrorIllegalAddress, "an illegal memory access was encountered")
    SIMTRT_ERROR(simtErrorLaunchOutOfResources, "too many resources requested for launch")
    SIMTRT_ERROR(simtErrorLaunchTimeout, "the launch timed out and was terminated")
    SIMTRT_ERROR(simtErrorLaunchIncompatibleTexturing, "launch uses an incompatible texturing mode")
    SIMTRT_ERROR(simtErrorPeerAccessAlreadyEnabled, "peer access is already enabled")
    SIMTRT_ERROR(simtErrorPeerAccessNotEnabled, "peer access has not been enabled")
    SIMTRT_ERROR(simtErrorSetOnActiveProcess,
                 "cannot be set while the device is active in this process")
    SIMTRT_ERROR(simtErrorContextIsDestroyed, "context is destroyed")
    SIMTRT_ERROR(simtErrorAssert, "device-side assert triggered")
    SIMTRT_ERROR(simtErrorTooManyPeers, "resources for peer mappings are exhausted")
    SIMTRT_ERROR(simtErrorHostMemoryAlreadyRegistered,
                 "part or all of the memory is already registered")
    SIMTRT_ERROR(simtErrorHostMemoryNotRegistered, "pointer does not belong to registered memory")
    SIMTRT_ERROR(simtErrorHardwareStackError, "hardware stack error")
    SIMTRT_ERROR(simtErrorIllegalInstruction, "an illegal instruction was encountered")
    SIMTRT_ERROR(simtErrorMisalignedAddress, "misaligned address")
    SIMTRT_ERROR(simtErrorInvalidAddressSpace, "operation not supported on this address space")
    SIMTRT_ERROR(simtErrorInvalidPc, "invalid program counter")
    SIMTRT_ERROR(simtErrorLaunchFailure, "unspecified launch failure")
    SIMTRT_ERROR(simtErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")
    SIMTRT_ERROR(simtErrorNotPermitted, "operation not permitted")
    SIMTRT_ERROR(simtErrorNotSupported, "operation not supported")
    SIMTRT_ERROR(simtErrorSystemNotReady, "system not yet initialized")
    SIMTRT_ERROR(simtErrorSystemDriverMismatch, "versions of the system's drivers do not match")
    SIMTRT_ERROR(simtErrorCompatNotSupportedOnDevice,
                 "forward compatibility is not supported on this device")
    SIMTRT_ERROR(simtErrorMpsConnectionFailed, "connection to the MPS server failed")
    SIMTRT_ERROR(simtErrorMpsRpcFailure, "remote call to the MPS server failed")
    SIMTRT_ERROR(simtErrorMpsServerNotReady, "MPS server is not ready for new clients")
    SIMTRT_ERROR(simtErrorMpsMaxClientsReached, "MPS server has no room for another client")
    SIMTRT_ERROR(simtErrorMpsMaxConnectionsReached, "MPS server has no room for another connection")
    SIMTRT_ERROR(simtErrorMpsClientTerminated, "client terminated by the MPS server")
    SIMTRT_ERROR(simtErrorCdpNotSupported, "launches from device code are not supported")
    SIMTRT_ERROR(simtErrorCdpVersionMismatch, "versions of launches from device code do not match")
    SIMTRT_ERROR(simtErrorStreamCaptureUnsupported,
                 "operation not permitted when stream is capturing")
    SIMTRT_ERROR(simtErrorStreamCaptureInvalidated,
                 "operation failed due to a previous error during capture")
    SIMTRT_ERROR(simtErrorStreamCaptureMerge, "operation would merge two independent captures")
    SIMTRT_ERROR(simtErrorStreamCaptureUnmatched, "capture was not started in this stream")
    SIMTRT_ERROR(simtErrorStreamCaptureUnjoined, "capture has unjoined work in another stream")
    SIMTRT_ERROR(simtErrorStreamCaptureIsolation,
                 "operation would depend on work outside of the capture")
    SIMTRT_ERROR(simtErrorStreamCaptureImplicit,
                 "operation would make the legacy stream depend on a capturing stream")
    SIMTRT_ERROR(simtErrorCapturedEvent,
                 "operation not permitted on an event last recorded in a capturing stream")
    SIMTRT_ERROR(simtErrorStreamCaptureWrongThread, "capture was started by another thread")
    SIMTRT_ERROR(simtErrorTimeout, "wait operation timed out")
    SIMTRT_ERROR(simtErrorGraphExecUpdateFailure, "graph cannot be updated with these changes")
    SIMTRT_ERROR(simtErrorExternalDevice, "asynchronous error outside of the device")
    SIMTRT_ERROR(simtErrorInvalidClusterSize, "invalid cluster size")
    SIMTRT_ERROR(simtErrorUnknown, "unknown error")
    SIMTRT_ERROR(simtErrorApiFailureBase, "failure of an unlisted kind")
  }
#undef SIMTRT_ERROR
  return {nullptr, nullptr};
}

}  // namespace simtrt

const char* simtGetErrorName(simtError_t error) {
  const char* name = simtrt::error_text(error).name;
  return name != nullptr ? name : "unrecognized error code";
}

const char* simtGetErrorString(simtError_t error) {
  const char* text = simtrt::error_text(error).text;
  return text != nullptr ? text : "unrecognized error code";
}
