// Reads of textures. CUDA C++ Programming Guide, "Texture Fetching": nearest-point sampling, linear
// filtering with weights of 8 fractional bits, addressing modes.
#include "texture/image.h"

#include <simt_fp16.h>
#include <simtrt/kernel/block.h>
#include <simtrt/texture/fetch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace simtrt {
namespace {

struct Color {
  float v[4];
};

template <class T>
T load(const char* place, int channel) {
  T value;
  std::memcpy(&value, place + static_cast<std::size_t>(channel) * sizeof(T), sizeof(T));
  return value;
}

int channel_count(const simtChannelFormatDesc& format) {
  return format.y == 0 ? 1 : format.z == 0 ? 2 : 4;
}

float half_at(const char* place, int channel) {
  __half_raw raw;
  raw.x = load<std::uint16_t>(place, channel);
  return __half2float(__half(raw));
}

// Channels of an element, without conversion. Missing channels are 0.
Texel element(const Image& image, const char* place) {
  Texel texel{image.format.f, {{0, 0, 0, 0}}};
  for (int c = 0; c < channel_count(image.format); ++c) {
    if (image.format.f == simtChannelFormatKindFloat) {
      texel.f[c] = image.format.x == 16 ? half_at(place, c) : load<float>(place, c);
    } else if (image.format.f == simtChannelFormatKindSigned) {
      texel.i[c] = image.format.x == 8    ? load<std::int8_t>(place, c)
                   : image.format.x == 16 ? load<std::int16_t>(place, c)
                                          : load<std::int32_t>(place, c);
    } else {
      texel.u[c] = image.format.x == 8    ? load<std::uint8_t>(place, c)
                   : image.format.x == 16 ? load<std::uint16_t>(place, c)
                                          : load<std::uint32_t>(place, c);
    }
  }
  return texel;
}

float linear_of_srgb(float value) {
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

// Channels of an element as floats: those of floats, or integers divided by their greatest value.
Color color(const Texture& texture, const char* place) {
  const Texel texel = element(texture.image, place);
  const int bits = texture.image.format.x;
  Color result{};
  for (int c = 0; c < channel_count(texture.image.format); ++c) {
    if (texel.kind == simtChannelFormatKindFloat) {
      result.v[c] = texel.f[c];
    } else if (texel.kind == simtChannelFormatKindSigned) {
      result.v[c] = std::max(-1.0f, static_cast<float>(texel.i[c]) /
                                        static_cast<float>((1 << (bits - 1)) - 1));
    } else {
      result.v[c] = static_cast<float>(texel.u[c]) / static_cast<float>((1 << bits) - 1);
      if (texture.how.sRGB != 0 && bits == 8 && c < 3) result.v[c] = linear_of_srgb(result.v[c]);
    }
  }
  return result;
}

bool gives_floats(const Texture& texture) {
  return texture.image.format.f == simtChannelFormatKindFloat ||
         texture.how.readMode == simtReadModeNormalizedFloat;
}

Texel of_color(const Color& color) {
  Texel texel{simtChannelFormatKindFloat, {{0, 0, 0, 0}}};
  std::copy(color.v, color.v + 4, texel.f);
  return texel;
}

// Index of an element along one dimension; -1 for the border.
std::ptrdiff_t address(std::ptrdiff_t index, std::size_t size, simtTextureAddressMode mode) {
  const auto count = static_cast<std::ptrdiff_t>(size);
  switch (mode) {
    case simtAddressModeWrap: return (index % count + count) % count;
    case simtAddressModeMirror: {
      const std::ptrdiff_t place = (index % (2 * count) + 2 * count) % (2 * count);
      return place < count ? place : 2 * count - 1 - place;
    }
    case simtAddressModeBorder: return index < 0 || index >= count ? -1 : index;
    default: return std::clamp<std::ptrdiff_t>(index, 0, count - 1);
  }
}

// Wrap and mirror need normalised coordinates; clamp replaces them otherwise.
simtTextureAddressMode mode_of(const Texture& texture, int dimension) {
  const simtTextureAddressMode mode = texture.how.addressMode[dimension];
  return texture.how.normalizedCoords == 0 &&
                 (mode == simtAddressModeWrap || mode == simtAddressModeMirror)
             ? simtAddressModeClamp
             : mode;
}

// The sum of the weights of a linear filter.
constexpr int kOne = 256;

// One dimension of a fetch: two neighbouring elements, and the weight of the second one.
struct Axis {
  std::ptrdiff_t index[2] = {0, 0};
  int weight = 0;
};

Axis axis(const Texture& texture, int dimension, float coordinate, std::size_t size, bool linear) {
  const simtTextureAddressMode mode = mode_of(texture, dimension);
  if (texture.how.normalizedCoords != 0) coordinate *= static_cast<float>(size);
  // A coordinate that no integer can hold is beyond every border.
  if (!(std::fabs(coordinate) < 1e9f)) coordinate = std::signbit(coordinate) ? -1e9f : 1e9f;
  Axis result;
  if (!linear) {
    result.index[0] = address(static_cast<std::ptrdiff_t>(std::floor(coordinate)), size, mode);
    return result;
  }
  const float shifted = coordinate - 0.5f, low = std::floor(shifted);
  const auto first = static_cast<std::ptrdiff_t>(low);
  result.index[0] = address(first, size, mode);
  result.index[1] = address(first + 1, size, mode);
  result.weight = static_cast<int>(std::floor((shifted - low) * kOne + 0.5f));
  return result;
}

const char* place_of(const Image& image, std::ptrdiff_t x, std::ptrdiff_t y, std::ptrdiff_t z) {
  if (x < 0 || y < 0 || z < 0) return nullptr;
  return image.begin + static_cast<std::size_t>(z) * image.slice +
         static_cast<std::size_t>(y) * image.pitch +
         static_cast<std::size_t>(x) * image.element_bytes();
}

Color border(const Texture& texture) {
  Color result;
  std::copy(texture.how.borderColor, texture.how.borderColor + 4, result.v);
  return result;
}

Color color_or_border(const Texture& texture, const char* place) {
  return place == nullptr ? border(texture) : color(texture, place);
}

// `part` of `whole`, rounded to a multiple of 1/256; halves are rounded up.
int share(int whole, int part) { return (whole * part + kOne / 2) / kOne; }

// Weights of the eight corners of a fetch; bit d of a corner selects the second element of dimension d. A GPU rounds the
// weight of each corner, so that all weights are multiples of 1/256 (tests/known_answers/device/textures.cu). The rounding
// of two dimensions is known; that of the third one is a guess that agrees with 9 of 10 observations.
void corner_weights(const Axis (&axes)[3], int (&weights)[8]) {
  for (int z = 0; z < 2; ++z) {
    const int slice = z == 0 ? kOne - axes[2].weight : axes[2].weight;
    const int right = share(slice, axes[0].weight);
    const int above = share(slice, kOne - axes[1].weight);
    const int below = slice - above;
    const int both = share(right, axes[1].weight);
    int* of_slice = weights + 4 * z;
    of_slice[0] = above - right + both;
    of_slice[1] = right - both;
    of_slice[2] = below - both;
    of_slice[3] = both;
  }
}

// A filter of unsigned integers has results of 16 bits.
float filtered(const Texture& texture, float value) {
  if (texture.image.format.f != simtChannelFormatKindUnsigned) return value;
  constexpr float kMost = 65535;
  return std::floor(value * kMost + 0.5f) / kMost;
}

Texel sample(const Texture& texture, const Axis (&axes)[3], bool linear) {
  const Image& image = texture.image;
  if (!linear) {
    const char* place = place_of(image, axes[0].index[0], axes[1].index[0], axes[2].index[0]);
    if (gives_floats(texture)) return of_color(color_or_border(texture, place));
    return place != nullptr ? element(image, place) : Texel{image.format.f, {{0, 0, 0, 0}}};
  }
  Color sum{};
  int weights[8];
  corner_weights(axes, weights);
  for (int corner = 0; corner < 8; ++corner) {
    if (weights[corner] == 0) continue;
    const char* place = place_of(image, axes[0].index[corner & 1], axes[1].index[corner >> 1 & 1],
                                 axes[2].index[corner >> 2 & 1]);
    const Color part = color_or_border(texture, place);
    const float weight = static_cast<float>(weights[corner]) / kOne;
    for (int c = 0; c < 4; ++c) sum.v[c] += weight * part.v[c];
  }
  for (float& value : sum.v) value = filtered(texture, value);
  return of_color(sum);
}

// The last layer replaces all layers that do not exist, also for negative ones.
Axis layer_axis(const Image& image, int layer) {
  Axis result;
  const auto last = static_cast<std::ptrdiff_t>(image.depth) - 1;
  result.index[0] = layer < 0 || layer > last ? last : layer;
  result.index[1] = result.index[0];
  return result;
}

// Face of a cube and coordinates in the face, both in [0, 1]. Programming Guide, "Cubemap Textures".
int face_of(float x, float y, float z, float* s, float* t) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  int face;
  float major;
  if (ax >= ay && ax >= az) {
    face = x < 0;
    major = ax;
    *s = x < 0 ? z : -z;
    *t = -y;
  } else if (ay >= az) {
    face = y < 0 ? 3 : 2;
    major = ay;
    *s = x;
    *t = y < 0 ? -z : z;
  } else {
    face = z < 0 ? 5 : 4;
    major = az;
    *s = z < 0 ? -x : x;
    *t = -y;
  }
  *s = (*s / major + 1) / 2;
  *t = (*t / major + 1) / 2;
  return face;
}

const Texture& texture_of(simtTextureObject_t object) {
  if (object == 0) trap();
  return *reinterpret_cast<const Texture*>(object);
}

}  // namespace

