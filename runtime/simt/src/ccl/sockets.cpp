#include "ccl/sockets.h"

#include "ccl/segment.h"
#include "process/runtime_thread.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <utility>

namespace simtrt::ccl {
namespace {

constexpr const char* kInterfaces = "SIMTCCL_SOCKET_IFNAME";

std::pair<sockaddr_storage, socklen_t> socket_address(const Address& address) {
  sockaddr_storage storage{};
  if (address.family == 4) {
    auto& made = reinterpret_cast<sockaddr_in&>(storage);
    made.sin_family = AF_INET;
    made.sin_port = htons(address.port);
    std::memcpy(&made.sin_addr, address.bytes, sizeof made.sin_addr);
    return {storage, sizeof made};
  }
  auto& made = reinterpret_cast<sockaddr_in6&>(storage);
  made.sin6_family = AF_INET6;
  made.sin6_port = htons(address.port);
  std::memcpy(&made.sin6_addr, address.bytes, sizeof made.sin6_addr);
  return {storage, sizeof made};
}

/// Address without a port; family 0 for an address that other machines cannot use.
Address address_of(const sockaddr* given) {
  Address made;
  if (given->sa_family == AF_INET) {
    made.family = 4;
    std::memcpy(made.bytes, &reinterpret_cast<const sockaddr_in*>(given)->sin_addr, 4);
  } else if (given->sa_family == AF_INET6) {
    const auto& own = reinterpret_cast<const sockaddr_in6*>(given)->sin6_addr;
    if (IN6_IS_ADDR_LINKLOCAL(&own)) return made;
    made.family = 6;
    std::memcpy(made.bytes, &own, sizeof own);
  }
  return made;
}

std::pair<sockaddr_un, socklen_t> address_of(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // a leading 0: abstract namespace
  return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())};
}

Descriptor open_socket(int family) {
  Descriptor made(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made) system_error("socket");
  return made;
}

/// Error with which a connection attempt ended.
int socket_error(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

/// First selected address of a family among the interfaces; family 0 if there is none.
Address first_address(const ifaddrs* interfaces, const char* list, int family, bool loopback) {
  for (const ifaddrs* each = interfaces; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != family) continue;
    if ((each->ifa_flags & IFF_UP) == 0) continue;
    const bool wanted = loopback ? (each->ifa_flags & IFF_LOOPBACK) != 0
                                 : selects_interface(list, each->ifa_name);
    const Address address = wanted ? address_of(each->ifa_addr) : Address{};
    if (address.family != 0) return address;
  }
  return {};
}

}  // namespace

void Wait::check(const std::string& late) const {
  stop_if_process_ends();
  if (aborted != nullptr && aborted->load()) throw Aborted();
  if (check_ranks) check_ranks();
  if (std::chrono::steady_clock::now() > end) throw Failure(simtcclSystemError, late);
}

std::string Address::text() const {
  char host[INET6_ADDRSTRLEN] = "no address";
  if (family != 0) inet_ntop(family == 4 ? AF_INET : AF_INET6, bytes, host, sizeof host);
  return (family == 6 ? "[" + std::string(host) + "]" : host) + ":" + std::to_string(port);
}

bool selects_interface(const char* list, const std::string& name) {
  std::string text = list == nullptr ? "^lo,docker" : list;
  const bool excludes = !text.empty() && text[0] == '^';
  if (excludes) text.erase(0, 1);
  const bool whole = !text.empty() && text[0] == '=';
  if (whole) text.erase(0, 1);
  std::istringstream words(text);
  bool listed = false;
  for (std::string word; std::getline(words, word, ',');) {
    if (word.empty()) continue;
    listed = listed || (whole ? name == word : name.compare(0, word.size(), word) == 0);
  }
  return listed != excludes;
}

Address interface_address() {
  const char* list = std::getenv(kInterfaces);
  if (list != nullptr && *list == 0) list = nullptr;
  ifaddrs* interfaces = nullptr;
  if (getifaddrs(&interfaces) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(interfaces, freeifaddrs);
  for (const bool loopback : {false, true}) {
    for (const int family : {AF_INET, AF_INET6}) {
      const Address found = first_address(interfaces, list, family, loopback);
      if (found.family != 0) return found;
    }
    if (list != nullptr) {
      throw Failure(simtcclSystemError,
                    std::string("no network interface with an address matches ") + kInterfaces + "=" + list);
    }
  }
  return {};
}

Descriptor listen_tcp(Address& address) {
  if (address.family == 0) return Descriptor();
  Descriptor made = open_socket(address.family == 4 ? AF_INET : AF_INET6);
  auto [storage, size] = socket_address(address);
  if (bind(made.get(), reinterpret_cast<const sockaddr*>(&storage), size) != 0) system_error("bind");
  if (listen(made.get(), kMaxRanks) != 0) system_error("listen");
  if (getsockname(made.get(), reinterpret_cast<sockaddr*>(&storage), &size) != 0) system_error("getsockname");
  address.port = ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);  // IPv6 has it at the same place
  return made;
}

Descriptor connect_tcp(const Address& address, const Wait& wait) {
  const std::string where = address.text();
  if (address.family == 0) throw Failure(simtcclRemoteError, "the process has no network interface");
  Descriptor made = open_socket(address.family == 4 ? AF_INET : AF_INET6);
  const auto [storage, size] = socket_address(address);
  if (connect(made.get(), reinterpret_cast<const sockaddr*>(&storage), size) != 0) {
    int error = errno;
    if (error == EINPROGRESS) {
      while (!poll_one(made.get(), POLLOUT)) wait.check("no connection to " + where);
      error = socket_error(made.get());
    }
    if (error != 0)
      throw Failure(simtcclRemoteError, "no connection to " + where + " (connect: " + std::strerror(error) + ")");
  }
  const int on = 1;
  setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return made;
}

Descriptor listen_unix(const std::string& name) {
  Descriptor made = open_socket(AF_UNIX);
  const auto [address, size] = address_of(name);
  if (bind(made.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) {
    if (errno == EADDRINUSE) return Descriptor();
    system_error("bind");
  }
  if (listen(made.get(), kMaxRanks) != 0) system_error("listen");
  return made;
}

Descriptor connect_unix(const std::string& name) {
  Descriptor made = open_socket(AF_UNIX);
  const auto [address, size] = address_of(name);
  if (connect(made.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0) return made;
  return Descriptor();
}

bool is_of_this_user(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

Descriptor accept_from(int listener) {
  Descriptor made(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  const int on = 1;
  if (made) setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // no effect on a Unix socket
  return made;
}

bool poll_one(int fd, short events) {
  pollfd polled{fd, events, 0};
  return poll(&polled, 1, kPollMilliseconds) > 0;
}

bool send_all(int fd, const void* data, std::size_t bytes, const Wait& wait) {
  const auto* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = send(fd, next, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (sent < 0) {
      wait.check("a rank receives no data");
      poll_one(fd, POLLOUT);
      continue;
    }
    next += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int fd, void* data, std::size_t bytes, const Wait& wait) {
  auto* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t received = recv(fd, next, bytes, MSG_DONTWAIT);
    if (received == 0 || (received < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (received < 0) {
      wait.check("a rank sends no data");
      poll_one(fd, POLLIN);
      continue;
    }
    next += received;
    bytes -= static_cast<std::size_t>(received);
  }
  return true;
}

}  // namespace simtrt::ccl
