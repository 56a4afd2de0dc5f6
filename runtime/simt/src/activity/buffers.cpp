#include "activity/buffers.h"

#include <cstring>
#include <limits>
#include <utility>

namespace simtrt::activity {
namespace {

std::size_t size_of(SIMTpti_ActivityKind kind) {
  switch (kind) {
    case SIMTPTI_ACTIVITY_KIND_MEMCPY: return sizeof(SIMTpti_ActivityMemcpy);
    case SIMTPTI_ACTIVITY_KIND_MEMSET: return sizeof(SIMTpti_ActivityMemset);
    case SIMTPTI_ACTIVITY_KIND_RUNTIME: return sizeof(SIMTpti_ActivityAPI);
    case SIMTPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
      return sizeof(SIMTpti_ActivityExternalCorrelation);
    default: return sizeof(SIMTpti_ActivityKernel4);
  }
}

}  // namespace

Buffers& Buffers::instance() {
  // Never destroyed: work may complete while the process ends.
  static auto& buffers = *new Buffers();
  return buffers;
}

void Buffers::set_callbacks(SIMTpti_BuffersCallbackRequestFunc request,
                            SIMTpti_BuffersCallbackCompleteFunc complete) {
  const std::lock_guard lock(mutex_);
  give_back();
  request_ = request;
  complete_ = complete;
}

bool Buffers::has_callbacks() const {
  const std::lock_guard lock(mutex_);
  return request_ != nullptr;
}

void Buffers::give_back() {
  if (buffer_ == nullptr) return;
  complete_(nullptr, 0, std::exchange(buffer_, nullptr), size_, used_);
}

bool Buffers::make_room(std::size_t size) {
  if (buffer_ != nullptr && records_left_ != 0 && used_ + size <= size_) return true;
  give_back();
  if (request_ == nullptr) return false;
  std::size_t most = 0;
  size_ = used_ = 0;
  request_(&buffer_, &size_, &most);
  records_left_ = most == 0 ? std::numeric_limits<std::size_t>::max() : most;
  return buffer_ != nullptr && size <= size_;
}

void Buffers::write(const void* record, std::size_t size) {
  const std::lock_guard lock(mutex_);
  if (!make_room(size)) {
    ++dropped_;
    return;
  }
  std::memcpy(buffer_ + used_, record, size);
  used_ += size;
  --records_left_;
}

void Buffers::flush() {
  const std::lock_guard lock(mutex_);
  give_back();
}

std::size_t Buffers::take_dropped() {
  const std::lock_guard lock(mutex_);
  return std::exchange(dropped_, 0);
}

SIMTpti_Activity* Buffers::next(std::uint8_t* buffer, std::size_t valid,
                                SIMTpti_Activity* record) {
  std::uint8_t* place = buffer;
  if (record != nullptr) place = reinterpret_cast<std::uint8_t*>(record) + size_of(record->kind);
  return place < buffer + valid ? reinterpret_cast<SIMTpti_Activity*>(place) : nullptr;
}

}  // namespace simtrt::activity
