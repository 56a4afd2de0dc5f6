#include "check/settings.h"

#include <simtrt/check_access.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace simtrt::check {

Kinds kinds;
Switch active{false};
Switch observes_accesses{false};
Switch needs_lock{false};
std::atomic<bool> hooks_active{false};
PermittedRange everywhere;

std::string select_kinds(const char* text) {
  const std::pair<const char*, Switch*> all[] = {{"memory", &kinds.memory},
                                                 {"race", &kinds.race},
                                                 {"sync", &kinds.sync},
                                                 {"init", &kinds.init},
                                                 {"host", &kinds.host}};
  for (const auto& [name, kind] : all) kind->store(false);
  std::string unknown;
  std::string rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const std::string word = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    bool is_known = word.empty();
    for (const auto& [name, kind] : all) {
      if (word != name) continue;
      kind->store(true);
      is_known = true;
    }
    if (!is_known && unknown.empty()) unknown = word;
  }
  observes_accesses = kinds.memory || kinds.race || kinds.init || kinds.host;
  needs_lock = kinds.race || kinds.init || kinds.host;
  active = observes_accesses || kinds.sync;
  hooks_active = observes_accesses.load();
  for (auto& span : everywhere.spans) span.store(observes_accesses ? 0 : ~std::uintptr_t{0});
  return unknown;
}

namespace {

__attribute__((constructor)) void read_environment() {
  const std::string unknown = select_kinds(std::getenv("SIMT_CHECK"));
  if (!unknown.empty())
    std::fprintf(stderr, "simt: SIMT_CHECK: unknown kind %s (known: memory race sync init host)\n", unknown.c_str());
}

}  // namespace

}  // namespace simtrt::check
