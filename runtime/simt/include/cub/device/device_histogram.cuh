// cub::DeviceHistogram: numbers of samples between given levels. Interface: CUDA 12.4,
// cub/device/device_histogram.cuh. Source for the bin of a sample: CUDA 12.4,
// cub/device/dispatch/dispatch_histogram.cuh.
#pragma once

#include <simtrt/cub/device.h>

#include <algorithm>
#include <array>
#include <type_traits>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Bins of equal width between two levels.
template <class SampleT, class LevelT>
struct EvenBins {
  using CommonT = std::common_type_t<SampleT, LevelT>;

  int bins;
  CommonT lower;
  CommonT upper;

  /// CUB computes a bin of integers as (sample - lower) * bins / (upper - lower), in at least 32 bits, and
  /// refuses levels for which this overflows. The range itself has the type of the levels.
  bool overflows() const {
    if constexpr (std::is_integral<CommonT>::value) {
      constexpr std::size_t kBytes = sizeof(SampleT) + sizeof(CommonT);
      using Wide = std::conditional_t<kBytes <= 4, std::uint32_t,
                                      std::conditional_t<kBytes <= 8, std::uint64_t, unsigned __int128>>;
      using Bits = std::make_unsigned_t<CommonT>;
      const auto range = static_cast<CommonT>(static_cast<Bits>(upper) - static_cast<Bits>(lower));
      return bins > 0 && static_cast<Wide>(range) > static_cast<Wide>(-1) / static_cast<Wide>(bins);
    }
    return false;
  }

  /// Bin of `sample`; -1 for a sample outside of all bins.
  int of(SampleT sample) const {
    const CommonT value = static_cast<CommonT>(sample);
    if (value < lower || !(value < upper)) return -1;
    if constexpr (std::is_integral<CommonT>::value) {
      using Wide = std::conditional_t<std::is_signed<CommonT>::value, __int128, unsigned __int128>;
      return static_cast<int>((static_cast<Wide>(value) - static_cast<Wide>(lower)) * bins /
                              (static_cast<Wide>(upper) - static_cast<Wide>(lower)));
    } else {
      return static_cast<int>((value - lower) * (static_cast<CommonT>(bins) / (upper - lower)));
    }
  }
};

/// Bins between neighbouring levels of a sorted list.
template <class SampleT, class LevelT>
struct RangeBins {
  int bins;
  const LevelT* levels;

  int of(SampleT sample) const {
    const LevelT* above = std::upper_bound(levels, levels + bins + 1, static_cast<LevelT>(sample));
    const int bin = static_cast<int>(above - levels) - 1;
    return bin < bins ? bin : -1;
  }
};

/// Layout of the samples: rows of pixels with CHANNELS samples each.
struct SampleGrid {
  std::int64_t row_pixels;
  std::int64_t rows;
  std::int64_t row_samples;  ///< distance between the beginnings of two rows
};

template <int CHANNELS, int ACTIVE, class Samples, class CounterT, class Bins>
void count_samples(Samples samples, const std::array<CounterT*, ACTIVE>& histograms,
                   const std::array<Bins, ACTIVE>& bins, const SampleGrid& grid) {
  for (int channel = 0; channel < ACTIVE; ++channel) {
    std::fill_n(histograms[channel], std::max(bins[channel].bins, 0), CounterT(0));
  }
  for (std::int64_t row = 0; row < grid.rows; ++row) {
    for (std::int64_t pixel = 0; pixel < grid.row_pixels; ++pixel) {
      for (int channel = 0; channel < ACTIVE; ++channel) {
        const int bin =
            bins[channel].of(samples[row * grid.row_samples + pixel * CHANNELS + channel]);
        if (bin >= 0) ++histograms[channel][bin];
      }
    }
  }
}

}  // namespace detail

