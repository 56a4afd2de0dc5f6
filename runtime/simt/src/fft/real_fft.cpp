// For an even length, the real numbers x are combined to half as many complex numbers, z[j] = x[2j]
// + i x[2j+1]. Let Z be the spectrum of z, h its length, and w = exp(-2 pi i / length). The spectra
// of the even and of the odd elements are E[k] = (Z[k] + conj Z[h-k]) / 2 and O[k] = (Z[k] - conj
// Z[h-k]) / 2i, and the spectrum of x is E[k] + w^k O[k]. (W. Press et al., "Numerical Recipes",
// 12.3.)
#include "fft/real_fft.h"

#include "fft/roots.h"

namespace simtrt::fft {

template <class T>
RealFft<T>::RealFft(std::size_t length)
    : length_(length), complex_(length % 2 == 0 ? length / 2 : length) {
  if (is_even()) {
    const Roots roots(length);
    for (std::size_t k = 0; k <= length / 2; ++k) {
      roots_.push_back(roots.at<T>(k));
    }
  }
}

template <class T>
template <class V>
Complex<V>* RealFft<T>::forward(Complex<V>* data, Complex<V>* spare) const {
  Complex<V>* const z = complex_.forward(data, spare);
  if (!is_even()) {
    return z;
  }
  Complex<V>* const spectrum = z == data ? spare : data;
  const std::size_t half = length_ / 2;
  spectrum[0] = {z[0].re + z[0].im, V{}};
  spectrum[half] = {z[0].re - z[0].im, V{}};
  for (std::size_t k = 1; k < half; ++k) {
    const Complex<V> mirrored = conjugate(z[half - k]);
    const Complex<V> odd = times_minus_i(z[k] - mirrored) * roots_[k];
    spectrum[k] = scaled(z[k] + mirrored + odd, static_cast<T>(0.5));
  }
  return spectrum;
}

template <class T>
template <class V>
Complex<V>* RealFft<T>::backward(Complex<V>* data, Complex<V>* spare) const {
  data[0].im = V{};
  if (!is_even()) {
    spare[0] = exchanged(data[0]);
    for (std::size_t k = 1; k <= length_ / 2; ++k) {
      spare[k] = exchanged(data[k]);
      spare[length_ - k] = exchanged(conjugate(data[k]));
    }
    return complex_.forward(spare, data);
  }
  const std::size_t half = length_ / 2;
  data[half].im = V{};
  for (std::size_t k = 0; k < half; ++k) {
    const Complex<V> mirrored = conjugate(data[half - k]);
    const Complex<V> odd = (data[k] - mirrored) * conjugate(roots_[k]);
    spare[k] = exchanged(data[k] + mirrored - times_minus_i(odd));
  }
  return complex_.forward(spare, data);
}

#define SIMTRT_FFT_INSTANTIATE(T, V)                                        \
  template Complex<V>* RealFft<T>::forward(Complex<V>*, Complex<V>*) const; \
  template Complex<V>* RealFft<T>::backward(Complex<V>*, Complex<V>*) const;

template class RealFft<float>;
template class RealFft<double>;
SIMTRT_FFT_INSTANTIATE(float, float)
SIMTRT_FFT_INSTANTIATE(float, Lanes<float>)
SIMTRT_FFT_INSTANTIATE(double, double)
SIMTRT_FFT_INSTANTIATE(double, Lanes<double>)

#undef SIMTRT_FFT_INSTANTIATE

}  // namespace simtrt::fft
