#include "check/context.h"

#include "check/session.h"
#include "kernel/block_scheduler.h"
#include "process/runtime_thread.h"

#include <simtrt/check_access.h>

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace simtrt::check {

__attribute__((tls_model("initial-exec"))) __thread ThreadAccesses* thread_accesses = nullptr;

namespace {

struct Sites {
  std::unordered_map<const void*, std::uint32_t> numbers;
  std::deque<std::uintptr_t> addresses{0};
};
Sites& sites() {
  static auto& made = *new Sites();
  return made;
}

}  // namespace

std::uint32_t site_of(const void* pc) {
  Sites& all = sites();
  const auto [it, is_new] = all.numbers.emplace(pc, static_cast<std::uint32_t>(all.addresses.size()));
  if (is_new) all.addresses.push_back(reinterpret_cast<std::uintptr_t>(pc));
  return it->second;
}
std::uintptr_t pc_of(std::uint32_t site) { return sites().addresses[site]; }

Context& make_context() {
  // Never destroyed: destructors of the thread may access memory.
  auto* const made = new Context();
  thread_accesses = made;
  return *made;
}

void note_fault(const FaultingAccess& access) { context().fault = access; }

bool is_unknown(const Context& here) {
  return !here.in_block && !here.in_task && RuntimeThread::current() != nullptr;
}

std::string describe_caller() {
  const Context& here = context();
  if (!here.in_block) return describe(here.run, 0, 0);
  return describe(here.run, here.clocks->block, thread_number(here));
}

std::uint64_t note_of_caller() {
  const Run run = context().run;
  return run == kHostRun ? current_note() : note_of(run);
}

std::vector<std::uintptr_t> stack_from(const void* pc) {
  std::vector<std::uintptr_t> frames{reinterpret_cast<std::uintptr_t>(pc)};
  const auto program = program_frames();
  const auto here = std::find(program.begin(), program.end(), frames.front());
  if (here != program.end()) frames.insert(frames.end(), here + 1, program.end());
  return frames;
}

std::string access_text(unsigned flags, std::size_t size) {
  return std::string((flags & kAtomic) != 0 ? "atomic " : "") + ((flags & kWrite) != 0 ? "write" : "read") +
         " of " + std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

Place caller_place(unsigned flags, std::size_t size, std::uint32_t site) {
  const auto* pc = reinterpret_cast<const void*>(pc_of(site));
  return {access_text(flags, size), describe_caller(), stack_from(pc), "", note_of_caller()};
}

const char* name_of(Space space) { return space == Space::kShared ? "shared" : "global"; }

}  // namespace simtrt::check
