// Triangular solves of simtsparse: the tests insert each solution into its system. cuSPARSE 12.4
// documentation, "cusparseSpSV", "cusparseSpSM", "cusparse<t>bsrsv2" and "cusparse<t>bsrsm2".
#include "sparse_test.h"

namespace {

constexpr auto kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;

using SpsvState =
    Described<simtsparseSpSVDescr_t, simtsparseSpSV_createDescr, simtsparseSpSV_destroyDescr>;
using SpsmState =
    Described<simtsparseSpSMDescr_t, simtsparseSpSM_createDescr, simtsparseSpSM_destroyDescr>;
using SlicedEllMatrix =
    Described<simtsparseSpMatDescr_t, simtsparseCreateSlicedEll, simtsparseDestroySpMat>;
using BsrsvInfo = Described<bsrsv2Info_t, simtsparseCreateBsrsv2Info, simtsparseDestroyBsrsv2Info>;
using BsrsmInfo = Described<bsrsm2Info_t, simtsparseCreateBsrsm2Info, simtsparseDestroyBsrsm2Info>;

/// Sparse square matrix with two well-conditioned triangles, also if the diagonal is replaced by
/// ones, because the other numbers are small.
template <class T>
Dense solvable(int size, std::uint32_t seed) {
  Dense a = random_sparse<T>(size, size, seed);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      a.at(i, j) = i == j ? Wide(2, kIsComplex<T> ? 1 : 0) : a.at(i, j) / 16.0;
    }
  }
  return a;
}

/// Triangle that the solve reads.
Dense triangle(const Dense& a, simtsparseFillMode_t fill, simtsparseDiagType_t diagonal) {
  Dense t = a;
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j) {
      if (i == j && diagonal == SIMTSPARSE_DIAG_TYPE_UNIT) {
        t.at(i, j) = 1;
      } else if (i != j && (fill == SIMTSPARSE_FILL_MODE_LOWER) != (j < i)) {
        t.at(i, j) = 0;
      }
    }
  }
  return t;
}

template <class Use>
void for_each_system(const Use& use) {
  for (const simtsparseOperation_t op : kSparseOperations) {
    for (const auto fill : {SIMTSPARSE_FILL_MODE_LOWER, SIMTSPARSE_FILL_MODE_UPPER}) {
      for (const auto diagonal : {SIMTSPARSE_DIAG_TYPE_NON_UNIT, SIMTSPARSE_DIAG_TYPE_UNIT}) {
        use(op, fill, diagonal);
      }
    }
  }
}

