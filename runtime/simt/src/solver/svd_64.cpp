// Singular value decompositions by cuSOLVER's functions for polar decomposition (gesvdp) and random projection
// (gesvdr), with types and 64-bit sizes as arguments.
#include "solver/svd.h"

namespace simtrt {
namespace {

/// Sizes of a decomposition: `columns_of_u` columns of U, `columns_of_v` columns of V, and `count` singular values.
struct SvdSizes {
  std::int64_t m, n, lda, ldu, ldv;
  std::int64_t columns_of_u, columns_of_v, count;
};

/// Decomposes a matrix, which is overwritten. info receives 0, or min(m, n) + 1 without convergence.
template <class T>
simtsolverStatus_t decompose_64(simtsolverDnHandle_t handle, const char* name, const SvdSizes& s,
                                T* a, typename RealOf<T>::type* sigma, T* u, T* v,
                                Workspace workspace, int* info) {
  if (!there(a, std::min(s.m, s.n)) || !there(sigma, s.count) || !there(u, s.columns_of_u) ||
      !there(v, s.columns_of_v) || !workspace.valid() || info == nullptr) {
    return SIMTSOLVER_STATUS_INVALID_VALUE;
  }
  return solver_submit(handle, name, [=] {
    const int m = static_cast<int>(s.m), n = static_cast<int>(s.n), least = std::min(m, n);
    const bool has_vectors = s.columns_of_u > 0 || s.columns_of_v > 0;
    const bool is_square = s.columns_of_u > least || s.columns_of_v > least;
    const Svd<T> svd = decompose(!has_vectors ? 'N' : is_square ? 'A' : 'S', m, n, a,
                                 static_cast<int>(s.lda));
    *info = svd.converged ? 0 : least + 1;
    if (!svd.converged) {
      return;
    }
    std::copy_n(svd.sigma.begin(), s.count, sigma);
    if (has_vectors) {
      write_vectors(svd, m, static_cast<int>(s.columns_of_u), u, s.ldu, n,
                    static_cast<int>(s.columns_of_v), v, s.ldv);
    }
  });
}

bool are_types(simtDataType a, simtDataType s, simtDataType u, simtDataType v,
               simtDataType compute) {
  return s == real_type(a) && u == a && v == a && compute == a;
}

simtsolverStatus_t check_gesvdp(simtsolverDnHandle_t handle, bool types, simtsolverEigMode_t jobz,
                                std::int64_t m, std::int64_t n, std::int64_t lda, std::int64_t ldu,
                                std::int64_t ldv) {
  return checked(handle,
                 {types, valid(jobz), m >= 0, n >= 0, holds(lda, m), holds(ldu, m), holds(ldv, n)},
                 {m, n, lda, ldu, ldv});
}

bool is_job(signed char job) { return job == 'S' || job == 'N'; }

/// The subspace has k + p dimensions.
simtsolverStatus_t check_gesvdr(simtsolverDnHandle_t handle, bool types, signed char jobu,
                                signed char jobv, const SvdSizes& s, std::int64_t p,
                                std::int64_t niters) {
  return checked(handle,
                 {types, is_job(jobu), is_job(jobv), s.m >= 0, s.n >= 0, s.count >= 0, p >= 0,
                  niters >= 0, s.count + p <= std::min(s.m, s.n), holds(s.lda, s.m),
                  holds(s.ldu, jobu == 'S' ? s.m : 1), holds(s.ldv, jobv == 'S' ? s.n : 1)},
                 {s.m, s.n, s.lda, s.ldu, s.ldv});
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsolverStatus_t simtsolverDnXgesvdp_bufferSize(
    simtsolverDnHandle_t handle, simtsolverDnParams_t, simtsolverEigMode_t jobz, int,
    std::int64_t m, std::int64_t n, simtDataType type, const void*, std::int64_t lda,
    simtDataType type_s, const void*, simtDataType type_u, const void*, std::int64_t ldu,
    simtDataType type_v, const void*, std::int64_t ldv, simtDataType compute,
    std::size_t* on_device, std::size_t* on_host) {
  return with_element(type, [&](auto) {
    const bool types = are_types(type, type_s, type_u, type_v, compute);
    return answer(check_gesvdp(handle, types, jobz, m, n, lda, ldu, ldv), on_device, on_host);
  });
}

simtsolverStatus_t simtsolverDnXgesvdp(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                       simtsolverEigMode_t jobz, int econ, std::int64_t m,
                                       std::int64_t n, simtDataType type, void* a, std::int64_t lda,
                                       simtDataType type_s, void* sigma, simtDataType type_u,
                                       void* u, std::int64_t ldu, simtDataType type_v, void* v,
                                       std::int64_t ldv, simtDataType compute, void* work,
                                       std::size_t work_size, void*, std::size_t, int* info,
                                       double* error) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    const bool types = are_types(type, type_s, type_u, type_v, compute);
    simtsolverStatus_t status = check_gesvdp(handle, types, jobz, m, n, lda, ldu, ldv);
    if (status != SIMTSOLVER_STATUS_SUCCESS || error == nullptr) {
      return status != SIMTSOLVER_STATUS_SUCCESS ? status : SIMTSOLVER_STATUS_INVALID_VALUE;
    }
    const std::int64_t least = std::min(m, n);
    const bool vectors = jobz == SIMTSOLVER_EIG_MODE_VECTOR;
    const SvdSizes sizes{m, n, lda, ldu, ldv, !vectors ? 0 : econ != 0 ? least : m,
                         !vectors ? 0 : econ != 0 ? least : n, least};
    status = decompose_64(handle, "simtsolverDnXgesvdp", sizes, static_cast<T*>(a),
                          static_cast<typename RealOf<T>::type*>(sigma), static_cast<T*>(u),
                          static_cast<T*>(v), Workspace::bytes(work, work_size), info);
    if (status == SIMTSOLVER_STATUS_SUCCESS) {
      *error = 0;
    }
    return status;
  });
}

