// Tests of atomics: each operation stores and returns what its definition states, and sums over several threads are
// correct only if the operations are really atomic.
#include <doctest/doctest.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <thread>
#include <vector>

#include <simt_bf16.h>
#include <simt_fp16.h>
#include <simtrt/kernel/atomic.h>
#include <simtrt/kernel/block.h>

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 100000;

/// Runs `body(thread)` on several threads, which begin at the same time.
template <class Body>
void at_once(Body body) {
  std::atomic<int> missing{kThreads};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      --missing;
      while (missing > 0) {
        std::this_thread::yield();
      }
      body(i);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace

TEST_CASE("an atomic returns the previous value") {
  int i = 7;
  CHECK(atomicAdd(&i, 5) == 7);
  CHECK(atomicSub(&i, 2) == 12);
  CHECK(atomicExch(&i, -1) == 10);
  CHECK(atomicAnd(&i, 0xFF) == -1);
  CHECK(atomicOr(&i, 0x100) == 0xFF);
  CHECK(atomicXor(&i, 0x101) == 0x1FF);
  CHECK(i == 0xFE);

  float f = 1.5f;
  CHECK(atomicAdd(&f, 2.25f) == 1.5f);
  CHECK(atomicExch(&f, -1.0f) == 3.75f);
  CHECK(f == -1.0f);
}

TEST_CASE("atomicMin and atomicMax compare with the sign of the type") {
  int i = -3;
  CHECK(atomicMin(&i, 2) == -3);
  CHECK(i == -3);
  CHECK(atomicMax(&i, 2) == -3);
  CHECK(i == 2);

  unsigned int u = 0xFFFFFFFDU;
  CHECK(atomicMin(&u, 2U) == 0xFFFFFFFDU);
  CHECK(u == 2U);

  long long l = LLONG_MIN;
  atomicMax(&l, -1LL);
  CHECK(l == -1);
  unsigned long long ul = 1;
  atomicMax(&ul, ~0ULL);
  CHECK(ul == ~0ULL);
}

TEST_CASE("atomicInc and atomicDec wrap around at the limit") {
  // CUDA C++ Programming Guide, "atomicInc()": ((old >= val) ? 0 : (old+1)).
  unsigned int count = 0;
  std::vector<unsigned int> seen;
  for (int i = 0; i < 5; ++i) {
    seen.push_back(atomicInc(&count, 2U));
  }
  CHECK(seen == std::vector<unsigned int>{0, 1, 2, 0, 1});
  count = 9;
  atomicInc(&count, 2U);
  CHECK(count == 0);

  // "atomicDec()": (((old == 0) || (old > val)) ? val : (old-1)).
  seen.clear();
  for (int i = 0; i < 5; ++i) {
    seen.push_back(atomicDec(&count, 2U));
  }
  CHECK(seen == std::vector<unsigned int>{0, 2, 1, 0, 2});
  count = 9;
  atomicDec(&count, 2U);
  CHECK(count == 2);
}

TEST_CASE("atomicCAS writes only if the old value is the expected one") {
  int i = 4;
  CHECK(atomicCAS(&i, 5, 6) == 4);
  CHECK(i == 4);
  CHECK(atomicCAS(&i, 4, 6) == 4);
  CHECK(i == 6);

  // Neighbouring 16-bit values must be unchanged.
  unsigned short s[3] = {1, 2, 3};
  CHECK(atomicCAS(&s[1], static_cast<unsigned short>(2), static_cast<unsigned short>(9)) == 2);
  CHECK(s[0] == 1);
  CHECK(s[1] == 9);
  CHECK(s[2] == 3);
}

TEST_CASE("integers wrap around without undefined behaviour") {
  int i = INT_MAX;
  CHECK(atomicAdd(&i, 1) == INT_MAX);
  CHECK(i == INT_MIN);
  CHECK(atomicSub(&i, 1) == INT_MIN);
  CHECK(i == INT_MAX);
}

TEST_CASE("concurrent threads lose no addition") {
  int i = 0;
  unsigned long long l = 0;
  float f = 0;
  double d = 0;
  at_once([&](int) {
    for (int k = 0; k < kRounds; ++k) {
      atomicAdd(&i, 1);
      atomicAdd_block(&l, 3ULL);
      atomicAdd_system(&f, 1.0f);
      atomicAdd(&d, 0.5);
    }
  });
  // These values are exact in all types.
  CHECK(i == kThreads * kRounds);
  CHECK(l == 3ULL * kThreads * kRounds);
  CHECK(f == static_cast<float>(kThreads * kRounds));
  CHECK(d == 0.5 * kThreads * kRounds);
}

TEST_CASE("concurrent threads find the extremes and all bits") {
  int low = 0;
  int high = 0;
  unsigned int bits = 0;
  unsigned int ticket = 0;
  at_once([&](int thread) {
    for (int k = 0; k < kRounds; ++k) {
      atomicMin(&low, -k * kThreads - thread);
      atomicMax(&high, k * kThreads + thread);
      atomicOr(&bits, 1U << (k % 8 * kThreads + thread));
      atomicInc(&ticket, 9972U);
    }
  });
  CHECK(high == kThreads * kRounds - 1);
  CHECK(low == -high);
  CHECK(bits == 0xFFFFFFFFU);
  CHECK(ticket == kThreads * kRounds % 9973);
}

TEST_CASE("halves and bfloat16s are added, alone and in pairs") {
  __half h(0.0f);
  __half2 pair(__half(0.0f), __half(100.0f));
  __nv_bfloat16 b(0.0f);
  __nv_bfloat162 bpair(__nv_bfloat16(0.0f), __nv_bfloat16(64.0f));
  at_once([&](int) {
    for (int k = 0; k < 64; ++k) {
      atomicAdd(&h, __half(1.0f));
      atomicAdd(&pair, __half2(__half(1.0f), __half(-0.125f)));
      atomicAdd(&b, __nv_bfloat16(1.0f));
      atomicAdd(&bpair, __nv_bfloat162(__nv_bfloat16(1.0f), __nv_bfloat16(-0.25f)));
    }
  });
  // 4 threads * 64 additions; every intermediate value fits the 8-bit significand of bfloat16.
  CHECK(static_cast<float>(h) == 256.0f);
  CHECK(__low2float(pair) == 256.0f);
  CHECK(__high2float(pair) == 68.0f);
  CHECK(static_cast<float>(b) == 256.0f);
  CHECK(__low2float(bpair) == 256.0f);
  CHECK(__high2float(bpair) == 0.0f);
}

TEST_CASE("an atomic on half leaves the neighbour alone") {
  __half h[2] = {__half(1.0f), __half(2.0f)};
  CHECK(static_cast<float>(atomicAdd(&h[1], __half(4.0f))) == 2.0f);
  CHECK(static_cast<float>(h[0]) == 1.0f);
  CHECK(static_cast<float>(h[1]) == 6.0f);
}

TEST_CASE("a thread that sees the flag also sees the writes before the fence") {
  int data = 0;
  int flag = 0;
  std::thread writer([&] {
    data = 42;
    __threadfence();
    atomicExch(&flag, 1);
  });
  while (atomicAdd(&flag, 0) == 0) {
    std::this_thread::yield();
  }
  __threadfence();
  CHECK(data == 42);
  writer.join();
}
