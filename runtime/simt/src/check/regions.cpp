#include "check/regions.h"

#include <algorithm>
#include <cstdio>
#include <mutex>

namespace simtrt::check {

namespace {

/// A thread may read a range while another one clears it. So a range has other addresses only after this many more.
constexpr std::size_t kClearedAtLeast = 4096;

/// Addresses of a user's memory, also on a processor with 48 bits of addresses.
constexpr std::uintptr_t kLowest = 1 << 16, kHighest = std::uintptr_t{1} << 47;

}  // namespace

bool Region::is_in_one_of(std::uintptr_t offset, std::size_t size) const {
  auto it = variables.upper_bound(offset);
  return it != variables.begin() && offset + size <= std::prev(it)->first + std::prev(it)->second;
}

std::string Region::describe(std::uintptr_t address) const {
  char text[200];
  const bool behind = address >= end;
  const bool before = address < begin;
  const std::uintptr_t distance = behind ? address - end : before ? begin - address : address - begin;
  std::snprintf(text, sizeof text, "address %#lx is %lu bytes %s %s of %lu bytes at %#lx",
                static_cast<unsigned long>(address), static_cast<unsigned long>(distance),
                behind ? "behind the end of" : before ? "before the begin of" : "inside of", name,
                static_cast<unsigned long>(end - begin), static_cast<unsigned long>(begin));
  return text;
}

Regions& Regions::instance() {
  static auto& made = *new Regions();
  return made;
}

const PermittedRange* Regions::holding(const Ranges& ranges, std::uintptr_t address) {
  const auto found =
      std::find_if(ranges.begin(), ranges.end(), [&](const PermittedRange* one) { return one->holds(address, 1); });
  return found == ranges.end() ? nullptr : *found;
}

const PermittedRange* Regions::add_range(Ranges& ranges, std::uintptr_t begin, std::uintptr_t end) {
  PermittedRange* made = nullptr;
  if (cleared_.size() > kClearedAtLeast) {
    made = cleared_.front();
    cleared_.pop_front();
  } else {
    made = new PermittedRange();
  }
  made->begin = begin;
  for (std::size_t log = 0; log < made->spans.size(); ++log) {
    const std::uintptr_t size = std::uintptr_t{1} << log;
    made->spans[log].store(end - begin < size ? 0 : end - begin - size + 1, std::memory_order_release);
  }
  ranges.push_back(made);
  return made;
}

void Regions::clear_ranges(Ranges& ranges) {
  for (PermittedRange* one : ranges) {
    for (auto& span : one->spans) span.store(0, std::memory_order_relaxed);
    cleared_.push_back(one);
  }
  ranges.clear();
}

void Regions::note_removal(Region& region) {
  region.removed = true;
  clear_ranges(region.permitted);
}

std::shared_ptr<Region> Regions::add(Region region) {
  auto made = std::make_shared<Region>(std::move(region));
  const std::unique_lock lock(mutex_);
  auto it = by_begin_.upper_bound(made->begin);
  if (it != by_begin_.begin() && std::prev(it)->second->limit > made->begin) --it;
  while (it != by_begin_.end() && it->second->begin < made->limit) {
    note_removal(*it->second);
    it = by_begin_.erase(it);
  }
  by_begin_[made->begin] = made;
  clear_ranges(outside_);
  ++version_;
  return made;
}

void Regions::remove(std::uintptr_t begin) {
  const std::unique_lock lock(mutex_);
  const auto found = by_begin_.find(begin);
  if (found == by_begin_.end()) return;
  note_removal(*found->second);
  by_begin_.erase(found);
  ++version_;
}

void Regions::clear() {
  const std::unique_lock lock(mutex_);
  for (auto& [begin, region] : by_begin_) note_removal(*region);
  by_begin_.clear();
  clear_ranges(outside_);
  ++version_;
}

void Regions::changed(Region& region) {
  const std::unique_lock lock(mutex_);
  clear_ranges(region.permitted);
  ++version_;
}

const PermittedRange* Regions::permitted(Region& region, std::uintptr_t address) {
  const std::unique_lock lock(mutex_);
  if (region.removed || region.freed || region.freeing_number != 0) return nullptr;
  if (const PermittedRange* known = holding(region.permitted, address)) return known;
  std::uintptr_t begin = region.begin, end = region.end;
  if (!region.variables.empty()) {
    const auto next = region.variables.upper_bound(address - region.begin);
    if (next == region.variables.begin()) return nullptr;
    const auto& [offset, bytes] = *std::prev(next);
    begin = region.begin + offset;
    end = std::min(end, begin + bytes);
    if (next != region.variables.end()) end = std::min(end, region.begin + next->first);
  }
  return address < end ? add_range(region.permitted, begin, end) : nullptr;
}

bool Regions::is_of_user(std::uintptr_t address) { return kLowest <= address && address < kHighest; }

const PermittedRange* Regions::permitted_outside(std::uintptr_t address) {
  const std::unique_lock lock(mutex_);
  if (const PermittedRange* known = holding(outside_, address)) return known;
  const auto next = by_begin_.upper_bound(address);
  const std::uintptr_t begin = next == by_begin_.begin() ? kLowest : std::max(kLowest, std::prev(next)->second->limit);
  const std::uintptr_t end = next == by_begin_.end() ? kHighest : std::min(kHighest, next->first);
  return begin <= address && address < end ? add_range(outside_, begin, end) : nullptr;
}

std::shared_ptr<Region> Regions::nearest(std::uintptr_t address) const {
  constexpr std::uintptr_t kFarthest = 1 << 20;
  const std::shared_lock lock(mutex_);
  const auto next = by_begin_.upper_bound(address);
  const auto* last = next == by_begin_.begin() ? nullptr : &std::prev(next)->second;
  const std::uintptr_t behind = last == nullptr ? kFarthest : address < (*last)->end ? 0 : address - (*last)->end;
  const std::uintptr_t before = next == by_begin_.end() ? kFarthest : next->first - address;
  if (std::min(behind, before) >= kFarthest) return nullptr;
  return behind <= before ? *last : next->second;
}

bool Regions::overlaps(std::uintptr_t begin, std::uintptr_t end) const {
  const std::shared_lock lock(mutex_);
  auto it = by_begin_.lower_bound(end);
  return it != by_begin_.begin() && std::prev(it)->second->limit > begin;
}

std::shared_ptr<Region> Regions::find(std::uintptr_t address) const {
  const std::shared_lock lock(mutex_);
  auto it = by_begin_.upper_bound(address);
  if (it == by_begin_.begin()) return nullptr;
  --it;
  return address < it->second->limit ? it->second : nullptr;
}

}  // namespace simtrt::check