TEST_CASE_TEMPLATE("a triangle of a CSR matrix, one right-hand side", T, BLAS_TYPES) {
  const SparseHandle handle;
  const Dense a = solvable<T>(12, 1);
  const SparseArrays<T> arrays(a);
  const T alpha = number<T>(2, 1);
  for_each_system([&](auto op, auto fill, auto diagonal) {
    const CsrOf<T, int> matrix(arrays);
    CHECK_SPARSE(
        simtsparseSpMatSetAttribute(matrix, SIMTSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    CHECK_SPARSE(simtsparseSpMatSetAttribute(matrix, SIMTSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                             sizeof diagonal));
    const Dense b = random_dense<T>(12, 1, 2);
    std::vector<T> numbers;
    for (const Wide value : b.values) numbers.push_back(from_wide<T>(value));
    const DeviceArray<T> device_b(numbers);
    const DeviceArray<T> device_x(12);
    const DenseVector in(12, static_cast<void*>(device_b.data()), kDataType<T>);
    const DenseVector out(12, static_cast<void*>(device_x.data()), kDataType<T>);
    const SpsvState state;
    std::size_t size = 0;
    CHECK_SPARSE(simtsparseSpSV_bufferSize(handle, op, &alpha, matrix, in, out, kDataType<T>,
                                           SIMTSPARSE_SPSV_ALG_DEFAULT, state, &size));
    CHECK_GT(size, 0);
    CHECK_EQ(simtsparseSpSV_solve(handle, op, &alpha, matrix, in, out, kDataType<T>,
                                  SIMTSPARSE_SPSV_ALG_DEFAULT, state),
             SIMTSPARSE_STATUS_INVALID_VALUE);  // no analysis yet
    CHECK_SPARSE(simtsparseSpSV_analysis(handle, op, &alpha, matrix, in, out, kDataType<T>,
                                         SIMTSPARSE_SPSV_ALG_DEFAULT, state, nullptr));
    CHECK_SPARSE(simtsparseSpSV_solve(handle, op, &alpha, matrix, in, out, kDataType<T>,
                                      SIMTSPARSE_SPSV_ALG_DEFAULT, state));
    Dense x{12, 1, {}};
    for (const T value : device_x.values()) x.values.push_back(to_wide(value));
    CHECK_LT(distance(apply(op, triangle(a, fill, diagonal)) * x, combine(Wide(alpha), b, 0, b)),
             tolerance<T>());
  });
}

TEST_CASE_TEMPLATE("a triangle of a CSR matrix, several right-hand sides", T, BLAS_TYPES) {
  const SparseHandle handle;
  const Dense a = solvable<T>(9, 3);
  const SparseArrays<T, std::int64_t> arrays(a, 1, true);
  const T alpha = number<T>(0.5, 1);
  for_each_system([&](auto op, auto fill, auto diagonal) {
    for (const auto op_b : kSparseOperations) {
      const CsrOf<T, std::int64_t> matrix(arrays, 1);
      CHECK_SPARSE(
          simtsparseSpMatSetAttribute(matrix, SIMTSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
      CHECK_SPARSE(simtsparseSpMatSetAttribute(matrix, SIMTSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                               sizeof diagonal));
      const Dense b = op_b == kPlain ? random_dense<T>(9, 4, 4) : random_dense<T>(4, 9, 4);
      const DenseArrays<T> right(b, SIMTSPARSE_ORDER_ROW);
      const DenseArrays<T> result(random_dense<T>(9, 4, 5), SIMTSPARSE_ORDER_COL);
      const SpsmState state;
      std::size_t size = 0;
      CHECK_SPARSE(simtsparseSpSM_bufferSize(handle, op, op_b, &alpha, matrix, right, result,
                                             kDataType<T>, SIMTSPARSE_SPSM_ALG_DEFAULT, state,
                                             &size));
      CHECK_GT(size, 0);
      CHECK_SPARSE(simtsparseSpSM_analysis(handle, op, op_b, &alpha, matrix, right, result,
                                           kDataType<T>, SIMTSPARSE_SPSM_ALG_DEFAULT, state,
                                           nullptr));
      CHECK_SPARSE(simtsparseSpSM_solve(handle, op, op_b, &alpha, matrix, right, result,
                                        kDataType<T>, SIMTSPARSE_SPSM_ALG_DEFAULT, state));
      REQUIRE_FINISHED();
      const Dense wanted = apply(op_b, b);
      CHECK_LT(distance(apply(op, triangle(a, fill, diagonal)) * result.values(),
                        combine(Wide(alpha), wanted, 0, wanted)),
               tolerance<T>());
    }
  });
}

TEST_CASE("a triangle of a matrix in COO and in sliced ELL format") {
  const SparseHandle handle;
  // 2 0 0; 4 1 9; 0 3 5: the 9 is outside of the lower triangle.
  const DeviceArray<int> rows(std::vector<int>{0, 1, 1, 1, 2, 2}), columns(std::vector<int>{0, 0, 1, 2, 1, 2});
  const DeviceArray<float> values(std::vector<float>{2, 4, 1, 9, 3, 5});
  // Slices of 2 rows, stored by columns; -1 is padding.
  const DeviceArray<int> offsets(std::vector<int>{0, 6, 10});
  const DeviceArray<int> ell_columns(std::vector<int>{0, 0, -1, 1, -1, 2, 1, -1, 2, -1});
  const DeviceArray<float> ell_values(std::vector<float>{2, 4, 0, 1, 0, 9, 3, 0, 5, 0});
  const DeviceArray<float> b(std::vector<float>{2, 5, 13}), x(3);
  const float one = 1;
  const auto solve = [&](simtsparseSpMatDescr_t matrix) {
    const DenseVector in(3, static_cast<void*>(b.data()), SIMT_R_32F);
    const DenseVector out(3, static_cast<void*>(x.data()), SIMT_R_32F);
    const SpsvState state;
    REQUIRE_SPARSE(simtsparseSpSV_analysis(handle, kPlain, &one, matrix, in, out, SIMT_R_32F,
                                           SIMTSPARSE_SPSV_ALG_DEFAULT, state, nullptr));
    REQUIRE_SPARSE(simtsparseSpSV_solve(handle, kPlain, &one, matrix, in, out, SIMT_R_32F,
                                        SIMTSPARSE_SPSV_ALG_DEFAULT, state));
    REQUIRE_FINISHED();
    return x.values();
  };
  const CooMatrix coo(3, 3, 6, rows.data(), columns.data(), values.data(), SIMTSPARSE_INDEX_32I,
                      SIMTSPARSE_INDEX_BASE_ZERO, SIMT_R_32F);
  CHECK_EQ(solve(coo), std::vector<float>{1, 1, 2});
  const SlicedEllMatrix ell(3, 3, 6, 10, 2, offsets.data(), ell_columns.data(), ell_values.data(),
                            SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_32I, SIMTSPARSE_INDEX_BASE_ZERO, SIMT_R_32F);
  CHECK_EQ(solve(ell), std::vector<float>{1, 1, 2});
}

TEST_CASE("invalid arguments of a solve") {
  const SparseHandle handle;
  const float one = 1;
  const SparseArrays<float> wide(random_sparse<float>(3, 4, 6));
  const CsrOf<float, int> matrix(wide);
  const DeviceArray<float> numbers(4);
  const DenseVector vector(3, static_cast<void*>(numbers.data()), SIMT_R_32F);
  const SpsvState state;
  CHECK_EQ(simtsparseSpSV_analysis(handle, kPlain, &one, matrix, vector, vector, SIMT_R_32F,
                                   SIMTSPARSE_SPSV_ALG_DEFAULT, state, nullptr),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  const SparseArrays<__half> halves(solvable<float>(3, 7));
  const CsrOf<__half, int> half_matrix(halves);
  const DenseVector half_vector(3, static_cast<void*>(numbers.data()), SIMT_R_16F);
  CHECK_EQ(simtsparseSpSV_analysis(handle, kPlain, &one, half_matrix, half_vector, half_vector,
                                   SIMT_R_32F, SIMTSPARSE_SPSV_ALG_DEFAULT, state, nullptr),
           SIMTSPARSE_STATUS_NOT_SUPPORTED);
}

/// BSR matrix of 3 x 3 blocks of 2 x 2 numbers; blocks (1, 0) and (1, 2) are missing.
template <class T>
struct BlockMatrix {
  BlockMatrix(const Dense& x, simtsparseDirection_t direction) {
    std::vector<T> numbers;
    const int places[][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {2, 0}, {2, 1}, {2, 2}};
    for (const auto& place : places) {
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          const bool by_row = direction == SIMTSPARSE_DIRECTION_ROW;
          numbers.push_back(
              from_wide<T>(x.at(2 * place[0] + (by_row ? i : j), 2 * place[1] + (by_row ? j : i))));
        }
      }
    }
    values = std::make_unique<DeviceArray<T>>(numbers);
  }

  static Dense random(std::uint32_t seed) {
    Dense x = solvable<T>(6, seed);
    for (int i = 2; i < 4; ++i) {
      for (const int j : {0, 1, 4, 5}) x.at(i, j) = 0;
    }
    return x;
  }

  DeviceArray<int> row_offsets{std::vector<int>{0, 3, 4, 7}};
  DeviceArray<int> column_indices{std::vector<int>{0, 1, 2, 1, 0, 1, 2}};
  std::unique_ptr<DeviceArray<T>> values;
};

/// Functions for numbers of T.
template <class T>
struct BsrCalls;
#define BSR_CALLS(T, S)                                                 \
  template <>                                                           \
  struct BsrCalls<T> {                                                  \
    static constexpr auto sv_size = simtsparse##S##bsrsv2_bufferSize;   \
    static constexpr auto sv_bytes = simtsparse##S##bsrsv2_bufferSizeExt; \
    static constexpr auto sv_analysis = simtsparse##S##bsrsv2_analysis; \
    static constexpr auto sv_solve = simtsparse##S##bsrsv2_solve;       \
    static constexpr auto sm_size = simtsparse##S##bsrsm2_bufferSize;   \
    static constexpr auto sm_bytes = simtsparse##S##bsrsm2_bufferSizeExt; \
    static constexpr auto sm_analysis = simtsparse##S##bsrsm2_analysis; \
    static constexpr auto sm_solve = simtsparse##S##bsrsm2_solve;       \
  };
BSR_CALLS(float, S)
BSR_CALLS(double, D)
BSR_CALLS(std::complex<float>, C)
BSR_CALLS(std::complex<double>, Z)
#undef BSR_CALLS

TEST_CASE_TEMPLATE("a triangle of a BSR matrix", T, BLAS_TYPES) {
  const SparseHandle handle;
  const Dense a = BlockMatrix<T>::random(8);
  const T alpha = number<T>(2, -1);
  for_each_system([&](auto op, auto fill, auto diagonal) {
    for (const auto direction : {SIMTSPARSE_DIRECTION_ROW, SIMTSPARSE_DIRECTION_COLUMN}) {
      const BlockMatrix<T> blocks(a, direction);
      const LegacyMatrix matrix;
      REQUIRE_SPARSE(simtsparseSetMatFillMode(matrix, fill));
      REQUIRE_SPARSE(simtsparseSetMatDiagType(matrix, diagonal));
      const int* const offsets = blocks.row_offsets.data();
      const int* const columns = blocks.column_indices.data();
      auto* const values = api(blocks.values->data());
      const Dense system = apply(op, triangle(a, fill, diagonal));

      const Dense f = random_dense<T>(6, 1, 9);
      const DenseArrays<T> right(f, SIMTSPARSE_ORDER_COL);
      const DenseArrays<T> solution(f, SIMTSPARSE_ORDER_COL);
      const BsrsvInfo info;
      int size = 0, place = 0;
      CHECK_SPARSE(BsrCalls<T>::sv_size(handle, direction, op, 3, 7, matrix, values, offsets,
                                        columns, 2, info, &size));
      CHECK_GT(size, 0);
      std::size_t bytes = 0;
      CHECK_SPARSE(BsrCalls<T>::sv_bytes(handle, direction, op, 3, 7, matrix, values, offsets,
                                         columns, 2, info, &bytes));
      CHECK_EQ(bytes, size);
      CHECK_SPARSE(BsrCalls<T>::sv_analysis(handle, direction, op, 3, 7, matrix, values, offsets,
                                            columns, 2, info, SIMTSPARSE_SOLVE_POLICY_NO_LEVEL,
                                            nullptr));
      CHECK_SPARSE(simtsparseXbsrsv2_zeroPivot(handle, info, &place));
      CHECK_EQ(place, -1);
      CHECK_SPARSE(BsrCalls<T>::sv_solve(
          handle, direction, op, 3, 7, api(&alpha), matrix, values, offsets, columns, 2, info,
          api(right.data()), api(solution.data()), SIMTSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
      REQUIRE_FINISHED();
      CHECK_LT(distance(system * solution.values(), combine(Wide(alpha), f, 0, f)), tolerance<T>());

      for (const auto op_x : {kPlain, SIMTSPARSE_OPERATION_TRANSPOSE}) {
        const Dense b = op_x == kPlain ? random_dense<T>(6, 3, 10) : random_dense<T>(3, 6, 10);
        const DenseArrays<T> sides(b, SIMTSPARSE_ORDER_COL);
        const DenseArrays<T> solutions(b, SIMTSPARSE_ORDER_COL);
        const BsrsmInfo several;
        CHECK_SPARSE(BsrCalls<T>::sm_size(handle, direction, op, op_x, 3, 3, 7, matrix, values,
                                          offsets, columns, 2, several, &size));
        CHECK_SPARSE(BsrCalls<T>::sm_bytes(handle, direction, op, op_x, 3, 3, 7, matrix, values,
                                           offsets, columns, 2, several, &bytes));
        CHECK_EQ(bytes, size);
        CHECK_SPARSE(BsrCalls<T>::sm_analysis(handle, direction, op, op_x, 3, 3, 7, matrix, values,
                                              offsets, columns, 2, several,
                                              SIMTSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
        CHECK_SPARSE(BsrCalls<T>::sm_solve(
            handle, direction, op, op_x, 3, 3, 7, api(&alpha), matrix, values, offsets, columns, 2,
            several, api(sides.data()), sides.ld(), api(solutions.data()), solutions.ld(),
            SIMTSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
        CHECK_SPARSE(simtsparseXbsrsm2_zeroPivot(handle, several, &place));
        const Dense wanted = apply(op_x, b);
        CHECK_LT(distance(system * apply(op_x, solutions.values()),
                          combine(Wide(alpha), wanted, 0, wanted)),
                 tolerance<T>());
      }
    }
  });
}

TEST_CASE("zeros on the diagonal of a BSR matrix are reported") {
  const SparseHandle handle;
  const float one = 1;
  int place = 0;
  const LegacyMatrix matrix;
  const BsrsvInfo info;
  const DeviceArray<float> x(4);
  const auto analyse = [&](int nnzb, const DeviceArray<float>& values,
                           const DeviceArray<int>& offsets, const DeviceArray<int>& columns) {
    return simtsparseSbsrsv2_analysis(handle, SIMTSPARSE_DIRECTION_ROW, kPlain, 2, nnzb, matrix,
                                      values.data(), offsets.data(), columns.data(), 2, info,
                                      SIMTSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr);
  };
  // Block (1, 1) is missing. With index base 1, it is block row 2.
  const DeviceArray<float> lower(std::vector<float>{1, 0, 0, 1, 1, 1, 1, 1});
  const DeviceArray<int> offsets(std::vector<int>{1, 2, 3});
  const DeviceArray<int> first_column(std::vector<int>{1, 1});
  REQUIRE_SPARSE(simtsparseSetMatIndexBase(matrix, SIMTSPARSE_INDEX_BASE_ONE));
  CHECK_SPARSE(analyse(2, lower, offsets, first_column));
  CHECK_EQ(simtsparseXbsrsv2_zeroPivot(handle, info, &place), SIMTSPARSE_STATUS_ZERO_PIVOT);
  CHECK_EQ(place, 2);

  // Blocks (0, 0) and (1, 1) exist, and block (1, 1) has a zero on its diagonal.
  const DeviceArray<float> diagonal(std::vector<float>{1, 0, 0, 1, 1, 0, 1, 0});
  const DeviceArray<int> both(std::vector<int>{1, 2});
  CHECK_SPARSE(analyse(2, diagonal, offsets, both));
  CHECK_SPARSE(simtsparseXbsrsv2_zeroPivot(handle, info, &place));
  CHECK_EQ(place, -1);
  const auto solve = [&] {
    return simtsparseSbsrsv2_solve(handle, SIMTSPARSE_DIRECTION_ROW, kPlain, 2, 2, &one, matrix,
                                   diagonal.data(), offsets.data(), both.data(), 2, info, x.data(),
                                   x.data(), SIMTSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr);
  };
  CHECK_SPARSE(solve());
  CHECK_EQ(simtsparseXbsrsv2_zeroPivot(handle, info, &place), SIMTSPARSE_STATUS_ZERO_PIVOT);
  CHECK_EQ(place, 2);

  // A unit diagonal has no zeros.
  REQUIRE_SPARSE(simtsparseSetMatDiagType(matrix, SIMTSPARSE_DIAG_TYPE_UNIT));
  CHECK_SPARSE(analyse(2, diagonal, offsets, both));
  CHECK_SPARSE(solve());
  CHECK_SPARSE(simtsparseXbsrsv2_zeroPivot(handle, info, &place));
  CHECK_EQ(place, -1);
}

}  // namespace
