// XORWOW in kernels: seeds, subsequences, offsets, skips, distributions.
#include "draws.h"

namespace {

using State = curandStateXORWOW_t;

struct PutState {
  using Number = unsigned;
  static constexpr int kWidth = 6;
  __device__ void operator()(State* state, unsigned* out) const {
    out[0] = state->d;
    for (int i = 0; i < 5; i++) out[1 + i] = state->v[i];
    curand(state);
  }
};

}  // namespace

int main() {
  draws::positions<State>();
  draws::distributions<State>();
  draws::poisson<State>();
  draws::threads<State>();
  draws::Stream<State> stream;
  stream.change(draws::Init{1, 1, 1}).put("state", 4, PutState{});
}
