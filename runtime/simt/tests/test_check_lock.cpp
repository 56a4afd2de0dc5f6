// The lock of the checkers, which prefers one thread. libsimt.so does not export it: the test has its own copy.
#include "../src/check/lock.cpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using simtrt::check::Lock;

// As many turns prefer a thread.
constexpr int kTurns = 5000;

void count(Lock& lock, long& counter, int turns) {
  for (int turn = 0; turn < turns; ++turn) {
    const std::lock_guard guard(lock);
    ++counter;
  }
}

}  // namespace

TEST_CASE("threads that take the lock of the checkers many times in a row lose no turn") {
  for (int round = 0; round < 200; ++round) {
    Lock lock;
    long counter = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] { count(lock, counter, kTurns); });
    for (auto& thread : threads) thread.join();
    CHECK(counter == 4 * kTurns);
  }
}

TEST_CASE("a thread takes the lock of the checkers from the preferred one, which continues") {
  Lock lock;
  long counter = 0;
  count(lock, counter, kTurns);
  std::atomic<bool> ends{false};
  std::thread other([&] {
    // Each turn revokes the preference, which the first thread gains again.
    while (!ends) {
      count(lock, counter, 1);
      std::this_thread::yield();
    }
  });
  long own = 0;
  for (int turn = 0; turn < 200 * kTurns; ++turn) {
    const std::lock_guard guard(lock);
    const long before = counter;
    ++counter;
    ++own;
    REQUIRE(counter == before + 1);
  }
  ends = true;
  other.join();
  CHECK(counter >= own + kTurns);
}

TEST_CASE("a preferred thread that has ended does not keep the lock of the checkers") {
  Lock lock;
  long counter = 0;
  std::thread([&] { count(lock, counter, kTurns); }).join();
  count(lock, counter, 1);
  CHECK(counter == kTurns + 1);
}
