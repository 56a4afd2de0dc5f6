#include "kernel/grid_run.h"

#include <cstdio>

namespace simtrt {

void GridRun::fail(simtError_t error, const std::string& report) {
  simtError_t none = simtSuccess;
  if (!error_.compare_exchange_strong(none, error)) return;
  std::fflush(stdout);
  std::fputs(report.c_str(), stderr);
}

}  // namespace simtrt
