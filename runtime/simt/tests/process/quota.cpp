// CPU quotas of control groups, read from files below a folder (the argument).
#include "process/processors.h"

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::printf("%g\n", simtrt::processor_quota(argv[1]));
  return 0;
}
