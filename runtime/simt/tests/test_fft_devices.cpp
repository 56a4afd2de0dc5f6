// Transforms of simtfft on several devices: results are those of one device. cuFFT 12.4 documentation, "Multiple GPU
// cuFFT Transforms". tests/test_devices.cpp selects two devices for the process.
#include "fft_test.h"

#include <numeric>

using namespace fft_test;

namespace {

using Complex = std::complex<float>;

/// Plan for descriptors on all devices.
class DevicesPlan {
 public:
  DevicesPlan(const Lengths& lengths, simtfftType type, int batch = 1) {
    int count = 0;
    REQUIRE_OK(simtGetDeviceCount(&count));
    REQUIRE_GE(count, 2);
    devices_.resize(static_cast<std::size_t>(count));
    std::iota(devices_.rbegin(), devices_.rend(), 0);
    std::vector<int> n(lengths.begin(), lengths.end());
    std::vector<std::size_t> work(devices_.size(), 99);
    REQUIRE_FFT(simtfftCreate(plan_.out()));
    REQUIRE_FFT(simtfftXtSetGPUs(plan_, count, devices_.data()));
    REQUIRE_FFT(simtfftMakePlanMany(plan_, static_cast<int>(n.size()), n.data(), nullptr, 1, 1,
                                    nullptr, 1, 1, type, batch, work.data()));
    CHECK_NE(work.back(), 99);
  }
  operator simtfftHandle() const { return plan_; }
  const std::vector<int>& devices() const { return devices_; }

 private:
  Plan plan_;
  std::vector<int> devices_;
};

class Descriptor {
 public:
  explicit Descriptor(const DevicesPlan& plan) {
    REQUIRE_FFT(simtfftXtMalloc(plan, &descriptor_, SIMTFFT_XT_FORMAT_INPLACE));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { simtfftXtFree(descriptor_); }
  operator simtLibXtDesc*() const { return descriptor_; }
  const simtXtDesc& parts() const { return *descriptor_->descriptor; }

 private:
  simtLibXtDesc* descriptor_ = nullptr;
};

template <class Numbers>
void to_devices(const DevicesPlan& plan, simtLibXtDesc* to, const Numbers& from) {
  REQUIRE_FFT(simtfftXtMemcpy(plan, to, const_cast<void*>(static_cast<const void*>(from.data())),
                              SIMTFFT_COPY_HOST_TO_DEVICE));
}
template <class Number>
std::vector<Number> to_host(const DevicesPlan& plan, simtLibXtDesc* from, std::size_t count) {
  std::vector<Number> numbers(count);
  REQUIRE_FFT(simtfftXtMemcpy(plan, numbers.data(), from, SIMTFFT_COPY_DEVICE_TO_HOST));
  return numbers;
}

TEST_CASE("descriptors are transformed as the arrays of one device") {
  const Lengths all[] = {{64}, {7, 12}, {5, 6, 8}};
  for (const Lengths& lengths : all) {
    CAPTURE(lengths.size());
    const std::size_t count = std::accumulate(lengths.begin(), lengths.end(), std::size_t{1},
                                              std::multiplies<>());
    const Signal signal = noise(count);
    const DevicesPlan plan(lengths, SIMTFFT_C2C);
    const Descriptor data(plan), copy(plan);
    to_devices(plan, data, narrowed<float>(signal));
    REQUIRE_FFT(simtfftXtExecDescriptorC2C(plan, data, data, SIMTFFT_FORWARD));
    CHECK_LT(distance(to_host<Complex>(plan, data, count),
                      transformed(signal, lengths, SIMTFFT_FORWARD)),
             kNear<float>);
    REQUIRE_FFT(simtfftXtMemcpy(plan, copy, data, SIMTFFT_COPY_DEVICE_TO_DEVICE));
    REQUIRE_FFT(simtfftXtExecDescriptor(plan, copy, copy, SIMTFFT_INVERSE));
    Signal scaled = signal;
    for (Wide& number : scaled) number *= static_cast<long double>(count);
    CHECK_LT(distance(to_host<Complex>(plan, copy, count), scaled), 2 * kNear<float>);
  }
}

TEST_CASE("the devices have equal numbers of rows, or of transforms of a batch") {
  const DevicesPlan rows({7, 12}, SIMTFFT_Z2Z), batch({8}, SIMTFFT_C2C, 5);
  const Descriptor of_rows(rows), of_batch(batch);
  CHECK_EQ(of_rows.parts().nGPUs, 2);
  CHECK_EQ(of_rows.parts().size[0], 4 * 12 * 16);
  CHECK_EQ(of_rows.parts().size[1], 3 * 12 * 16);
  CHECK_EQ(of_batch.parts().size[0], 3 * 8 * 8);
  CHECK_EQ(of_batch.parts().size[1], 2 * 8 * 8);
  for (int i = 0; i < 2; ++i) {
    simtPointerAttributes attributes{};
    REQUIRE_OK(simtPointerGetAttributes(&attributes, of_rows.parts().data[i]));
    CHECK_EQ(attributes.device, rows.devices()[static_cast<std::size_t>(i)]);
    CHECK_EQ(of_rows.parts().GPUs[i], attributes.device);
  }
  const Signal signal = noise(40);
  to_devices(batch, of_batch, narrowed<float>(signal));
  REQUIRE_FFT(simtfftXtExecDescriptorC2C(batch, of_batch, of_batch, SIMTFFT_FORWARD));
  CHECK_LT(distance(to_host<Complex>(batch, of_batch, 40), transformed(signal, {8}, SIMTFFT_FORWARD)),
           kNear<float>);
}

TEST_CASE("real numbers in padded rows, there and back") {
  constexpr std::size_t kRows = 6, kColumns = 7, kWidth = 8;
  const Signal reals = noise(kRows * kColumns, true);
  std::vector<double> padded(kRows * kWidth, 0);
  for (std::size_t i = 0; i < reals.size(); ++i)
    padded[i / kColumns * kWidth + i % kColumns] = static_cast<double>(reals[i].real());
  const DevicesPlan there({kRows, kColumns}, SIMTFFT_D2Z), back({kRows, kColumns}, SIMTFFT_Z2D);
  const Descriptor data(there);
  to_devices(there, data, padded);
  REQUIRE_FFT(simtfftXtExecDescriptorD2Z(there, data, data));
  const Signal spectrum =
      half_of(transformed(reals, {kRows, kColumns}, SIMTFFT_FORWARD), kColumns);
  CHECK_LT(distance(to_host<std::complex<double>>(there, data, kRows * kWidth / 2), spectrum),
           kNear<double>);
  REQUIRE_FFT(simtfftXtExecDescriptorZ2D(back, data, data));
  const auto values = to_host<double>(back, data, kRows * kWidth);
  Signal found, scaled = reals;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % kWidth < kColumns) found.emplace_back(values[i]);
  }
  for (Wide& number : scaled) number *= kRows * kColumns;
  CHECK_LT(distance(found, scaled), kNear<double>);
  CHECK_EQ(simtfftXtExecDescriptorR2C(there, data, data), SIMTFFT_INVALID_TYPE);
}