/// With a null `d_temp_storage`, each function only sets temp_storage_bytes to the required size.
/// num_levels levels are the bounds of num_levels - 1 bins. A sample equal to a level belongs to
/// the bin above the level; a sample outside of all bins is not counted. detail::in_two_phases
/// (simtrt/cub/device.h) lists the errors.
struct DeviceHistogram {
  template <class SampleIteratorT, class CounterT, class LevelT, class OffsetT>
  static simtError_t HistogramEven(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   SampleIteratorT d_samples, CounterT* d_histogram, int num_levels,
                                   LevelT lower_level, LevelT upper_level, OffsetT num_samples,
                                   simtStream_t stream = nullptr) {
    return MultiHistogramEven<1, 1>(d_temp_storage, temp_storage_bytes, d_samples, &d_histogram,
                                    &num_levels, &lower_level, &upper_level, num_samples, stream);
  }

  /// Histogram of the first num_row_samples samples of each of num_rows rows.
  template <class SampleIteratorT, class CounterT, class LevelT, class OffsetT>
  static simtError_t HistogramEven(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                   SampleIteratorT d_samples, CounterT* d_histogram, int num_levels,
                                   LevelT lower_level, LevelT upper_level, OffsetT num_row_samples,
                                   OffsetT num_rows, std::size_t row_stride_bytes,
                                   simtStream_t stream = nullptr) {
    return MultiHistogramEven<1, 1>(d_temp_storage, temp_storage_bytes, d_samples, &d_histogram,
                                    &num_levels, &lower_level, &upper_level, num_row_samples,
                                    num_rows, row_stride_bytes, stream);
  }

  template <int NUM_CHANNELS, int NUM_ACTIVE_CHANNELS, class SampleIteratorT, class CounterT,
            class LevelT, class OffsetT>
  static simtError_t MultiHistogramEven(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                        SampleIteratorT d_samples, CounterT* d_histogram[],
                                        int num_levels[], LevelT lower_level[],
                                        LevelT upper_level[], OffsetT num_pixels,
                                        simtStream_t stream = nullptr) {
    return MultiHistogramEven<NUM_CHANNELS, NUM_ACTIVE_CHANNELS>(
        d_temp_storage, temp_storage_bytes, d_samples, d_histogram, num_levels, lower_level,
        upper_level, num_pixels, OffsetT(1), std::size_t(0), stream);
  }

  /// Histogram of the first num_row_pixels pixels of each of num_rows rows.
  template <int NUM_CHANNELS, int NUM_ACTIVE_CHANNELS, class SampleIteratorT, class CounterT,
            class LevelT, class OffsetT>
  static simtError_t MultiHistogramEven(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                        SampleIteratorT d_samples, CounterT* d_histogram[],
                                        int num_levels[], LevelT lower_level[],
                                        LevelT upper_level[], OffsetT num_row_pixels,
                                        OffsetT num_rows, std::size_t row_stride_bytes,
                                        simtStream_t stream = nullptr) {
    using Bins = detail::EvenBins<detail::value_t<SampleIteratorT>, LevelT>;
    std::array<Bins, NUM_ACTIVE_CHANNELS> bins;
    for (int i = 0; i < NUM_ACTIVE_CHANNELS; ++i) {
      bins[i] = {num_levels[i] - 1, static_cast<typename Bins::CommonT>(lower_level[i]),
                 static_cast<typename Bins::CommonT>(upper_level[i])};
    }
    for (const Bins& channel : bins) {
      if (!channel.overflows()) continue;
      temp_storage_bytes = 1;
      return simtErrorInvalidValue;
    }
    return count<NUM_CHANNELS, NUM_ACTIVE_CHANNELS>(d_temp_storage, temp_storage_bytes, d_samples,
                                                    d_histogram, bins, num_row_pixels, num_rows,
                                                    row_stride_bytes, stream);
  }

