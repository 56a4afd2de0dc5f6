// The same work as plain loops for the host, with OpenMP.
#include "work.h"

#include <omp.h>

using namespace work;

int main() {
  const std::vector<float> a = numbers(kVector), b = a;
  std::vector<float> c(kVector);
  const double add = seconds([&] {
#pragma omp parallel for simd
    for (int i = 0; i < kVector; ++i) c[i] = a[i] + b[i];
  });
  report("add", add, checksum(c));
  float sum = 0;
  const double reduction = seconds([&] {
    sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < kVector; ++i) sum += a[i];
  });
  report("reduction", reduction, sum);
  const double scan = seconds([&] {
    std::vector<float> parts(omp_get_max_threads() + 1);
#pragma omp parallel
    {
      const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const int begin = kScan / threads * thread, end = thread + 1 == threads ? kScan : begin + kScan / threads;
      float running = 0;
      for (int i = begin; i < end; ++i) c[i] = running += a[i];
      parts[thread + 1] = running;
#pragma omp barrier
      float before = 0;
      for (int earlier = 1; earlier <= thread; ++earlier) before += parts[earlier];
      for (int i = begin; i < end; ++i) c[i] += before;
    }
  });
  report("scan", scan, checksum(std::vector<float>(c.begin() + kScan - 16, c.begin() + kScan)));
  std::vector<float> product(kMatrix * kMatrix);
  const double matmul = seconds([&] {
#pragma omp parallel for
    for (int row = 0; row < kMatrix; ++row) {
      float* out = &product[row * kMatrix];
      for (int column = 0; column < kMatrix; ++column) out[column] = 0;
      for (int k = 0; k < kMatrix; ++k) {
        const float left = a[row * kMatrix + k];
#pragma omp simd
        for (int column = 0; column < kMatrix; ++column) out[column] += left * b[k * kMatrix + column];
      }
    }
  });
  report("matmul", matmul, checksum(product));
  const std::vector<int> bins = bins_of(a);
  std::vector<int> counts(kBins);
  const double histogram = seconds([&] {
    int all[kBins] = {};
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < kVector; ++i) ++all[bins[i]];
    counts.assign(all, all + kBins);
  });
  report("histogram", histogram, checksum(counts));
  const std::vector<float> all = bodies();
  std::vector<float> force(kBodies);
  const double nbody = seconds([&] {
#pragma omp parallel for
    for (int i = 0; i < kBodies; ++i) {
      float x = 0;
#pragma omp simd reduction(+ : x)
      for (int j = 0; j < kBodies; ++j) {
        const float dx = all[4 * j] - all[4 * i], dy = all[4 * j + 1] - all[4 * i + 1], dz = all[4 * j + 2] - all[4 * i + 2];
        const float square = dx * dx + dy * dy + dz * dz + kSoftening;
        x += all[4 * j + 3] * dx / (square * std::sqrt(square));
      }
      force[i] = x;
    }
  });
  report("nbody", nbody, checksum(force));
}
