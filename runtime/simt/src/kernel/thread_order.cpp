#include "kernel/thread_order.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>

namespace simtrt {
namespace {

struct Schedule {
  bool reverse = false;
  bool random = false;
  std::uint64_t seed = 0;
};

Schedule parse() {
  const char* text = std::getenv("SIMT_SCHEDULE");
  const std::string word = text == nullptr ? "" : text;
  if (word.empty()) return {};
  if (word == "reverse") return {true, false, 0};
  if (word.rfind("random:", 0) == 0) return {false, true, std::strtoull(word.c_str() + 7, nullptr, 10)};
  std::fprintf(stderr, "simt: SIMT_SCHEDULE: %s is neither reverse nor random:SEED\n", word.c_str());
  return {};
}

const Schedule schedule = parse();

}  // namespace

const bool has_thread_order = schedule.reverse || schedule.random;

void order_threads(std::vector<unsigned>& order, unsigned threads, std::uint64_t block) {
  order.resize(threads);
  std::iota(order.begin(), order.end(), 0U);
  if (schedule.reverse) {
    std::reverse(order.begin(), order.end());
  } else {
    std::mt19937_64 generator(schedule.seed * 0x9e3779b97f4a7c15U + block);
    std::shuffle(order.begin(), order.end(), generator);
  }
}

}  // namespace simtrt
