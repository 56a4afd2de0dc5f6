// Collectives as lists of transfers, in NCCL's ring order.
#pragma once

#include "ccl/names.h"
#include "ccl/transfers.h"

#include <cstddef>
#include <vector>

namespace simtrt::ccl {

/// One operation of a communicator, with checked arguments.
struct Operation {
  Kind kind = Kind::kAllReduce;
  const char* send = nullptr;
  char* receive = nullptr;
  std::size_t count = 0;
  simtcclDataType_t type = simtcclInt8;
  int peer = -1;            ///< root of a rooted collective; peer of a send or receive
  bool receives = false;    ///< for Kind::kSend: true for a receive
  Reduction reduction;      ///< for collectives that reduce
  Description description;
};

/// Appends the transfers of an operation for one rank. The operation must outlive the transfers.
void append_transfers(const Operation& operation, int rank, int ranks,
                      std::vector<Transfer>& transfers);

}  // namespace simtrt::ccl