simtsolverStatus_t simtsolverDnXgesvdr_bufferSize(
    simtsolverDnHandle_t handle, simtsolverDnParams_t, signed char jobu, signed char jobv,
    std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t p, std::int64_t niters,
    simtDataType type, const void*, std::int64_t lda, simtDataType type_s, const void*,
    simtDataType type_u, const void*, std::int64_t ldu, simtDataType type_v, const void*,
    std::int64_t ldv, simtDataType compute, std::size_t* on_device, std::size_t* on_host) {
  return with_element(type, [&](auto) {
    const bool types = are_types(type, type_s, type_u, type_v, compute);
    const SvdSizes sizes{m, n, lda, ldu, ldv, k, k, k};
    return answer(check_gesvdr(handle, types, jobu, jobv, sizes, p, niters), on_device, on_host);
  });
}

simtsolverStatus_t simtsolverDnXgesvdr(simtsolverDnHandle_t handle, simtsolverDnParams_t,
                                       signed char jobu, signed char jobv, std::int64_t m,
                                       std::int64_t n, std::int64_t k, std::int64_t p,
                                       std::int64_t niters, simtDataType type, void* a,
                                       std::int64_t lda, simtDataType type_s, void* sigma,
                                       simtDataType type_u, void* u, std::int64_t ldu,
                                       simtDataType type_v, void* v, std::int64_t ldv,
                                       simtDataType compute, void* work, std::size_t work_size,
                                       void*, std::size_t, int* info) {
  return with_element(type, [&](auto element) {
    using T = decltype(element);
    const bool types = are_types(type, type_s, type_u, type_v, compute);
    const SvdSizes sizes{m, n, lda, ldu, ldv, jobu == 'S' ? k : 0, jobv == 'S' ? k : 0, k};
    const simtsolverStatus_t status =
        check_gesvdr(handle, types, jobu, jobv, sizes, p, niters);
    return status != SIMTSOLVER_STATUS_SUCCESS
               ? status
               : decompose_64(handle, "simtsolverDnXgesvdr", sizes, static_cast<T*>(a),
                              static_cast<typename RealOf<T>::type*>(sigma), static_cast<T*>(u),
                              static_cast<T*>(v), Workspace::bytes(work, work_size), info);
  });
}

}  // extern "C"
