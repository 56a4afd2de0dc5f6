// printf in kernels. CUDA C++ Programming Guide, "Formatted Output": the text of a thread is
// printed at the latest by the next synchronisation. The text of one call is not interrupted. The
// threads print in no fixed order.
#include "kernel_test.h"

#include <algorithm>
#include <sstream>

namespace {

__global__ void print_places() {
  printf("block %d thread %d: %.2f %s\n", static_cast<int>(blockIdx.x),
         static_cast<int>(threadIdx.x), threadIdx.x * 0.25, "text");
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_CASE("printf in a kernel") {
  std::string printed;
  {
    CapturedOutput stdout_text(1);
    SIMT_LAUNCH((print_places), (3), (40), (0), (0));
    REQUIRE_FINISHED();
    printed = stdout_text.text();
  }
  std::vector<std::string> expected;
  for (int block = 0; block < 3; ++block) {
    for (int thread = 0; thread < 40; ++thread) {
      char line[64];
      std::snprintf(line, sizeof line, "block %d thread %d: %.2f text", block, thread,
                    thread * 0.25);
      expected.emplace_back(line);
    }
  }
  std::sort(expected.begin(), expected.end());
  CHECK_EQ(sorted_lines(printed), expected);
}

__global__ void print_between_barriers() {
  for (int round = 0; round < 3; ++round) {
    if (static_cast<int>(threadIdx.x) == round) printf("%d\n", round);
    __syncthreads();
  }
}

TEST_CASE("text that barriers order is printed in order") {
  std::string printed;
  {
    CapturedOutput stdout_text(1);
    SIMT_LAUNCH((print_between_barriers), (1), (3), (0), (0));
    REQUIRE_FINISHED();
    printed = stdout_text.text();
  }
  CHECK_EQ(printed, "0\n1\n2\n");
}

}  // namespace
