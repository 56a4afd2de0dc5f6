// Operations of a sparse vector and a dense vector.
#include <cstring>

#include "sparse/matrices.h"

namespace simtrt {
namespace {

simtsparseStatus_t check(simtsparseHandle_t handle, const simtsparseSpVecDescr* x,
                         const simtsparseDnVecDescr* y) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (any_null(x) || any_null(y) || x->size != y->size) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  return x->type == y->type ? SIMTSPARSE_STATUS_SUCCESS : SIMTSPARSE_STATUS_NOT_SUPPORTED;
}

/// Entries of a sparse vector, and the elements of a dense vector at the same places.
template <class Element>
class VectorPair {
 public:
  using Storage = typename Element::Storage;

  VectorPair(const simtsparseSpVecDescr& x, const simtsparseDnVecDescr& y)
      : nnz_(x.nnz),
        size_(y.size),
        indices_(x.indices, x.index_type, x.base, 0),
        x_(static_cast<Storage*>(x.values)),
        y_(static_cast<Storage*>(y.values)) {}

  /// Calls `use(x, y)` for the entries of the sparse vector.
  template <class Use>
  void entries(const Use& use) const {
    for (std::int64_t i = 0; i < nnz_; ++i) {
      use(x_[i], y_[indices_[i]]);
    }
  }

  /// Multiplies the dense vector by `factor`. If it is 0, the old values are not read.
  template <class Value>
  void scale(Value factor) const {
    for (std::int64_t i = 0; i < size_; ++i) {
      y_[i] = Element::store(factor == Value() ? Value() : factor * Element::load(y_[i]));
    }
  }

 private:
  std::int64_t nnz_;
  std::int64_t size_;
  Indices indices_;
  Storage* x_;
  Storage* y_;
};

/// Submits `use(element, pair)` for the vectors.
template <class Use>
simtsparseStatus_t submit(simtsparseHandle_t handle, const char* name,
                          const simtsparseSpVecDescr* x, const simtsparseDnVecDescr* y,
                          const Use& use) {
  return sparse_submit(*handle, name, [sparse = *x, dense = *y, use] {
    with_float_element(sparse.type, [&](auto element) {
      use(element, VectorPair<decltype(element)>(sparse, dense));
    });
  });
}

/// Submits `use(element, pair, first, second)` for the vectors and two factors.
template <class Use>
simtsparseStatus_t submit_with_factors(simtsparseHandle_t handle, const char* name,
                                       const void* first, const void* second,
                                       const simtsparseSpVecDescr* x,
                                       const simtsparseDnVecDescr* y, const Use& use) {
  simtsparseStatus_t status = check(handle, x, y);
  if (status == SIMTSPARSE_STATUS_SUCCESS && any_null(first, second)) {
    status = SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  const SparseScalar a(*handle, first, product_type(x->type));
  const SparseScalar b(*handle, second, product_type(x->type));
  return submit(handle, name, x, y, [a, b, use](auto element, const auto& pair) {
    using Value = typename decltype(element)::Value;
    use(element, pair, a.template read<Value>(), b.template read<Value>());
  });
}

}  // namespace
}  // namespace simtrt

using namespace simtrt;

extern "C" {

simtsparseStatus_t simtsparseAxpby(simtsparseHandle_t handle, const void* alpha,
                                   simtsparseConstSpVecDescr_t x, const void* beta,
                                   simtsparseDnVecDescr_t y) {
  return submit_with_factors(
      handle, "simtsparseAxpby", alpha, beta, x, y,
      [](auto element, const auto& pair, auto factor, auto factor_of_y) {
        using Element = decltype(element);
        pair.scale(factor_of_y);
        pair.entries([&](const auto& from, auto& to) {
          to = Element::store(Element::load(to) + factor * Element::load(from));
        });
      });
}

simtsparseStatus_t simtsparseGather(simtsparseHandle_t handle, simtsparseConstDnVecDescr_t y,
                                    simtsparseSpVecDescr_t x) {
  const simtsparseStatus_t status = check(handle, x, y);
  return status != SIMTSPARSE_STATUS_SUCCESS
             ? status
             : submit(handle, "simtsparseGather", x, y, [](auto, const auto& pair) {
                 pair.entries([](auto& to, const auto& from) { to = from; });
               });
}

simtsparseStatus_t simtsparseScatter(simtsparseHandle_t handle, simtsparseConstSpVecDescr_t x,
                                     simtsparseDnVecDescr_t y) {
  const simtsparseStatus_t status = check(handle, x, y);
  return status != SIMTSPARSE_STATUS_SUCCESS
             ? status
             : submit(handle, "simtsparseScatter", x, y, [](auto, const auto& pair) {
                 pair.entries([](const auto& from, auto& to) { to = from; });
               });
}

simtsparseStatus_t simtsparseRot(simtsparseHandle_t handle, const void* cosine, const void* sine,
                                 simtsparseSpVecDescr_t x, simtsparseDnVecDescr_t y) {
  return submit_with_factors(
      handle, "simtsparseRot", cosine, sine, x, y,
      [](auto element, const auto& pair, auto by_cosine, auto by_sine) {
        using Element = decltype(element);
        pair.entries([&](auto& first, auto& second) {
          const auto old_first = Element::load(first);
          const auto old_second = Element::load(second);
          first = Element::store(by_cosine * old_first + by_sine * old_second);
          second = Element::store(by_cosine * old_second - by_sine * old_first);
        });
      });
}

simtsparseStatus_t simtsparseSpVV_bufferSize(simtsparseHandle_t handle, simtsparseOperation_t op_x,
                                             simtsparseConstSpVecDescr_t x,
                                             simtsparseConstDnVecDescr_t y, const void* result,
                                             simtDataType compute_type, size_t* size) {
  const simtsparseStatus_t status = check(handle, x, y);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  if (any_null(result) || any_null(size) || !simtrt::valid(op_x)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  *size = kSomeBuffer;
  return compute_type == product_type(x->type) ? SIMTSPARSE_STATUS_SUCCESS
                                               : SIMTSPARSE_STATUS_NOT_SUPPORTED;
}

simtsparseStatus_t simtsparseSpVV(simtsparseHandle_t handle, simtsparseOperation_t op_x,
                                  simtsparseConstSpVecDescr_t x, simtsparseConstDnVecDescr_t y,
                                  void* result, simtDataType compute_type, void*) {
  size_t size;
  simtsparseStatus_t status =
      simtsparseSpVV_bufferSize(handle, op_x, x, y, result, compute_type, &size);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  status = submit(handle, "simtsparseSpVV", x, y, [op_x, result](auto element, const auto& pair) {
    using Element = decltype(element);
    using Value = typename Element::Value;
    Value sum{};
    pair.entries([&](const auto& first, const auto& second) {
      sum += conjugate_if(conjugates(op_x), Element::load(first)) * Element::load(second);
    });
    std::memcpy(result, &sum, sizeof sum);
  });
  // A result on the host is complete when the function returns, as in cuBLAS's dot products.
  return status == SIMTSPARSE_STATUS_SUCCESS && !handle->scalars_on_device() ? sparse_wait(*handle)
                                                                             : status;
}

}  // extern "C"
