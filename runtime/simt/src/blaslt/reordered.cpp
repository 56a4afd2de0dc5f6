#include "blaslt/reordered.h"

#include "blas/elements.h"
#include "blaslt/order.h"

#include <cstring>

namespace simtrt {
namespace {

/// Calls `use` with the offset of each element of each matrix in the caller's memory, and in a column-major copy.
template <class Use>
void for_each_element(const LtMatrixLayout& layout, const Use& use) {
  const LtMatrixLayout plain = column_major(layout);
  const auto rows = static_cast<std::int64_t>(layout.rows);
  const auto columns = static_cast<std::int64_t>(layout.columns);
  for (std::int64_t i = 0; i < layout.batch_count; ++i) {
    for (std::int64_t column = 0; column < columns; ++column) {
      for (std::int64_t row = 0; row < rows; ++row) {
        use(i * layout.batch_offset + element_offset(layout, row, column),
            i * plain.batch_offset + element_offset(plain, row, column));
      }
    }
  }
}

std::size_t bytes_of(const LtMatrixLayout& layout) {
  return layout.rows * layout.columns * static_cast<std::size_t>(layout.batch_count) *
         element_size(layout.data_type());
}

}  // namespace

LtColumnMajorCopies::LtColumnMajorCopies(const LtPlan& plan, const LtPointers& pointers)
    : d_layout_(plan.layouts.d), d_(pointers.d) {
  used_.a = copy(plan.layouts.a, pointers.a, &copy_a_);
  used_.b = copy(plan.layouts.b, pointers.b, &copy_b_);
  used_.c = copy(plan.layouts.c, pointers.c, &copy_c_);
  used_.d = d_;
  if (is_tiled(d_layout_)) {
    copy_d_.resize(bytes_of(d_layout_));
    used_.d = copy_d_.data();
  }
}

const void* LtColumnMajorCopies::copy(const LtMatrixLayout& layout, const void* data, std::vector<char>* memory) {
  if (!is_tiled(layout) || data == nullptr) return data;
  memory->resize(bytes_of(layout));
  const std::size_t size = element_size(layout.data_type());
  for_each_element(layout, [&](std::int64_t tiled, std::int64_t plain) {
    std::memcpy(element_at(memory->data(), layout.data_type(), plain), element_at(data, layout.data_type(), tiled),
                size);
  });
  return memory->data();
}

void LtColumnMajorCopies::store() const {
  if (!is_tiled(d_layout_)) return;
  const simtDataType type = d_layout_.data_type();
  const std::size_t size = element_size(type);
  for_each_element(d_layout_, [&](std::int64_t tiled, std::int64_t plain) {
    std::memcpy(element_at(d_, type, tiled), element_at(copy_d_.data(), type, plain), size);
  });
}

}  // namespace simtrt
