// Callbacks of simtfft. cuFFT 12.4 documentation, "Callback Routines".
#include "fft_test.h"

#include <atomic>
#include <type_traits>

using namespace fft_test;

namespace {

using Complex = std::complex<float>;

struct Scale {
  float factor;
  std::atomic<int> calls;
};

__device__ simtfftComplex load_scaled(void* in, std::size_t offset, void* info, void*) {
  auto& scale = *static_cast<Scale*>(info);
  ++scale.calls;
  const simtfftComplex number = static_cast<const simtfftComplex*>(in)[offset];
  return make_simtComplex(scale.factor * number.x, scale.factor * number.y);
}
__device__ void store_scaled(void* out, std::size_t offset, simtfftComplex number, void* info,
                             void*) {
  auto& scale = *static_cast<Scale*>(info);
  ++scale.calls;
  static_cast<simtfftComplex*>(out)[offset] =
      make_simtComplex(scale.factor * number.x, scale.factor * number.y);
}
__device__ simtfftReal load_short(void* in, std::size_t offset, void*, void*) {
  return static_cast<const short*>(in)[offset];
}
__device__ void store_norm(void* out, std::size_t offset, simtfftComplex number, void*, void*) {
  static_cast<float*>(out)[offset] = number.x * number.x + number.y * number.y;
}
__device__ simtfftDoubleReal load_double(void* in, std::size_t offset, void*, void* shared) {
  auto* copy = static_cast<double*>(shared);
  copy[1] = static_cast<const double*>(in)[offset];
  return 3 * copy[1];
}
__device__ void store_double(void* out, std::size_t offset, simtfftDoubleReal number, void*, void*) {
  static_cast<double*>(out)[offset] = number / 2;
}
__device__ simtfftDoubleComplex load_z(void* in, std::size_t offset, void*, void*) {
  const auto number = static_cast<const simtfftDoubleComplex*>(in)[offset];
  return make_simtDoubleComplex(number.y, number.x);
}
__device__ void store_z(void* out, std::size_t offset, simtfftDoubleComplex number, void*, void*) {
  static_cast<simtfftDoubleComplex*>(out)[offset] = make_simtDoubleComplex(number.y, number.x);
}

// A program copies the pointer of a device function from a variable of the device.
__device__ simtfftCallbackLoadC device_load = load_scaled;

template <class Function>
simtfftResult set(simtfftHandle plan, simtfftXtCallbackType type, Function* function,
                  void* info = nullptr) {
  void* routine = reinterpret_cast<void*>(function);
  return simtfftXtSetCallback(plan, &routine, type, &info);
}

Signal times(Signal signal, long double factor) {
  for (Wide& number : signal) number *= factor;
  return signal;
}

TEST_CASE("each number is loaded once and stored once, in one to three dimensions") {
  const Lengths all[] = {{24}, {4, 6}, {2, 3, 4}};
  for (const Lengths& lengths : all) {
    CAPTURE(lengths.size());
    const Signal signal = noise(72);
    std::vector<long long> n(lengths.begin(), lengths.end());
    Plan plan;
    std::size_t work = 0;
    REQUIRE_FFT(simtfftCreate(plan.out()));
    REQUIRE_FFT(simtfftMakePlanMany64(plan, static_cast<int>(n.size()), n.data(), nullptr, 1, 24,
                                      nullptr, 1, 24, SIMTFFT_C2C, 3, &work));
    Scale in{2, {0}}, out{0.25f, {0}};
    simtfftCallbackLoadC load = nullptr;
    REQUIRE_OK(simtMemcpyFromSymbol(&load, device_load, sizeof load));
    REQUIRE_FFT(set(plan, SIMTFFT_CB_LD_COMPLEX, load, &in));
    REQUIRE_FFT(set(plan, SIMTFFT_CB_ST_COMPLEX, store_scaled, &out));
    const DeviceArray<Complex> data(narrowed<float>(signal)), result(72);
    const Signal expected = times(transformed(signal, lengths, SIMTFFT_FORWARD), 0.5L);
    REQUIRE_FFT(simtfftExecC2C(plan, api(data.data()), api(result.data()), SIMTFFT_FORWARD));
    CHECK_LT(distance(result.values(), expected), kNear<float>);
    CHECK_EQ(in.calls, 72);
    CHECK_EQ(out.calls, 72);
    REQUIRE_FFT(simtfftExecC2C(plan, api(data.data()), api(data.data()), SIMTFFT_FORWARD));
    CHECK_LT(distance(data.values(), expected), kNear<float>);
  }
}

TEST_CASE("callbacks read and write other types than the transform's") {
  constexpr std::size_t kRows = 6, kColumns = 10;
  const Signal reals = times(noise(kRows * kColumns, true), 1000);
  std::vector<short> shorts;
  Signal rounded;
  for (const Wide& number : reals) {
    shorts.push_back(static_cast<short>(number.real()));
    rounded.emplace_back(shorts.back());
  }
  Plan plan;
  REQUIRE_FFT(simtfftPlan2d(plan.out(), kRows, kColumns, SIMTFFT_R2C));
  REQUIRE_FFT(set(plan, SIMTFFT_CB_LD_REAL, load_short));
  REQUIRE_FFT(set(plan, SIMTFFT_CB_ST_COMPLEX, store_norm));
  // An array of norms is half as long as an array of complex numbers: a transform without memory of its own for the
  // first dimension would write past its end.
  const DeviceArray<short> in(shorts);
  const DeviceArray<float> norms(kRows * (kColumns / 2 + 1));
  REQUIRE_FFT(simtfftExecR2C(plan, reinterpret_cast<float*>(in.data()),
                             reinterpret_cast<simtfftComplex*>(norms.data())));
  Signal expected = half_of(transformed(rounded, {kRows, kColumns}, SIMTFFT_FORWARD), kColumns);
  for (Wide& number : expected) number = std::norm(number);
  CHECK_LT(distance(norms.values(), expected), 4 * kNear<float>);
}

TEST_CASE("callbacks of double numbers, and padded rows in place") {
  constexpr std::size_t kRows = 4, kColumns = 6, kWidth = 8;
  const Signal reals = noise(kRows * kColumns, true);
  std::vector<double> padded(kRows * kWidth, 77);
  for (std::size_t i = 0; i < reals.size(); ++i)
    padded[i / kColumns * kWidth + i % kColumns] = static_cast<double>(reals[i].real());
  const DeviceArray<double> data(padded);
  auto* spectrum = reinterpret_cast<simtfftDoubleComplex*>(data.data());
  Plan there, back;
  REQUIRE_FFT(simtfftPlan2d(there.out(), kRows, kColumns, SIMTFFT_D2Z));
  REQUIRE_FFT(simtfftPlan2d(back.out(), kRows, kColumns, SIMTFFT_Z2D));
  REQUIRE_FFT(set(there, SIMTFFT_CB_LD_REAL_DOUBLE, load_double));
  REQUIRE_FFT(simtfftXtSetCallbackSharedSize(there, SIMTFFT_CB_LD_REAL_DOUBLE, 16));
  REQUIRE_FFT(set(there, SIMTFFT_CB_ST_COMPLEX_DOUBLE, store_z));
  REQUIRE_FFT(set(back, SIMTFFT_CB_LD_COMPLEX_DOUBLE, load_z));
  REQUIRE_FFT(set(back, SIMTFFT_CB_ST_REAL_DOUBLE, store_double));
  REQUIRE_FFT(simtfftExecD2Z(there, data.data(), spectrum));
  REQUIRE_FFT(simtfftExecZ2D(back, spectrum, data.data()));
  const std::vector<double> values = data.values();
  Signal found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % kWidth < kColumns) found.emplace_back(values[i]);
  }
  CHECK_LT(distance(found, times(reals, 24 * 1.5L)), kNear<double>);
}

