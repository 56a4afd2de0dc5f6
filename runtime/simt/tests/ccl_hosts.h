// Two machines for the tests of simtccl: network namespaces of this process, joined by a virtual cable. A thread that
// enters a namespace, and the threads and processes that it starts, are on that machine. Needs the right to make
// network namespaces, and the program `ip`.
#pragma once

#include "ccl_process.h"

#include <sched.h>

#include <cerrno>
#include <fstream>
#include <initializer_list>
#include <sstream>

/// Exit status of `ip` with arguments, in the calling thread's namespace; 127 if the program is missing.
inline int run_ip(const std::string& arguments) {
  std::istringstream words("ip " + arguments);
  std::vector<std::string> texts;
  for (std::string word; words >> word;) texts.push_back(word);
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, "ip", nullptr, nullptr, pointers.data(), environ) != 0) return 127;
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

class TwoHosts {
 public:
  TwoHosts() {
    for (int& space : spaces_) std::thread([this, &space] { make(space); }).join();
    if (reason_.empty()) on(0, [this] { connect(); });
    if (!reason_.empty()) MESSAGE("skipped, without two machines: ", reason_);
  }
  TwoHosts(const TwoHosts&) = delete;
  TwoHosts& operator=(const TwoHosts&) = delete;
  ~TwoHosts() {
    for (const int space : spaces_) close(space);
  }

  /// False if the system permits no namespaces; the reason is then printed.
  explicit operator bool() const { return reason_.empty(); }
  /// Moves the calling thread to a machine.
  void enter(int host) const { REQUIRE_EQ(setns(spaces_[host], CLONE_NEWNET), 0); }
  /// Runs a function on a machine.
  template <class Function>
  void on(int host, const Function& function) const {
    std::thread([&] {
      enter(host);
      function();
    }).join();
  }
  /// Interrupts the network.
  void cut() const {
    on(0, [] { REQUIRE_EQ(run_ip("link set simt0 down"), 0); });
  }
  /// Number of TCP sockets of a machine in one of the states (Linux, include/net/tcp_states.h).
  int sockets(int host, std::initializer_list<const char*> states) const {
    int count = 0;
    on(host, [&] {
      std::ifstream table("/proc/thread-self/net/tcp");
      std::string line, slot, local, remote, state;
      std::getline(table, line);
      while (std::getline(table, line)) {
        std::istringstream(line) >> slot >> local >> remote >> state;
        for (const char* wanted : states) count += state == wanted ? 1 : 0;
      }
    });
    return count;
  }

 private:
  void make(int& space) {
    if (unshare(CLONE_NEWNET) != 0) {
      reason_ = std::string("unshare: ") + std::strerror(errno);
      return;
    }
    space = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    if (run_ip("link set lo up") != 0) reason_ = "the program `ip` does not work";
  }
  void connect() {
    const std::string other = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(spaces_[1]);
    if (run_ip("link add simt0 type veth peer name simt1 netns " + other) != 0) {
      reason_ = "the system makes no virtual cable";
      return;
    }
    REQUIRE_EQ(run_ip("address add 10.77.0.1/24 dev simt0"), 0);
    REQUIRE_EQ(run_ip("link set simt0 up"), 0);
    on(1, [] {
      REQUIRE_EQ(run_ip("address add 10.77.0.2/24 dev simt1"), 0);
      REQUIRE_EQ(run_ip("link set simt1 up"), 0);
    });
  }

  int spaces_[2] = {-1, -1};
  std::string reason_;
};

inline simtcclUniqueId id_of(const TwoHosts& hosts, int host) {
  simtcclUniqueId id;
  hosts.on(host, [&] { REQUIRE_CCL(simtcclGetUniqueId(&id)); });
  return id;
}

/// As with_ranks(), with the machine of each rank. The body destroys or aborts the communicator.
inline void with_ranks_on(const TwoHosts& hosts, const std::vector<int>& host_of_rank,
                          const std::function<void(int, simtcclComm_t)>& body) {
  const simtcclUniqueId id = id_of(hosts, host_of_rank.front());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < host_of_rank.size(); ++rank) {
    threads.emplace_back([&, rank] {
      hosts.enter(host_of_rank[rank]);
      simtcclComm_t comm = nullptr;
      const auto joined =
          simtcclCommInitRank(&comm, static_cast<int>(host_of_rank.size()), id, static_cast<int>(rank));
      CHECK_MESSAGE(joined == simtcclSuccess, simtcclGetLastError(nullptr));
      if (joined == simtcclSuccess) body(static_cast<int>(rank), comm);
    });
  }
  for (auto& thread : threads) thread.join();
  release_kept();
}
