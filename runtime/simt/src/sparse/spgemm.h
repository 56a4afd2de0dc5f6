// Products of two sparse matrices: a row of C is a sum of rows of B (Gustavson, "Two fast
// algorithms for sparse matrices", ACM TOMS 1978). Shared by SpGEMM and SpGEMMreuse.
//
// Ownership, threads and memory ordering: as in descriptors.h.
#pragma once

#include "sparse/context.h"
#include "sparse/product.h"

namespace simtrt {

struct Operands {
  simtsparseSpMatDescr a;
  simtsparseSpMatDescr b;
  simtsparseSpMatDescr c;
};

/// Rows of C that one worker has computed.
template <class Element>
struct RowBlock {
  std::vector<std::int32_t> counts;
  std::vector<std::int32_t> columns;
  std::vector<typename Element::Storage> values;
};

/// Row under construction: one sum for each column with an entry.
template <class Value>
class RowSums {
 public:
  explicit RowSums(std::int64_t columns)
      : sums_(static_cast<std::size_t>(columns)), met_in_(sums_.size(), -1) {}

  void begin(std::int64_t row) {
    row_ = row;
    met_.clear();
  }
  void add(std::int64_t column, Value value) {
    const auto place = static_cast<std::size_t>(column);
    if (met_in_[place] != row_) {
      met_in_[place] = row_;
      met_.push_back(static_cast<std::int32_t>(column));
      sums_[place] = Value();
    }
    sums_[place] += value;
  }
  const std::vector<std::int32_t>& sorted_columns() {
    std::sort(met_.begin(), met_.end());
    return met_;
  }
  Value sum(std::int32_t column) const { return sums_[static_cast<std::size_t>(column)]; }

 private:
  std::vector<Value> sums_;
  std::vector<std::int64_t> met_in_;  // last row with an entry in the column
  std::vector<std::int32_t> met_;
  std::int64_t row_ = -1;
};

template <class Element>
RowBlock<Element> multiply_rows(const Operands& p, typename Element::Value alpha,
                                typename Element::Value beta, std::int64_t begin,
                                std::int64_t end) {
  using Value = typename Element::Value;
  const SparseView<Element> a(p.a, 0);
  const SparseView<Element> b(p.b, 0);
  const SparseView<Element> c(p.c, 0);
  RowSums<Value> sums(p.c.columns);
  RowBlock<Element> block;
  for (std::int64_t i = begin; i < end; ++i) {
    sums.begin(i);
    a.row(i, [&](std::int64_t k, Value left) {
      b.row(k, [&](std::int64_t j, Value right) { sums.add(j, alpha * (left * right)); });
    });
    if (beta != Value()) {
      c.row(i, [&](std::int64_t j, Value old) { sums.add(j, beta * old); });
    }
    for (const std::int32_t j : sums.sorted_columns()) {
      block.columns.push_back(j);
      block.values.push_back(Element::store(sums.sum(j)));
    }
    block.counts.push_back(static_cast<std::int32_t>(sums.sorted_columns().size()));
  }
  return block;
}

/// C = alpha A B + beta C.
template <class Element>
void multiply(const Operands& p, typename Element::Value alpha, typename Element::Value beta,
              SparseResult& result) {
  constexpr std::int64_t kBlocks = 32;
  std::vector<RowBlock<Element>> blocks(kBlocks);
  const double work = static_cast<double>(p.a.nnz + p.b.nnz + p.c.rows + p.c.columns);
  spread(kBlocks, work, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      blocks[static_cast<std::size_t>(i)] =
          multiply_rows<Element>(p, alpha, beta, p.c.rows * i / kBlocks, p.c.rows * (i + 1) / kBlocks);
    }
  });
  result.row_offsets.assign(1, 0);
  for (const RowBlock<Element>& block : blocks) {
    for (const std::int32_t count : block.counts) {
      result.row_offsets.push_back(result.row_offsets.back() + count);
    }
    result.column_indices.insert(result.column_indices.end(), block.columns.begin(),
                                 block.columns.end());
    const auto* const bytes = reinterpret_cast<const unsigned char*>(block.values.data());
    result.values.insert(result.values.end(), bytes,
                         bytes + block.values.size() * sizeof(typename Element::Storage));
  }
}