TEST_CASE("a callback that was removed is not called") {
  const Signal signal = noise(8);
  const DeviceArray<Complex> data(narrowed<float>(signal)), result(8);
  Plan plan;
  REQUIRE_FFT(simtfftPlan1d(plan.out(), 8, SIMTFFT_C2C, 1));
  Scale scale{5, {0}};
  REQUIRE_FFT(set(plan, SIMTFFT_CB_LD_COMPLEX, load_scaled, &scale));
  REQUIRE_FFT(simtfftXtClearCallback(plan, SIMTFFT_CB_LD_COMPLEX));
  REQUIRE_FFT(simtfftXtExec(plan, data.data(), result.data(), SIMTFFT_FORWARD));
  CHECK_LT(distance(result.values(), transformed(signal, {8}, SIMTFFT_FORWARD)), kNear<float>);
  CHECK_EQ(scale.calls, 0);
}

TEST_CASE("rejected callbacks") {
  Plan plan, unmade;
  REQUIRE_FFT(simtfftPlan1d(plan.out(), 8, SIMTFFT_R2C, 1));
  REQUIRE_FFT(simtfftCreate(unmade.out()));
  CHECK_EQ(set(unmade, SIMTFFT_CB_LD_REAL, load_short), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(set(-7, SIMTFFT_CB_LD_REAL, load_short), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(set(plan, SIMTFFT_CB_LD_COMPLEX, load_scaled), SIMTFFT_INVALID_TYPE);
  CHECK_EQ(set(plan, SIMTFFT_CB_LD_REAL_DOUBLE, load_double), SIMTFFT_INVALID_TYPE);
  CHECK_EQ(set(plan, SIMTFFT_CB_ST_REAL, store_double), SIMTFFT_INVALID_TYPE);
  CHECK_EQ(set(plan, SIMTFFT_CB_UNDEFINED, load_short), SIMTFFT_INVALID_TYPE);
  CHECK_EQ(simtfftXtSetCallback(plan, nullptr, SIMTFFT_CB_LD_REAL, nullptr), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(simtfftXtClearCallback(plan, SIMTFFT_CB_ST_REAL), SIMTFFT_INVALID_TYPE);
  CHECK_EQ(simtfftXtSetCallbackSharedSize(plan, SIMTFFT_CB_LD_REAL, 16385), SIMTFFT_ALLOC_FAILED);
  Plan half;
  long long n[] = {8};
  std::size_t work = 0;
  REQUIRE_FFT(simtfftCreate(half.out()));
  REQUIRE_FFT(simtfftXtMakePlanMany(half, 1, n, nullptr, 1, 8, SIMT_C_16F, nullptr, 1, 8,
                                    SIMT_C_16F, 1, &work, SIMT_C_16F));
  CHECK_EQ(set(half, SIMTFFT_CB_LD_COMPLEX, load_scaled), SIMTFFT_INVALID_TYPE);
}

}  // namespace
