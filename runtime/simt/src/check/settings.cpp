#include "check/settings.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace simtrt::check {
namespace {

Kinds parse(const char* text) {
  Kinds found;
  std::string rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const std::string name = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    if (name == "memory") found.memory = true;
    else if (name == "race") found.race = true;
    else if (name == "sync") found.sync = true;
    else if (name == "init") found.init = true;
    else if (name == "host") found.host = true;
    else if (!name.empty())
      std::fprintf(stderr, "simt: SIMT_CHECK: unknown kind %s (known: memory race sync init host)\n", name.c_str());
  }
  return found;
}

}  // namespace

const Kinds kinds = parse(std::getenv("SIMT_CHECK"));
const bool active = kinds.memory || kinds.race || kinds.sync || kinds.init || kinds.host;
const bool observes_accesses = kinds.memory || kinds.race || kinds.init || kinds.host;
const bool needs_lock = kinds.race || kinds.init || kinds.host;

}  // namespace simtrt::check
