// nvcc: --extended-lambda --expt-relaxed-constexpr
// C++ in device code: virtual functions, recursion, function pointers, new and delete, templates, lambdas, initialisers, layouts.
#include <cstddef>
#include <new>
#include <utility>

#include "device/log.h"

using answers::Log;

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int sides() const { return 0; }
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
  __device__ int sides() const override { return 4; }
};
struct Box : Square {
  using Square::Square;
  __device__ int area() const override { return 6 * Square::area(); }
};

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__device__ int twice(int x) { return x * 2; }
__device__ int square(int x) { return x * x; }
using Function = int (*)(int);
__device__ Function functions[2] = {twice, square};
__device__ int initialised = 42;
__device__ int list[5] = {1, 2, 3};
__device__ const char text[] = "abc";
__constant__ float coefficients[4] = {0.5f, 1.5f, -2.0f};
__constant__ int unset;
__device__ int* pointer = &initialised;
struct Pair {
  int a = 3;
  double b = 0.25;
};
__device__ Pair pair;
__constant__ Pair constant_pair = {7, 1.5};
template <int n>
__device__ int of_template = n * n;
struct Counted {
  static constexpr int limit = 17;
  int values[4] = {1, 2};
};
constexpr __host__ __device__ int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
__device__ constexpr int table[] = {factorial(3), factorial(5), factorial(7)};

template <class... T>
__device__ int sum(T... values) { return (0 + ... + int(values)); }
template <class First, class... Rest>
__device__ int count_large(First first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) return sizeof(first) > 4;
  else return (sizeof(first) > 4) + count_large(rest...);
}
template <class T, T... indices>
__device__ int weighted(std::integer_sequence<T, indices...>) { return ((indices * indices) + ...); }

__global__ void objects(Log log) {
  const int t = threadIdx.x;
  Shape* shape = t % 2 ? static_cast<Shape*>(new Square(t)) : static_cast<Shape*>(new Box(t));
  log.all("virtual", shape->area() * 10 + shape->sides());
  delete shape;
  alignas(Box) unsigned char place[sizeof(Box)];
  Box* box = new (place) Box(t + 1);
  log.all("placement", box->area());
  box->~Box();
  int* numbers = new int[10]();
  for (int i = 0; i < 10; i++) numbers[i] += i * t;
  log.all("new_array", numbers[9]);
  delete[] numbers;
  void* memory = malloc(64);
  memset(memory, t, 64);
  char copied[8];
  memcpy(copied, static_cast<char*>(memory) + 3, 8);
  log.all("malloc", memory != nullptr ? copied[7] : -1);
  free(memory);
  free(nullptr);
  log.all("recursion", fibonacci(t));
  log.one("ackermann", ackermann(2, 3));
  log.all("function_pointer", functions[t % 2](t));
  Function f = t < 4 ? twice : square;
  log.all("chosen_function", f(t));
  log.one("initialised", initialised + list[2] + list[4] + *pointer);
  log.one("text", int(text[1]) + int(sizeof(text)));
  log.one("constant", coefficients[0] + coefficients[2] + coefficients[3] + unset);
  log.one("pair", pair.a + pair.b + constant_pair.a + constant_pair.b);
  log.one("variable_template", of_template<5> + of_template<6>);
  log.one("counted", Counted().values[1] + Counted().values[3] + Counted::limit);
  log.one("constexpr", table[0] + table[1] + table[2]);
  log.one("variadic", sum(1, 2.9, 3ll, 'a', true) * 10 + count_large(1, 2.0, 3ll, 'c'));
  log.one("sequence", weighted(std::make_integer_sequence<int, 6>()));
  auto adder = [t](auto x) { return x + t; };
  log.all("lambda", adder(1.5));
  int counter = 0;
  auto counting = [&counter]() mutable { return ++counter; };
  counting();
  counting();
  log.one("mutable_lambda", counter * 10 + counting());
  int total = 0;
  for (int value : list) total += value;
  log.one("range_for", total);
  switch (t % 5) {
    case 0: total = 5; break;
    case 1: total = 6; [[fallthrough]];
    case 2: total += 10; break;
    default: total = -1;
  }
  log.all("switch", total);
  auto [x, y] = std::make_pair(t, t * 2);
  log.all("structured", x * 100 + y);
  union {
    float f;
    unsigned u;
  } pun;
  pun.f = 1.0f;
  log.one("union", pun.u);
  struct Bits {
    unsigned a : 3, b : 5;
    int c : 4;
  } bits = {unsigned(t), unsigned(t * 9), t};
  bits.a = unsigned(t + 6);
  bits.c = (t & 7) - 4;
  log.all("bit_fields", int(bits.a) * 10000 + int(bits.b) * 100 + bits.c);
}

