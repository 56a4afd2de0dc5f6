// PyTorch's elementwise operators: a function of the elements at one place of all tensors.
//
// A GPU gives an element to a thread. Here a thread takes many elements, and an operator has one loop, over elements that lie side
// by side, which the compiler can vectorize (`Elementwise::apply`). Elements that lie apart or have other types are copied to and
// from buffers; this code is the same for all operators. The port's patches of CUDALoops.cuh (mappings/simt/loops.yaml) launch
// these kernels in the place of PyTorch's.
#pragma once

#include <simt_element_loops.h>
#include <simt_type_casts.h>
#include <simtrt/kernel/wide_vectors.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace simtrt {

/// Addresses of the elements at one place of all tensors. Tensor 0 is the result, the others are the arguments.
template <std::size_t tensors>
struct Elements {
  char* of[tensors];

  template <class Distances>
  Elements moved(const Distances& distances) const {
    Elements elements = *this;
    for (std::size_t tensor = 0; tensor < tensors; ++tensor) elements.of[tensor] += distances[tensor];
    return elements;
  }
};

/// Elementwise operator: a functor with PyTorch's `function_traits`.
template <class Traits, class Function, class Arguments = std::make_index_sequence<Traits::arity>>
struct Elementwise;

template <class Traits, class Function, std::size_t... I>
struct Elementwise<Traits, Function, std::index_sequence<I...>> {
  using Result = typename Traits::result_type;
  template <std::size_t i>
  using Argument = std::decay_t<typename Traits::template arg<i>::type>;

  static constexpr std::size_t kTensors = sizeof...(I) + 1;
  static constexpr std::int64_t kSizes[kTensors] = {sizeof(Result), sizeof(Argument<I>)...};

  /// Writes the names of the types of the result and of the arguments. `TypeOf<T>::value` is the name of a type.
  template <template <class> class TypeOf, class Type>
  static void name_types(Type* names) {
    std::size_t tensor = 0;
    names[tensor++] = TypeOf<Result>::value;
    ((names[tensor++] = TypeOf<Argument<I>>::value), ...);
  }

  /// Computes `count` elements, which lie side by side in all tensors. `function` is a `Function`.
  __attribute__((noinline)) static void apply(const void* function, const Elements<kTensors>& elements, int count) {
    with_wide_vectors([function, &elements, count] {
      // Copies that nobody can change: they stay in registers, though the elements may have any type.
      const Function own = *static_cast<const Function*>(function);
      const Elements<kTensors> all = elements;
      const int end = count;
      // The index is an `int`, as in PyTorch's kernels: the compiler vectorizes no accesses by an index that may wrap.
      // An operator's output overlaps its input only where both are the same element.
#pragma GCC ivdep
      for (int i = 0; i < end; ++i)
        reinterpret_cast<Result*>(all.of[0])[i] = own(load_element<Argument<I>>(all.of[I + 1] + i * kSizes[I + 1])...);
    });
  }
};

/// Elements that a thread copies or converts at a time.
inline constexpr int kElementsOfPart = 256;
/// Columns of a part whose elements lie far apart, as in a transposed matrix: neighbours of an element in its cache line belong
/// to the next rows, and are used before the line is replaced.
inline constexpr int kColumnsApart = 8;
/// Size in bytes of PyTorch's largest type.
inline constexpr std::size_t kLargestElement = 16;

/// Tensors of an operator whose elements lie apart, or have other types than the operator's values.
template <class Type, std::size_t tensors>
struct Operands {
  /// `at::native::convertSIMTElements`, or null if no type differs.
  void (*convert)(Type, const ElementRows&, Type, const ElementRows&, int, int);
  Type types[tensors];
  Type value_types[tensors];
  std::int64_t value_sizes[tensors];
  /// Elements of a thread.
  unsigned share;

  using Apply = void (*)(const void*, const Elements<tensors>&, int);