bool is_supported(const simtChannelFormatDesc& format) {
  const bool bits = format.x == 8 || format.x == 16 || format.x == 32;
  const bool equal = (format.y == 0 || format.y == format.x) &&
                     ((format.z == 0 && format.w == 0) ||
                      (format.y == format.x && format.z == format.x && format.w == format.x));
  const bool kind = format.f == simtChannelFormatKindSigned ||
                    format.f == simtChannelFormatKindUnsigned ||
                    (format.f == simtChannelFormatKindFloat && format.x != 8);
  return bits && equal && kind;
}

Texel fetch(simtTextureObject_t object, Fetch kind, float x, float y, float z, int layer) {
  const Texture& texture = texture_of(object);
  const Image& image = texture.image;
  const bool linear = texture.how.filterMode == simtFilterModeLinear;
  const bool cube = kind == Fetch::kCubemap || kind == Fetch::kCubemapLayered;
  Axis axes[3];
  if (cube) {
    float s, t;
    const int face = face_of(x, y, z, &s, &t);
    Texture own = texture;
    own.how.normalizedCoords = 1;
    own.how.addressMode[0] = own.how.addressMode[1] = simtAddressModeClamp;
    axes[0] = axis(own, 0, s, image.width, linear);
    axes[1] = axis(own, 1, t, image.height, linear);
    axes[2] = layer_axis(image, 6 * layer + face);
    return sample(own, axes, linear);
  }
  axes[0] = axis(texture, 0, x, image.width, linear);
  if (kind == Fetch::k1D) {
    // A GPU reads a texture of one dimension as a row at height 0: a filter includes half of the border above the row.
    axes[1] = axis(texture, 1, 0.0f, 1, linear);
  } else if (kind != Fetch::k1DLayered) {
    axes[1] = axis(texture, 1, y, image.height, linear);
  }
  if (kind == Fetch::k3D) axes[2] = axis(texture, 2, z, image.depth, linear);
  if (kind == Fetch::k1DLayered || kind == Fetch::k2DLayered) axes[2] = layer_axis(image, layer);
  return sample(texture, axes, linear);
}

