// Philox 4x32-10 in kernels: seeds, subsequences, offsets, skips, distributions, four numbers at once.
#include "draws.h"

namespace {

using namespace draws;
using State = curandStatePhilox4_32_10_t;

DRAW(Words4, unsigned, 4, PUT4(curand4(state)))
DRAW(Uniform4, float, 4, PUT4(curand_uniform4(state)))
DRAW(Uniform2Double, double, 2, PUT2(curand_uniform2_double(state)))
DRAW(Uniform4Double, double, 4, PUT4(curand_uniform4_double(state)))
DRAW(Normal4, float, 4, PUT4(curand_normal4(state)))
DRAW(Normal4Double, double, 4, PUT4(curand_normal4_double(state)))
DRAW(LogNormal4, float, 4, PUT4(curand_log_normal4(state, -1.0f, 0.5f)))
DRAW(LogNormal4Double, double, 4, PUT4(curand_log_normal4_double(state, -1.0, 0.5)))

struct Poisson4 {
  double lambda;
  using Number = unsigned;
  static constexpr int kWidth = 4;
  __device__ void operator()(State* state, unsigned* out) const { PUT4(curand_poisson4(state, lambda)); }
};

struct Block {
  uint4 counter;
  uint2 key;
  using Number = unsigned;
  static constexpr int kWidth = 4;
  __device__ void operator()(State*, unsigned* out) const { PUT4(curand_Philox4x32_10(counter, key)); }
};

void four_at_once(unsigned long long offset) {
  Stream<State> stream;
  const auto start = [&]() -> Stream<State>& { return stream.change(Init{21, 4, offset}); };
  start().put(joined("words4", {offset}), 3, Words4{}).put(joined("words4.then", {offset}), 3, Words{});
  start().put(joined("uniform4", {offset}), 3, Uniform4{});
  start().put(joined("uniform2_double", {offset}), 5, Uniform2Double{}).put(joined("uniform2_double.then", {offset}), 2, Words{});
  start().put(joined("uniform4_double", {offset}), 3, Uniform4Double{}).put(joined("uniform4_double.then", {offset}), 2, Words{});
  start().near(joined("normal4", {offset}), 1e-5, 5, Normal4{});
  start().near(joined("normal4_double", {offset}), 1e-12, 5, Normal4Double{}).put(joined("normal4_double.then", {offset}), 2, Words{});
  start().near(joined("log_normal4", {offset}), 1e-5, 5, LogNormal4{});
  start().near(joined("log_normal4_double", {offset}), 1e-12, 5, LogNormal4Double{});
  for (double lambda : {0.5, 10.0, 63.0, 64.0, 1000.0, 3999.0, 4000.0, 4001.0, 1e6}) {
    start().put(joined("poisson4", {offset}) + "." + std::to_string(lambda), 8, Poisson4{lambda});
    stream.put(joined("poisson4.then", {offset}) + "." + std::to_string(lambda), 2, Words{});
  }
}

}  // namespace

int main() {
  positions<State>();
  distributions<State>();
  poisson<State>();
  threads<State>();
  for (unsigned long long offset : {0, 1, 2, 3}) four_at_once(offset);
  Stream<State> stream;
  stream.change(Init{0, 0, 0}).put("block.0", 1, Block{{0, 0, 0, 0}, {0, 0}});
  stream.put("block.1", 1, Block{{1, 2, 3, 4}, {5, 6}}).put("block.2", 1, Block{{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}});
}
