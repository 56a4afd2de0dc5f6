// thrust::complex in kernels: arithmetic, functions, and their values at infinities and zeros.
// nvcc: -O0
#include <thrust/complex.h>

#include <limits>
#include <string>

#include "ordered.h"

using answers::Exact;
using answers::Near;

constexpr int values = 40;

template <class T>
__global__ void compute(T* out, thrust::complex<T> a, thrust::complex<T> b, T infinity) {
  using Complex = thrust::complex<T>;
  int place = 0;
  auto put = [&](Complex value) {
    out[place++] = value.real();
    out[place++] = value.imag();
  };
  put(a + b);
  put(a - b);
  put(a * b);
  put(T(2) * a - T(1));
  put(a / b);
  put(T(1) / b);
  put(Complex(thrust::abs(a), thrust::arg(a)));
  put(Complex(thrust::norm(a), T(a == Complex(3, -4))));
  put(thrust::conj(a));
  put(thrust::polar(T(2), T(1)));
  put(thrust::exp(b));
  put(thrust::log(a));
  put(thrust::log10(a));
  put(thrust::sqrt(a));
  put(thrust::sqrt(Complex(-4, T(-0.0))));
  put(thrust::pow(a, b));
  put(thrust::pow(a, T(2)));
  put(thrust::pow(T(2), a));
  put(thrust::sin(b));
  put(thrust::cos(b));
  put(thrust::tan(b));
  put(thrust::sinh(b));
  put(thrust::cosh(b));
  put(thrust::tanh(b));
  put(thrust::asin(b));
  put(thrust::acos(b));
  put(thrust::atan(b));
  put(thrust::asinh(b));
  put(thrust::acosh(b));
  put(thrust::atanh(b));
  put(thrust::proj(Complex(infinity, -3)));
  put(thrust::exp(Complex(-infinity, 1)));
  put(thrust::sqrt(Complex(1, infinity)));
  put(thrust::log(Complex(0, 0)));
  put(Complex(T(1e30), T(1e30)) / Complex(T(1e30), T(2e30)));
  put(Complex(infinity, infinity) * Complex(1, 1));
  put(thrust::tanh(Complex(1000, 1)));
  put(thrust::exp(Complex(infinity, 0)));
  put(a / Complex(0, 0));
  put(thrust::acos(Complex(0, 0)));
}

template <class T>
void run(const char* type) {
  const char* names[values] = {"sum", "difference", "product", "scalars", "quotient", "inverse", "polar_form", "norm", "conj",
                               "polar", "exp", "log", "log10", "sqrt", "sqrt_negative", "pow", "pow_scalar", "pow_of_scalar",
                               "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh",
                               "proj", "exp_minus_infinity", "sqrt_infinite", "log_zero", "large_quotient", "infinite_product",
                               "tanh_large", "exp_infinity", "quotient_by_zero", "acos_zero"};
  T *device, host[2 * values];
  Exact{(std::string(type) + "_malloc").c_str(), cudaMalloc(&device, sizeof host)};
  compute<T><<<1, 1>>>(device, thrust::complex<T>(3, -4), thrust::complex<T>(T(0.5), 2), std::numeric_limits<T>::infinity());
  Exact{(std::string(type) + "_copy").c_str(), cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost)};
  for (int i = 0; i < values; i++)
    Near{(std::string(type) + "_" + names[i]).c_str(), sizeof(T) == 4 ? 1e-5 : 1e-12, host[2 * i], host[2 * i + 1]};
  cudaFree(device);
}

int main() {
  run<float>("float");
  run<double>("double");
  return 0;
}
