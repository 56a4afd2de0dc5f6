// Plans of simtfft: layouts, streams, work areas, and rejected arguments. cuFFT 12.4 documentation,
// "2.4 Data Layout", "2.6 Advanced Data Layout" and the status lists of the functions.
#include "fft_test.h"

#include <simtrt/version.h>

#include <array>

using namespace fft_test;

namespace {

using Complex = std::complex<float>;

TEST_CASE("the version is that of the corresponding cuFFT") {
  int version = 0, major = 0, minor = 0, patch = 0;
  CHECK_FFT(simtfftGetVersion(&version));
  CHECK_FFT(simtfftGetProperty(MAJOR_VERSION, &major));
  CHECK_FFT(simtfftGetProperty(MINOR_VERSION, &minor));
  CHECK_FFT(simtfftGetProperty(PATCH_LEVEL, &patch));
  CHECK_EQ(version, SIMT_COMPAT_FFT_VERSION);
  CHECK_EQ(major * 1000 + minor * 100 + patch, version);
  CHECK_EQ(simtfftGetProperty(static_cast<libraryPropertyType>(3), &major), SIMTFFT_INVALID_TYPE);
}

TEST_CASE("typed calls run plans of their type, in the requested direction") {
  const Signal signal = noise(12);
  Plan plan;
  CHECK_FFT(simtfftPlan1d(plan.out(), 12, SIMTFFT_C2C, 1));
  const DeviceArray<Complex> data(narrowed<float>(signal));
  CHECK_FFT(simtfftExecC2C(plan, api(data.data()), api(data.data()), SIMTFFT_FORWARD));
  CHECK_LT(distance(data.values(), transformed(signal, {12}, SIMTFFT_FORWARD)), kNear<float>);
  CHECK_FFT(simtfftExecC2C(plan, api(data.data()), api(data.data()), SIMTFFT_INVERSE));
  Signal twelve = signal;
  for (Wide& number : twelve) number *= 12;
  CHECK_LT(distance(data.values(), twelve), kNear<float>);

  Plan there, back;
  const Signal reals = noise(30, true);
  CHECK_FFT(simtfftPlan2d(there.out(), 5, 6, SIMTFFT_D2Z));
  CHECK_FFT(simtfftPlan2d(back.out(), 5, 6, SIMTFFT_Z2D));
  const DeviceArray<double> real(real_parts<double>(reals)), result(30);
  const DeviceArray<std::complex<double>> spectrum(20);
  CHECK_FFT(simtfftExecD2Z(there, real.data(), api(spectrum.data())));
  CHECK_FFT(simtfftExecZ2D(back, api(spectrum.data()), result.data()));
  Signal thirty = reals;
  for (Wide& number : thirty) number *= 30;
  CHECK_LT(distance(result.values(), thirty), kNear<double>);

  CHECK_EQ(simtfftExecR2C(there, nullptr, nullptr), SIMTFFT_INVALID_TYPE);
  CHECK_EQ(simtfftExecZ2Z(plan, api(spectrum.data()), api(spectrum.data()), SIMTFFT_FORWARD),
           SIMTFFT_INVALID_TYPE);
  CHECK_EQ(simtfftExecC2C(plan, api(data.data()), api(data.data()), 0), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(simtfftExecC2C(plan, nullptr, api(data.data()), 1), SIMTFFT_INVALID_VALUE);
}

TEST_CASE("real rows are padded to the width of their spectrum where the transform is in place") {
  for (const std::size_t columns : {6UL, 7UL}) {
    CAPTURE(columns);
    constexpr std::size_t kRows = 5;
    const std::size_t width = 2 * (columns / 2 + 1);
    const Signal reals = noise(kRows * columns, true);
    std::vector<float> padded(kRows * width, 99);
    for (std::size_t i = 0; i < reals.size(); ++i) {
      padded[i / columns * width + i % columns] = static_cast<float>(reals[i].real());
    }
    const auto spectrum_in = [](const DeviceArray<float>& data) {
      const std::vector<float> values = data.values();
      Signal numbers;
      for (std::size_t i = 0; i < values.size(); i += 2)
        numbers.emplace_back(values[i], values[i + 1]);
      return numbers;
    };
    const auto reals_in = [&](const DeviceArray<float>& data) {
      const std::vector<float> values = data.values();
      Signal numbers;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % width < columns) numbers.emplace_back(values[i]);
      }
      return numbers;
    };
    const auto times = [&](long double factor) {
      Signal product = reals;
      for (Wide& number : product) number *= factor;
      return product;
    };
    const int rows = kRows, length = static_cast<int>(columns);

    // Transforms a batch of rows, and then the rows as a two-dimensional array.
    Plan there, back;
    CHECK_FFT(simtfftPlan1d(there.out(), length, SIMTFFT_R2C, rows));
    CHECK_FFT(simtfftPlan1d(back.out(), length, SIMTFFT_C2R, rows));
    const DeviceArray<float> data(padded);
    auto* const complex = reinterpret_cast<simtfftComplex*>(data.data());
    CHECK_FFT(simtfftExecR2C(there, data.data(), complex));
    CHECK_LT(distance(spectrum_in(data),
                      half_of(transformed(reals, {columns}, SIMTFFT_FORWARD), columns)),
             kNear<float>);
    CHECK_FFT(simtfftExecC2R(back, complex, data.data()));
    CHECK_LT(distance(reals_in(data), times(static_cast<long double>(columns))), kNear<float>);

    Plan there_2d, back_2d;
    CHECK_FFT(simtfftPlan2d(there_2d.out(), rows, length, SIMTFFT_R2C));
    CHECK_FFT(simtfftPlan2d(back_2d.out(), rows, length, SIMTFFT_C2R));
    const DeviceArray<float> array(padded);
    auto* const array_complex = reinterpret_cast<simtfftComplex*>(array.data());
    CHECK_FFT(simtfftExecR2C(there_2d, array.data(), array_complex));
    CHECK_LT(distance(spectrum_in(array),
                      half_of(transformed(reals, {kRows, columns}, SIMTFFT_FORWARD), columns)),
             kNear<float>);
    CHECK_FFT(simtfftExecC2R(back_2d, array_complex, array.data()));
    CHECK_LT(distance(reals_in(array), times(static_cast<long double>(kRows * columns))),
             kNear<float>);
  }
}

