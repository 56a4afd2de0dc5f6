// Code shared by the device-wide algorithms of cub: the call in two phases, and loops over chunks.
//
// An algorithm is a host loop that runs in stream order. The size of chunks is independent of the
// number of workers, so that floating-point results do not depend on the machine.
//
// Ownership: the caller owns inputs, outputs and temporary storage until the stream has executed
// the algorithm.
// Threads and memory ordering: as in simtrt/enqueue.h.
#pragma once

#include <simtrt/cub/functors.h>
#include <simtrt/enqueue.h>
#include <simtrt/partial_sums.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

CUB_NAMESPACE_BEGIN

namespace detail {

/// Number of items that a worker takes at a time.
inline constexpr std::int64_t kChunk = 1 << 14;

/// Implements cub's calls in two phases. If `temp_storage` is null, only sets `temp_storage_bytes`
/// to the required size, one byte. A host loop needs no storage, but an allocation of zero bytes
/// would give a null pointer, and the second phase would look like the first. With storage, submits
/// `work` to the stream. Errors: simtErrorInvalidValue for insufficient storage, and those of
/// simtrt::enqueue.
template <class Work>
simtError_t in_two_phases(void* temp_storage, std::size_t& temp_storage_bytes, simtStream_t stream,
                          const char* name, Work work) {
  constexpr std::size_t kBytes = 1;
  if (temp_storage == nullptr) {
    temp_storage_bytes = kBytes;
    return simtSuccess;
  }
  if (temp_storage_bytes < kBytes) return simtErrorInvalidValue;
  return simtrt::enqueue(stream, name, std::move(work));
}

/// Calls `body(chunk, begin, end)` for each chunk of [0, count), on all workers.
template <class Body>
void for_each_chunk(std::int64_t count, Body body) {
  const std::int64_t chunks = (count + kChunk - 1) / kChunk;
  simtrt::parallel_for(static_cast<std::size_t>(chunks), 1,
                       [&](std::size_t first, std::size_t last) {
                         for (std::size_t chunk = first; chunk < last; ++chunk) {
                           const std::int64_t begin = static_cast<std::int64_t>(chunk) * kChunk;
                           body(chunk, begin, begin + kChunk < count ? begin + kChunk : count);
                         }
                       });
}

/// Reduction of `init` and in[begin] to in[end - 1], over partial results.
template <class AccumT, class Iterator, class Op>
AccumT fold(Iterator in, std::int64_t begin, std::int64_t end, Op& op, AccumT init) {
  const auto item = [&](std::int64_t i) { return static_cast<value_t<Iterator>>(in[i]); };
  // Few items are combined in sequence, so that the place of a NaN among them matters as on a GPU.
  const std::int64_t first = begin + simtrt::kPartial < end ? begin + simtrt::kPartial : end;
  for (std::int64_t i = begin; i < first; ++i) init = static_cast<AccumT>(op(init, item(i)));
  if (first >= end) return init;
  const AccumT total = simtrt::reduce_partially<AccumT>(item, first, end, op);
  return static_cast<AccumT>(op(init, total));
}

/// Separate reduction of each chunk of `in`.
template <class AccumT, class Iterator, class Op>
std::vector<std::optional<AccumT>> fold_chunks(Iterator in, std::int64_t count, const Op& op) {
  std::vector<std::optional<AccumT>> totals(
      static_cast<std::size_t>((count + kChunk - 1) / kChunk));
  for_each_chunk(count, [&](std::size_t chunk, std::int64_t begin, std::int64_t end) {
    Iterator items = in;
    Op combine = op;
    totals[chunk] = fold(items, begin + 1, end, combine,
                         static_cast<AccumT>(static_cast<value_t<Iterator>>(items[begin])));
  });
  return totals;
}

/// Reduction of `init` and all items of `in`.
template <class AccumT, class Iterator, class Op>
AccumT reduce(Iterator in, std::int64_t count, Op op, AccumT init) {
  if (count <= kChunk) return fold(in, 0, count, op, init);
  for (const std::optional<AccumT>& total : fold_chunks<AccumT>(in, count, op)) {
    init = static_cast<AccumT>(op(init, *total));
  }
  return init;
}

/// Sets item i of `out` to the reduction of `init`, if there is one, and of all items before i; if
/// INCLUSIVE, also of item i.
template <bool INCLUSIVE, class AccumT, class In, class Out, class Op>
void scan(In in, Out out, std::int64_t count, Op op, std::optional<AccumT> init) {
  const auto scan_part = [](In items, Out target, std::int64_t begin, std::int64_t end, Op combine,
                            std::optional<AccumT> before) {
    // In PyTorch's shifted scans, the last item of an exclusive scan lies behind the array.
    simtrt::scan_partially<INCLUSIVE>(
        [&](std::int64_t i) { return static_cast<value_t<In>>(items[i]); },
        [&](std::int64_t i, const AccumT& value) { target[i] = value; }, begin, end, combine,
        before);
  };
  if (count <= kChunk) return scan_part(in, out, 0, count, op, init);
  // Nothing reads the total of the last chunk.
  std::vector<std::optional<AccumT>> before =
      fold_chunks<AccumT>(in, (count - 1) / kChunk * kChunk, op);
  before.emplace_back();
  for (std::optional<AccumT>& total : before) {
    const std::optional<AccumT> mine = total;
    total = init;
    if (mine.has_value()) init = init.has_value() ? static_cast<AccumT>(op(*init, *mine)) : *mine;
  }
  for_each_chunk(count, [&](std::size_t chunk, std::int64_t begin, std::int64_t end) {
    scan_part(in, out, begin, end, op, before[chunk]);
  });
}

}  // namespace detail

CUB_NAMESPACE_END
