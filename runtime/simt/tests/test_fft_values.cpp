// Values of simtfft's transforms for all lengths and numbers of dimensions, compared with the
// definition of the transform and with transforms that are known in closed form.
#include "fft_test.h"

#include <simt_fp16.h>

using namespace fft_test;

namespace {

template <class T>
struct Types;
template <>
struct Types<float> {
  static constexpr simtfftType kComplex = SIMTFFT_C2C, kForward = SIMTFFT_R2C,
                               kBackward = SIMTFFT_C2R;
};
template <>
struct Types<double> {
  static constexpr simtfftType kComplex = SIMTFFT_Z2Z, kForward = SIMTFFT_D2Z,
                               kBackward = SIMTFFT_Z2D;
};

/// Makes a plan for contiguous arrays.
void plan_packed(Plan& plan, const Lengths& lengths, simtfftType type, int batch) {
  std::vector<int> n(lengths.begin(), lengths.end());
  REQUIRE_FFT(simtfftPlanMany(plan.out(), static_cast<int>(n.size()), n.data(), nullptr, 1, 1,
                              nullptr, 1, 1, type, batch));
}

template <class T>
std::vector<std::complex<T>> complex_transform(const Signal& signal, const Lengths& lengths,
                                               int batch, int direction) {
  Plan plan;
  plan_packed(plan, lengths, Types<T>::kComplex, batch);
  const DeviceArray<std::complex<T>> in(narrowed<T>(signal)), out(signal.size());
  REQUIRE_FFT(simtfftXtExec(plan, in.data(), out.data(), direction));
  const auto result = out.values();
  CHECK_EQ(in.values(), narrowed<T>(signal));
  return result;
}

template <class T>
std::vector<std::complex<T>> real_transform(const Signal& signal, const Lengths& lengths,
                                            int batch) {
  Plan plan;
  plan_packed(plan, lengths, Types<T>::kForward, batch);
  const DeviceArray<T> in(real_parts<T>(signal));
  const std::size_t n = lengths.back();
  const DeviceArray<std::complex<T>> out(signal.size() / n * (n / 2 + 1));
  REQUIRE_FFT(simtfftXtExec(plan, in.data(), out.data(), SIMTFFT_FORWARD));
  return out.values();
}

template <class T>
std::vector<T> inverse_real_transform(const Signal& half, const Lengths& lengths, int batch) {
  Plan plan;
  plan_packed(plan, lengths, Types<T>::kBackward, batch);
  const DeviceArray<std::complex<T>> in(narrowed<T>(half));
  const std::size_t n = lengths.back();
  const DeviceArray<T> out(half.size() / (n / 2 + 1) * n);
  REQUIRE_FFT(simtfftXtExec(plan, in.data(), out.data(), SIMTFFT_INVERSE));
  const auto result = out.values();
  CHECK_EQ(in.values(), narrowed<T>(half));
  return result;
}

/// Compares all transforms of arrays with these lengths, in both directions, with their definition.
/// The batch of 7 consists of groups of lanes and of single lines.
template <class T>
void check_all(const Lengths& lengths, int batch = 7) {
  CAPTURE(lengths.front());
  CAPTURE(lengths.back());
  std::size_t count = static_cast<std::size_t>(batch);
  for (const std::size_t length : lengths) count *= length;

  const Signal signal = noise(count);
  for (const int direction : {SIMTFFT_FORWARD, SIMTFFT_INVERSE}) {
    CHECK_LT(distance(complex_transform<T>(signal, lengths, batch, direction),
                      transformed(signal, lengths, direction)),
             kNear<T>);
  }
  const Signal reals = noise(count, true);
  const Signal spectrum = transformed(reals, lengths, SIMTFFT_FORWARD);
  const Signal half = half_of(spectrum, lengths.back());
  CHECK_LT(distance(real_transform<T>(reals, lengths, batch), half), kNear<T>);
  // Transforms are not scaled: after a forward and an inverse transform, the signal is multiplied
  // by its number of elements.
  Signal back = reals;
  for (Wide& number : back)
    number *= static_cast<long double>(count / static_cast<std::size_t>(batch));
  CHECK_LT(distance(inverse_real_transform<T>(half, lengths, batch), back), kNear<T>);
}

TEST_CASE_TEMPLATE("every length: small, products of small primes, primes, squares of primes", T,
                   float, double) {
  for (std::size_t length = 1; length <= 70; ++length) check_all<T>({length});
  // 53 * 3, 97, 101 and 127 * 2 have prime factors for which a convolution is used; 47 * 2 and 43 *
  // 3 do not.
  for (const std::size_t length :
       {94, 97, 101, 121, 125, 128, 129, 159, 169, 254, 343, 360, 512, 729, 1001, 1024}) {
    check_all<T>({length}, 3);
  }
}

TEST_CASE_TEMPLATE("two and three dimensions", T, float, double) {
  check_all<T>({4, 6});
  check_all<T>({1, 5});
  check_all<T>({5, 1});
  check_all<T>({16, 16}, 1);
  check_all<T>({7, 59}, 2);
  check_all<T>({2, 3, 4});
  check_all<T>({8, 5, 7}, 2);
  check_all<T>({6, 6, 6}, 1);
}

TEST_CASE("a wave of frequency f is n at f and nothing elsewhere, for large lengths as well") {
  // 2^18, 3^11, a prime, and twice a prime.
  for (const std::size_t n : {262144UL, 177147UL, 100003UL, 200006UL}) {
    CAPTURE(n);
    const std::size_t frequency = n / 3 + 1;
    Signal wave(n), expected(n);
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t turns = frequency * j % n;
      wave[j] = std::polar(1.0L, 2 * std::acos(-1.0L) * static_cast<long double>(turns) /
                                     static_cast<long double>(n));
    }
    expected[frequency] = static_cast<long double>(n);
    CHECK_LT(distance(complex_transform<float>(wave, {n}, 1, SIMTFFT_FORWARD), expected), 1e-6);
    CHECK_LT(distance(complex_transform<double>(wave, {n}, 1, SIMTFFT_FORWARD), expected), 2e-15);
  }
}

