// Lines whose values are calls: a braced list is evaluated from left to right, arguments of a function in any order.
#pragma once

#include "answers.h"

namespace answers {

struct Exact {
  template <class... T>
  explicit Exact(const char* name, T... values) {
    exact(name, values...);
  }
};

struct Near {
  template <class... T>
  explicit Near(const char* name, double tolerance, T... values) {
    near(name, tolerance, values...);
  }
};

}  // namespace answers
