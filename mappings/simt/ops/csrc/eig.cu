// Eigenvalues and eigenvectors of general matrices, by simtsolver.
#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/native/LinearAlgebraUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <simtsolver.h>

#include "kernels.h"

#include <tuple>

namespace simt_ops {
namespace {

constexpr int kThreads = 256;

void check(simtsolverStatus_t status) { TORCH_CHECK(status == SIMTSOLVER_STATUS_SUCCESS, "simtsolver: error ", status); }

/// A handle on the current stream.
class Handle {
 public:
  Handle() {
    check(simtsolverDnCreate(&handle_));
    check(simtsolverDnSetStream(handle_, at::cuda::getCurrentCUDAStream()));
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { simtsolverDnDestroy(handle_); }
  operator simtsolverDnHandle_t() const { return handle_; }

 private:
  simtsolverDnHandle_t handle_ = nullptr;
};

template <typename T>
struct ComplexOf {
  using Type = c10::complex<T>;
};
template <typename T>
struct ComplexOf<c10::complex<T>> {
  using Type = c10::complex<T>;
};

template <typename T>
constexpr simtDataType kType = SIMT_R_32F;
template <>
constexpr simtDataType kType<double> = SIMT_R_64F;
template <>
constexpr simtDataType kType<c10::complex<float>> = SIMT_C_32F;
template <>
constexpr simtDataType kType<c10::complex<double>> = SIMT_C_64F;

/// Converts LAPACK's eigenvectors of a real matrix to complex vectors: for a pair of conjugate
/// eigenvalues, columns j and j + 1 contain the real and the imaginary part.
template <typename T>
__global__ void unpack(const T* packed, const c10::complex<T>* values, c10::complex<T>* vectors, int64_t n,
                       int64_t count) {
  const int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const T imaginary = values[i / n].imag();
  vectors[i] = imaginary == T(0)  ? c10::complex<T>(packed[i], T(0))
               : imaginary > T(0) ? c10::complex<T>(packed[i], packed[i + n])
                                  : c10::complex<T>(packed[i - n], -packed[i]);
}

template <typename T>
at::Tensor complex_vectors(const at::Tensor& packed, const at::Tensor& values) {
  if constexpr (c10::is_complex<T>::value) {
    return packed;
  } else {
    const int64_t count = packed.numel();
    // Matrices are stored by columns.
    at::Tensor vectors = at::empty(packed.sizes(), values.options()).mT();
    unpack<T><<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0,
                at::cuda::getCurrentCUDAStream()>>>(packed.const_data_ptr<T>(), values.const_data_ptr<c10::complex<T>>(),
                                                    vectors.mutable_data_ptr<c10::complex<T>>(), packed.size(-1), count);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return vectors;
  }
}

/// Decomposes one matrix after another. Returns the vectors in the format of geev; writes the
/// eigenvalues to `values` and the statuses to `infos`.
template <typename T>
at::Tensor decompose(at::Tensor matrices, const at::Tensor& values, const at::Tensor& infos, bool want_vectors) {
  const int64_t n = matrices.size(-1);
  at::Tensor vectors = want_vectors ? at::empty_like(matrices) : at::Tensor();
  T* const a = matrices.mutable_data_ptr<T>();
  T* const v = want_vectors ? vectors.mutable_data_ptr<T>() : nullptr;
  using Complex = typename ComplexOf<T>::Type;
  Complex* const w = values.mutable_data_ptr<Complex>();
  constexpr simtDataType kOf = kType<T>, kOfValues = kType<Complex>;
  const auto left = SIMTSOLVER_EIG_MODE_NOVECTOR;
  const auto right = want_vectors ? SIMTSOLVER_EIG_MODE_VECTOR : SIMTSOLVER_EIG_MODE_NOVECTOR;
  const Handle handle;
  size_t on_device = 0, on_host = 0;
  check(simtsolverDnXgeev_bufferSize(handle, nullptr, left, right, n, kOf, a, n, kOfValues, w, kOf, nullptr, 1, kOf, v, n,
                                     kOf, &on_device, &on_host));
  const at::Tensor work = at::empty({static_cast<int64_t>(on_device)}, matrices.options().dtype(at::kByte));
  const at::Tensor host_work = at::empty({static_cast<int64_t>(on_host)}, at::kByte);
  for (int64_t i = 0; i < infos.numel(); ++i) {
    check(simtsolverDnXgeev(handle, nullptr, left, right, n, kOf, a + i * n * n, n, kOfValues, w + i * n, kOf, nullptr, 1,
                            kOf, v == nullptr ? nullptr : v + i * n * n, n, kOf, work.mutable_data_ptr(), on_device,
                            host_work.mutable_data_ptr(), on_host, infos.mutable_data_ptr<int>() + i));
  }
  return vectors;
}

std::tuple<at::Tensor, at::Tensor> solve(const at::Tensor& self, const char* name, bool want_vectors) {
  at::native::squareCheckInputs(self, name);
  at::native::checkFloatingOrComplex(self, name);
  const auto batch = self.sizes().slice(0, self.dim() - 1);
  const auto complex = self.options().dtype(c10::toComplexType(self.scalar_type()));
  at::Tensor values = at::empty(batch, complex);
  if (self.numel() == 0) return {values, at::empty(self.sizes(), complex).mT()};
  const at::Tensor infos = at::zeros(batch.slice(0, batch.size() - 1), self.options().dtype(at::kInt));
  at::Tensor vectors;
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(self.scalar_type(), "eig", [&] {
    const at::Tensor packed =
        decompose<scalar_t>(at::native::cloneBatchedColumnMajor(self), values, infos, want_vectors);
    if (want_vectors) vectors = complex_vectors<scalar_t>(packed, values);
  });
  at::_linalg_check_errors(infos, name, /*is_matrix=*/self.dim() == 2);
  return {values, vectors};
}

void give(const at::Tensor& result, at::Tensor& out, const char* name, const char* what) {
  at::native::checkLinalgCompatibleDtype(name, out.scalar_type(), result.scalar_type(), what);
  at::native::resize_output(out, result.sizes());
  out.copy_(result);
}

}  // namespace

std::tuple<at::Tensor, at::Tensor> eig(const at::Tensor& self) {
  // Same message as upstream's. As in upstream, eigvals does not make this check.
  TORCH_CHECK(self.isfinite().all().item<bool>(), "torch.linalg.eig: input tensor should not contain infs or NaNs.");
  return solve(self, "linalg.eig", true);
}

std::tuple<at::Tensor&, at::Tensor&> eig_out(const at::Tensor& self, at::Tensor& eigenvalues, at::Tensor& eigenvectors) {
  const auto [values, vectors] = eig(self);
  give(values, eigenvalues, "linalg.eig", "eigenvalues");
  give(vectors, eigenvectors, "linalg.eig", "eigenvectors");
  return {eigenvalues, eigenvectors};
}

at::Tensor eigvals(const at::Tensor& self) { return std::get<0>(solve(self, "linalg.eigvals", false)); }

at::Tensor& eigvals_out(const at::Tensor& self, at::Tensor& out) {
  give(eigvals(self), out, "linalg.eigvals", "eigenvalues");
  return out;
}

}  // namespace simt_ops
