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

Schedule schedule;

__attribute__((constructor)) void read_environment() {
  const char* text = std::getenv("SIMT_SCHEDULE");
  if (text != nullptr && !set_thread_order(text))
    std::fprintf(stderr, "simt: SIMT_SCHEDULE: %s is neither reverse nor random:SEED\n", text);
}

}  // namespace

std::atomic<bool> has_thread_order{false};

bool set_thread_order(const std::string& text) {
  Schedule wanted;
  if (text == "reverse") {
    wanted.reverse = true;
  } else if (text.rfind("random:", 0) == 0) {
    wanted.random = true;
    wanted.seed = std::strtoull(text.c_str() + 7, nullptr, 10);
  } else if (!text.empty()) {
    return false;
  }
  schedule = wanted;
  has_thread_order = wanted.reverse || wanted.random;
  return true;
}

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
