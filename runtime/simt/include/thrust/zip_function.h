// thrust::zip_function: calls a function of several arguments with the elements of a tuple.
#pragma once

#include <simtrt/thrust/config.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <type_traits>
#include <utility>

THRUST_NAMESPACE_BEGIN

template <class Function>
class zip_function {
 public:
  explicit zip_function(Function function) : function_(std::move(function)) {}

  template <class Tuple>
  decltype(auto) operator()(Tuple&& elements) const {
    return call(elements, std::make_index_sequence<tuple_size<std::decay_t<Tuple>>::value>());
  }
  Function& underlying_function() const { return function_; }

 private:
  template <class Tuple, std::size_t... Index>
  decltype(auto) call(Tuple& elements, std::index_sequence<Index...>) const {
    return function_(thrust::get<Index>(elements)...);
  }
  mutable Function function_;
};

template <class Function>
zip_function<std::decay_t<Function>> make_zip_function(Function&& function) {
  return zip_function<std::decay_t<Function>>(std::forward<Function>(function));
}

THRUST_NAMESPACE_END