template <class F>
__global__ void apply(int* out, F f) { out[threadIdx.x] = f(int(threadIdx.x)); }

template <int threads>
__global__ void __launch_bounds__(threads, 2) bounded(int* out) { out[threadIdx.x] = threads; }

struct Empty {};
struct Odd { char a; short b; char c; };
struct alignas(32) Aligned { int a; };
__global__ void sizes(Log log) {
#define SIZE(type) log.one(#type, int(sizeof(type)) * 100 + int(alignof(type)));
  SIZE(char1) SIZE(char2) SIZE(char3) SIZE(char4) SIZE(uchar4) SIZE(short3) SIZE(short4) SIZE(int2) SIZE(int3) SIZE(int4) SIZE(uint4)
  SIZE(float1) SIZE(float2) SIZE(float3) SIZE(float4) SIZE(double1) SIZE(double2) SIZE(double3) SIZE(long1) SIZE(long2) SIZE(long3)
  SIZE(longlong2) SIZE(ulonglong1) SIZE(dim3) SIZE(uint3) SIZE(Empty) SIZE(Odd) SIZE(Aligned) SIZE(bool) SIZE(long) SIZE(wchar_t) SIZE(size_t)
  log.one("cudaPos", int(sizeof(cudaPos)) * 100 + int(alignof(cudaPos)));
  log.one("cudaExtent", int(sizeof(cudaExtent)) * 100 + int(alignof(cudaExtent)));
  log.one("cudaPitchedPtr", int(sizeof(cudaPitchedPtr)) * 100 + int(alignof(cudaPitchedPtr)));
  log.one("cudaChannelFormatDesc", int(sizeof(cudaChannelFormatDesc)) * 100 + int(alignof(cudaChannelFormatDesc)));
  log.one("offset", int(offsetof(Odd, c)) + 100 * int(offsetof(Pair, b)));
  log.one("make", make_int4(1, 2, 3, 4).w + make_float2(1.5f, 2.5f).y + make_uchar4(255, 256 % 256, 1, 2).x);
  log.one("dim3_values", int(dim3(3).y * 10 + dim3(3, 4).z + dim3(make_uint3(7, 8, 9)).y));
}

__global__ void shared_memory(Log log) {
  extern __shared__ double dynamic[];
  __shared__ int rows[4][9];
  const int t = threadIdx.x;
  rows[t / 8][t % 8] = t;
  dynamic[t] = t * 0.5;
  float* second = reinterpret_cast<float*>(dynamic + 32);
  second[t] = t;
  __syncthreads();
  log.all("rows", rows[t % 4][t / 4]);
  log.all("dynamic", dynamic[31 - t] + second[t ^ 1]);
  log.one("alignment", int(reinterpret_cast<size_t>(dynamic) % 8));
}

int main() {
  Log log = answers::new_log();
  objects<<<1, 8>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  sizes<<<1, 1>>>(log);
  answers::print_log(log);
  log = answers::new_log();
  shared_memory<<<1, 32, 32 * 12>>>(log);
  answers::print_log(log);
  int* out = nullptr;
  if (cudaMallocManaged(&out, 256) != cudaSuccess) return 1;
  const int offset = 5;
  apply<<<1, 8>>>(out, [=] __device__(int i) { return i * i + offset; });
  answers::exact("lambda.status", int(cudaDeviceSynchronize()));
  answers::exact_array("device_lambda", out, 8);
  auto both = [=] __host__ __device__(int i) { return i * 3 - offset; };
  apply<<<1, 8>>>(out, both);
  answers::exact("both.status", int(cudaDeviceSynchronize()), both(100));
  answers::exact_array("host_device_lambda", out, 8);
  bounded<64><<<1, 64>>>(out);
  answers::exact("bounded", int(cudaDeviceSynchronize()));
  int symbol = 0;
  answers::exact("from_symbol", int(cudaMemcpyFromSymbol(&symbol, initialised, sizeof(int))));
  symbol = 9;
  answers::exact("to_symbol", int(cudaMemcpyToSymbol(unset, &symbol, sizeof(int))));
}
