#include "kernel/thread_order.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
    std::fprintf(stderr, "simt: SIMT_SCHEDULE: %s is neither [blocks-]reverse nor [blocks-]random:SEED\n", text);
}

}  // namespace

std::atomic<bool> has_thread_order{false};
std::atomic<bool> has_block_order{false};

bool set_thread_order(const std::string& text) {
  constexpr char kBlocks[] = "blocks-";
  constexpr char kRandom[] = "random:";
  const bool of_blocks = text.rfind(kBlocks, 0) == 0;
  const std::string order = of_blocks ? text.substr(std::strlen(kBlocks)) : text;
  Schedule wanted;
  if (order == "reverse") {
    wanted.reverse = true;
  } else if (order.rfind(kRandom, 0) == 0) {
    wanted.random = true;
    wanted.seed = std::strtoull(order.c_str() + std::strlen(kRandom), nullptr, 10);
  } else if (!text.empty()) {
    return false;
  }
  schedule = wanted;
  has_thread_order = !of_blocks && !text.empty();
  has_block_order = of_blocks;
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

std::uint64_t ordered_block(std::uint64_t place, std::uint64_t blocks) {
  if (schedule.reverse) return blocks - 1 - place;
  // Multiplication by a number without a common divisor, and an addition, give each number once without a table.
  std::mt19937_64 generator(schedule.seed);
  std::uint64_t factor = generator() % blocks;
  while (std::gcd(factor, blocks) != 1) factor = (factor + 1) % blocks;
  const auto product = static_cast<unsigned __int128>(place) * factor;
  return static_cast<std::uint64_t>((product + generator() % blocks) % blocks);
}

}  // namespace simtrt
