// Orderings, permutations and eigenvalues of simtsolverSp.
#include "solver_sparse_test.h"

using namespace solver_sparse_test;

namespace {

#define ELEMENT_TYPES float, double, std::complex<float>, std::complex<double>

using Ordering = simtsolverStatus_t (*)(simtsolverSpHandle_t, int, int, const simtsparseMatDescr_t,
                                        const int*, const int*, int*);

simtsolverStatus_t metisnd(simtsolverSpHandle_t handle, int n, int nnz,
                           const simtsparseMatDescr_t matrix, const int* offsets,
                           const int* indices, int* p) {
  return simtsolverSpXcsrmetisndHost(handle, n, nnz, matrix, offsets, indices, nullptr, p);
}

constexpr Ordering kOrderings[] = {simtsolverSpXcsrsymrcmHost, simtsolverSpXcsrsymmdqHost,
                                   simtsolverSpXcsrsymamdHost, metisnd};

template <class T>
std::vector<int> ordered(Ordering ordering, const Csr<T>& a) {
  const SpHandle handle;
  const LegacyMatrix matrix;
  a.describe(matrix);
  std::vector<int> p(a.rows, -1);
  CHECK_SOLVER(ordering(handle, a.rows, a.nnz(), matrix, a.offsets.data(), a.indices.data(), p.data()));
  return p;
}

bool is_permutation(std::vector<int> p) {
  std::sort(p.begin(), p.end());
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] != static_cast<int>(i)) return false;
  }
  return true;
}

/// Number of entries of the Cholesky factor of A(p, p), by elimination of one node after another from the graph.
template <class T>
std::size_t fill(const Csr<T>& a, const std::vector<int>& p) {
  std::vector<std::vector<int>> later(a.rows);
  std::vector<int> position(a.rows);
  for (int i = 0; i < a.rows; ++i) {
    position[p[i]] = i;
  }
  a.each([&](int i, int j, T) {
    if (position[j] > position[i]) later[position[i]].push_back(position[j]);
  });
  std::size_t count = 0;
  for (auto& row : later) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    count += row.size() + 1;
    if (row.size() > 1) {
      later[row[0]].insert(later[row[0]].end(), row.begin() + 1, row.end());
    }
  }
  return count;
}

template <class T>
int bandwidth(const Csr<T>& a, const std::vector<int>& p) {
  std::vector<int> position(a.rows);
  for (int i = 0; i < a.rows; ++i) {
    position[p[i]] = i;
  }
  int width = 0;
  a.each([&](int i, int j, T) { width = std::max(width, std::abs(position[i] - position[j])); });
  return width;
}

/// The grid's matrix with its nodes in a random order.
Csr<double> shuffled_grid(int side, int base) {
  const Csr<double> a = grid_laplacian<double>(side, 0);
  std::map<std::pair<int, int>, double> entries;
  const auto place = [&](int i) { return static_cast<int>(7919LL * i % a.rows); };
  a.each([&](int i, int j, double value) { entries[{place(i), place(j)}] = value; });
  return Csr<double>(a.rows, a.rows, base, entries);
}

}  // namespace

TEST_CASE("simtsolverSp: orderings are permutations, with few entries in the factors") {
  for (const int base : {0, 1}) {
    const Csr<double> a = shuffled_grid(30, base);
    std::vector<int> unordered(a.rows);
    std::iota(unordered.begin(), unordered.end(), 0);
    const std::size_t worst = fill(a, unordered);
    for (const Ordering ordering : kOrderings) {
      const std::vector<int> p = ordered(ordering, a);
      CHECK(is_permutation(p));
      CHECK_LT(fill(a, p), worst / 2);
    }
    // The bandwidth of a grid in its natural order is its side.
    CHECK_LE(bandwidth(a, ordered(simtsolverSpXcsrsymrcmHost, a)), 31);
    // Minimum degree and nested dissection have O(n log n) entries, less than a band of n * side.
    CHECK_LT(fill(a, ordered(simtsolverSpXcsrsymamdHost, a)), 30 * 30 * 16);
    CHECK_LT(fill(a, ordered(metisnd, a)), 30 * 30 * 20);
  }
}