TEST_CASE("arrays embedded in larger ones, with strides and distances; other memory is unchanged") {
  // Two transforms of 3 x 4 numbers. In the input, a transform is part of an array of 5 x 6
  // numbers, and its numbers are 2 apart. In the output, number (x, y) of transform b has the index
  // (x * 4 + y) * 2 + b.
  std::array<int, 2> n{3, 4}, in_embed{5, 6}, out_embed{3, 4};
  const int in_distance = 5 * 6 * 2 + 1;
  const Signal signal = noise(24);
  std::vector<Complex> in_values(2 * in_distance, Complex(50, 60));
  const auto in_place = [&](std::size_t b, std::size_t x, std::size_t y) {
    return (x * 6 + y) * 2 + b * in_distance;
  };
  const Signal expected = transformed(signal, {3, 4}, SIMTFFT_FORWARD);
  std::vector<Complex> wanted(30, Complex(7, 8));
  for (std::size_t i = 0; i < 24; ++i) {
    const std::size_t b = i / 12, x = i / 4 % 3, y = i % 4;
    in_values[in_place(b, x, y)] = Complex(signal[i]);
    wanted[(x * 4 + y) * 2 + b] = Complex(expected[i]);
  }
  Plan plan;
  CHECK_FFT(simtfftPlanMany(plan.out(), 2, n.data(), in_embed.data(), 2, in_distance,
                            out_embed.data(), 2, 1, SIMTFFT_C2C, 2));
  const DeviceArray<Complex> in(in_values), out(std::vector<Complex>(30, Complex(7, 8)));
  CHECK_FFT(simtfftExecC2C(plan, api(in.data()), api(out.data()), SIMTFFT_FORWARD));
  CHECK_LT(distance(out.values(), Signal(wanted.begin(), wanted.end())), kNear<float>);
  const std::vector<Complex> after = out.values();
  for (std::size_t i = 24; i < 30; ++i) CHECK_EQ(after[i], Complex(7, 8));

  // A transform in place; the memory between its numbers must be unchanged.
  Plan same;
  std::size_t work_size = 77;
  std::array<long long, 2> n64{3, 4}, embed64{5, 6};
  CHECK_FFT(simtfftCreate(same.out()));
  CHECK_FFT(simtfftMakePlanMany64(same, 2, n64.data(), embed64.data(), 2, in_distance,
                                  embed64.data(), 2, in_distance, SIMTFFT_C2C, 2, &work_size));
  CHECK_FFT(simtfftExecC2C(same, api(in.data()), api(in.data()), SIMTFFT_FORWARD));
  Signal kept(in_values.begin(), in_values.end());
  for (std::size_t i = 0; i < 24; ++i) {
    kept[in_place(i / 12, i / 4 % 3, i % 4)] = expected[i];
  }
  CHECK_LT(distance(in.values(), kept), kNear<float>);
  CHECK_EQ(in.values()[1], Complex(50, 60));
}

