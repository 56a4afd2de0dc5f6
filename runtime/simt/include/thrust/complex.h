// thrust::complex and its functions. Interface: CUDA 12.4, thrust/complex.h; except for quotients,
// the results are those of the standard library.
#pragma once

#include <simtrt/thrust/config.h>

#include <cmath>
#include <complex>
#include <istream>
#include <ostream>
#include <type_traits>

THRUST_NAMESPACE_BEGIN

template <class T>
struct alignas(2 * sizeof(T)) complex {
  using value_type = T;

  complex() = default;
  complex(const T& re) : re_(re), im_() {}
  complex(const T& re, const T& im) : re_(re), im_(im) {}
  template <class U>
  complex(const complex<U>& z) : re_(static_cast<T>(z.real())), im_(static_cast<T>(z.imag())) {}
  template <class U>
  complex(const std::complex<U>& z)
      : re_(static_cast<T>(z.real())), im_(static_cast<T>(z.imag())) {}
  operator std::complex<T>() const { return {re_, im_}; }

  T real() const { return re_; }
  T imag() const { return im_; }
  T real() const volatile { return re_; }
  T imag() const volatile { return im_; }
  void real(T re) { re_ = re; }
  void imag(T im) { im_ = im; }

  template <class U>
  complex& operator+=(const complex<U>& z) {
    return *this = *this + complex(z);
  }
  template <class U>
  complex& operator-=(const complex<U>& z) {
    return *this = *this - complex(z);
  }
  template <class U>
  complex& operator*=(const complex<U>& z) {
    return *this = *this * complex(z);
  }
  template <class U>
  complex& operator/=(const complex<U>& z) {
    return *this = *this / complex(z);
  }
  complex& operator+=(const T& x) { return *this += complex(x); }
  complex& operator-=(const T& x) { return *this -= complex(x); }
  complex& operator*=(const T& x) { return *this *= complex(x); }
  complex& operator/=(const T& x) { return *this /= complex(x); }

 private:
  T re_;
  T im_;
};

namespace detail {

template <class T>
std::complex<T> as_std(const complex<T>& z) {
  return z;
}
template <class T, class U>
using wider = std::common_type_t<T, U>;
template <class T>
using if_number = std::enable_if_t<std::is_arithmetic<T>::value, int>;

}  // namespace detail

// Operands may have different types; the result has the wider type.
#define SIMTRT_THRUST_BINARY(op)                                                       \
  template <class T, class U>                                                          \
  complex<detail::wider<T, U>> operator op(const complex<T>& a, const complex<U>& b) { \
    using R = detail::wider<T, U>;                                                     \
    return detail::as_std(complex<R>(a)) op detail::as_std(complex<R>(b));             \
  }                                                                                    \
  template <class T, class U, detail::if_number<U> = 0>                                \
  complex<detail::wider<T, U>> operator op(const complex<T>& a, const U& b) {          \
    using R = detail::wider<T, U>;                                                     \
    return detail::as_std(complex<R>(a)) op static_cast<R>(b);                         \
  }                                                                                    \
  template <class T, class U, detail::if_number<T> = 0>                                \
  complex<detail::wider<T, U>> operator op(const T& a, const complex<U>& b) {          \
    using R = detail::wider<T, U>;                                                     \
    return static_cast<R>(a) op detail::as_std(complex<R>(b));                         \
  }
SIMTRT_THRUST_BINARY(+)
SIMTRT_THRUST_BINARY(-)
SIMTRT_THRUST_BINARY(*)
#undef SIMTRT_THRUST_BINARY

namespace detail {

// Both operands are scaled, so that squares of large numbers do not overflow. A quotient by zero is NaN, as
// in CUDA; std::complex gives an infinity.
template <class R>
complex<R> quotient(const complex<R>& a, const complex<R>& b) {
  const R scale = R(1) / (std::abs(b.real()) + std::abs(b.imag()));
  const complex<R> x(a.real() * scale, a.imag() * scale), y(b.real() * scale, b.imag() * scale);
  const R inverse = R(1) / (y.real() * y.real() + y.imag() * y.imag());
  return {(x.real() * y.real() + x.imag() * y.imag()) * inverse,
          (x.imag() * y.real() - x.real() * y.imag()) * inverse};
}

}  // namespace detail

