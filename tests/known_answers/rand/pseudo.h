// Cases of one pseudo-random generator of the host API: sizes, consecutive calls, seeds, offsets, orderings, distributions.
#pragma once

#include "session.h"

namespace pseudo {

inline std::string numbered(const char* name, unsigned long long number) {
  return std::string(name) + "." + std::to_string(number);
}

inline void sizes_and_calls(curandRngType_t type, bool host) {
  for (size_t n : {1, 2, 3, 5, 31, 4095, 4096, 4097, 8191, 8193, 65537, 81919, 81921, 163841, 262143, 262145, 600001}) {
    Session(type, host).words(numbered("size", n), n);
  }
  Session one(type, host);
  int call = 0;
  for (size_t n : {1, 1, 3, 4096, 5, 81920, 7, 262144, 13, 1000, 2, 0, 4}) one.words(numbered("call", call++), n);
  Session uniform(type, host);
  call = 0;
  for (size_t n : {3, 4095, 5, 82000, 7, 262144, 1, 9}) uniform.uniform(numbered("uniform_call", call++), n);
  Session uniform_double(type, host);
  call = 0;
  for (size_t n : {3, 4095, 5, 82000, 7, 262144, 1, 9}) {
    uniform_double.uniform_double(numbered("uniform_double_call", call++), n);
  }
  Session normal(type, host);
  call = 0;
  for (size_t n : {2, 4094, 6, 82000, 8, 262144, 10}) normal.normal(numbered("normal_call", call++), n, 0, 1);
  Session normal_double(type, host);
  call = 0;
  for (size_t n : {2, 4094, 6, 82000, 8, 262144, 10}) {
    normal_double.normal_double(numbered("normal_double_call", call++), n, 0, 1);
  }
}

inline void seeds_and_offsets(curandRngType_t type, bool host) {
  for (unsigned long long seed : {0ull, 1ull, 42ull, 1234ull, 1ull << 31, 1ull << 32, 0xdeadbeefcafebabeull, ~0ull}) {
    Session(type, host).seed(seed).words(numbered("seed", seed), 5000);
  }
  for (unsigned long long offset : {1ull, 2ull, 3ull, 4ull, 5ull, 4095ull, 4096ull, 4097ull, 12345ull, 81920ull, 100000ull,
                                    262143ull, 262144ull, 262145ull, 1ull << 32, (1ull << 40) + 3}) {
    Session(type, host).offset(offset).words(numbered("offset", offset), 5000);
    Session(type, host).seed(7).offset(offset).uniform_double(numbered("offset_double", offset), 5000);
    Session(type, host).seed(7).offset(offset).normal(numbered("offset_normal", offset), 5000, 0, 1);
  }
  Session again(type, host);
  again.words("again.first", 10);
  again.seed(99).words("again.seed", 10);
  again.offset(5).words("again.offset", 10);
  again.seed(99).words("again.seed_at_offset", 10);
  again.words("again.more", 10);
  again.seed(3).offset(0).words("again.both", 10);
  again.normal("again.normal", 10, 0, 1);
  again.seed(3).words("again.seed_after_normal", 10);
  again.offset(0).words("again.offset_0", 10);
}

inline void orderings(curandRngType_t type, bool host) {
  const curandOrdering_t all[] = {CURAND_ORDERING_PSEUDO_BEST,   CURAND_ORDERING_PSEUDO_DEFAULT,
                                  CURAND_ORDERING_PSEUDO_SEEDED, CURAND_ORDERING_PSEUDO_LEGACY,
                                  CURAND_ORDERING_QUASI_DEFAULT, curandOrdering_t(0),
                                  curandOrdering_t(105)};
  for (curandOrdering_t ordering : all) {
    Session(type, host).ordering(ordering).words(numbered("ordering", ordering), 100003);
    Session(type, host).seed(5).ordering(ordering).words(numbered("ordering_seed", ordering), 100003);
    Session(type, host).ordering(ordering).offset(70001).uniform(numbered("ordering_offset", ordering), 10001);
    Session(type, host).ordering(ordering).normal(numbered("ordering_normal", ordering), 20000, 0, 1);
  }
  // The sequence of DYNAMIC depends on the device.
  answers::exact("ordering_dynamic", Session(type, host).ordering(CURAND_ORDERING_PSEUDO_DYNAMIC).failed);
  Session later(type, host);
  later.words("ordering_later.first", 5);
  later.ordering(CURAND_ORDERING_PSEUDO_LEGACY).words("ordering_later.legacy", 10000);
  later.ordering(CURAND_ORDERING_PSEUDO_LEGACY).words("ordering_later.same", 10);
  later.ordering(CURAND_ORDERING_PSEUDO_BEST).words("ordering_later.best", 10);
}

inline void distributions(curandRngType_t type, bool host) {
  for (size_t n : {2, 4096, 10000, 200000}) {
    Session(type, host).uniform(numbered("uniform", n), n);
    Session(type, host).uniform_double(numbered("uniform_double", n), n);
    Session(type, host).normal(numbered("normal", n), n, 0, 1);
    Session(type, host).normal_double(numbered("normal_double", n), n, 0, 1);
    Session(type, host).log_normal(numbered("log_normal", n), n, 0, 1);
    Session(type, host).log_normal_double(numbered("log_normal_double", n), n, 0, 1);
  }
  Session(type, host).seed(11).normal("normal_3_2", 1000, 3, 2);
  Session(type, host).seed(11).normal_double("normal_double_3_2", 1000, 3, 2);
  Session(type, host).seed(11).normal("normal_negative_deviation", 1000, 1, -2);
  Session(type, host).seed(11).normal("normal_0_deviation", 1000, 1, 0);
  Session(type, host).seed(11).log_normal("log_normal_-1_.5", 1000, -1, 0.5f);
  Session(type, host).seed(11).log_normal_double("log_normal_double_-1_.5", 1000, -1, 0.5);
  for (size_t n : {1, 3, 4097}) {
    Session(type, host).normal(numbered("odd_normal", n), n, 0, 1);
    Session(type, host).normal_double(numbered("odd_normal_double", n), n, 0, 1);
    Session(type, host).log_normal(numbered("odd_log_normal", n), n, 0, 1);
    Session(type, host).log_normal_double(numbered("odd_log_normal_double", n), n, 0, 1);
  }
  Session(type, host).long_words("long_words", 8);
  Session mixed(type, host);
  mixed.uniform("mixed.0", 10);
  mixed.normal("mixed.1", 6, 0, 1);
  mixed.words("mixed.2", 3);
  mixed.uniform_double("mixed.3", 5);
  mixed.normal_double("mixed.4", 4, 0, 1);
  mixed.words("mixed.5", 4100);
  mixed.log_normal("mixed.6", 2, 0, 1);
  mixed.poisson("mixed.7", 5, 10);
  mixed.words("mixed.8", 9);
  mixed.normal("mixed.9", 100, 0, 1);
  mixed.uniform("mixed.10", 4);
}

inline void poisson(curandRngType_t type, bool host) {
  for (double lambda : {0.001, 0.5, 1.0, 5.0, 10.0, 30.0, 63.9, 64.0, 65.0, 100.0, 500.0, 999.0, 1000.0, 1999.0, 2000.0,
                        2001.0, 3999.0, 4000.0, 4001.0, 10000.0, 100000.0, 400000.0}) {
    Session(type, host).seed(3).poisson("poisson." + std::to_string(lambda), 20000, lambda);
  }
  for (double lambda : {0.0, -1.0, 400001.0, 1e10, double(INFINITY)}) {
    Session(type, host).poisson("poisson_error." + std::to_string(lambda), 4, lambda);
  }
  Session calls(type, host);
  int call = 0;
  for (size_t n : {1, 3, 4096, 5, 100001, 2}) calls.poisson(numbered("poisson_call", call++), n, 7.5);
  for (size_t n : {1, 4097, 6}) calls.poisson(numbered("poisson_large_call", call++), n, 5000);
  for (size_t n : {1, 4097, 6}) calls.poisson(numbered("poisson_other_call", call++), n, 1500);
  calls.words("poisson_then_words", 10);
}

inline void everything(curandRngType_t type, bool host = false) {
  answers::exact("created", Session(type, host).created);
  sizes_and_calls(type, host);
  seeds_and_offsets(type, host);
  orderings(type, host);
  distributions(type, host);
  poisson(type, host);
}

}  // namespace pseudo
