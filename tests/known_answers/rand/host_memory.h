// Cases of generators that write host memory (curandCreateGeneratorHost).
#pragma once

#include "session.h"

namespace host_memory {

inline void pseudo_random(const std::string& name, curandRngType_t type) {
  answers::exact((name + ".created").c_str(), Session(type, true).created);
  Session(type, true).words(name + ".words", 100003);
  Session(type, true).seed(42).words(name + ".seed", 10000);
  Session(type, true).offset(4099).words(name + ".offset", 10000);
  Session(type, true).offset(262147).uniform(name + ".offset_uniform", 10000);
  Session(type, true).uniform(name + ".uniform", 100003);
  Session(type, true).uniform_double(name + ".uniform_double", 100003);
  Session(type, true).normal(name + ".normal", 100004, 0, 1);
  Session(type, true).normal(name + ".odd_normal", 1001, 0, 1);
  Session(type, true).normal_double(name + ".normal_double", 100004, 1, 2);
  Session(type, true).log_normal(name + ".log_normal", 10000, 0, 1);
  Session(type, true).log_normal_double(name + ".log_normal_double", 10000, 0, 1);
  Session poisson(type, true);
  for (double lambda : {0.5, 10.0, 63.0, 70.0, 1500.0, 3000.0, 5000.0}) {
    poisson.poisson(name + ".poisson." + std::to_string(lambda), 20000, lambda);
  }
  for (curandOrdering_t ordering :
       {CURAND_ORDERING_PSEUDO_BEST, CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED,
        CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DYNAMIC, CURAND_ORDERING_QUASI_DEFAULT}) {
    Session(type, true).ordering(ordering).words(name + ".ordering." + std::to_string(ordering), 100003);
  }
  Session calls(type, true);
  int call = 0;
  for (size_t n : {1, 3, 4096, 5, 81920, 7}) calls.words(name + ".call." + std::to_string(call++), n);
  calls.normal(name + ".call.normal", 6, 0, 1);
  calls.uniform_double(name + ".call.uniform_double", 5);
  calls.words(name + ".call.last", 5);
  answers::exact((name + ".stream").c_str(), curandSetStream(calls.generator, nullptr));
  answers::exact((name + ".seeds").c_str(), curandGenerateSeeds(calls.generator));
  calls.words(name + ".after_seeds", 5);
}

inline void quasi_random(const std::string& name, curandRngType_t type) {
  answers::exact((name + ".created").c_str(), Session(type, true).created);
  for (unsigned dimensions : {1, 3, 50}) {
    const std::string in = name + "." + std::to_string(dimensions);
    Session(type, true).dimensions(dimensions).words(in + ".words", 6000);
    Session(type, true).dimensions(dimensions).long_words(in + ".long_words", 6000);
    Session(type, true).dimensions(dimensions).uniform(in + ".uniform", 6000);
    Session(type, true).dimensions(dimensions).uniform_double(in + ".uniform_double", 6000);
    Session(type, true).dimensions(dimensions).offset(1001).uniform(in + ".offset", 6000);
    Session(type, true).dimensions(dimensions).normal(in + ".normal", 6000, 0, 1);
    Session(type, true).dimensions(dimensions).normal_double(in + ".normal_double", 6000, 0, 1);
    Session(type, true).dimensions(dimensions).poisson(in + ".poisson", 6000, 10);
  }
}

}  // namespace host_memory
