#include "kernel/warp_rendezvous.h"

namespace simtrt {

WarpRendezvous& WarpState::find_or_begin(lanemask_t mask) {
  WarpRendezvous* idle = nullptr;
  for (std::size_t index = 0; index < used_; ++index) {
    WarpRendezvous& rendezvous = *rendezvous_[index];
    if (rendezvous.mask == mask) return *(last_ = &rendezvous);
    if (rendezvous.arrived == 0 && rendezvous.readers == 0) idle = &rendezvous;
  }
  // Divergent code can use very many masks. If a warp has this many rendezvous, one without waiting
  // lanes is reused for another mask.
  constexpr std::size_t kEnough = 8;
  if (idle == nullptr || used_ < kEnough) {
    if (used_ == rendezvous_.size()) rendezvous_.push_back(std::make_unique<WarpRendezvous>());
    idle = rendezvous_[used_++].get();
  }
  idle->mask = mask;
  idle->arrived = 0;
  idle->readers = 0;
  idle->generation = 0;
  idle->waiting.clear();
  return *(last_ = idle);
}

}  // namespace simtrt
