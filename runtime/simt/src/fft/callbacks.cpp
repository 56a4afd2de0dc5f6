#include "fft/callbacks.h"

#include <simtrt/enqueue.h>

#include <new>
#include <vector>

#include "fft/lines.h"

namespace simtrt::fft {

namespace {

using Lengths = std::array<std::size_t, kMaxRank>;

std::size_t number_count(const Shape& shape, const Lengths& lengths) {
  std::size_t count = shape.batch;
  for (int d = 0; d < shape.rank; ++d) {
    count *= lengths[d];
  }
  return count;
}

std::shared_ptr<void> memory_for(const Shape& shape, const Lengths& lengths) {
  const std::size_t bytes =
      shape.precision == Precision::kDouble ? sizeof(Complex<double>) : sizeof(Complex<float>);
  constexpr std::align_val_t kAlignment{64};
  void* memory = ::operator new(number_count(shape, lengths) * bytes, kAlignment, std::nothrow);
  return {memory, [](void* old) { ::operator delete(old, std::align_val_t(64)); }};
}

/// Calls body(offset, place, shared) for each number: its offset in the program's array, and its
/// place in a contiguous array.
template <class Body>
void for_each_number(const Shape& shape, const Lengths& lengths, const Strides& strides,
                     std::size_t shared_size, const Body& body) {
  const Strides contiguous = packed(shape.rank, lengths.data());
  const int last = shape.rank - 1;
  Lines rows;
  rows.repeat(shape.batch, strides.batch, contiguous.batch);
  for (int d = 0; d < last; ++d) {
    rows.repeat(lengths[d], strides.dimension[d], contiguous.dimension[d]);
  }
  constexpr std::size_t kHandOverNumbers = 1 << 13;
  const std::size_t grain = std::max<std::size_t>(1, kHandOverNumbers / lengths[last]);
  parallel_for(rows.count(), grain, [&](std::size_t begin, std::size_t end) {
    std::vector<std::max_align_t> shared((shared_size + sizeof(std::max_align_t) - 1) /
                                         sizeof(std::max_align_t));
    for (std::size_t row = begin; row < end; ++row) {
      const auto [at, place] = rows.begin_of(row);
      for (std::size_t i = 0; i < lengths[last]; ++i) {
        const auto step = static_cast<std::ptrdiff_t>(i);
        body(static_cast<std::size_t>(at + step * strides.dimension[last]), place + step,
             shared.data());
      }
    }
  });
}

template <class Number>
void load_all(const Shape& shape, const Strides& strides, const Callback& callback, const void* in,
              void* loaded) {
  using Load = Number (*)(void*, std::size_t, void*, void*);
  const auto load = reinterpret_cast<Load>(callback.function);
  auto* to = static_cast<Number*>(loaded);
  for_each_number(shape, input_of(shape), strides, callback.shared_size,
                  [&](std::size_t offset, std::ptrdiff_t place, void* shared) {
                    to[place] = load(const_cast<void*>(in), offset, callback.info, shared);
                  });
}

template <class Number>
void store_all(const Shape& shape, const Strides& strides, const Callback& callback,
               const void* results, void* out) {
  using Store = void (*)(void*, std::size_t, Number, void*, void*);
  const auto store = reinterpret_cast<Store>(callback.function);
  const auto* from = static_cast<const Number*>(results);
  for_each_number(shape, output_of(shape), strides, callback.shared_size,
                  [&](std::size_t offset, std::ptrdiff_t place, void* shared) {
                    store(out, offset, from[place], callback.info, shared);
                  });
}

/// Calls `body` with a number of the type that input or output have.
template <class Body>
void with_type(Precision precision, bool is_real, const Body& body) {
  if (precision == Precision::kDouble) {
    is_real ? body(simtfftDoubleReal()) : body(simtfftDoubleComplex());
  } else {
    is_real ? body(simtfftReal()) : body(simtfftComplex());
  }
}

}  // namespace

Callback* callback_of(simtfftXtCallbackType type, const Shape& shape, Callbacks* callbacks) {
  if (shape.precision == Precision::kHalf) {
    return nullptr;
  }
  // The numbers of the types: precision, plus 2 for real numbers, plus 4 for callbacks that store.
  const int precision = shape.precision == Precision::kDouble ? 1 : 0;
  const int load = precision + (shape.kind == Kind::kRealForward ? SIMTFFT_CB_LD_REAL : 0);
  const int store = precision + (shape.kind == Kind::kRealBackward ? SIMTFFT_CB_ST_REAL
                                                                   : SIMTFFT_CB_ST_COMPLEX);
  return type == load ? &callbacks->load : type == store ? &callbacks->store : nullptr;
}

std::shared_ptr<const CallbackRun> CallbackRun::make(const Shape& shape,
                                                     const Callbacks& callbacks) {
  std::shared_ptr<CallbackRun> run(new (std::nothrow) CallbackRun);
  if (!run) {
    return nullptr;
  }
  run->shape_ = shape;
  run->callbacks_ = callbacks;
  if (callbacks.load.function != nullptr) {
    run->loaded_ = memory_for(shape, input_of(shape));
  }
  if (callbacks.store.function != nullptr) {
    run->unstored_ = memory_for(shape, output_of(shape));
  }
  const bool has_memory = (!callbacks.load.function || run->loaded_ != nullptr) &&
                          (!callbacks.store.function || run->unstored_ != nullptr);
  return has_memory ? run : nullptr;
}

void CallbackRun::transform(const Transform& transform, const void* in, const Strides& in_strides,
                            void* out, const Strides& out_strides, void* work,
                            bool inverse) const {
  const void* input = in;
  void* output = out;
  Strides from = in_strides, to = out_strides;
  if (loaded_) {
    with_type(shape_.precision, shape_.kind == Kind::kRealForward, [&](auto number) {
      load_all<decltype(number)>(shape_, in_strides, callbacks_.load, in, loaded_.get());
    });
    input = loaded_.get();
    from = packed(shape_.rank, input_of(shape_).data());
  }
  if (unstored_) {
    output = unstored_.get();
    to = packed(shape_.rank, output_of(shape_).data());
  }
  transform.run(input, from, output, to, work, inverse);
  if (unstored_) {
    with_type(shape_.precision, shape_.kind == Kind::kRealBackward, [&](auto number) {
      store_all<decltype(number)>(shape_, out_strides, callbacks_.store, output, out);
    });
  }
}

}  // namespace simtrt::fft
