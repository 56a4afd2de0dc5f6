// printf in kernels: conversions, widths, flags, lengths, missing and many arguments, return values, long texts, order with
// regard to synchronisation.
#include "cases.h"

__device__ int results[64];

__global__ void integers() {
  printf("i1: [%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d]\n", 42, 42, 42, 42, 42, 42, 42, 42);
  printf("i2: [%d] [%i] [%u] [%x] [%X] [%o] [%#x] [%#o]\n", -42, -42, -42, -42, -42, -42, -42, -42);
  printf("i3: [%hd] [%hhd] [%hu] [%hhu] [%hhx]\n", 70000, 300, 70000, 300, -1);
  printf("i4: [%ld] [%lld] [%lu] [%llu] [%lx] [%zu] [%zd] [%jd] [%td]\n", -1L, -1LL, ~0UL, ~0ULL, -1L, sizeof(int), (size_t)5,
         (long long)7, (long)9);
  printf("i5: [%*d] [%-*d] [%.*d] [%*.*d]\n", 6, 42, 6, 42, 4, 42, 7, 3, 42);
  printf("i6: [%c] [%5c] [%-5c] [%c%c]\n", 'a', 'b', 'c', 'd', 'e');
  printf("i7: [%d] [%d] [%u]\n", true, (char)-3, (unsigned char)200);
  printf("i8: [%lld] [%llx] [%d]\n", 0x123456789abcdefLL, 0x123456789abcdefLL, 7);
}

__global__ void floats() {
  printf("f1: [%f] [%.2f] [%10.3f] [%-10.3f] [%+f] [%010.2f]\n", 3.14159, 3.14159, 3.14159, 3.14159, 3.14159, -3.14159);
  printf("f2: [%e] [%E] [%.1e] [%g] [%G] [%.10g]\n", 12345.678, 12345.678, 12345.678, 12345.678, 1e-10, 12345.678);
  printf("f3: [%a] [%A] [%.2a]\n", 1.5, 1.5, 1.999);
  printf("f4: [%f] [%f] [%f] [%e] [%g]\n", 1.0 / 0.0 * 1.0, -(double)__int_as_float(0x7f800000), (double)__int_as_float(0x7fffffff),
         (double)__int_as_float(0x7f800000), 1e300);
  printf("f5: [%f] [%f] [%F]\n", 1.5f, -0.0f, 2.5f);
  printf("f6: [%5.1f|%-8.2e|%08.3g]\n", 2.25f, 2.25f, 2.25f);
  printf("f7: [%Lf] [%lf]\n", 1.25, 1.25);
}

__global__ void texts(const char* on_device) {
  printf("t1: [%s] [%10s] [%-10s] [%.2s] [%10.2s]\n", "text", "text", "text", "text", "text");
  printf("t2: [%s] [%s]\n", "", "a%db");
  printf("t3: 100%%\n");
  printf("t4: [%p] [%p] [%20p]\n", (void*)0, (void*)0x1234, (void*)0xabcdef);
  printf("t5: [%s]\n", on_device);
  printf("t6: no newline;");
  printf(" more\n");
  printf("");
  printf("t7: tab\tquote\"backslash\\ high \xc3\xa9\n");
}

__global__ void counts() {
  results[0] = printf("c0\n");
  results[1] = printf("c1 %d\n", 1);
  results[2] = printf("c2 %d %d\n", 1, 2);
  results[3] = printf("c3 %s %f %d\n", "s", 1.0, 2);
  results[4] = printf("");
  results[5] = printf("c5 %*d\n", 5, 2);
  results[6] = printf("c6 %%\n");
}

__global__ void many() {
  printf("m1: %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5,
         6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32);
  results[10] = printf("m2: %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n",
                       1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
                       31, 32, 33);
  printf("m3: %s %d %s %f %lld %c %hhd %s\n", "a", 1, "b", 2.0, 3LL, 'd', 4, "e");
}

template <int kLine>
__global__ void odd() {
  if (kLine == 1) printf("o1: [%n]\n");
  if (kLine == 2) printf("o2: [%k] [%y]\n", 1, 2);
  if (kLine == 3) printf("o3: [%d] [%d]\n", 5);
  if (kLine == 4) printf("o4: one\n", 1, 2);
  if (kLine == 5) printf("o5: [%5%] [%-%]\n");
  if (kLine == 6) printf("o6: [%ls] [%5.d]\n", "wide", 3);
  if (kLine == 7) printf("o7: [%lc] [%hs]\n", 'c', "s");
}

__global__ void one_line(int n) { printf("line %d of block %d\n", n, blockIdx.x); }

template <class Launch>
static void run(const char* name, Launch launch) {
  launch();
  SAY(name, cudaDeviceSynchronize());
}

// Bytes that kernels have printed so far, while standard output is a file.
static long printed(std::FILE* file) {
  std::fflush(stdout);
  std::fseek(file, 0, SEEK_END);
  return std::ftell(file);
}

// Calls after which the text of a kernel has arrived.
static void arrivals() {
  std::FILE* file = std::tmpfile();
  const int saved = dup(1);
  dup2(fileno(file), 1);
  long sizes[8] = {};
  int host = 0;
  cudaStream_t s;
  cudaEvent_t e;
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  one_line<<<1, 1>>>(1);
  cudaMemcpyFromSymbol(&host, results, 4);
  sizes[0] = printed(file);
  cudaDeviceSynchronize();
  sizes[1] = printed(file);
  one_line<<<1, 1, 0, s>>>(2);
  cudaStreamSynchronize(s);
  sizes[2] = printed(file);
  one_line<<<1, 1, 0, s>>>(3);
  cudaEventRecord(e, s);
  cudaEventSynchronize(e);
  sizes[3] = printed(file);
  cudaDeviceSynchronize();
  sizes[4] = printed(file);
  one_line<<<2, 3>>>(4);
  cudaDeviceSynchronize();
  sizes[5] = printed(file);
  std::fflush(stdout);
  dup2(saved, 1);
  cases::put_array("bytes after copy, device, stream, event, device, device", sizes, 6);
}

static void formats() {
  run("integers done", [] { integers<<<1, 1>>>(); });
  run("floats done", [] { floats<<<1, 1>>>(); });
  run("texts done", [] {
    char* p;
    cudaMalloc(&p, 16);
    cudaMemcpy(p, "from device", 12, cudaMemcpyHostToDevice);
    texts<<<1, 1>>>(p);
  });
  run("counts done", [] { counts<<<1, 1>>>(); });
  run("many done", [] { many<<<1, 1>>>(); });
  int host[64];
  cudaMemcpyFromSymbol(host, results, sizeof host);
  for (int i = 0; i < 11; i++) {
    char name[32];
    std::snprintf(name, sizeof name, "result %d", i);
    cases::put_values(name, host[i]);
  }
}

template <int kLine>
static void odd_line() {
  odd<kLine><<<1, 1>>>();
  const cudaError_t e = cudaDeviceSynchronize();
  std::printf(" end_%d:\n", kLine);
  SAY("done", e);
}

int main() {
  const cases::Case all[] = {
      {"formats", formats},    {"odd 1", odd_line<1>}, {"odd 2", odd_line<2>}, {"odd 3", odd_line<3>},
      {"odd 4", odd_line<4>},  {"odd 5", odd_line<5>}, {"odd 6", odd_line<6>}, {"odd 7", odd_line<7>},
      {"arrivals", arrivals},
  };
  cases::run_all(all, sizeof all / sizeof *all, 9);
  return 0;
}
