// Transfers of blocks between ranks, and the loop that performs them.
//
// A transfer receives one block from a peer, or begins with the rank's own contribution; it combines
// the block with the rank's contribution, stores the result, and sends it to a peer. Each of these
// steps is optional. All collectives are lists of such transfers (collectives.h).
//
// Transfers with one peer are performed in the order of the list, transfers with different peers at the
// same time.
#pragma once

#include "ccl/patience.h"
#include "ccl/reduction.h"
#include "ccl/transport.h"

#include <atomic>
#include <cstddef>
#include <vector>

namespace simtrt::ccl {

struct Transfer {
  int from = -1;                  ///< peer from which the block comes, or -1
  int to = -1;                    ///< peer to which the result goes, or -1
  const char* own = nullptr;      ///< own contribution, or null
  char* out = nullptr;            ///< place for the result, or null
  std::size_t count = 0;          ///< elements of the block, which has at most kSlotBytes bytes
  bool last = false;              ///< the result contains all contributions: an average divides it
  const Description* description = nullptr;
  const Reduction* reduction = nullptr;  ///< null if the block is only copied
  std::size_t element = 1;        ///< bytes of an element
};

/// Data of one rank of a communicator that its transfers use.
struct Endpoint {
  Peers& peers;
  const std::atomic<bool>& aborted;
  Patience& patience;
};

/// Performs all transfers. Throws Failure if a peer has ended or calls another operation (the failure
/// is recorded for all ranks), and Aborted if the communicator is aborted.
void perform(const Endpoint& endpoint, const std::vector<Transfer>& transfers);

}  // namespace simtrt::ccl
