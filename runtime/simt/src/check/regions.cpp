#include "check/regions.h"

#include <algorithm>
#include <cstdio>
#include <mutex>

namespace simtrt::check {

std::atomic<std::uint64_t> memory_version{1};

Cell& Region::cell(std::uintptr_t address) {
  const std::size_t index = (address - (begin & ~std::uintptr_t{3})) / 4;
  if (cells.size() <= index / 256) cells.resize(index / 256 + 1);
  auto& group = cells[index / 256];
  if (group == nullptr) group = std::make_unique<std::array<Cell, 256>>();
  return (*group)[index % 256];
}

bool Region::is_in_variable(std::uintptr_t address, std::size_t size) const {
  if (variables.empty()) return true;
  const std::uintptr_t offset = address - begin;
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

std::shared_ptr<Region> Regions::add(Region region) {
  auto made = std::make_shared<Region>(std::move(region));
  const std::unique_lock lock(mutex_);
  auto it = by_begin_.upper_bound(made->begin);
  if (it != by_begin_.begin() && std::prev(it)->second->limit > made->begin) --it;
  while (it != by_begin_.end() && it->second->begin < made->limit) it = by_begin_.erase(it);
  by_begin_[made->begin] = made;
  change_version();
  return made;
}

void Regions::remove(std::uintptr_t begin) {
  const std::unique_lock lock(mutex_);
  by_begin_.erase(begin);
  change_version();
}

void Regions::clear() {
  const std::unique_lock lock(mutex_);
  by_begin_.clear();
  change_version();
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
