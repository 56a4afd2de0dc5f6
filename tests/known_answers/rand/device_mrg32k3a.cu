// MRG32k3a in kernels: seeds, subsequences, offsets, skips, distributions.
#include "draws.h"

namespace {

using State = curandStateMRG32k3a_t;

struct SkipSubsequence {
  unsigned long long count;
  __device__ void operator()(State* state) const { skipahead_subsequence(count, state); }
};

struct PutState {
  using Number = unsigned;
  static constexpr int kWidth = 6;
  __device__ void operator()(State* state, unsigned* out) const {
    for (int i = 0; i < 3; i++) out[i] = state->s1[i], out[3 + i] = state->s2[i];
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
  for (unsigned long long count : {0ull, 1ull, 2ull, 50ull, 1ull << 32, 1ull << 50, ~0ull}) {
    stream.change(draws::Init{5, 3, 2}).change(SkipSubsequence{count});
    stream.put(draws::joined("skip_subsequence", {count}), 9, draws::Words{});
    stream.change(draws::SkipSequence{count}).put(draws::joined("skip_both", {count}), 3, draws::Words{});
  }
  stream.change(draws::Init{1, 1, 1}).put("state", 4, PutState{});
}
