// Triangular solves after an update of the values of the matrix. cuSPARSE 12.4 documentation, "cusparseSpSV_updateMatrix"
// and "cusparseSpSM_updateMatrix".
#include "sparse_test.h"

namespace {

constexpr auto kPlain = SIMTSPARSE_OPERATION_NON_TRANSPOSE;
using SpsvState = Described<simtsparseSpSVDescr_t, simtsparseSpSV_createDescr, simtsparseSpSV_destroyDescr>;
using SpsmState = Described<simtsparseSpSMDescr_t, simtsparseSpSM_createDescr, simtsparseSpSM_destroyDescr>;

/// The matrix [[2 0 0] [4 5 0] [0 6 8]], without its zeros, and a right side.
template <class T>
struct System {
  SparseHandle handle;
  SparseArrays<T> arrays{Dense{3, 3, {2, 0, 0, 4, 5, 0, 0, 6, 8}}};
  CsrOf<T, int> a{arrays};
  DeviceArray<T> b{std::vector<T>{T(4), T(18), T(36)}};
  DeviceArray<T> x{3};
  T one = T(1);
};

template <class T>
struct VectorSystem : System<T> {
  DenseVector in{3, static_cast<void*>(this->b.data()), kDataType<T>};
  DenseVector out{3, static_cast<void*>(this->x.data()), kDataType<T>};
  SpsvState state;

  void analyse() {
    REQUIRE_SPARSE(simtsparseSpSV_analysis(this->handle, kPlain, &this->one, this->a, in, out, kDataType<T>,
                                           SIMTSPARSE_SPSV_ALG_DEFAULT, state, nullptr));
  }
  simtsparseStatus_t update(const DeviceArray<T>& values, simtsparseSpSVUpdate_t part) {
    return simtsparseSpSV_updateMatrix(this->handle, state, values.data(), part);
  }
  std::vector<T> solve() {
    REQUIRE_SPARSE(simtsparseSpSV_solve(this->handle, kPlain, &this->one, this->a, in, out, kDataType<T>,
                                        SIMTSPARSE_SPSV_ALG_DEFAULT, state));
    return this->x.values();
  }
};

TEST_CASE_TEMPLATE("SpSV reads updated values, and A's own values after another analysis", T, BLAS_TYPES) {
  VectorSystem<T> on;
  const DeviceArray<T> values(std::vector<T>{T(1), T(2), T(1), T(3), T(4)});
  const DeviceArray<T> diagonal(std::vector<T>{T(4), T(2), T(6)});
  CHECK_EQ(on.update(values, SIMTSPARSE_SPSV_UPDATE_GENERAL), SIMTSPARSE_STATUS_INVALID_VALUE);  // no analysis
  on.analyse();
  CHECK_EQ(on.solve(), std::vector<T>{T(2), T(2), T(3)});
  // 4 x0 = 4, 4 x0 + 2 x1 = 18, 6 x1 + 6 x2 = 36
  CHECK_SPARSE(on.update(diagonal, SIMTSPARSE_SPSV_UPDATE_DIAGONAL));
  CHECK_EQ(on.solve(), std::vector<T>{T(1), T(7), T(-1)});
  // x0 = 4, 2 x0 + x1 = 18, 3 x1 + 4 x2 = 36
  CHECK_SPARSE(on.update(values, SIMTSPARSE_SPSV_UPDATE_GENERAL));
  CHECK_EQ(on.solve(), std::vector<T>{T(4), T(10), T(1.5)});
  // 4 x0 = 4, 2 x0 + 2 x1 = 18, 3 x1 + 6 x2 = 36
  CHECK_SPARSE(on.update(diagonal, SIMTSPARSE_SPSV_UPDATE_DIAGONAL));
  CHECK_EQ(on.solve(), std::vector<T>{T(1), T(8), T(2)});
  CHECK_EQ(on.arrays.values->values()[0], T(2));
  on.analyse();
  CHECK_EQ(on.solve(), std::vector<T>{T(2), T(2), T(3)});
}

TEST_CASE("SpSM reads updated values") {
  System<double> on;
  const DenseMatrix in(3, 1, 3, static_cast<void*>(on.b.data()), SIMT_R_64F, SIMTSPARSE_ORDER_COL);
  const DenseMatrix out(3, 1, 3, static_cast<void*>(on.x.data()), SIMT_R_64F, SIMTSPARSE_ORDER_COL);
  const SpsmState state;
  const DeviceArray<double> diagonal(std::vector<double>{4, 2, 6});
  REQUIRE_SPARSE(simtsparseSpSM_analysis(on.handle, kPlain, kPlain, &on.one, on.a, in, out, SIMT_R_64F,
                                         SIMTSPARSE_SPSM_ALG_DEFAULT, state, nullptr));
  CHECK_SPARSE(simtsparseSpSM_updateMatrix(on.handle, state, diagonal.data(), SIMTSPARSE_SPSM_UPDATE_DIAGONAL));
  CHECK_SPARSE(simtsparseSpSM_solve(on.handle, kPlain, kPlain, &on.one, on.a, in, out, SIMT_R_64F,
                                    SIMTSPARSE_SPSM_ALG_DEFAULT, state));
  CHECK_EQ(on.x.values(), std::vector<double>{1, 7, -1});
}

TEST_CASE("rejected arguments of updates") {
  VectorSystem<float> on;
  const DeviceArray<float> values(5);
  on.analyse();
  CHECK_EQ(simtsparseSpSV_updateMatrix(nullptr, on.state, values.data(), SIMTSPARSE_SPSV_UPDATE_GENERAL),
           SIMTSPARSE_STATUS_NOT_INITIALIZED);
  CHECK_EQ(simtsparseSpSV_updateMatrix(on.handle, nullptr, values.data(), SIMTSPARSE_SPSV_UPDATE_GENERAL),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSpSV_updateMatrix(on.handle, on.state, nullptr, SIMTSPARSE_SPSV_UPDATE_GENERAL),
           SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(on.update(values, static_cast<simtsparseSpSVUpdate_t>(2)), SIMTSPARSE_STATUS_INVALID_VALUE);
  CHECK_EQ(simtsparseSpSM_updateMatrix(on.handle, nullptr, values.data(), SIMTSPARSE_SPSM_UPDATE_GENERAL),
           SIMTSPARSE_STATUS_INVALID_VALUE);
}

}  // namespace
