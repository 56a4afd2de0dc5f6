#include "check/session.h"

#include "check/access.h"
#include "check/events.h"
#include "check/findings.h"
#include "check/host_protection.h"
#include "kernel/thread_order.h"
#include "memory/memory.h"
#include "streams/device.h"

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

namespace simtrt::check {
namespace {

thread_local std::uint64_t note = 0;
std::atomic<unsigned> number{0};
bool is_open = false;

void wait_for_all() {
  for (int ordinal = 0; ordinal < Device::count(); ++ordinal) Device::get(ordinal)->synchronize();
}

void forget_all() {
  forget_protections();
  const std::lock_guard guard(lock());
  Regions::instance().clear();
  forget_releases();
  forget_order();
  forget_latest_run();
}

}  // namespace

std::uint64_t current_note() { return note; }

unsigned session_number() { return number.load(std::memory_order_relaxed); }

}  // namespace simtrt::check

namespace check = simtrt::check;

const char* simtCheckBegin(const char* kinds) {
  static auto& reason = *new std::string();
  if (check::is_open) return "a session has already begun";
  if (check::active) return "the environment variable SIMT_CHECK is set: it checks the whole process";
  check::wait_for_all();
  const std::string unknown = check::select_kinds(kinds);
  if (!unknown.empty() || !check::active) {
    check::select_kinds("");
    reason = unknown.empty() ? "no kind is named" : "unknown kind " + unknown;
    return reason.c_str();
  }
  ++check::number;
  check::add_known_memory();
  check::is_open = true;
  return nullptr;
}

const char* simtCheckEnd() {
  static auto& report = *new std::string();
  if (!check::is_open) return "{\"findings\": [], \"launches\": []}";
  check::wait_for_all();
  check::is_open = false;
  check::select_kinds("");
  report = check::take_report();
  check::forget_all();
  simtrt::release_waiting();
  return report.c_str();
}

std::uint64_t simtCheckSetNote(std::uint64_t note) { return std::exchange(check::note, note); }

const char* simtCheckSetSchedule(const char* order) {
  check::wait_for_all();
  return simtrt::set_thread_order(order) ? nullptr : "the order is neither reverse nor random:SEED";
}
