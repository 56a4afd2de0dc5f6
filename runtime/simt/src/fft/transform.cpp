// A transform of several dimensions transforms along one dimension after another. A real-to-complex
// transform handles the last dimension first, and a complex-to-real transform handles it last. The
// other dimensions are transformed on the stored half of the spectrum.
//
// Half-precision transforms of several dimensions, and complex-to-real transforms, use a temporary
// array in the precision of the computation. Otherwise half numbers would be rounded after each
// dimension, and a complex-to-real transform would overwrite its input.
#include "fft/transform.h"

#include "fft/complex_fft.h"
#include "fft/lines.h"
#include "fft/real_fft.h"

namespace simtrt::fft {

namespace {

bool passes_through_work(const Shape& shape) {
  return shape.rank > 1 &&
         (shape.precision == Precision::kHalf || shape.kind == Kind::kRealBackward);
}

/// E: type of numbers in memory. T: type of the computation.
template <class E, class T>
class TransformOf final : public Transform {
 public:
  explicit TransformOf(const Shape& shape) : shape_(shape), spectrum_(spectrum_of(shape)) {
    if (shape.kind != Kind::kComplex) {
      real_ = std::make_unique<RealFft<T>>(shape.lengths[shape.rank - 1]);
    }
    for (int d = 0; d < shape.rank - (real_ ? 1 : 0); ++d) {
      for (int same = 0; same < d && !complex_[d]; ++same) {
        complex_[d] = shape.lengths[same] == shape.lengths[d] ? complex_[same] : nullptr;
      }
      if (!complex_[d]) {
        complex_[d] = std::make_shared<ComplexFft<T>>(shape.lengths[d]);
      }
    }
  }

  void run(const void* in, const Strides& in_strides, void* out, const Strides& out_strides,
           void* work, bool inverse) const override {
    const Array<const Complex<E>> spectrum_in{static_cast<const Complex<E>*>(in), in_strides};
    const Array<Complex<E>> spectrum_out{static_cast<Complex<E>*>(out), out_strides};
    const Array<Complex<T>> between{static_cast<Complex<T>*>(work),
                                    packed(shape_.rank, spectrum_.data())};
    switch (shape_.kind) {
      case Kind::kComplex: return along_all(spectrum_in, between, spectrum_out, inverse);
      case Kind::kRealForward:
        return forward({static_cast<const E*>(in), in_strides}, between, spectrum_out);
      case Kind::kRealBackward:
        return backward(spectrum_in, between, {static_cast<E*>(out), out_strides});
    }
  }

 private:
  template <class Number>
  struct Array {
    Number* numbers;
    Strides strides;
  };

  void along_all(const Array<const Complex<E>>& in, const Array<Complex<T>>& work,
                 const Array<Complex<E>>& out, bool inverse) const {
    const int last = shape_.rank - 1;
    if (!passes_through_work(shape_)) {
      along(last, in, out, inverse);
      along_others(last - 1, out, inverse);
      return;
    }
    along(last, in, work, inverse);
    for (int d = last - 1; d > 0; --d) {
      along(d, work, work, inverse);
    }
    along(0, work, out, inverse);
  }

  void forward(const Array<const E>& in, const Array<Complex<T>>& work,
               const Array<Complex<E>>& out) const {
    const int last = shape_.rank - 1;
    if (!passes_through_work(shape_)) {
      to_spectrum(in, out);
      along_others(last - 1, out, false);
      return;
    }
    to_spectrum(in, work);
    for (int d = last - 1; d > 0; --d) {
      along(d, work, work, false);
    }
    along(0, work, out, false);
  }

  void backward(const Array<const Complex<E>>& in, const Array<Complex<T>>& work,
                const Array<E>& out) const {
    const int last = shape_.rank - 1;
    if (!passes_through_work(shape_)) {
      to_real(in, out);
      return;
    }
    along(0, in, work, true);
    for (int d = 1; d < last; ++d) {
      along(d, work, work, true);
    }
    to_real(work, out);
  }

  /// Transforms in place along dimension `from` and all earlier dimensions, down to the first.
  void along_others(int from, const Array<Complex<E>>& array, bool inverse) const {
    for (int d = from; d >= 0; --d) {
      along(d, array, array, inverse);
    }
  }

  template <class In, class Out>
  Lines lines(int dimension, const Array<In>& in, const Array<Out>& out) const {
    Lines lines;
    lines.repeat(shape_.batch, in.strides.batch, out.strides.batch);
    for (int d = 0; d < shape_.rank; ++d) {
      if (d != dimension) {
        lines.repeat(spectrum_[d], in.strides.dimension[d], out.strides.dimension[d]);
      }
    }
    return lines;
  }

