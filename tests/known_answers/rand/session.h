// A generator of cuRAND's host API, and lines about the numbers that it produces.
// A line of exact numbers: status, count, checksum of all, the first eight numbers, four in the middle, the last two.
#pragma once

#include "answers.h"

#include <cuda_runtime.h>
#include <curand.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

template <class T>
uint64_t checksum(const std::vector<T>& values) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (const T& value : values) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    sum = (sum ^ bits) * 0x100000001b3u;
    sum ^= sum >> 29;
  }
  return sum;
}

template <class T>
std::vector<T> excerpt(const std::vector<T>& values) {
  const size_t count = values.size();
  std::vector<T> some(values.begin(), values.begin() + std::min<size_t>(8, count));
  for (size_t i = count / 2; count > 14 && i < count / 2 + 4; i++) some.push_back(values[i]);
  for (size_t i = count - 2; count > 10 && i < count; i++) some.push_back(values[i]);
  return some;
}

template <class T>
void put_numbers(const std::string& name, int status, const std::vector<T>& values) {
  std::printf("%s:", name.c_str());
  answers::put_exactly(status);
  answers::put_exactly(values.size());
  if (status == 0) {
    answers::put_exactly(checksum(values));
    for (T value : excerpt(values)) answers::put_exactly(value);
  }
  std::printf("\n");
}

// Numbers of approximate functions: status and count in one line; in another the mean, the mean square and the excerpt.
template <class T>
void put_near(const std::string& name, double tolerance, int status, const std::vector<T>& values) {
  answers::exact((name + ".status").c_str(), status, values.size());
  if (status != 0) return;
  double sum = 0, squares = 0;
  for (T value : values) sum += value, squares += double(value) * double(value);
  std::vector<double> line{sum / values.size(), squares / values.size()};
  for (T value : excerpt(values)) line.push_back(value);
  answers::near_array(name.c_str(), tolerance, line.data(), int(line.size()));
}

class Session {
 public:
  explicit Session(curandRngType_t type, bool on_host = false) : on_host_(on_host) {
    created = on_host ? curandCreateGeneratorHost(&generator, type) : curandCreateGenerator(&generator, type);
    if (created != CURAND_STATUS_SUCCESS) generator = nullptr;
  }
  ~Session() {
    if (generator != nullptr) curandDestroyGenerator(generator);
  }
  Session(const Session&) = delete;

  Session& seed(unsigned long long value) { return note(curandSetPseudoRandomGeneratorSeed(generator, value)); }
  Session& offset(unsigned long long value) { return note(curandSetGeneratorOffset(generator, value)); }
  Session& ordering(curandOrdering_t value) { return note(curandSetGeneratorOrdering(generator, value)); }
  Session& dimensions(unsigned value) { return note(curandSetQuasiRandomGeneratorDimensions(generator, value)); }

  void words(const std::string& name, size_t n) {
    exactly<unsigned>(name, n, [&](unsigned* out) { return curandGenerate(generator, out, n); });
  }
  void long_words(const std::string& name, size_t n) {
    exactly<unsigned long long>(name, n, [&](unsigned long long* out) { return curandGenerateLongLong(generator, out, n); });
  }
  void uniform(const std::string& name, size_t n) {
    exactly<float>(name, n, [&](float* out) { return curandGenerateUniform(generator, out, n); });
  }
  void uniform_double(const std::string& name, size_t n) {
    exactly<double>(name, n, [&](double* out) { return curandGenerateUniformDouble(generator, out, n); });
  }
  void poisson(const std::string& name, size_t n, double lambda) {
    exactly<unsigned>(name, n, [&](unsigned* out) { return curandGeneratePoisson(generator, out, n, lambda); });
  }
  void normal(const std::string& name, size_t n, float mean, float deviation) {
    nearly<float>(name, 1e-5, n, [&](float* out) { return curandGenerateNormal(generator, out, n, mean, deviation); });
  }
  void log_normal(const std::string& name, size_t n, float mean, float deviation) {
    nearly<float>(name, 1e-5, n, [&](float* out) { return curandGenerateLogNormal(generator, out, n, mean, deviation); });
  }
  void normal_double(const std::string& name, size_t n, double mean, double deviation) {
    nearly<double>(name, 1e-12, n, [&](double* out) { return curandGenerateNormalDouble(generator, out, n, mean, deviation); });
  }
  void log_normal_double(const std::string& name, size_t n, double mean, double deviation) {
    nearly<double>(name, 1e-12, n,
                   [&](double* out) { return curandGenerateLogNormalDouble(generator, out, n, mean, deviation); });
  }

  curandGenerator_t generator = nullptr;
  curandStatus_t created;
  int failed = 0;  // first status of seed(), offset(), ordering(), dimensions() that is not success

 private:
  Session& note(curandStatus_t status) {
    if (failed == 0) failed = status;
    return *this;
  }

  template <class T, class Generate>
  std::vector<T> numbers(size_t n, int& status, Generate generate) {
    std::vector<T> result(n);
    if (on_host_) {
      status = generate(result.data());
      return result;
    }
    T* device = nullptr;
    if (cudaMalloc(&device, (n + 1) * sizeof(T)) != cudaSuccess) {
      status = -1;
      return result;
    }
    status = generate(device);
    const cudaError_t copied = cudaMemcpy(result.data(), device, n * sizeof(T), cudaMemcpyDefault);
    if (copied != cudaSuccess || cudaFree(device) != cudaSuccess) status = -int(copied) - 1;
    return result;
  }
  template <class T, class Generate>
  void exactly(const std::string& name, size_t n, Generate generate) {
    int status = failed;
    std::vector<T> result(n);
    if (status == 0) result = numbers<T>(n, status, generate);
    put_numbers(name, status, result);
  }
  template <class T, class Generate>
  void nearly(const std::string& name, double tolerance, size_t n, Generate generate) {
    int status = failed;
    std::vector<T> result(n);
    if (status == 0) result = numbers<T>(n, status, generate);
    put_near(name, tolerance, status, result);
  }

  bool on_host_;
};
