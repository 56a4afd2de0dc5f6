#include "ccl/names.h"

#include <iterator>

namespace simtrt::ccl {
namespace {

constexpr const char* kKinds[] = {"all_reduce",     "reduce",         "broadcast", "all_gather",
                                  "reduce_scatter", "send or receive", "split"};

struct Type {
  const char* name;
  std::size_t size;
};
constexpr Type kTypes[] = {{"int8", 1},   {"uint8", 1},  {"int32", 4},   {"uint32", 4},
                           {"int64", 8},  {"uint64", 8}, {"float16", 2}, {"float32", 4},
                           {"float64", 8}, {"bfloat16", 2}};
static_assert(std::size(kTypes) == simtcclNumTypes);

constexpr const char* kOps[] = {"sum", "prod", "max", "min", "avg"};
static_assert(std::size(kOps) == simtcclNumOps);

}  // namespace

const char* name_of_kind(std::uint32_t kind) {
  return kind < std::size(kKinds) ? kKinds[kind] : "unknown operation";
}

const char* name_of_type(std::uint32_t type) {
  return type < std::size(kTypes) ? kTypes[type].name : "elements of an unknown type";
}

const char* name_of_op(std::uint32_t op) {
  return op < std::size(kOps) ? kOps[op] : "scaled sum";
}

std::size_t size_of(simtcclDataType_t type) {
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(kTypes) ? kTypes[index].size : 0;
}

}  // namespace simtrt::ccl
