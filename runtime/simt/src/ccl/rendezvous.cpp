#include "ccl/rendezvous.h"

#include "ccl/meeting.h"
#include "environment.h"
#include "process/runtime_thread.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <thread>
#include <utility>

namespace simtrt::ccl {
namespace {

using Steady = std::chrono::steady_clock;

constexpr char kMagic[] = "SIMTCCL2";

struct Id {
  char magic[8];
  Token token;
  Address address;
};
static_assert(sizeof(Id) <= SIMTCCL_UNIQUE_ID_BYTES);

std::string name_of(const Token& token) {
  std::string name = "simtccl-";
  for (const unsigned char byte : token.bytes) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", byte);
    name += hex;
  }
  return name;
}

Host own_host() {
  Host host{};
  std::ifstream("/proc/sys/kernel/random/boot_id").read(host.boot, sizeof host.boot - 1);
  struct stat network {};
  // A thread may have a network namespace of its own.
  if (stat("/proc/thread-self/ns/net", &network) == 0) host.network = network.st_ino;
  return host;
}

Descriptor connect_meeting(const Id& id, const Wait& wait) {
  Descriptor made = connect_unix(name_of(id.token));
  if (made) return made;
  const std::string reason =
      "no process listens for this id: the process that made it has ended, or a communicator was made from it (";
  if (id.address.family == 0) throw Failure(simtcclRemoteError, reason + "it has no network interface)");
  try {
    return connect_tcp(id.address, wait);
  } catch (const Failure& failure) {
    throw Failure(failure.result, reason + failure.what() + ")");
  }
}

/// Receives the server's answer: all ranks.
std::vector<Member> receive_members(int fd, int ranks, const Wait& wait) {
  while (!poll_one(fd, POLLIN)) wait.check("the process that made the unique id does not answer");
  Reply reply{};
  std::vector<Member> members(static_cast<std::size_t>(ranks));
  const bool answered = receive_all(fd, &reply, sizeof reply, wait);
  if (answered && reply.result != simtcclSuccess)
    throw Failure(static_cast<simtcclResult_t>(reply.result), reply.reason);
  if (!answered || !receive_all(fd, members.data(), members.size() * sizeof(Member), wait))
    throw Failure(simtcclRemoteError, "the process that made the unique id has ended");
  return members;
}

}  // namespace

std::chrono::seconds init_limit() {
  static const auto limit = environment_number("SIMTCCL_INIT_SECONDS", 600, 1, 1 << 30);
  return std::chrono::seconds(limit);
}

std::string Membership::local_name(int peer) const { return name_of(token) + "-" + std::to_string(peer); }

void Membership::check_ranks() const {
  Reply reply{};
  const auto received = [&](int flags) { return recv(server.get(), &reply, sizeof reply, flags | MSG_DONTWAIT); };
  if (received(MSG_PEEK) != sizeof reply) return;
  received(0);
  throw Failure(static_cast<simtcclResult_t>(reply.result), reply.reason);
}

void Membership::finish() const {
  const char finished = 1;
  send(server.get(), &finished, sizeof finished, MSG_NOSIGNAL | MSG_DONTWAIT);
}

simtcclUniqueId open_meeting() {
  Id id{};
  std::memcpy(id.magic, kMagic, sizeof id.magic);
  if (getrandom(&id.token, sizeof id.token, 0) != sizeof id.token) system_error("getrandom");
  id.address = interface_address();
  Descriptor remote = listen_tcp(id.address);
  Descriptor local = listen_unix(name_of(id.token));
  start_thread([meeting = Meeting(id.token, std::move(local), std::move(remote))]() mutable {
    const RuntimeThread thread;
    meeting.run();
  }).detach();
  simtcclUniqueId bytes{};
  std::memcpy(&bytes, &id, sizeof id);
  return bytes;
}

Membership join_meeting(const simtcclUniqueId& bytes, int ranks, int rank, const std::atomic<bool>& aborted) {
  Id id;
  std::memcpy(&id, &bytes, sizeof id);
  if (std::memcmp(id.magic, kMagic, sizeof id.magic) != 0)
    throw Failure(simtcclInvalidArgument, "simtcclGetUniqueId did not make this id");
  // The server answers within its time limit, unless its process is stopped.
  const Wait wait{Steady::now() + init_limit() + std::chrono::seconds(5), &aborted};
  Membership made;
  made.server = connect_meeting(id, wait);
  made.token = id.token;
  made.rank = rank;
  Join join{id.token, ranks, rank, {own_host(), interface_address()}};
  made.remote = listen_tcp(join.member.address);
  made.local = listen_unix(made.local_name(rank));
  if (!send_all(made.server.get(), &join, sizeof join, wait)) system_error("send");
  made.members = receive_members(made.server.get(), ranks, wait);
  return made;
}

}  // namespace simtrt::ccl