TEST_CASE("rejected plans and descriptors for several devices") {
  Plan plan;
  int both[] = {0, 1}, same[] = {1, 1}, missing[] = {0, 64};
  std::size_t work[2];
  REQUIRE_FFT(simtfftCreate(plan.out()));
  CHECK_EQ(simtfftXtSetGPUs(plan, 2, nullptr), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(simtfftXtSetGPUs(plan, 0, both), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(simtfftXtSetGPUs(plan, 2, same), SIMTFFT_INVALID_DEVICE);
  CHECK_EQ(simtfftXtSetGPUs(plan, 2, missing), SIMTFFT_INVALID_DEVICE);
  REQUIRE_FFT(simtfftXtSetGPUs(plan, 2, both));
  int n[] = {8}, embed[] = {8};
  CHECK_EQ(simtfftMakePlanMany(plan, 1, n, embed, 1, 8, embed, 1, 8, SIMTFFT_C2C, 1, work),
           SIMTFFT_NOT_SUPPORTED);
  simtLibXtDesc* made = nullptr;
  CHECK_EQ(simtfftXtMalloc(plan, &made, SIMTFFT_XT_FORMAT_INPLACE), SIMTFFT_INVALID_PLAN);
  REQUIRE_FFT(simtfftMakePlan1d(plan, 8, SIMTFFT_C2C, 1, work));
  CHECK_EQ(simtfftXtSetGPUs(plan, 2, both), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(simtfftXtMalloc(plan, nullptr, SIMTFFT_XT_FORMAT_INPLACE), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(simtfftXtMalloc(plan, &made, SIMTFFT_FORMAT_UNDEFINED), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(simtfftXtMalloc(plan, &made, SIMTFFT_XT_FORMAT_DISTRIBUTED_INPUT),
           SIMTFFT_NOT_SUPPORTED);
  const DeviceArray<Complex> data(8);
  CHECK_EQ(simtfftExecC2C(plan, api(data.data()), api(data.data()), SIMTFFT_FORWARD),
           SIMTFFT_INVALID_PLAN);
  void* routine = reinterpret_cast<void*>(&simtfftXtFree);
  CHECK_EQ(simtfftXtSetCallback(plan, &routine, SIMTFFT_CB_LD_COMPLEX, nullptr),
           SIMTFFT_NOT_SUPPORTED);

  const DevicesPlan other({16}, SIMTFFT_C2C);
  const Descriptor longer(other);
  CHECK_EQ(simtfftXtExecDescriptorC2C(plan, longer, longer, SIMTFFT_FORWARD), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(simtfftXtExecDescriptorC2C(other, longer, longer, 0), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(simtfftXtMemcpy(plan, longer, data.data(), SIMTFFT_COPY_HOST_TO_DEVICE),
           SIMTFFT_INVALID_VALUE);
  CHECK_EQ(simtfftXtFree(nullptr), SIMTFFT_INVALID_VALUE);
}

}  // namespace