  template <class SampleIteratorT, class CounterT, class LevelT, class OffsetT>
  static simtError_t HistogramRange(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                    SampleIteratorT d_samples, CounterT* d_histogram,
                                    int num_levels, LevelT* d_levels, OffsetT num_samples,
                                    simtStream_t stream = nullptr) {
    return MultiHistogramRange<1, 1>(d_temp_storage, temp_storage_bytes, d_samples, &d_histogram,
                                     &num_levels, &d_levels, num_samples, stream);
  }
  template <class SampleIteratorT, class CounterT, class LevelT, class OffsetT>
  static simtError_t HistogramRange(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                    SampleIteratorT d_samples, CounterT* d_histogram,
                                    int num_levels, LevelT* d_levels, OffsetT num_row_samples,
                                    OffsetT num_rows, std::size_t row_stride_bytes,
                                    simtStream_t stream = nullptr) {
    return MultiHistogramRange<1, 1>(d_temp_storage, temp_storage_bytes, d_samples, &d_histogram,
                                     &num_levels, &d_levels, num_row_samples, num_rows,
                                     row_stride_bytes, stream);
  }

  template <int NUM_CHANNELS, int NUM_ACTIVE_CHANNELS, class SampleIteratorT, class CounterT,
            class LevelT, class OffsetT>
  static simtError_t MultiHistogramRange(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                         SampleIteratorT d_samples, CounterT* d_histogram[],
                                         int num_levels[], LevelT* d_levels[], OffsetT num_pixels,
                                         simtStream_t stream = nullptr) {
    return MultiHistogramRange<NUM_CHANNELS, NUM_ACTIVE_CHANNELS>(
        d_temp_storage, temp_storage_bytes, d_samples, d_histogram, num_levels, d_levels,
        num_pixels, OffsetT(1), std::size_t(0), stream);
  }
  template <int NUM_CHANNELS, int NUM_ACTIVE_CHANNELS, class SampleIteratorT, class CounterT,
            class LevelT, class OffsetT>
  static simtError_t MultiHistogramRange(void* d_temp_storage, std::size_t& temp_storage_bytes,
                                         SampleIteratorT d_samples, CounterT* d_histogram[],
                                         int num_levels[], LevelT* d_levels[],
                                         OffsetT num_row_pixels, OffsetT num_rows,
                                         std::size_t row_stride_bytes,
                                         simtStream_t stream = nullptr) {
    using Bins = detail::RangeBins<detail::value_t<SampleIteratorT>, LevelT>;
    std::array<Bins, NUM_ACTIVE_CHANNELS> bins;
    for (int i = 0; i < NUM_ACTIVE_CHANNELS; ++i) bins[i] = {num_levels[i] - 1, d_levels[i]};
    return count<NUM_CHANNELS, NUM_ACTIVE_CHANNELS>(d_temp_storage, temp_storage_bytes, d_samples,
                                                    d_histogram, bins, num_row_pixels, num_rows,
                                                    row_stride_bytes, stream);
  }

 private:
  template <int CHANNELS, int ACTIVE, class SampleIteratorT, class CounterT, class Bins,
            class OffsetT>
  static simtError_t count(void* d_temp_storage, std::size_t& temp_storage_bytes,
                           SampleIteratorT d_samples, CounterT* d_histogram[],
                           const std::array<Bins, ACTIVE>& bins, OffsetT num_row_pixels,
                           OffsetT num_rows, std::size_t row_stride_bytes, simtStream_t stream) {
    using SampleT = detail::value_t<SampleIteratorT>;
    std::array<CounterT*, ACTIVE> histograms;
    std::copy_n(d_histogram, ACTIVE, histograms.begin());
    const detail::SampleGrid grid{static_cast<std::int64_t>(num_row_pixels),
                                  static_cast<std::int64_t>(num_rows),
                                  static_cast<std::int64_t>(row_stride_bytes / sizeof(SampleT))};
    return detail::in_two_phases(
        d_temp_storage, temp_storage_bytes, stream, "cub::DeviceHistogram",
        [=]() { detail::count_samples<CHANNELS, ACTIVE>(d_samples, histograms, bins, grid); });
  }
};

CUB_NAMESPACE_END
