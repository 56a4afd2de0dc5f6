// Traits of types that programs take from thrust's internal header, by the names of C++11.
#pragma once

#include <simtrt/thrust/config.h>

#include <type_traits>

THRUST_NAMESPACE_BEGIN

namespace detail {

using std::add_const;
using std::conditional;
using std::enable_if;
using std::integral_constant;
using std::is_arithmetic;
using std::is_const;
using std::is_convertible;
using std::is_floating_point;
using std::is_integral;
using std::is_pointer;
using std::is_same;
using std::make_unsigned;
using std::remove_const;
using std::remove_cv;
using std::remove_reference;
using true_type = std::true_type;
using false_type = std::false_type;

}  // namespace detail

THRUST_NAMESPACE_END