  /// Computes the elements of a thread, in the order of `Calculator`, PyTorch's OffsetCalculator: the first dimension is the
  /// fastest. A part has several rows if rows are short or elements lie far apart.
  template <class Calculator>
  __attribute__((noinline, flatten)) void compute(unsigned count, const Calculator& calculator, const Elements<tensors>& elements,
                                                  Apply apply, const void* function) const {
    const unsigned row = size_of(calculator, 0), rows = size_of(calculator, 1);
    const unsigned widest = std::min<unsigned>(row, is_apart(calculator) ? kColumnsApart : kElementsOfPart);
    unsigned index = blockIdx.x * share;
    const unsigned end = count - index < share ? count : index + share;
    while (index < end) {
      const unsigned column = index % row;
      unsigned part_rows = 1, columns = std::min(row - column, end - index);
      if (column == 0 && columns == row)
        part_rows = std::min({kElementsOfPart / widest, (end - index) / row, rows - index / row % rows});
      const Elements<tensors> first = elements.moved(calculator.get(index));
      const unsigned step = part_rows == 1 ? kElementsOfPart : widest;
      for (unsigned begin = 0; begin < columns; begin += step)
        compute_part(calculator, first, begin, std::min(columns - begin, step), part_rows, apply, function);
      index += part_rows * columns;
    }
  }

  /// Number of threads for `count` elements, which is not 0. A thread takes some rows of tensors whose elements lie far apart.
  template <class Calculator>
  unsigned divide(unsigned count, const Calculator& calculator) {
    share = kElementsOfThread;
    if (is_apart(calculator))
      share = std::max(share, std::min(size_of(calculator, 0), count / kRowsOfTile) * kRowsOfTile);
    return (count - 1) / share + 1;
  }

 private:
  template <class Calculator>
  static unsigned size_of(const Calculator& calculator, int dimension) {
    return calculator.dims > dimension ? calculator.sizes_[dimension].divisor : 1;
  }

  template <class Calculator>
  static bool is_apart(const Calculator& calculator) {
    bool apart = false;
    if (size_of(calculator, 0) > 1 && size_of(calculator, 1) > 1)
      for (std::size_t tensor = 0; tensor < tensors; ++tensor) apart = apart || calculator.strides_[0][tensor] >= kFarStride;
    return apart;
  }

  /// Computes the columns from `begin` on of some rows. `first` is the first element of the first row.
  template <class Calculator>
  void compute_part(const Calculator& calculator, const Elements<tensors>& first, unsigned begin, int columns, int rows,
                    Apply apply, const void* function) const {
    alignas(64) char buffers[tensors][kElementsOfPart * kLargestElement];
    Elements<tensors> values;
    ElementRows result, buffer;
    for (std::size_t tensor = tensors; tensor-- > 0;) {
      const std::int64_t stride = calculator.strides_[0][tensor], size = value_sizes[tensor];
      const std::int64_t row_stride = rows == 1 ? 0 : calculator.strides_[1][tensor];
      result = {first.of[tensor] + begin * stride, stride, row_stride};
      buffer = {buffers[tensor], size, size * columns};
      const bool dense = (stride == size || columns == 1) && (rows == 1 || row_stride == buffer.row_stride);
      if (dense && !converted(tensor)) {
        values.of[tensor] = buffer.first = result.first;
      } else {
        values.of[tensor] = buffer.first;
        if (tensor != 0) copy(tensor, result, types, buffer, value_types, columns, rows);
      }
    }
    apply(function, values, columns * rows);
    if (buffer.first != result.first) copy(0, buffer, value_types, result, types, columns, rows);
  }

  bool converted(std::size_t tensor) const { return convert != nullptr && types[tensor] != value_types[tensor]; }

  void copy(std::size_t tensor, const ElementRows& from, const Type* from_types, const ElementRows& to, const Type* to_types,
            int columns, int rows) const {
    if (converted(tensor))
      convert(from_types[tensor], from, to_types[tensor], to, columns, rows);
    else
      copy_elements(value_sizes[tensor], from, to, columns, rows);
  }
};

