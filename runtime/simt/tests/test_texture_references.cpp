// Texture and surface references.
#include "kernel_test.h"

#include <simt_texture_references.h>

#include <numeric>

namespace {

constexpr int kCount = 64;

texture<float> values;
texture<uchar4, 2, simtReadModeNormalizedFloat> colours;
texture<float, simtTextureType2D> plane(0, simtFilterModeLinear, simtAddressModeClamp);
surface<void, simtSurfaceType2D> board;

__global__ void copy_values(float* to, int offset) {
  to[threadIdx.x] = tex1Dfetch(values, threadIdx.x + offset);
}
__global__ void read_colour(float4* to) { *to = tex2D(colours, 1.5f, 0.5f); }
__global__ void read_plane(float* to) { *to = tex2D(plane, 1.0f, 1.0f); }
__global__ void invert_board() {
  float value = 0;
  surf2Dread(&value, board, threadIdx.x * 4, threadIdx.y);
  surf2Dwrite(-value, board, threadIdx.x * 4, threadIdx.y);
}

std::vector<float> numbers(int count) {
  std::vector<float> all(count);
  std::iota(all.begin(), all.end(), 0.0f);
  return all;
}

std::vector<float> read_back(const float* from, int count) {
  std::vector<float> all(count);
  REQUIRE_OK(simtMemcpy(all.data(), from, count * sizeof(float), simtMemcpyDeviceToHost));
  return all;
}

/// Device memory with the numbers from 0 on, and room for results.
struct Memory {
  Memory() {
    REQUIRE_OK(simtMalloc(&from, 2 * kCount * sizeof(float)));
    REQUIRE_OK(simtMalloc(&to, kCount * sizeof(float)));
    REQUIRE_OK(simtMemcpy(from, numbers(2 * kCount).data(), 2 * kCount * sizeof(float),
                          simtMemcpyHostToDevice));
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    simtFree(from);
    simtFree(to);
  }
  float* from = nullptr;
  float* to = nullptr;
};

}  // namespace

TEST_CASE("a reference reads linear memory, and each kernel the memory bound at its launch") {
  Memory memory;
  std::size_t offset = 1;
  REQUIRE_OK(simtBindTexture(&offset, values, memory.from, kCount * sizeof(float)));
  CHECK_EQ(offset, 0);
  SIMT_LAUNCH((copy_values), (1), (kCount), (0), (0), memory.to, 0);
  Memory other;
  REQUIRE_OK(simtMemset(other.from, 0, kCount * sizeof(float)));
  REQUIRE_OK(simtBindTexture(nullptr, values, other.from, values.channelDesc));
  CHECK_EQ(read_back(memory.to, kCount), numbers(kCount));
  SIMT_LAUNCH((copy_values), (1), (kCount), (0), (0), memory.to, 0);
  REQUIRE_OK(simtUnbindTexture(values));
  CHECK_EQ(read_back(memory.to, kCount), std::vector<float>(kCount));
}

TEST_CASE("memory that is not aligned for textures has an offset") {
  Memory memory;
  CHECK_EQ(simtBindTexture(nullptr, values, memory.from + 3, 16), simtErrorInvalidValue);
  simtGetLastError();
  std::size_t offset = 0;
  REQUIRE_OK(simtBindTexture(&offset, values, memory.from + 3, kCount * sizeof(float)));
  CHECK_EQ(offset, 12);
  REQUIRE_OK(simtGetTextureAlignmentOffset(&offset, values));
  CHECK_EQ(offset, 12);
  SIMT_LAUNCH((copy_values), (1), (kCount), (0), (0), memory.to, static_cast<int>(offset / 4));
  CHECK_EQ(read_back(memory.to, 2), std::vector<float>{3, 4});
  REQUIRE_OK(simtUnbindTexture(values));
}

TEST_CASE("references of two dimensions read arrays and pitched memory") {
  const simtChannelFormatDesc format = simtCreateChannelDesc<float>();
  simtArray_t array = nullptr;
  REQUIRE_OK(simtMallocArray(&array, &format, 2, 2, simtArraySurfaceLoadStore));
  const float corners[] = {1, 2, 3, 6};
  REQUIRE_OK(simtMemcpy2DToArray(array, 0, 0, corners, 8, 8, 2, simtMemcpyHostToDevice));
  REQUIRE_OK(simtBindTextureToArray(plane, array));
  REQUIRE_OK(simtBindSurfaceToArray(board, array));
  Memory memory;
  SIMT_LAUNCH((read_plane), (1), (1), (0), (0), memory.to);
  CHECK_EQ(read_back(memory.to, 1), std::vector<float>{3});
  SIMT_LAUNCH((invert_board), (1), (dim3(2, 2)), (0), (0));
  SIMT_LAUNCH((read_plane), (1), (1), (0), (0), memory.to);
  CHECK_EQ(read_back(memory.to, 1), std::vector<float>{-3});
  REQUIRE_OK(simtUnbindTexture(plane));

  void* pixels = nullptr;
  std::size_t pitch = 0;
  REQUIRE_OK(simtMallocPitch(&pixels, &pitch, 2 * sizeof(uchar4), 1));
  const uchar4 row[] = {{0, 0, 0, 0}, {255, 0, 51, 255}};
  REQUIRE_OK(simtMemcpy(pixels, row, sizeof row, simtMemcpyHostToDevice));
  REQUIRE_OK(simtBindTexture2D(nullptr, colours, pixels, 2, 1, pitch));
  SIMT_LAUNCH((read_colour), (1), (1), (0), (0), reinterpret_cast<float4*>(memory.to));
  CHECK_EQ(read_back(memory.to, 4), std::vector<float>{1, 0, 0.2f, 1});
  REQUIRE_OK(simtUnbindTexture(colours));
  REQUIRE_OK(simtFree(pixels));
  REQUIRE_OK(simtFreeArray(array));
}

TEST_CASE("functions of C find a reference by its address") {
  Memory memory;
  const textureReference* reference = nullptr;
  REQUIRE_OK(simtGetTextureReference(&reference, &values));
  REQUIRE_OK(simtBindTexture(nullptr, reference, memory.from, &reference->channelDesc, 256));
  SIMT_LAUNCH((copy_values), (1), (kCount), (0), (0), memory.to, 0);
  CHECK_EQ(read_back(memory.to, kCount), numbers(kCount));
  REQUIRE_OK(simtUnbindTexture(reference));
  CHECK_EQ(simtBindTexture(nullptr, static_cast<const textureReference*>(nullptr), memory.from,
                           &values.channelDesc),
           simtErrorInvalidTexture);
}
