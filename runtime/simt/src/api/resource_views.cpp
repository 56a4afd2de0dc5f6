#include "api/resource_views.h"

#include <utility>

namespace simtrt {
namespace {

// The plain formats are numbered by type, and within a type by the number of channels: 1, 2, 4.
simtChannelFormatDesc format_of(simtResourceViewFormat number) {
  struct Type {
    int bits;
    simtChannelFormatKind kind;
  };
  constexpr Type kTypes[] = {
      {8, simtChannelFormatKindUnsigned},  {8, simtChannelFormatKindSigned},
      {16, simtChannelFormatKindUnsigned}, {16, simtChannelFormatKindSigned},
      {32, simtChannelFormatKindUnsigned}, {32, simtChannelFormatKindSigned},
      {16, simtChannelFormatKindFloat},    {32, simtChannelFormatKindFloat}};
  const int place = number - simtResViewFormatUnsignedChar1, channels = place % 3;
  const auto [bits, kind] = kTypes[place / 3];
  const int both = channels > 0 ? bits : 0, all = channels > 1 ? bits : 0;
  return {bits, both, all, all, kind};
}

simtError_t set_format(simtResourceViewFormat number, Texture* texture) {
  if (number == simtResViewFormatNone) return simtSuccess;
  if (number < simtResViewFormatNone || number > simtResViewFormatUnsignedBlockCompressed7)
    return simtErrorInvalidValue;
  if (number > simtResViewFormatFloat4) return simtErrorNotSupported;
  const std::size_t bytes = texture->image.element_bytes();
  texture->image.format = format_of(number);
  for (Image& image : texture->smaller) image.format = texture->image.format;
  return texture->image.element_bytes() == bytes ? simtSuccess : simtErrorInvalidValue;
}

bool select_layers(unsigned first, unsigned last, unsigned flags, Texture* texture) {
  if ((flags & simtArrayLayered) == 0) return first == 0 && last == 0;
  if (first > last || last >= texture->image.depth) return false;
  const auto select = [&](Image& image) {
    image.begin += first * image.slice;
    image.depth = last - first + 1;
  };
  select(texture->image);
  for (Image& image : texture->smaller) select(image);
  return true;
}

bool select_levels(unsigned first, unsigned last, Texture* texture) {
  std::vector<Image>& smaller = texture->smaller;
  if (first > last || last > smaller.size()) return false;
  smaller.resize(last);
  if (first == 0) return true;
  texture->image = smaller[first - 1];
  smaller.erase(smaller.begin(), smaller.begin() + first);
  return true;
}

}  // namespace

simtError_t apply_view(const simtResourceViewDesc& view, const simtExtent& extent, unsigned flags,
                       Texture* texture) {
  if (view.width != extent.width || view.height != extent.height || view.depth != extent.depth)
    return simtErrorInvalidValue;
  if (const simtError_t error = set_format(view.format, texture)) return error;
  return select_layers(view.firstLayer, view.lastLayer, flags, texture) &&
                 select_levels(view.firstMipmapLevel, view.lastMipmapLevel, texture)
             ? simtSuccess
             : simtErrorInvalidValue;
}

}  // namespace simtrt