template <class T, class U>
complex<detail::wider<T, U>> operator/(const complex<T>& a, const complex<U>& b) {
  using R = detail::wider<T, U>;
  return detail::quotient(complex<R>(a), complex<R>(b));
}
template <class T, class U, detail::if_number<U> = 0>
complex<detail::wider<T, U>> operator/(const complex<T>& a, const U& b) {
  using R = detail::wider<T, U>;
  return {static_cast<R>(a.real()) / static_cast<R>(b), static_cast<R>(a.imag()) / static_cast<R>(b)};
}
template <class T, class U, detail::if_number<T> = 0>
complex<detail::wider<T, U>> operator/(const T& a, const complex<U>& b) {
  using R = detail::wider<T, U>;
  return detail::quotient(complex<R>(static_cast<R>(a)), complex<R>(b));
}

template <class T>
complex<T> operator+(const complex<T>& z) {
  return z;
}
template <class T>
complex<T> operator-(const complex<T>& z) {
  return {-z.real(), -z.imag()};
}

template <class T, class U>
bool operator==(const complex<T>& a, const complex<U>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <class T, class U, detail::if_number<U> = 0>
bool operator==(const complex<T>& a, const U& b) {
  return a.real() == b && a.imag() == 0;
}
template <class T, class U, detail::if_number<T> = 0>
bool operator==(const T& a, const complex<U>& b) {
  return b == a;
}
template <class T, class U>
bool operator!=(const complex<T>& a, const U& b) {
  return !(a == b);
}
template <class T, class U, detail::if_number<T> = 0>
bool operator!=(const T& a, const complex<U>& b) {
  return !(a == b);
}

template <class T>
T abs(const complex<T>& z) {
  return std::hypot(z.real(), z.imag());
}
template <class T>
T arg(const complex<T>& z) {
  return std::atan2(z.imag(), z.real());
}
template <class T>
T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
complex<T> conj(const complex<T>& z) {
  return {z.real(), -z.imag()};
}
template <class T, class U>
complex<detail::wider<T, U>> polar(const T& length, const U& angle) {
  using R = detail::wider<T, U>;
  const R r = static_cast<R>(length);
  return {r * std::cos(static_cast<R>(angle)), r * std::sin(static_cast<R>(angle))};
}
template <class T>
complex<T> polar(const T& length) {
  return {length, T(0)};
}
/// Projection onto the Riemann sphere, which maps every infinity to the same value.
template <class T>
complex<T> proj(const complex<T>& z) {
  return std::proj(detail::as_std(z));
}

#define SIMTRT_THRUST_UNARY(name)        \
  template <class T>                     \
  complex<T> name(const complex<T>& z) { \
    return std::name(detail::as_std(z)); \
  }
SIMTRT_THRUST_UNARY(exp)
SIMTRT_THRUST_UNARY(log)
SIMTRT_THRUST_UNARY(log10)
SIMTRT_THRUST_UNARY(sqrt)
SIMTRT_THRUST_UNARY(sin)
SIMTRT_THRUST_UNARY(cos)
SIMTRT_THRUST_UNARY(tan)
SIMTRT_THRUST_UNARY(sinh)
SIMTRT_THRUST_UNARY(cosh)
SIMTRT_THRUST_UNARY(tanh)
SIMTRT_THRUST_UNARY(asin)
SIMTRT_THRUST_UNARY(acos)
SIMTRT_THRUST_UNARY(atan)
SIMTRT_THRUST_UNARY(asinh)
SIMTRT_THRUST_UNARY(acosh)
SIMTRT_THRUST_UNARY(atanh)
#undef SIMTRT_THRUST_UNARY

template <class T, class U>
complex<detail::wider<T, U>> pow(const complex<T>& base, const complex<U>& exponent) {
  using R = detail::wider<T, U>;
  return std::pow(detail::as_std(complex<R>(base)), detail::as_std(complex<R>(exponent)));
}
template <class T, class U, detail::if_number<U> = 0>
complex<detail::wider<T, U>> pow(const complex<T>& base, const U& exponent) {
  using R = detail::wider<T, U>;
  return std::pow(detail::as_std(complex<R>(base)), static_cast<R>(exponent));
}
template <class T, class U, detail::if_number<T> = 0>
complex<detail::wider<T, U>> pow(const T& base, const complex<U>& exponent) {
  using R = detail::wider<T, U>;
  return std::pow(static_cast<R>(base), detail::as_std(complex<R>(exponent)));
}

template <class T, class Char, class CharTraits>
std::basic_ostream<Char, CharTraits>& operator<<(std::basic_ostream<Char, CharTraits>& out,
                                                 const complex<T>& z) {
  return out << detail::as_std(z);
}
template <class T, class Char, class CharTraits>
std::basic_istream<Char, CharTraits>& operator>>(std::basic_istream<Char, CharTraits>& in,
                                                 complex<T>& z) {
  std::complex<T> value;
  if (in >> value) z = value;
  return in;
}

THRUST_NAMESPACE_END