TEST_CASE("real numbers with a stride, their spectrum with another") {
  // Transforms the columns of an array of 8 x 3 real numbers; the spectra have rows of 6 numbers.
  int n = 8;
  std::array<int, 1> embed{8};
  const Signal reals = noise(24, true);
  Signal columns;
  for (std::size_t i = 0; i < 24; ++i) columns.push_back(reals[i % 8 * 3 + i / 8]);
  const Signal half = half_of(transformed(columns, {8}, SIMTFFT_FORWARD), 8);
  Plan plan, back;
  CHECK_FFT(
      simtfftPlanMany(plan.out(), 1, &n, embed.data(), 3, 1, embed.data(), 1, 6, SIMTFFT_R2C, 3));
  CHECK_FFT(
      simtfftPlanMany(back.out(), 1, &n, embed.data(), 1, 6, embed.data(), 3, 1, SIMTFFT_C2R, 3));
  const DeviceArray<float> in(real_parts<float>(reals)), again(24);
  const DeviceArray<Complex> out(18);
  CHECK_FFT(simtfftExecR2C(plan, in.data(), api(out.data())));
  Signal result;
  const auto values = out.values();
  for (std::size_t i = 0; i < 18; ++i) {
    if (i % 6 < 5) result.push_back(Wide(values[i]));
  }
  CHECK_LT(distance(result, half), kNear<float>);
  CHECK_FFT(simtfftExecC2R(back, api(out.data()), again.data()));
  Signal eight = reals;
  for (Wide& number : eight) number *= 8;
  CHECK_LT(distance(again.values(), eight), kNear<float>);
}

TEST_CASE("a transform waits for its stream, and outlives its plan") {
  TestStream stream;
  const Signal signal = noise(8);
  const DeviceArray<Complex> late(narrowed<float>(signal)), in(8), out(8);
  Gate gate;
  gate.hold(stream);
  REQUIRE_OK(simtMemcpyAsync(in.data(), late.data(), in.bytes(), simtMemcpyDeviceToDevice, stream));
  {
    Plan plan;
    CHECK_FFT(simtfftPlan1d(plan.out(), 8, SIMTFFT_C2C, 1));
    CHECK_FFT(simtfftSetStream(plan, stream));
    CHECK_FFT(simtfftExecC2C(plan, api(in.data()), api(out.data()), SIMTFFT_FORWARD));
  }
  CHECK_EQ(simtStreamQuery(stream), simtErrorNotReady);
  gate.open();
  REQUIRE_OK(simtStreamSynchronize(stream));
  CHECK_LT(distance(out.values(), transformed(signal, {8}, SIMTFFT_FORWARD)), kNear<float>);
}

TEST_CASE("a captured transform runs at each launch of the graph, with its plan's own work area") {
  TestStream stream;
  Plan plan;
  CHECK_FFT(simtfftPlan2d(plan.out(), 3, 4, SIMTFFT_C2R));
  CHECK_FFT(simtfftSetStream(plan, stream));
  const DeviceArray<Complex> in(9);
  const DeviceArray<float> out(12);
  simtGraph_t graph;
  simtGraphExec_t executable;
  REQUIRE_OK(simtStreamBeginCapture(stream, simtStreamCaptureModeGlobal));
  CHECK_FFT(simtfftExecC2R(plan, api(in.data()), out.data()));
  REQUIRE_OK(simtStreamEndCapture(stream, &graph));
  REQUIRE_OK(simtGraphInstantiate(&executable, graph, 0));
  for (const float height : {1.0F, 2.0F}) {
    // The spectrum of an impulse has the same value everywhere.
    const std::vector<Complex> ones(9, Complex(height));
    REQUIRE_OK(simtMemcpy(in.data(), ones.data(), in.bytes(), simtMemcpyHostToDevice));
    REQUIRE_OK(simtGraphLaunch(executable, stream));
    REQUIRE_OK(simtStreamSynchronize(stream));
    Signal impulse(12);
    impulse[0] = 12 * height;
    CHECK_LT(distance(out.values(), impulse), kNear<float>);
  }
  REQUIRE_OK(simtGraphExecDestroy(executable));
  REQUIRE_OK(simtGraphDestroy(graph));
}