TEST_CASE("many transforms are spread over the workers") {
  // Each transform of the batch has an impulse at a different position; its spectrum is a wave.
  constexpr std::size_t kLength = 64, kBatch = 5000;
  Signal impulses(kLength * kBatch), waves(kLength * kBatch);
  for (std::size_t b = 0; b < kBatch; ++b) {
    impulses[b * kLength + b % kLength] = 1;
    for (std::size_t k = 0; k < kLength; ++k) {
      const auto turns = static_cast<long double>(b % kLength * k % kLength);
      waves[b * kLength + k] = std::polar(1.0L, -2 * std::acos(-1.0L) * turns / kLength);
    }
  }
  CHECK_LT(distance(complex_transform<float>(impulses, {kLength}, kBatch, SIMTFFT_FORWARD), waves),
           kNear<float>);
}

TEST_CASE("a transform to real numbers ignores parts that are zero by symmetry") {
  for (const std::size_t n : {8UL, 9UL}) {
    CAPTURE(n);
    const Signal reals = noise(n, true);
    Signal half = half_of(transformed(reals, {n}, SIMTFFT_FORWARD), n);
    const auto clean = inverse_real_transform<double>(half, {n}, 1);
    half.front().imag(77);
    if (n % 2 == 0) half.back().imag(-5);
    CHECK_EQ(inverse_real_transform<double>(half, {n}, 1), clean);
  }
}

/// Transforms half numbers with these lengths; the type of the execution is SIMT_C_16F.
template <class In, class Out>
std::vector<Out> half_transform(const std::vector<In>& numbers, std::size_t out_count,
                                std::vector<long long> lengths, simtDataType in_type,
                                simtDataType out_type, int direction) {
  Plan plan;
  std::size_t work_size;
  REQUIRE_FFT(simtfftCreate(plan.out()));
  REQUIRE_FFT(simtfftXtMakePlanMany(plan, static_cast<int>(lengths.size()), lengths.data(), nullptr,
                                    1, 1, in_type, nullptr, 1, 1, out_type, 1, &work_size,
                                    SIMT_C_16F));
  const DeviceArray<In> in(numbers);
  const DeviceArray<Out> out(out_count);
  REQUIRE_FFT(simtfftXtExec(plan, in.data(), out.data(), direction));
  return out.values();
}

/// True if a half number is the correctly rounded exact value. For a value close to the midpoint of
/// two halves, both neighbours are accepted. half has 11 bits.
bool is_rounded(__half number, long double exact) {
  const long double least = 6.0e-8L;  // the smallest half above zero
  const long double error = std::abs(static_cast<long double>(__half2float(number)) - exact);
  return error <= std::max(least, std::abs(exact) * 0x1p-11L * 1.01L);
}

TEST_CASE("half numbers are rounded once, also over several dimensions") {
  for (const std::vector<long long>& lengths :
       {std::vector<long long>{256}, std::vector<long long>{16, 8},
        std::vector<long long>{4, 2, 16}}) {
    const Lengths sizes(lengths.begin(), lengths.end());
    std::size_t count = 1;
    for (const std::size_t size : sizes) count *= size;
    const std::size_t n = sizes.back();

    // The noise has 12 bits, so it is first rounded to the 11 bits of half.
    std::vector<__half2> complex;
    std::vector<__half> real;
    Signal signal, reals;
    for (const Wide& number : noise(count)) {
      const __half re = __float2half(static_cast<float>(number.real()));
      const __half im = __float2half(static_cast<float>(number.imag()));
      complex.push_back({re, im});
      real.push_back(re);
      signal.emplace_back(__half2float(re), __half2float(im));
      reals.emplace_back(__half2float(re));
    }
    const Signal spectrum = transformed(signal, sizes, SIMTFFT_INVERSE);
    const auto result = half_transform<__half2, __half2>(complex, count, lengths, SIMT_C_16F,
                                                         SIMT_C_16F, SIMTFFT_INVERSE);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(is_rounded(result[i].x, spectrum[i].real()));
      CHECK(is_rounded(result[i].y, spectrum[i].imag()));
    }
    const Signal half = half_of(transformed(reals, sizes, SIMTFFT_FORWARD), n);
    const auto real_result = half_transform<__half, __half2>(real, half.size(), lengths, SIMT_R_16F,
                                                             SIMT_C_16F, SIMTFFT_FORWARD);
    for (std::size_t i = 0; i < half.size(); ++i) {
      CHECK(is_rounded(real_result[i].x, half[i].real()));
      CHECK(is_rounded(real_result[i].y, half[i].imag()));
    }
    // The spectrum of the impulse 1 consists of ones, and is exact; so is the inverse transform.
    const std::vector<__half2> ones(half.size(), {__float2half(1), __float2half(0)});
    const auto impulse = half_transform<__half2, __half>(ones, count, lengths, SIMT_C_16F,
                                                         SIMT_R_16F, SIMTFFT_INVERSE);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK_EQ(__half2float(impulse[i]), i == 0 ? static_cast<float>(count) : 0.0F);
    }
  }
}

}  // namespace