TEST_CASE("simtsolverSp: minimum degree orders trees and stars without fill") {
  std::map<std::pair<int, int>, double> entries;
  for (int i = 1; i < 200; ++i) {
    const int parent = i < 100 ? 0 : i / 3;
    entries[{i, i}] = entries[{i, parent}] = entries[{parent, i}] = 1;
  }
  const Csr<double> a(200, 200, 0, entries);
  CHECK_EQ(fill(a, ordered(simtsolverSpXcsrsymamdHost, a)), 200 + 199);
}

TEST_CASE("simtsolverSp: orderings of a disconnected matrix with an unsymmetric pattern") {
  std::map<std::pair<int, int>, float> entries;
  for (int i = 0; i < 150; ++i) {
    if (i % 5 != 0) entries[{i, i - 1}] = 1;
    if (i % 11 == 0) entries[{i, i}] = 2;
  }
  const Csr<float> a(150, 150, 1, entries);
  for (const Ordering ordering : kOrderings) {
    CHECK(is_permutation(ordered(ordering, a)));
  }
}

TEST_CASE("simtsolverSp: symmetry of patterns") {
  const SpHandle handle;
  const LegacyMatrix matrix;
  REQUIRE_SPARSE(simtsparseSetMatIndexBase(matrix, SIMTSPARSE_INDEX_BASE_ONE));
  const auto is_symmetric = [&](std::vector<int> starts, std::vector<int> ends, std::vector<int> indices) {
    int result = -1;
    CHECK_SOLVER(simtsolverSpXcsrissymHost(handle, static_cast<int>(starts.size()),
                                           static_cast<int>(indices.size()), matrix, starts.data(),
                                           ends.data(), indices.data(), &result));
    return result;
  };
  CHECK_EQ(is_symmetric({1, 3}, {3, 5}, {2, 1, 1, 2}), 1);
  CHECK_EQ(is_symmetric({1, 2}, {2, 4}, {1, 1, 2}), 0);
  // The rows end before the next row starts: the entry (2, 1) is not part of the matrix.
  CHECK_EQ(is_symmetric({1, 2}, {2, 3}, {1, 2, 1}), 1);
  int result = 0;
  const std::vector<int> offsets = {1, 2}, indices = {1};
  CHECK_EQ(simtsolverSpXcsrissymHost(handle, 1, 1, matrix, offsets.data(), nullptr, indices.data(),
                                     &result),
           SIMTSOLVER_STATUS_INVALID_VALUE);
}

TEST_CASE("simtsolverSp: permutation of rows and columns with a map of the entries") {
  for (const int base : {0, 1}) {
    const Csr<double> a = unstructured<double>(20, 30, base, 4);
    const SpHandle handle;
    const LegacyMatrix matrix;
    a.describe(matrix);
    std::vector<int> p(20), q(30), map(a.nnz());
    for (int i = 0; i < 20; ++i) p[i] = (3 * i + 5) % 20;
    for (int j = 0; j < 30; ++j) q[j] = (7 * j + 1) % 30;
    std::iota(map.begin(), map.end(), 0);
    Csr<double> b = a;
    std::size_t size = 0;
    CHECK_SOLVER(simtsolverSpXcsrperm_bufferSizeHost(handle, 20, 30, a.nnz(), matrix,
                                                     b.offsets.data(), b.indices.data(), p.data(),
                                                     q.data(), &size));
    CHECK_GT(size, 0);
    std::vector<char> buffer(size);
    CHECK_SOLVER(simtsolverSpXcsrpermHost(handle, 20, 30, a.nnz(), matrix, b.offsets.data(),
                                          b.indices.data(), p.data(), q.data(), map.data(),
                                          buffer.data()));
    for (int k = 0; k < a.nnz(); ++k) {
      b.values[k] = a.values[map[k]];
    }
    std::map<std::pair<int, int>, double> expected;
    a.each([&](int i, int j, double value) { expected[{i, j}] = value; });
    int last_row = -1;
    int last_column = -1;
    b.each([&](int i, int j, double value) {
      CHECK_EQ(value, expected[std::make_pair(p[i], q[j])]);
      CHECK((i > last_row || j > last_column));
      last_row = i;
      last_column = j;
    });
    CHECK_EQ(simtsolverSpXcsrpermHost(handle, 20, 30, a.nnz(), matrix, b.offsets.data(),
                                      b.indices.data(), p.data(), nullptr, map.data(), nullptr),
             SIMTSOLVER_STATUS_INVALID_VALUE);
  }
}

