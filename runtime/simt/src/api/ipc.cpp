// simtIpc*: always an error, because device memory belongs to one process.
#include "api/call.h"

using namespace simtrt;

simtError_t simtIpcGetEventHandle(simtIpcEventHandle_t*, simtEvent_t) {
  return remember(simtErrorNotSupported);
}
simtError_t simtIpcOpenEventHandle(simtEvent_t*, simtIpcEventHandle_t) {
  return remember(simtErrorNotSupported);
}
simtError_t simtIpcGetMemHandle(simtIpcMemHandle_t*, void*) {
  return remember(simtErrorNotSupported);
}
simtError_t simtIpcOpenMemHandle(void**, simtIpcMemHandle_t, unsigned) {
  return remember(simtErrorNotSupported);
}
simtError_t simtIpcCloseMemHandle(void*) { return remember(simtErrorNotSupported); }
