#include "kernel/warp_run.h"

namespace simtrt {

Meeting& WarpRun::find(lanemask_t mask) {
  Meeting* idle = nullptr;
  for (std::size_t index = 0; index < used_; ++index) {
    Meeting& meeting = *meetings_[index];
    if (meeting.mask == mask) return *(last_ = &meeting);
    if (meeting.arrived == 0 && meeting.readers == 0) idle = &meeting;
  }
  // Divergent code can name very many masks: beyond a few, a meeting that nobody is at is taken
  // over.
  constexpr std::size_t kEnough = 8;
  if (idle == nullptr || used_ < kEnough) {
    if (used_ == meetings_.size()) meetings_.push_back(std::make_unique<Meeting>());
    idle = meetings_[used_++].get();
  }
  idle->mask = mask;
  idle->arrived = 0;
  idle->readers = 0;
  idle->generation = 0;
  idle->waiting.clear();
  return *(last_ = idle);
}

}  // namespace simtrt