TEST_CASE_TEMPLATE("simtsolverSp: rows in an order with a nonzero diagonal", T, ELEMENT_TYPES) {
  const SpHandle handle;
  const LegacyMatrix matrix;
  const auto diagonal = [&](const Csr<T>& a) {
    a.describe(matrix);
    std::vector<int> p(a.rows, -1);
    int count = -1;
    CHECK_SOLVER(SP(T, csrzfdHost)(handle, a.rows, a.nnz(), matrix, api(a.values.data()),
                                   a.offsets.data(), a.indices.data(), p.data(), &count));
    CHECK(is_permutation(p));
    int nonzeros = 0;
    a.each([&](int i, int j, T value) { nonzeros += p[j] == i && value != T() ? 1 : 0; });
    CHECK_EQ(nonzeros, count);
    return count;
  };
  CHECK_EQ(diagonal(unstructured<T>(100, 100, 1, 8)), 100);
  // A chain: the last row must move all others.
  std::map<std::pair<int, int>, T> chain;
  for (int i = 0; i < 50; ++i) {
    chain[{i, i}] = T(1);
    chain[{i, i + 1}] = T(1);
  }
  chain[{50, 0}] = T(1);
  CHECK_EQ(diagonal(Csr<T>(51, 51, 0, chain)), 51);
  // Two rows share their only column; a stored zero does not count.
  CHECK_EQ(diagonal(Csr<T>(3, 3, 0, {{{0, 1}, T(1)}, {{1, 1}, T(1)}, {{2, 0}, T(1)}, {{2, 2}, T(0)}})), 2);
}

TEST_CASE_TEMPLATE("simtsolverSp: inverse iteration", T, ELEMENT_TYPES) {
  const Csr<T> a = grid_laplacian<T>(7, 1);
  const SpHandle handle;
  const LegacyMatrix matrix;
  a.describe(matrix);
  const std::vector<T> start = Numbers(3).list<T>(a.rows);
  const Real<T> tolerance = Real<T>(kTolerance<T>);
  const auto check = [&](T value, const std::vector<T>& x) {
    std::vector<T> residual = a * x;
    double square = 0;
    for (int i = 0; i < a.rows; ++i) {
      residual[i] -= value * x[i];
      square += std::norm(x[i]);
    }
    CHECK_LT(distance(residual, std::vector<T>(a.rows)), 2 * kTolerance<T>);
    CHECK(square == doctest::Approx(1).epsilon(1e-5));
  };
  T value{};
  std::vector<T> x(a.rows);
  // A real grid has the eigenvalues 4 - 2 cos(i pi / 8) - 2 cos(j pi / 8).
  const T guess = number<T>(0.4);
  CHECK_SOLVER(SP(T, csreigvsiHost)(handle, a.rows, a.nnz(), matrix, api(a.values.data()),
                                    a.offsets.data(), a.indices.data(), *api(&guess),
                                    api(start.data()), 100, tolerance, api(&value), api(x.data())));
  check(value, x);
  if (!kIsComplex<T>) {
    CHECK(std::real(value) == doctest::Approx(4 - 4 * std::cos(M_PI / 8)).epsilon(1e-4));
  }
  const DeviceCsr<T> device(a);
  const DeviceArray<T> device_start(start), device_x(a.rows), device_value(1);
  CHECK_SOLVER(SP(T, csreigvsi)(handle, a.rows, a.nnz(), matrix, api(device.values.data()),
                                device.offsets.data(), device.indices.data(), *api(&guess),
                                api(device_start.data()), 100, tolerance, api(device_value.data()),
                                api(device_x.data())));
  check(device_value.values()[0], device_x.values());
  CHECK_EQ(SP(T, csreigvsiHost)(handle, a.rows, a.nnz(), matrix, api(a.values.data()),
                                a.offsets.data(), a.indices.data(), *api(&guess), api(start.data()),
                                0, tolerance, api(&value), api(x.data())),
           SIMTSOLVER_STATUS_INVALID_VALUE);
}

