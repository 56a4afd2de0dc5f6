#include "check/last_accesses.h"

namespace simtrt::check {

LastAccesses::Additions& LastAccesses::Group::additions_of(std::size_t index) {
  if (additions == nullptr) additions = std::make_unique<std::array<Additions, kGroup>>();
  return (*additions)[index];
}

SharedAccesses& LastAccesses::Piece::make_shared() {
  if (shared_ == nullptr) shared_ = &group_.additions_of(index_).shared;
  if (*shared_ == nullptr) *shared_ = std::make_unique<SharedAccesses>();
  return **shared_;
}

void LastAccesses::add_group(std::size_t number) {
  if (groups_.size() <= number) groups_.resize(number + 1);
  groups_[number].plain = std::make_unique<std::array<PlainAccesses, kGroup>>();
}

void LastAccesses::divide(Group& group, std::size_t index) {
  Additions& additions = group.additions_of(index);
  if (additions.divided != nullptr) return;
  additions.divided = std::make_unique<DividedCell>();
  additions.divided->plain.fill((*group.plain)[index]);
  if (additions.shared == nullptr) return;
  for (auto& shared : additions.divided->shared) shared = std::make_unique<SharedAccesses>(*additions.shared);
}

}  // namespace simtrt::check