template <class Operator, class Function>
__global__ void run_dense(unsigned count, const Function function, const Elements<Operator::kTensors> elements) {
  const unsigned first = blockIdx.x * kElementsOfThread;
  std::int64_t distances[Operator::kTensors];
  for (std::size_t tensor = 0; tensor < Operator::kTensors; ++tensor) distances[tensor] = first * Operator::kSizes[tensor];
  Operator::apply(&function, elements.moved(distances), std::min(count - first, kElementsOfThread));
}

template <class Operator, class Calculator, class Function, class OperandsOf>
__global__ void run_parts(unsigned count, const Calculator calculator, const Function function,
                          const Elements<Operator::kTensors> elements, const OperandsOf operands) {
  operands.compute(count, calculator, elements, &Operator::apply, &function);
}

template <std::size_t tensors, class Addresses>
inline Elements<tensors> elements_at(const Addresses& addresses) {
  Elements<tensors> elements;
  for (std::size_t tensor = 0; tensor < tensors; ++tensor) elements.of[tensor] = addresses[tensor];
  return elements;
}

/// Launches an operator for `count` elements of contiguous tensors; `count` is not 0.
template <class Traits, class Function, class Addresses>
void launch_dense(std::int64_t count, simtStream_t stream, const Function& function, const Addresses& addresses) {
  using Operator = Elementwise<Traits, Function>;
  const auto elements = static_cast<unsigned>(count);
  SIMT_LAUNCH((run_dense<Operator, Function>), (threads_of(elements)), (1), (0), (stream), elements, function,
              elements_at<Operator::kTensors>(addresses));
}

template <class Operator, class Type, class Calculator, class Function, class Addresses>
void launch_parts(std::int64_t count, const Calculator& calculator, simtStream_t stream, const Function& function,
                  const Addresses& addresses, Operands<Type, Operator::kTensors>& operands) {
  if (count == 0) return;
  for (std::size_t tensor = 0; tensor < Operator::kTensors; ++tensor) operands.value_sizes[tensor] = Operator::kSizes[tensor];
  const auto elements = static_cast<unsigned>(count);
  const unsigned threads = operands.divide(elements, calculator);
  SIMT_LAUNCH((run_parts<Operator, Calculator, Function, Operands<Type, Operator::kTensors>>), (threads), (1), (0), (stream),
              elements, calculator, function, elements_at<Operator::kTensors>(addresses), operands);
}

/// Launches an operator for `count` elements of tensors with the offsets of `calculator`. `Type` is PyTorch's ScalarType.
template <class Traits, class Type, class Calculator, class Function, class Addresses>
void launch_strided(std::int64_t count, const Calculator& calculator, simtStream_t stream, const Function& function,
                    const Addresses& addresses) {
  using Operator = Elementwise<Traits, Function>;
  Operands<Type, Operator::kTensors> operands = {};
  launch_parts<Operator>(count, calculator, stream, function, addresses, operands);
}

/// Launches an operator whose tensors have other types than its values. `TypeOf<T>::value` is PyTorch's name of a type,
/// `convert` is `at::native::convertSIMTElements`, and `iter` is a TensorIterator.
template <class Traits, template <class> class TypeOf, class Iterator, class Calculator, class Function, class Addresses,
          class Convert>
void launch_converted(const Iterator& iter, const Calculator& calculator, simtStream_t stream, const Function& function,
                      const Addresses& addresses, Convert* convert) {
  using Operator = Elementwise<Traits, Function>;
  Operands<std::decay_t<decltype(iter.dtype(0))>, Operator::kTensors> operands = {};
  operands.convert = convert;
  Operator::template name_types<TypeOf>(operands.value_types);
  for (std::size_t tensor = 0; tensor < Operator::kTensors; ++tensor) operands.types[tensor] = iter.dtype(tensor);
  launch_parts<Operator>(iter.numel(), calculator, stream, function, addresses, operands);
}

}  // namespace simtrt
