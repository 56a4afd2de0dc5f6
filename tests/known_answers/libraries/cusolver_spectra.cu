// cuSOLVER, dense: QR, eigenvalues, singular values.
// nvcc: -lcusolver
#include <cusolverDn.h>

#include "device_array.h"

using answers::Exact;
using answers::Array;
using answers::put;

const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;

void qr(cusolverDnHandle_t h) {
  Array<double> a({1, 2, 3, 4, 5, 7}), c({1, 0, 0}), tau(2), work(10000);
  Array<int> info(1, -9);
  Exact{"geqrf_status", cusolverDnDgeqrf(h, 3, 2, a, 3, tau, work, 10000, info)};
  put("geqrf_info", info);
  put("geqrf", a);
  put("geqrf_tau", tau);
  Exact{"ormqr_status", cusolverDnDormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, 3, 1, 2, a, 3, tau, c, 3, work, 10000, info)};
  put("ormqr", c);
  put("ormqr_info", info);
  Exact{"orgqr_status", cusolverDnDorgqr(h, 3, 2, 2, a, 3, tau, work, 10000, info)};
  put("orgqr", a);
  Exact{"ormqr_wrong", cusolverDnDormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, 3, 1, 5, a, 3, tau, c, 3, work, 10000, info)};
}

void spectra(cusolverDnHandle_t h) {
  Array<double> a({2, 1, 0, 1, 3, 1, 0, 1, 4}), w(3), work(100000);
  Array<int> info(1, -9);
  Exact{"syevd_status", cusolverDnDsyevd(h, CUSOLVER_EIG_MODE_NOVECTOR, lower, 3, a, 3, w, work, 100000, info)};
  put("syevd", w);
  put("syevd_info", info);
  syevjInfo_t jacobi;
  Array<double> b({2, 1, 0, 1, 3, 1, 0, 1, 4}), v(3);
  Exact{"syevj_status", cusolverDnCreateSyevjInfo(&jacobi), cusolverDnDsyevj(h, CUSOLVER_EIG_MODE_NOVECTOR, upper, 3, b, 3, v, work, 100000, info, jacobi), cusolverDnDestroySyevjInfo(jacobi)};
  put("syevj", v);
  put("syevj_info", info);
  Array<double> m({1, 2, 3, 4, 5, 7}), s(2), u(9), vt(4);
  Exact{"gesvd_status", cusolverDnDgesvd(h, 'N', 'N', 3, 2, m, 3, s, u, 3, vt, 2, work, 100000, nullptr, info)};
  put("gesvd", s);
  put("gesvd_info", info);
  Array<double> wide({1, 2, 3, 4, 5, 7});
  Exact{"gesvd_wide", cusolverDnDgesvd(h, 'N', 'N', 2, 3, wide, 2, s, u, 2, vt, 3, work, 100000, nullptr, info)};
  int size = 0;
  Exact{"gesvd_wide_query", cusolverDnDgesvd_bufferSize(h, 2, 3, &size)};
  gesvdjInfo_t parameters;
  Array<double> n({1, 2, 3, 4, 5, 7}), right(4);
  Exact{"gesvdj_status", cusolverDnCreateGesvdjInfo(&parameters), cusolverDnDgesvdj(h, CUSOLVER_EIG_MODE_NOVECTOR, 0, 3, 2, n, 3, s, u, 3, right, 2, work, 100000, info, parameters), cusolverDnDestroyGesvdjInfo(parameters)};
  put("gesvdj", s);
  put("gesvdj_info", info);
  Exact{"syevd_wrong", cusolverDnDsyevd(h, CUSOLVER_EIG_MODE_VECTOR, lower, -3, a, 3, w, work, 100000, info), cusolverDnDsyevd(h, CUSOLVER_EIG_MODE_VECTOR, lower, 3, a, 2, w, work, 100000, info)};
}

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  cusolverDnHandle_t handle;
  Exact{"create", cusolverDnCreate(&handle)};
  qr(handle);
  spectra(handle);
  return cusolverDnDestroy(handle);
}
