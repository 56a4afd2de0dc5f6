// Reads of textures. CUDA C++ Programming Guide, "Texture Fetching": nearest-point sampling, linear
// filtering with weights of 8 fractional bits, addressing modes, levels of detail.
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
  return texture.image.format.f == simtChannelFormatKindFloat || texture.promotes;
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

// `coordinate` counts elements.
Axis axis(simtTextureAddressMode mode, float coordinate, std::size_t size, bool linear) {
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

Axis axis(const Texture& texture, int dimension, float coordinate, std::size_t size, bool linear) {
  if (texture.how.normalizedCoords != 0) coordinate *= static_cast<float>(size);
  return axis(mode_of(texture, dimension), coordinate, size, linear);
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

Texel sample(const Texture& texture, const Image& image, const Axis (&axes)[3], bool linear) {
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

// Face of a cube that a direction points to. Programming Guide, "Cubemap Textures".
int face_of(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (ax >= ay && ax >= az) return x < 0 ? 1 : 0;
  if (ay >= az) return y < 0 ? 3 : 2;
  return z < 0 ? 5 : 4;
}

// A direction, or its change, seen from a face: the face's two axes, and the axis that the face is
// perpendicular to.
struct OnFace {
  float s, t, major;
};

OnFace on_face(int face, float x, float y, float z) {
  switch (face) {
    case 0: return {-z, -y, x};
    case 1: return {z, -y, -x};
    case 2: return {x, z, y};
    case 3: return {x, -z, -y};
    case 4: return {x, -y, z};
    default: return {-x, -y, -z};
  }
}

const Texture& texture_of(simtTextureObject_t object) {
  if (object == 0) trap();
  return *reinterpret_cast<const Texture*>(object);
}

struct Place {
  Fetch kind;
  float x, y, z;
  int layer;

  bool is_cube() const { return kind == Fetch::kCubemap || kind == Fetch::kCubemapLayered; }
};

Texel fetch_face(const Texture& texture, const Image& image, const Place& place, bool linear) {
  const int face = face_of(place.x, place.y, place.z);
  const OnFace at = on_face(face, place.x, place.y, place.z);
  const auto along = [&](float coordinate, std::size_t size) {
    const float texel = (coordinate / at.major + 1) / 2 * static_cast<float>(size);
    return axis(simtAddressModeClamp, texel, size, linear);
  };
  const Axis axes[3] = {along(at.s, image.width), along(at.t, image.height),
                        layer_axis(image, 6 * place.layer + face)};
  return sample(texture, image, axes, linear);
}

Texel fetch_level(const Texture& texture, const Image& image, const Place& place) {
  const bool linear = texture.how.filterMode == simtFilterModeLinear;
  if (place.is_cube()) return fetch_face(texture, image, place, linear);
  Axis axes[3];
  axes[0] = axis(texture, 0, place.x, image.width, linear);
  if (place.kind == Fetch::k1D) {
    // A GPU reads a texture of one dimension as a row at height 0: a filter includes half of the border above the row.
    axes[1] = axis(texture, 1, 0.0f, 1, linear);
  } else if (place.kind != Fetch::k1DLayered) {
    axes[1] = axis(texture, 1, place.y, image.height, linear);
  }
  if (place.kind == Fetch::k3D) axes[2] = axis(texture, 2, place.z, image.depth, linear);
  if (place.kind == Fetch::k1DLayered || place.kind == Fetch::k2DLayered)
    axes[2] = layer_axis(image, place.layer);
  return sample(texture, image, axes, linear);
}

// Two neighbouring levels of a mipmapped array, and the weight of the second one.
struct LevelMix {
  std::size_t level;
  int weight;
};

// The clamp of the texture precedes that of the existing levels. Weights have 8 fractional bits, as
// those of linear filters.
LevelMix levels_at(const Texture& texture, float level_of_detail) {
  const simtTextureDesc& how = texture.how;
  float level = level_of_detail + how.mipmapLevelBias;
  level = std::min(std::max(level, how.minMipmapLevelClamp), how.maxMipmapLevelClamp);
  // The order of the arguments replaces NaN by 0.
  level = std::min(std::max(0.0f, level), static_cast<float>(texture.smaller.size()));
  if (how.mipmapFilterMode == simtFilterModePoint)
    return {static_cast<std::size_t>(level + 0.5f), 0};
  const auto fixed = static_cast<std::size_t>(level * kOne + 0.5f);
  return {fixed / kOne, static_cast<int>(fixed % kOne)};
}

const Image& level_image(const Texture& texture, std::size_t level) {
  return level == 0 ? texture.image : texture.smaller[level - 1];
}

// Length of a change of coordinates in texels of level 0.
float texels(const Image& image, const Place& place, const Gradient& change) {
  const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
  if (place.is_cube()) {
    const int face = face_of(place.x, place.y, place.z);
    const OnFace at = on_face(face, place.x, place.y, place.z);
    const OnFace d = on_face(face, change.x, change.y, change.z);
    // Derivatives of the coordinates (s / major + 1) / 2.
    const float scale = width / (2 * at.major * at.major);
    return std::hypot((d.s * at.major - at.s * d.major) * scale,
                      (d.t * at.major - at.t * d.major) * scale);
  }
  const bool has_rows = place.kind != Fetch::k1D && place.kind != Fetch::k1DLayered;
  const float slices = place.kind == Fetch::k3D ? static_cast<float>(image.depth) : 0;
  return std::hypot(change.x * width, has_rows ? change.y * height : 0, change.z * slices);
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

Texel fetch(simtTextureObject_t object, Fetch kind, float x, float y, float z, int layer,
            float level_of_detail) {
  const Texture& texture = texture_of(object);
  const Place place{kind, x, y, z, layer};
  if (texture.smaller.empty()) return fetch_level(texture, texture.image, place);
  const LevelMix mix = levels_at(texture, level_of_detail);
  Texel texel = fetch_level(texture, level_image(texture, mix.level), place);
  if (mix.weight == 0) return texel;
  // Filters of levels have float results (simtCreateTextureObject).
  const Texel next = fetch_level(texture, level_image(texture, mix.level + 1), place);
  const float weight = static_cast<float>(mix.weight) / kOne;
  for (int c = 0; c < 4; ++c) texel.f[c] += weight * (next.f[c] - texel.f[c]);
  return texel;
}

Texel fetch(simtTextureObject_t object, Fetch kind, float x, float y, float z, int layer,
            const Gradient& horizontal, const Gradient& vertical) {
  const Texture& texture = texture_of(object);
  const Place place{kind, x, y, z, layer};
  const float distance = std::max(texels(texture.image, place, horizontal),
                                  texels(texture.image, place, vertical));
  return fetch(object, kind, x, y, z, layer, std::log2(distance));
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