TEST_CASE(
    "a plan without automatic allocation uses the given work area, of the size that it "
    "reports") {
  Plan plan;
  std::size_t size = 0, again = 0, estimate = 0, of_size = 0;
  CHECK_FFT(simtfftCreate(plan.out()));
  CHECK_FFT(simtfftSetAutoAllocation(plan, 0));
  CHECK_FFT(simtfftMakePlan3d(plan, 4, 3, 10, SIMTFFT_Z2D, &size));
  // The work area has room for the spectrum, because the transform must not overwrite its input.
  CHECK_EQ(size, 4 * 3 * 6 * sizeof(std::complex<double>));
  CHECK_FFT(simtfftGetSize(plan, &again));
  CHECK_FFT(simtfftEstimate3d(4, 3, 10, SIMTFFT_Z2D, &estimate));
  CHECK_FFT(simtfftGetSize3d(plan, 4, 3, 10, SIMTFFT_Z2D, &of_size));
  CHECK_EQ(again, size);
  CHECK_EQ(estimate, size);
  CHECK_EQ(of_size, size);

  const Signal reals = noise(120, true);
  const Signal half = half_of(transformed(reals, {4, 3, 10}, SIMTFFT_FORWARD), 10);
  const DeviceArray<std::complex<double>> in(narrowed<double>(half)), work(72 + 1, {3, 4});
  const DeviceArray<double> out(120);
  CHECK_EQ(simtfftExecZ2D(plan, api(in.data()), out.data()), SIMTFFT_NO_WORKSPACE);
  CHECK_FFT(simtfftSetWorkArea(plan, work.data()));
  CHECK_FFT(simtfftExecZ2D(plan, api(in.data()), out.data()));
  Signal expected = reals;
  for (Wide& number : expected) number *= 120;
  CHECK_LT(distance(out.values(), expected), kNear<double>);
  CHECK_EQ(work.values().back(), std::complex<double>(3, 4));

  // A plan that needs no work area has size 0.
  Plan plain;
  CHECK_FFT(simtfftCreate(plain.out()));
  CHECK_FFT(simtfftSetAutoAllocation(plain, 0));
  CHECK_FFT(simtfftMakePlan1d(plain, 16, SIMTFFT_C2C, 2, &size));
  CHECK_EQ(size, 0);
  CHECK_FFT(simtfftSetWorkArea(plain, nullptr));
  const DeviceArray<Complex> data(32);
  CHECK_FFT(simtfftExecC2C(plain, api(data.data()), api(data.data()), SIMTFFT_FORWARD));
  REQUIRE_FINISHED();
}

