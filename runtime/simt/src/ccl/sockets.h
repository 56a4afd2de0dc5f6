// Sockets by which ranks meet and exchange data: Unix sockets between processes of one machine, TCP between
// machines. All sockets are non-blocking; functions that wait take a Wait.
//
// Unix sockets have names in Linux's abstract namespace and no files, so that a killed job leaves no file. A
// network namespace has its own abstract names: processes in different ones meet as on different machines.
//
// Threads: any thread may call the functions. They have no state.
#pragma once

#include "ccl/descriptor.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace simtrt::ccl {

/// Limit of a wait: a time, the abort of the communicator, and the failure of another rank.
struct Wait {
  std::chrono::steady_clock::time_point end;
  const std::atomic<bool>* aborted = nullptr;  ///< null if nothing aborts the wait
  std::function<void()> check_ranks;           ///< throws Failure if another rank has failed; may be empty

  /// Throws Aborted, or Failure: that of another rank, or simtcclSystemError with the reason `late` after the end.
  /// Stops the thread if the process ends.
  void check(const std::string& late) const;
};

/// Milliseconds between two tests of a Wait.
inline constexpr int kPollMilliseconds = 50;

/// TCP address of a process.
struct Address {
  std::uint16_t family = 0;  ///< 4 or 6; 0 if the process has no network interface
  std::uint16_t port = 0;
  std::uint8_t bytes[16] = {};  ///< in network order; IPv4 has 4 bytes

  std::string text() const;
};

/// Address, with port 0, of the interface that SIMTCCL_SOCKET_IFNAME selects. Its value is a list of prefixes of
/// names; `=` before the list requires equal names, and `^` excludes the listed interfaces. Without the variable:
/// the first interface whose name begins neither with `lo` nor with `docker`, else the loopback interface. IPv4 is
/// preferred. Throws Failure (simtcclSystemError) if no interface matches the variable.
Address interface_address();

/// True if SIMTCCL_SOCKET_IFNAME's value `list` selects the interface `name`. A null list is the default.
bool selects_interface(const char* list, const std::string& name);

/// Listens at a port that the system chooses, and stores the port in `address`. Returns nothing if the family is 0.
/// Throws Failure (simtcclSystemError).
Descriptor listen_tcp(Address& address);
/// Connects to an address. Throws Failure (simtcclRemoteError) with the reason, and what `wait` throws.
Descriptor connect_tcp(const Address& address, const Wait& wait);

/// Listens under a name; returns nothing if another process does so. Throws Failure (simtcclSystemError).
Descriptor listen_unix(const std::string& name);
/// Connects to the process of this machine that listens under `name`; nothing if there is none.
Descriptor connect_unix(const std::string& name);
/// True if the peer of a Unix socket is a process of the same user.
bool is_of_this_user(int fd);
/// Accepts a connection; nothing if none waits.
Descriptor accept_from(int listener);

/// Sends or receives exactly `bytes` bytes. Return false if the connection ends.
bool send_all(int fd, const void* data, std::size_t bytes, const Wait& wait);
bool receive_all(int fd, void* data, std::size_t bytes, const Wait& wait);
/// Polls one descriptor for kPollMilliseconds; true if one of the events has occurred.
bool poll_one(int fd, short events);

}  // namespace simtrt::ccl
