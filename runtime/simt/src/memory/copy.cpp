#include "memory/copy.h"

#include "check/events.h"

#include <simtrt/enqueue.h>

#include <cstring>

namespace simtrt {
namespace {

constexpr std::size_t kWorthSharing = 1 << 20;  // smallest shared copy, in bytes

template <class Row>
void each_row(const Extent& extent, Row row) {
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) row(y, z);
  }
}

}  // namespace

void copy_region(const Region& to, const Region& from, const Extent& extent) {
  if (check::active) check::copied(to, from, extent);
  if (extent.height == 1 && extent.depth == 1) {
    parallel_for(extent.width, kWorthSharing, [&](std::size_t begin, std::size_t end) {
      std::memmove(to.begin + begin, from.begin + begin, end - begin);
    });
    return;
  }
  each_row(extent, [&](std::size_t y, std::size_t z) {
    std::memmove(to.begin + z * to.slice + y * to.pitch,
                 from.begin + z * from.slice + y * from.pitch, extent.width);
  });
}

void fill_region(const Region& to, unsigned char value, const Extent& extent) {
  if (check::active) check::filled(to, extent);
  if (extent.height == 1 && extent.depth == 1) {
    parallel_for(extent.width, kWorthSharing, [&](std::size_t begin, std::size_t end) {
      std::memset(to.begin + begin, value, end - begin);
    });
    return;
  }
  each_row(extent, [&](std::size_t y, std::size_t z) {
    std::memset(to.begin + z * to.slice + y * to.pitch, value, extent.width);
  });
}

}  // namespace simtrt