TEST_CASE("an invalid handle, and a handle without a plan") {
  std::size_t size;
  int n = 8;
  CHECK_EQ(simtfftDestroy(12345), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(simtfftSetStream(12345, nullptr), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(simtfftSetWorkArea(12345, nullptr), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(simtfftGetSize(12345, &size), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(simtfftGetSizeMany(12345, 1, &n, nullptr, 1, 1, nullptr, 1, 1, SIMTFFT_C2C, 1, &size),
           SIMTFFT_INVALID_PLAN);
  CHECK_EQ(simtfftMakePlan1d(12345, 8, SIMTFFT_C2C, 1, &size), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(simtfftExecC2C(12345, nullptr, nullptr, 1), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(simtfftXtExec(12345, nullptr, nullptr, 1), SIMTFFT_INVALID_PLAN);

  Plan plan;
  CHECK_FFT(simtfftCreate(plan.out()));
  CHECK_EQ(simtfftXtExec(plan, nullptr, nullptr, 1), SIMTFFT_INVALID_PLAN);
  CHECK_EQ(simtfftGetSize(plan, &size), SIMTFFT_INVALID_PLAN);
  // A plan whose creation failed may be created again; a plan that exists may not.
  CHECK_EQ(simtfftMakePlan1d(plan, 0, SIMTFFT_C2C, 1, &size), SIMTFFT_INVALID_SIZE);
  CHECK_FFT(simtfftMakePlan1d(plan, 8, SIMTFFT_C2C, 1, &size));
  CHECK_EQ(simtfftMakePlan1d(plan, 8, SIMTFFT_C2C, 1, &size), SIMTFFT_INVALID_PLAN);
  CHECK_FFT(simtfftSetAutoAllocation(plan, 0));  // too late: no effect
  const simtfftHandle handle = plan;
  CHECK_FFT(simtfftDestroy(handle));
  CHECK_EQ(simtfftDestroy(handle), SIMTFFT_INVALID_PLAN);
}

TEST_CASE("invalid plans are rejected, and leave no handle") {
  simtfftHandle handle = -5;
  std::array<int, 4> n{8, 8, 8, 8}, embed{8, 8, 8, 8}, none{8, 0, 0, 0};
  const auto many = [&](int rank, int* lengths, int* in_embed, int stride, int distance,
                        int batch) {
    return simtfftPlanMany(&handle, rank, lengths, in_embed, stride, distance, embed.data(), 1, 64,
                           SIMTFFT_C2C, batch);
  };
  CHECK_EQ(simtfftPlan1d(&handle, 0, SIMTFFT_C2C, 1), SIMTFFT_INVALID_SIZE);
  CHECK_EQ(simtfftPlan1d(&handle, -4, SIMTFFT_C2C, 1), SIMTFFT_INVALID_SIZE);
  CHECK_EQ(simtfftPlan1d(&handle, 8, SIMTFFT_C2C, 0), SIMTFFT_INVALID_SIZE);
  CHECK_EQ(simtfftPlan3d(&handle, 8, 0, 8, SIMTFFT_C2C), SIMTFFT_INVALID_SIZE);
  CHECK_EQ(simtfftPlan1d(&handle, 8, static_cast<simtfftType>(1), 1), SIMTFFT_INVALID_TYPE);
  CHECK_EQ(simtfftPlan1d(nullptr, 8, SIMTFFT_C2C, 1), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(many(0, n.data(), embed.data(), 1, 64, 1), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(many(4, n.data(), embed.data(), 1, 64, 1), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(many(2, nullptr, embed.data(), 1, 64, 1), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(many(2, n.data(), embed.data(), 0, 64, 1), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(many(2, n.data(), embed.data(), 1, -1, 2), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(many(2, n.data(), none.data(), 1, 64, 1), SIMTFFT_INVALID_VALUE);
  CHECK_EQ(handle, -5);

  // The number of elements overflows.
  Plan plan;
  std::size_t size;
  std::array<long long, 3> vast{1LL << 40, 1LL << 40, 1LL << 40};
  CHECK_FFT(simtfftCreate(plan.out()));
  CHECK_EQ(simtfftMakePlanMany64(plan, 3, vast.data(), nullptr, 1, 1, nullptr, 1, 1, SIMTFFT_C2C, 1,
                                 &size),
           SIMTFFT_INVALID_SIZE);
}

TEST_CASE("types of numbers: valid combinations, and only powers of two for half") {
  const auto make = [](long long length, simtDataType in, simtDataType out,
                       simtDataType execution) {
    Plan plan;
    std::size_t size;
    REQUIRE_FFT(simtfftCreate(plan.out()));
    const simtfftResult sized = simtfftXtGetSizeMany(plan, 1, &length, nullptr, 1, 1, in, nullptr,
                                                     1, 1, out, 1, &size, execution);
    const simtfftResult made = simtfftXtMakePlanMany(plan, 1, &length, nullptr, 1, 1, in, nullptr,
                                                     1, 1, out, 1, &size, execution);
    CHECK_EQ(sized, made);
    return made;
  };
  CHECK_FFT(make(12, SIMT_C_32F, SIMT_C_32F, SIMT_C_32F));
  CHECK_FFT(make(12, SIMT_R_64F, SIMT_C_64F, SIMT_C_64F));
  CHECK_FFT(make(16, SIMT_C_16F, SIMT_R_16F, SIMT_C_16F));
  CHECK_EQ(make(12, SIMT_C_16F, SIMT_C_16F, SIMT_C_16F), SIMTFFT_INVALID_SIZE);
  CHECK_EQ(make(16, SIMT_R_16F, SIMT_C_32F, SIMT_C_32F), SIMTFFT_INVALID_TYPE);
  CHECK_EQ(make(16, SIMT_R_32F, SIMT_R_32F, SIMT_C_32F), SIMTFFT_INVALID_TYPE);
  CHECK_EQ(make(16, SIMT_C_16BF, SIMT_C_16BF, SIMT_C_16BF), SIMTFFT_NOT_SUPPORTED);
}

}  // namespace