  template <class In, class Out>
  void along(int dimension, const Array<In>& in, const Array<Out>& out, bool inverse) const {
    const ComplexFft<T>& fft = *complex_[dimension];
    const std::ptrdiff_t from = in.strides.dimension[dimension];
    const std::ptrdiff_t to = out.strides.dimension[dimension];
    const auto length = static_cast<std::ptrdiff_t>(fft.length());
    for_each_group<T>(lines(dimension, in, out), fft.length(), fft.room(), [&](auto group) {
      for (std::ptrdiff_t i = 0; i < length; ++i) {
        const auto number = load(group, in.numbers, i * from);
        group.data[i] = inverse ? exchanged(number) : number;
      }
      const auto* result = fft.forward(group.data, group.spare);
      for (std::ptrdiff_t i = 0; i < length; ++i) {
        store(group, out.numbers, i * to, inverse ? exchanged(result[i]) : result[i]);
      }
    });
  }

  template <class Out>
  void to_spectrum(const Array<const E>& in, const Array<Out>& out) const {
    const int last = shape_.rank - 1;
    const std::ptrdiff_t from = in.strides.dimension[last], to = out.strides.dimension[last];
    const auto length = static_cast<std::ptrdiff_t>(real_->spectrum_length());
    for_each_group<T>(lines(last, in, out), real_->length(), real_->room(), [&](auto group) {
      real_->put(group.data, [&](std::size_t j) {
        return load_real(group, in.numbers, static_cast<std::ptrdiff_t>(j) * from);
      });
      const auto* spectrum = real_->forward(group.data, group.spare);
      for (std::ptrdiff_t k = 0; k < length; ++k) {
        store(group, out.numbers, k * to, spectrum[k]);
      }
    });
  }

  template <class In>
  void to_real(const Array<In>& in, const Array<E>& out) const {
    const int last = shape_.rank - 1;
    const std::ptrdiff_t from = in.strides.dimension[last], to = out.strides.dimension[last];
    const auto length = static_cast<std::ptrdiff_t>(real_->spectrum_length());
    for_each_group<T>(lines(last, in, out), real_->length(), real_->room(), [&](auto group) {
      for (std::ptrdiff_t k = 0; k < length; ++k) {
        group.data[k] = load(group, in.numbers, k * from);
      }
      const auto* result = real_->backward(group.data, group.spare);
      real_->take(result, [&](std::size_t j, const auto& number) {
        store_real(group, out.numbers, static_cast<std::ptrdiff_t>(j) * to, number);
      });
    });
  }

  Shape shape_;
  std::array<std::size_t, kMaxRank> spectrum_;
  std::array<std::shared_ptr<const ComplexFft<T>>, kMaxRank> complex_;
  std::unique_ptr<const RealFft<T>> real_;
};

}  // namespace

std::array<std::size_t, kMaxRank> spectrum_of(const Shape& shape) {
  auto lengths = shape.lengths;
  if (shape.kind != Kind::kComplex) {
    lengths[shape.rank - 1] = lengths[shape.rank - 1] / 2 + 1;
  }
  return lengths;
}

std::array<std::size_t, kMaxRank> input_of(const Shape& shape) {
  return shape.kind == Kind::kRealForward ? shape.lengths : spectrum_of(shape);
}

std::array<std::size_t, kMaxRank> output_of(const Shape& shape) {
  return shape.kind == Kind::kRealBackward ? shape.lengths : spectrum_of(shape);
}

std::size_t work_size_of(const Shape& shape) {
  if (!passes_through_work(shape)) {
    return 0;
  }
  const bool is_double = shape.precision == Precision::kDouble;
  std::size_t size = is_double ? sizeof(Complex<double>) : sizeof(Complex<float>);
  for (int d = 0; d < shape.rank; ++d) {
    size *= spectrum_of(shape)[d];
  }
  return size * shape.batch;
}

Strides packed(int rank, const std::size_t* lengths) {
  Strides strides{};
  std::ptrdiff_t stride = 1;
  for (int d = rank; d-- > 0;) {
    strides.dimension[d] = stride;
    stride *= static_cast<std::ptrdiff_t>(lengths[d]);
  }
  strides.batch = stride;
  return strides;
}

std::shared_ptr<const Transform> Transform::make(const Shape& shape) {
  switch (shape.precision) {
    case Precision::kHalf: return std::make_shared<TransformOf<__half, float>>(shape);
    case Precision::kFloat: return std::make_shared<TransformOf<float, float>>(shape);
    case Precision::kDouble: return std::make_shared<TransformOf<double, double>>(shape);
  }
  return nullptr;
}

}  // namespace simtrt::fft
