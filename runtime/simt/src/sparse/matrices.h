// Access to matrices for the loops of simtsparse: by entry, by row, and by position.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sparse/descriptors.h"
#include "sparse/elements.h"

namespace simtrt {

/// Indices of 32 or 64 bits, converted to base 0.
class Indices {
 public:
  Indices(const void* data, simtsparseIndexType_t type, std::int64_t base, std::int64_t first)
      : narrow_(type == SIMTSPARSE_INDEX_32I ? static_cast<const std::int32_t*>(data) + first
                                             : nullptr),
        wide_(type == SIMTSPARSE_INDEX_64I ? static_cast<const std::int64_t*>(data) + first
                                           : nullptr),
        base_(base) {}

  std::int64_t operator[](std::int64_t i) const {
    return (narrow_ != nullptr ? narrow_[i] : wide_[i]) - base_;
  }

 private:
  const std::int32_t* narrow_;
  const std::int64_t* wide_;
  std::int64_t base_;
};

/// Entries of one sparse matrix of a batch.
template <class Element>
class SparseView {
 public:
  using Value = typename Element::Value;

  SparseView(const simtsparseSpMatDescr& matrix, int index)
      : format_(matrix.format),
        rows_(matrix.rows),
        columns_(matrix.columns),
        nnz_(matrix.nnz),
        block_rows_(matrix.block_rows),
        block_columns_(matrix.block_columns),
        row_step_(matrix.block_order == SIMTSPARSE_ORDER_ROW ? matrix.block_columns : 1),
        column_step_(matrix.block_order == SIMTSPARSE_ORDER_ROW ? 1 : matrix.block_rows),
        width_(matrix.width),
        row_indices_(matrix.row_indices, matrix.row_index_type, matrix.base,
                     index * matrix.offsets_stride),
        column_indices_(matrix.column_indices, matrix.column_index_type, matrix.base,
                        index * matrix.entries_stride),
        values_(static_cast<typename Element::Storage*>(matrix.values) +
                index * matrix.values_stride) {}

  /// Calls `use(column, value)` for the entries of a row of a matrix in another format than CSC. The entries of a COO
  /// matrix must be sorted by row.
  template <class Use>
  void row(std::int64_t i, const Use& use) const {
    row_places(i, [&](std::int64_t column, auto& value) { use(column, Element::load(value)); });
  }

  /// Calls `use(column, value, position)` for the entries of a row. `position` is the index of the
  /// value, so that the caller can write it.
  template <class Use>
  void row_places(std::int64_t i, const Use& use) const {
    // The offsets of a matrix without entries may be null.
    if (nnz_ == 0) {
      return;
    }
    switch (format_) {
      case SparseFormat::kBsr: return bsr_row(i, use);
      case SparseFormat::kBlockedEll: return blocked_ell_row(i, use);
      case SparseFormat::kSlicedEll: return sliced_ell_row(i, use);
      case SparseFormat::kCoo: return coo_row(i, use);
      case SparseFormat::kCsr:
      case SparseFormat::kCsc: break;
    }
    const std::int64_t end = row_indices_[i + 1];
    for (std::int64_t e = row_indices_[i]; e < end; ++e) {
      use(column_indices_[e], values_[e]);
    }
  }

  /// Calls `use(row, column, value)` for every entry.
  template <class Use>
  void entries(const Use& use) const {
    if (format_ == SparseFormat::kCoo) {
      for (std::int64_t e = 0; e < nnz_; ++e) {
        use(row_indices_[e], column_indices_[e], Element::load(values_[e]));
      }
      return;
    }
    if (format_ == SparseFormat::kCsc) {
      for (std::int64_t j = 0; j < columns_ && nnz_ > 0; ++j) {
        const std::int64_t end = row_indices_[j + 1];
        for (std::int64_t e = row_indices_[j]; e < end; ++e) {
          use(column_indices_[e], j, Element::load(values_[e]));
        }
      }
      return;
    }
    for (std::int64_t i = 0; i < rows_; ++i) {
      row(i, [&](std::int64_t column, Value value) { use(i, column, value); });
    }
  }

 private:
  template <class Use>
  void coo_row(std::int64_t i, const Use& use) const {
    std::int64_t first = 0;
    for (std::int64_t end = nnz_; first < end;) {
      const std::int64_t middle = (first + end) / 2;
      if (row_indices_[middle] < i) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    for (std::int64_t e = first; e < nnz_ && row_indices_[e] == i; ++e) {
      use(column_indices_[e], values_[e]);
    }
  }

  template <class Use>
  void bsr_row(std::int64_t i, const Use& use) const {
    const std::int64_t end = row_indices_[i / block_rows_ + 1];
    for (std::int64_t e = row_indices_[i / block_rows_]; e < end; ++e) {
      auto* const line = values_ + e * block_rows_ * block_columns_ + i % block_rows_ * row_step_;
      const std::int64_t first = column_indices_[e] * block_columns_;
      for (std::int64_t j = 0; j < block_columns_; ++j) {
        use(first + j, line[j * column_step_]);
      }
    }
  }

  // A negative index marks padding in both ELL formats, with each index base.
  template <class Use>
  void blocked_ell_row(std::int64_t i, const Use& use) const {
    const std::int64_t blocks = width_ / block_columns_;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t block = column_indices_[i / block_rows_ * blocks + b];
      for (std::int64_t j = 0; block >= 0 && j < block_columns_; ++j) {
        use(block * block_columns_ + j, values_[i * width_ + b * block_columns_ + j]);
      }
    }
  }