TEST_CASE("simtsolverSp: inverse iteration from an exact eigenvalue") {
  const SpHandle handle;
  const LegacyMatrix matrix;
  const Csr<double> a(3, 3, 0, {{{0, 0}, 1.0}, {{1, 1}, 2.0}, {{2, 2}, 3.0}});
  const std::vector<double> start = {1, 1, 1};
  std::vector<double> x(3);
  double value = 0;
  CHECK_SOLVER(simtsolverSpDcsreigvsiHost(handle, 3, 3, matrix, a.values.data(), a.offsets.data(),
                                          a.indices.data(), 2, start.data(), 10, 1e-14, &value,
                                          x.data()));
  CHECK(value == doctest::Approx(2));
  CHECK(std::abs(x[1]) == doctest::Approx(1));
}

TEST_CASE_TEMPLATE("simtsolverSp: number of eigenvalues in a box", T, ELEMENT_TYPES) {
  const SpHandle handle;
  const LegacyMatrix matrix;
  const auto count = [&](const Csr<T>& a, double left, double bottom, double right, double top) {
    a.describe(matrix);
    using Wide_ = std::complex<Real<T>>;
    const Wide_ low(static_cast<Real<T>>(left), static_cast<Real<T>>(bottom));
    const Wide_ high(static_cast<Real<T>>(right), static_cast<Real<T>>(top));
    int result = -1;
    CHECK_SOLVER(SP(T, csreigsHost)(handle, a.rows, a.nnz(), matrix, api(a.values.data()),
                                    a.offsets.data(), a.indices.data(), *api(&low), *api(&high),
                                    &result));
    return result;
  };
  // Blocks [a b; -b a] with the eigenvalues a +- b i, and the diagonal 0, 1, 2, ...
  std::map<std::pair<int, int>, T> entries;
  for (int i = 0; i < 20; i += 2) {
    entries[{i, i}] = entries[{i + 1, i + 1}] = number<T>(i);
    entries[{i, i + 1}] = number<T>(1.5);
    entries[{i + 1, i}] = number<T>(-1.5);
  }
  for (int i = 20; i < 40; ++i) {
    entries[{i, i}] = number<T>(i - 20);
  }
  const Csr<T> a(40, 40, 1, entries);
  CHECK_EQ(count(a, -1, -1, 30, 1), 20);
  CHECK_EQ(count(a, -1, -2, 30, 2), 40);
  CHECK_EQ(count(a, -1, 1, 30, 2), 10);
  CHECK_EQ(count(a, 3.5, -1.75, 8.25, 0.5), 5 + 3);
  CHECK_EQ(count(a, -5, 2, 5, 3), 0);
  const Csr<T> grid = grid_laplacian<T>(10, 0);
  CHECK_EQ(count(grid, 0, -1, 10, 1), 100);
  const double least = 4 - 4 * std::cos(M_PI / 11);
  if (!kIsComplex<T>) {
    CHECK_EQ(count(grid, 0, -1, least + 0.05, 1), 1);
  }
}