Texel fetch_element(simtTextureObject_t object, int index) {
  const Texture& texture = texture_of(object);
  const bool inside = index >= 0 && static_cast<std::size_t>(index) < texture.image.width;
  if (!inside) {
    return Texel{gives_floats(texture) ? simtChannelFormatKindFloat : texture.image.format.f,
                 {{0, 0, 0, 0}}};
  }
  const char* place = place_of(texture.image, index, 0, 0);
  return gives_floats(texture) ? of_color(color(texture, place)) : element(texture.image, place);
}

// CUDA's order of the four texels: (0, 1), (1, 1), (1, 0), (0, 0).
Texel gather(simtTextureObject_t object, float x, float y, int channel) {
  const Texture& texture = texture_of(object);
  const Axis across = axis(texture, 0, x, texture.image.width, true);
  const Axis down = axis(texture, 1, y, texture.image.height, true);
  constexpr int kOrder[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  const bool floats = gives_floats(texture);
  Texel result{floats ? simtChannelFormatKindFloat : texture.image.format.f, {{0, 0, 0, 0}}};
  for (int i = 0; i < 4; ++i) {
    const char* place =
        place_of(texture.image, across.index[kOrder[i][0]], down.index[kOrder[i][1]], 0);
    if (floats) {
      result.f[i] = color_or_border(texture, place).v[channel & 3];
    } else if (place != nullptr) {
      result.u[i] = element(texture.image, place).u[channel & 3];
    }
  }
  return result;
}

void* surface_place(simtSurfaceObject_t object, int x, int y, int z, std::size_t size,
                    simtSurfaceBoundaryMode mode) {
  if (object == 0) trap();
  const Image& image = reinterpret_cast<const Surface*>(object)->image;
  const auto last = [](std::size_t count) { return static_cast<std::ptrdiff_t>(count) - 1; };
  const std::ptrdiff_t bytes = static_cast<std::ptrdiff_t>(size);
  const std::ptrdiff_t end = last(image.width * image.element_bytes()) + 1 - bytes;
  const bool inside = x >= 0 && x <= end && y >= 0 && y <= last(image.height) && z >= 0 &&
                      z <= last(image.depth);
  std::ptrdiff_t at[3] = {x, y, z};
  if (!inside) {
    if (mode == simtBoundaryModeZero) return nullptr;
    if (mode == simtBoundaryModeTrap) trap();
    at[0] = std::clamp<std::ptrdiff_t>(x, 0, end);
    at[1] = std::clamp<std::ptrdiff_t>(y, 0, last(image.height));
    at[2] = std::clamp<std::ptrdiff_t>(z, 0, last(image.depth));
  }
  return image.begin + static_cast<std::size_t>(at[2]) * image.slice +
         static_cast<std::size_t>(at[1]) * image.pitch + static_cast<std::size_t>(at[0]);
}

}  // namespace simtrt
