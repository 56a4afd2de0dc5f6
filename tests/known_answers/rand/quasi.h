// Cases of one quasi-random generator of the host API: dimensions, counts, calls, offsets, distributions.
#pragma once

#include "session.h"

namespace quasi {

inline std::string numbered(const char* name, unsigned long long number) {
  return std::string(name) + "." + std::to_string(number);
}

inline void dimensions_and_counts(curandRngType_t type, bool wide) {
  const auto integers = [wide](Session& session, const std::string& name, size_t n) {
    wide ? session.long_words(name, n) : session.words(name, n);
  };
  for (unsigned dimensions : {1, 2, 3, 10, 1000, 1111, 20000}) {
    for (unsigned points : {1, 2, 3, 33, 257}) {
      Session session(type);
      integers(session.dimensions(dimensions), numbered(numbered("points", dimensions).c_str(), points),
               size_t(points) * dimensions);
    }
  }
  for (size_t n : {4096, 65535, 65536, 65537, 200001, 1048577}) {
    Session session(type);
    integers(session, numbered("one_dimension", n), n);
  }
  for (unsigned dimensions : {0, 20001, 1 << 30}) {
    answers::exact(numbered("dimensions_error", dimensions).c_str(), Session(type).dimensions(dimensions).failed);
  }
  for (size_t n : {1, 2, 4, 5, 7}) {
    Session session(type);
    integers(session.dimensions(3), numbered("not_a_multiple", n), n);
  }
  Session narrow(type);
  narrow.dimensions(2).words("words_of_any_type", 8);
  Session long_words(type);
  long_words.dimensions(2).long_words("long_words_of_any_type", 8);
}

inline void calls_and_offsets(curandRngType_t type) {
  Session calls(type);
  calls.dimensions(3);
  int call = 0;
  for (size_t n : {3, 3, 6, 300, 12288, 9, 0, 12}) calls.uniform_double(numbered("call", call++), n);
  calls.normal("call.normal", 9, 0, 1);
  calls.uniform("call.uniform", 9);
  calls.poisson("call.poisson", 9, 5);
  calls.uniform_double("call.last", 9);
  calls.dimensions(2).uniform_double("call.other_dimensions", 8);
  calls.offset(0).uniform_double("call.offset_0", 8);
  calls.offset(10).dimensions(5).uniform_double("call.offset_10", 20);
  for (unsigned long long offset : {1ull, 2ull, 3ull, 31ull, 32ull, 1000ull, 65535ull, 1ull << 31, (1ull << 32) - 2,
                                    (1ull << 32), (1ull << 40) + 5}) {
    Session(type).offset(offset).uniform_double(numbered("offset", offset), 600);
    Session(type).dimensions(7).offset(offset).uniform(numbered("offset_7", offset), 700);
  }
}

inline void distributions(curandRngType_t type) {
  for (unsigned dimensions : {1, 4, 100}) {
    const size_t n = 10000;
    Session(type).dimensions(dimensions).uniform(numbered("uniform", dimensions), n);
    Session(type).dimensions(dimensions).uniform_double(numbered("uniform_double", dimensions), n);
    // The first point of a generator that is not scrambled is 0; its normal number is the smallest one.
    Session(type).dimensions(dimensions).normal(numbered("normal", dimensions), n, 0, 1);
    Session(type).dimensions(dimensions).normal_double(numbered("normal_double", dimensions), n, 0, 1);
    Session(type).dimensions(dimensions).log_normal(numbered("log_normal", dimensions), n, -1, 0.5f);
    Session(type).dimensions(dimensions).log_normal_double(numbered("log_normal_double", dimensions), n, -1, 0.5);
    for (double lambda : {0.1, 1.0, 10.0, 63.0, 70.0, 1500.0, 3000.0, 5000.0, 400000.0}) {
      Session(type).dimensions(dimensions).poisson(numbered("poisson", dimensions) + "." + std::to_string(lambda), n, lambda);
    }
  }
  Session(type).dimensions(1).normal("odd_normal", 4097, 3, 2);
  Session(type).dimensions(1).normal_double("odd_normal_double", 4097, 3, 2);
  Session(type).poisson("poisson_0", 10, 0);
  Session(type).poisson("poisson_large", 10, 400001);
}

inline void attributes(curandRngType_t type) {
  for (curandOrdering_t ordering :
       {CURAND_ORDERING_QUASI_DEFAULT, CURAND_ORDERING_PSEUDO_BEST, CURAND_ORDERING_PSEUDO_DEFAULT,
        CURAND_ORDERING_PSEUDO_SEEDED, CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DYNAMIC, curandOrdering_t(0)}) {
    answers::exact(numbered("ordering", ordering).c_str(), Session(type).ordering(ordering).failed);
  }
  answers::exact("seed", Session(type).seed(1).failed);
  Session session(type);
  answers::exact("seeds", curandGenerateSeeds(session.generator));
  session.dimensions(2).uniform("after_seeds", 4);
}

inline void everything(curandRngType_t type, bool wide) {
  answers::exact("created", Session(type).created);
  dimensions_and_counts(type, wide);
  calls_and_offsets(type);
  distributions(type);
  attributes(type);
}

}  // namespace quasi
