// Singular value decomposition of one matrix. Like gesvdj and gesvda, it returns V, not V'.
#pragma once

#include <algorithm>
#include <vector>

#include "solver/context.h"
#include "solver/lapack.h"

namespace simtrt {

/// Result of a decomposition: min(m, n) singular values, and U (m rows) and V' (ldvt rows) with the
/// requested numbers of columns and rows.
template <class T>
struct Svd {
  std::vector<typename RealOf<T>::type> sigma;
  std::vector<T> u;
  std::vector<T> vt;
  int ldvt = 1;
  /// True if LAPACK converged.
  bool converged = false;
};

/// Decomposes A, which is overwritten. `job` is LAPACK's: A for square U and V', S for min(m, n)
/// columns and rows, N for no vectors.
template <class T>
Svd<T> decompose(char job, int m, int n, T* a, int lda) {
  const int least = std::min(m, n);
  const int columns = job == 'A' ? m : least;
  Svd<T> svd;
  svd.ldvt = std::max(1, job == 'A' ? n : least);
  svd.sigma.resize(static_cast<std::size_t>(least));
  if (job != 'N') {
    svd.u.resize(static_cast<std::size_t>(m) * columns);
    svd.vt.resize(static_cast<std::size_t>(svd.ldvt) * n);
  }
  svd.converged =
      all_finite(m, n, a, lda) && lapack::gesdd(job, m, n, a, lda, svd.sigma.data(), svd.u.data(),
                                                std::max(1, m), svd.vt.data(), svd.ldvt) == 0;
  return svd;
}

/// Writes the first columns of U and of V: `columns_of_u` and `columns_of_v` columns.
template <class T>
void write_vectors(const Svd<T>& svd, int m, int columns_of_u, T* u, std::ptrdiff_t ldu, int n,
                   int columns_of_v, T* v, std::ptrdiff_t ldv) {
  for (std::ptrdiff_t j = 0; j < columns_of_u; ++j) {
    std::copy_n(svd.u.data() + j * m, m, u + j * ldu);
  }
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (std::ptrdiff_t j = 0; j < columns_of_v; ++j) {
      v[i + j * ldv] = conjugate(svd.vt[static_cast<std::size_t>(j + i * svd.ldvt)]);
    }
  }
}

}  // namespace simtrt
