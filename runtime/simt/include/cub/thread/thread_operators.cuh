// Function objects of cub. Interface: CUDA 12.4, cub/thread/thread_operators.cuh.
#pragma once

#include <simtrt/cub/functors.h>

CUB_NAMESPACE_BEGIN

/// Conversion to B.
template <class B>
struct CastOp {
  template <class A>
  B operator()(A&& a) const {
    return static_cast<B>(a);
  }
};

/// Operator with exchanged operands.
template <class ScanOp>
class SwizzleScanOp {
 public:
  explicit SwizzleScanOp(ScanOp scan_op) : scan_op_(scan_op) {}

  template <class T>
  T operator()(const T& a, const T& b) {
    T left(b), right(a);
    return scan_op_(left, right);
  }

 private:
  ScanOp scan_op_;
};

/// Reduction of (number of segment heads, value) pairs: a head begins a new value.
template <class ReductionOpT>
struct ReduceBySegmentOp {
  ReductionOpT op;

  ReduceBySegmentOp() = default;
  explicit ReduceBySegmentOp(ReductionOpT op) : op(op) {}

  template <class KeyValuePairT>
  KeyValuePairT operator()(const KeyValuePairT& first, const KeyValuePairT& second) {
    KeyValuePairT result;
    result.key = first.key + second.key;
    result.value = second.key ? second.value : op(first.value, second.value);
    return result;
  }
};

/// Reduction of (key, value) pairs: another key begins a new value.
template <class ReductionOpT>
struct ReduceByKeyOp {
  ReductionOpT op;

  ReduceByKeyOp() = default;
  explicit ReduceByKeyOp(ReductionOpT op) : op(op) {}

  template <class KeyValuePairT>
  KeyValuePairT operator()(const KeyValuePairT& first, const KeyValuePairT& second) {
    KeyValuePairT result = second;
    if (first.key == second.key) result.value = op(first.value, result.value);
    return result;
  }
};

template <class BinaryOpT>
struct BinaryFlip {
  BinaryOpT binary_op;

  explicit BinaryFlip(BinaryOpT binary_op) : binary_op(binary_op) {}

  template <class T, class U>
  auto operator()(T&& t, U&& u) -> decltype(binary_op(u, t)) {
    return binary_op(u, t);
  }
};

template <class BinaryOpT>
BinaryFlip<BinaryOpT> MakeBinaryFlip(BinaryOpT binary_op) {
  return BinaryFlip<BinaryOpT>(binary_op);
}

CUB_NAMESPACE_END
