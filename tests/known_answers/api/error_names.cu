// Names and texts of all error codes of the runtime API: each number from -1 to 1100 and around 10000.
#include "cases.h"

static void one(int code) {
  char line[32];
  const auto error = static_cast<cudaError_t>(code);
  std::snprintf(line, sizeof line, "name %d", code);
  const char* name = cudaGetErrorName(error);
  const bool known = std::strncmp(name, "unrec", 5) != 0;
  cases::put_values(line, known ? name + 4 : name);
  std::snprintf(line, sizeof line, "text %d", code);
  if (known) cases::put_values(line, cudaGetErrorString(error));
}

int main() {
  for (int code = -1; code <= 1100; code++) {
    const char* name = cudaGetErrorName(static_cast<cudaError_t>(code));
    if (std::strncmp(name, "unrec", 5) != 0) one(code);
  }
  for (int code : {-1, 10, 14, 33, 97, 99, 126, 128, 199, 229, 399, 499, 599, 699, 722, 914, 916, 998, 1000, 9999, 10000, 10001}) {
    char line[32];
    std::snprintf(line, sizeof line, "unknown name %d", code);
    cases::put_values(line, cudaGetErrorName(static_cast<cudaError_t>(code)));
    std::snprintf(line, sizeof line, "unknown text %d", code);
    cases::put_values(line, cudaGetErrorString(static_cast<cudaError_t>(code)));
  }
  cases::put("last", cudaGetLastError());
  cases::put("peek", cudaPeekAtLastError());
  return 0;
}