  template <class Use>
  void sliced_ell_row(std::int64_t i, const Use& use) const {
    const std::int64_t end = row_indices_[i / block_rows_ + 1];
    for (std::int64_t e = row_indices_[i / block_rows_] + i % block_rows_; e < end;
         e += block_rows_) {
      if (column_indices_[e] >= 0) {
        use(column_indices_[e], values_[e]);
      }
    }
  }

  SparseFormat format_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::int64_t nnz_;
  std::int64_t block_rows_;
  std::int64_t block_columns_;
  std::int64_t row_step_;
  std::int64_t column_step_;
  std::int64_t width_;
  Indices row_indices_;
  Indices column_indices_;
  typename Element::Storage* values_;
};

/// A blocked matrix, accessed row by row.
template <class T>
class BlockView {
 public:
  using Value = T;

  BlockView(simtsparseDirection_t direction, const simtsparseMatDescr& matrix, const T* values,
            const int* row_offsets, const int* column_indices, int block_size)
      : values_(values),
        row_offsets_(row_offsets),
        column_indices_(column_indices),
        base_(matrix.base),
        size_(block_size),
        row_step_(direction == SIMTSPARSE_DIRECTION_ROW ? block_size : 1),
        column_step_(direction == SIMTSPARSE_DIRECTION_ROW ? 1 : block_size) {}

  std::int64_t block_size() const { return size_; }

  /// Calls `use(column, value)` for the numbers of a row.
  template <class Use>
  void row(std::int64_t i, const Use& use) const {
    const std::int64_t end = row_offsets_[i / size_ + 1] - base_;
    for (std::int64_t e = row_offsets_[i / size_] - base_; e < end; ++e) {
      const T* const block = values_ + e * size_ * size_ + i % size_ * row_step_;
      const std::int64_t first = (column_indices_[e] - base_) * size_;
      for (std::int64_t j = 0; j < size_; ++j) {
        use(first + j, block[j * column_step_]);
      }
    }
  }

  /// True if a block row contains its diagonal block.
  bool has_diagonal_block(std::int64_t block_row) const {
    const int* const end = column_indices_ + (row_offsets_[block_row + 1] - base_);
    const int* const begin = column_indices_ + (row_offsets_[block_row] - base_);
    return std::find(begin, end, static_cast<int>(block_row + base_)) != end;
  }

 private:
  const T* values_;
  const int* row_offsets_;
  const int* column_indices_;
  std::int64_t base_;
  std::int64_t size_;
  std::int64_t row_step_;
  std::int64_t column_step_;
};

/// op(X) of one dense matrix X of a batch, accessed by position.
template <class Element>
class DenseView {
 public:
  using Value = typename Element::Value;
  using Storage = typename Element::Storage;

  DenseView(const simtsparseDnMatDescr& matrix, simtsparseOperation_t op, int index)
      : values_(static_cast<Storage*>(matrix.values) + index * matrix.stride),
        row_step_(matrix.order == SIMTSPARSE_ORDER_COL ? 1 : matrix.ld),
        column_step_(matrix.order == SIMTSPARSE_ORDER_COL ? matrix.ld : 1),
        conjugated_(conjugates(op)) {
    if (transposes(op)) {
      std::swap(row_step_, column_step_);
    }
  }

  Value at(std::int64_t i, std::int64_t j) const {
    return conjugate_if(conjugated_, Element::load(values_[i * row_step_ + j * column_step_]));
  }

  /// Replaces the value x of element (i, j) by alpha * sum + beta * x. If beta is 0, x is not read.
  void update(std::int64_t i, std::int64_t j, Value alpha, Value sum, Value beta) const {
    Storage& place = values_[i * row_step_ + j * column_step_];
    const Value product = alpha * sum;
    place = Element::store(beta == Value() ? product : product + beta * Element::load(place));
  }

  void set(std::int64_t i, std::int64_t j, Value value) const {
    values_[i * row_step_ + j * column_step_] = Element::store(value);
  }

 private:
  Storage* values_;
  std::int64_t row_step_;
  std::int64_t column_step_;
  bool conjugated_;
};

}  // namespace simtrt
