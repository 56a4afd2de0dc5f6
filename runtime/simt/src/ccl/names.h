// Names of operations, types and reductions for messages, and sizes of types.
#pragma once

#include <simtccl.h>

#include <cstddef>
#include <cstdint>

namespace simtrt::ccl {

/// Kinds of operations. The values are part of the layout of a channel.
enum class Kind : std::uint32_t {
  kAllReduce, kReduce, kBroadcast, kAllGather, kReduceScatter, kSend, kSplit
};

/// Value of Description::op for operations without a reduction.
inline constexpr std::uint32_t kNoOp = 0xffffffff;

const char* name_of_kind(std::uint32_t kind);
const char* name_of_type(std::uint32_t type);
const char* name_of_op(std::uint32_t op);
/// Bytes of an element; 0 for an invalid type.
std::size_t size_of(simtcclDataType_t type);

}  // namespace simtrt::ccl
