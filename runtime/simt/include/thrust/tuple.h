// thrust::tuple: the standard library's class. Kernels may call its functions, because all code
// runs on the host.
#pragma once

#include <simtrt/thrust/config.h>
#include <thrust/pair.h>

#include <tuple>

THRUST_NAMESPACE_BEGIN

using std::get;
using std::make_tuple;
using std::tie;

template <class... Ts>
using tuple = std::tuple<Ts...>;
template <std::size_t I, class T>
using tuple_element = std::tuple_element<I, T>;
template <class T>
using tuple_size = std::tuple_size<T>;

THRUST_NAMESPACE_END