inline bool is_narrow_csr(const simtsparseSpMatDescr& matrix) {
  return matrix.format == SparseFormat::kCsr && matrix.batch == 1 &&
         matrix.row_index_type == SIMTSPARSE_INDEX_32I &&
         matrix.column_index_type == SIMTSPARSE_INDEX_32I;
}

/// Checks the arguments of all functions of a product.
inline simtsparseStatus_t check_structure(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                          simtsparseOperation_t op_b,
                                          const simtsparseSpMatDescr* a,
                                          const simtsparseSpMatDescr* b,
                                          const simtsparseSpMatDescr* c,
                                          simtsparseSpGEMMAlg_t algorithm,
                                          const simtsparseSpGEMMDescr* descriptor) {
  if (handle == nullptr) {
    return SIMTSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (any_null(a, b, c) || any_null(descriptor) || !valid(op_a) || !valid(op_b) ||
      algorithm < SIMTSPARSE_SPGEMM_DEFAULT || algorithm > SIMTSPARSE_SPGEMM_ALG3 ||
      a->columns != b->rows || a->rows != c->rows || b->columns != c->columns) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (transposes(op_a) || transposes(op_b) || !is_narrow_csr(*a) || !is_narrow_csr(*b) ||
      !is_narrow_csr(*c) || a->type != b->type || a->type != c->type) {
    return SIMTSPARSE_STATUS_NOT_SUPPORTED;
  }
  return SIMTSPARSE_STATUS_SUCCESS;
}

/// Checks the arguments of a function that computes values.
inline simtsparseStatus_t check_product(simtsparseHandle_t handle, simtsparseOperation_t op_a,
                                        simtsparseOperation_t op_b, const void* alpha,
                                        const simtsparseSpMatDescr* a,
                                        const simtsparseSpMatDescr* b, const void* beta,
                                        const simtsparseSpMatDescr* c, simtDataType compute_type,
                                        simtsparseSpGEMMAlg_t algorithm,
                                        const simtsparseSpGEMMDescr* descriptor) {
  if (handle != nullptr && any_null(alpha, beta)) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  const simtsparseStatus_t status =
      check_structure(handle, op_a, op_b, a, b, c, algorithm, descriptor);
  if (status != SIMTSPARSE_STATUS_SUCCESS) {
    return status;
  }
  return compute_type == a->type || compute_type == product_type(a->type)
             ? SIMTSPARSE_STATUS_SUCCESS
             : SIMTSPARSE_STATUS_NOT_SUPPORTED;
}

/// Writes the structure of a result to the offsets and column indices of C.
inline void copy_structure(const SparseResult& result, const simtsparseSpMatDescr& c) {
  const auto from_base = [base = static_cast<std::int32_t>(c.base)](std::int32_t index) {
    return index + base;
  };
  std::transform(result.row_offsets.begin(), result.row_offsets.end(),
                 static_cast<std::int32_t*>(c.row_indices), from_base);
  std::transform(result.column_indices.begin(), result.column_indices.end(),
                 static_cast<std::int32_t*>(c.column_indices), from_base);
}

/// Result of an estimation whose other arguments are valid: the size of a buffer, if the caller has none yet.
inline simtsparseStatus_t tell_buffer_size(std::size_t* size, const void* buffer) {
  if (size == nullptr) {
    return SIMTSPARSE_STATUS_INVALID_VALUE;
  }
  if (buffer == nullptr) {
    *size = kSomeBuffer;
  }
  return SIMTSPARSE_STATUS_SUCCESS;
}

}  // namespace simtrt
