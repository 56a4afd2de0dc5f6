#include "rand/direction_vectors.h"

#include <cstddef>
#include <cstdint>

namespace simtrt::rng {
namespace {

constexpr char kNumbers[] =
#include "rand/joe_kuo.inc"
    ;

/// Reader of the bits of base64.
class Bits {
 public:
  /// Next `count` bits as a number, the first of them highest.
  std::uint32_t take(int count) {
    std::uint32_t number = 0;
    for (; count > 0; --count) {
      if (left_ == 0) {
        digit_ = value_of(kNumbers[next_++]);
        left_ = 6;
      }
      --left_;
      number = 2 * number + (digit_ >> left_ & 1);
    }
    return number;
  }

 private:
  static unsigned value_of(char digit) {
    if (digit >= 'a') return digit - 'a' + 26;
    if (digit >= 'A') return digit - 'A';
    if (digit >= '0') return digit - '0' + 52;
    return digit == '+' ? 62 : 63;
  }

  std::size_t next_ = 0;
  unsigned digit_ = 0;
  int left_ = 0;
};

/// Recurrence of one dimension: its degree and the inner coefficients of its polynomial.
struct Polynomial {
  int degree;
  std::uint32_t inner;
};

/// Computes the vectors after the first `degree` ones (P. Bratley and B. Fox, "Algorithm 659",
/// ACM Trans. Math. Softw. 14, 1988).
template <class Word>
void extend(Word* vectors, const Polynomial& polynomial) {
  constexpr int kBits = 8 * sizeof(Word);
  const int degree = polynomial.degree;
  for (int i = degree; i < kBits; ++i) {
    vectors[i] = vectors[i - degree] ^ (vectors[i - degree] >> degree);
    for (int back = 1; back < degree; ++back) {
      if (polynomial.inner >> (degree - 1 - back) & 1) {
        vectors[i] ^= vectors[i - back];
      }
    }
  }
}

template <class Word>
std::vector<Word> made_vectors() {
  constexpr int kBits = 8 * sizeof(Word);
  std::vector<Word> all(std::size_t{kSobolDimensions} * kBits);
  for (int i = 0; i < kBits; ++i) {
    all[i] = Word{1} << (kBits - 1 - i);
  }
  Bits bits;
  Polynomial polynomial{1, 0};
  for (unsigned dimension = 1; dimension < kSobolDimensions; ++dimension) {
    polynomial.degree += static_cast<int>(bits.take(1));
    polynomial.inner = bits.take(polynomial.degree - 1);
    Word* vectors = all.data() + std::size_t{dimension} * kBits;
    for (int i = 0; i < polynomial.degree; ++i) {
      vectors[i] = static_cast<Word>(2 * bits.take(i) + 1) << (kBits - 1 - i);
    }
    extend(vectors, polynomial);
  }
  return all;
}

}  // namespace

template <class Word>
std::vector<Word>& direction_vectors() {
  static std::vector<Word> all = made_vectors<Word>();
  return all;
}

template std::vector<unsigned int>& direction_vectors();
template std::vector<unsigned long long>& direction_vectors();

}  // namespace simtrt::rng
