#include "check/findings.h"

#include "check/order.h"
#include "check/source_lines.h"
#include "process/loaded_module.h"

#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <tuple>

namespace simtrt::check {
namespace {

struct List {
  std::mutex mutex;
  std::vector<Finding> findings;
  std::map<std::string, std::size_t> by_key;
};
List& list() {
  static auto& made = *new List();
  return made;
}

constexpr std::size_t kMost = 1000;  // different findings

std::string key_of(const Finding& finding) {
  std::vector<std::string> sides;
  for (const Place& place : finding.places) {
    sides.push_back(place.source + "@" +
                    (place.frames.empty() ? "" : std::to_string(place.frames.front())) +
                    place.what.substr(0, place.what.find(' ')));
  }
  std::sort(sides.begin(), sides.end());
  std::string key = finding.kind + "/" + finding.type + "/" + (finding.places.empty() ? finding.text : "");
  for (const std::string& side : sides) key += "/" + side;
  return key;
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char one : text) {
    if (one == '"' || one == '\\') made += '\\';
    if (one == '\n') {
      made += "\\n";
    } else if (static_cast<unsigned char>(one) < 0x20) {
      made += ' ';
    } else {
      made += one;
    }
  }
  return made + "\"";
}

struct Shown {
  const Finding* finding;
  std::vector<std::vector<SourceLine>> lines;  ///< by place
};

std::string at(const SourceLine& line) {
  return line.file + ":" + std::to_string(line.line) + (line.function.empty() ? "" : " in " + line.function);
}

std::vector<Shown> resolved(const std::vector<Finding>& findings) {
  std::vector<std::uintptr_t> all;
  for (const Finding& finding : findings) {
    for (const Place& place : finding.places) all.insert(all.end(), place.frames.begin(), place.frames.end());
  }
  const SourceLines lines(all);
  std::vector<Shown> made;
  for (const Finding& finding : findings) {
    Shown shown{&finding, {}};
    for (const Place& place : finding.places) {
      std::vector<SourceLine> found;
      if (!place.source.empty()) {
        const auto colon = place.source.rfind(':');
        found.push_back({place.source.substr(0, colon), std::atoi(place.source.c_str() + colon + 1), ""});
      }
      for (const std::uintptr_t frame : place.frames) {
        for (const SourceLine& line : lines.of(frame)) found.push_back(line);
      }
      shown.lines.push_back(std::move(found));
    }
    const bool same_line =
        finding.needs_two_lines && shown.lines.size() == 2 && !shown.lines[0].empty() &&
        !shown.lines[1].empty() && shown.lines[0].front().file == shown.lines[1].front().file &&
        shown.lines[0].front().line == shown.lines[1].front().line;
    if (!same_line) made.push_back(std::move(shown));
  }
  return made;
}

std::string as_json(const std::vector<Shown>& all) {
  std::string made = "{\"findings\": [";
  const char* between = "\n";
  for (const Shown& shown : all) {
    const Finding& one = *shown.finding;
    made += std::string(between) + "{\"kind\": " + quoted(one.kind) + ", \"type\": " + quoted(one.type) +
            ", \"text\": " + quoted(one.text) + ", \"object\": " + quoted(one.object) +
            ", \"count\": " + std::to_string(one.count) + ", \"places\": [";
    between = ",\n";
    for (std::size_t index = 0; index < one.places.size(); ++index) {
      const Place& place = one.places[index];
      made += std::string(index == 0 ? "" : ", ") + "{\"what\": " + quoted(place.what) + ", \"who\": " +
              quoted(place.who) + ", \"note\": " + std::to_string(place.note) + ", \"frames\": [";
      const char* comma = "";
      for (const SourceLine& line : shown.lines[index]) {
        made += std::string(comma) + "{\"file\": " + quoted(line.file) + ", \"line\": " + std::to_string(line.line) +
                ", \"function\": " + quoted(line.function) + "}";
        comma = ", ";
      }
      made += "]}";
    }
    made += "]}";
  }
  return made + "\n]";
}

// Places in modules as JSON: file and offset of each address.
std::string places_in_modules(const std::set<std::uintptr_t>& addresses) {
  std::string made = "[";
  const char* between = "";
  for (const std::uintptr_t address : addresses) {
    const LoadedModule module = module_at(reinterpret_cast<const void*>(address));
    if (module.begin == nullptr) continue;
    made += std::string(between) + "{\"module\": " + quoted(module.path()) +
            ", \"offset\": " + std::to_string(address - reinterpret_cast<std::uintptr_t>(module.begin)) + "}";
    between = ", ";
  }
  return made + "]";
}

void write_text(std::FILE* out, const std::vector<Shown>& all) {
  for (const Shown& shown : all) {
    const Finding& one = *shown.finding;
    std::fprintf(out, "simt check: %s (%s): %s\n", one.kind.c_str(), one.type.c_str(), one.text.c_str());
    for (std::size_t index = 0; index < one.places.size(); ++index) {
      const Place& place = one.places[index];
      std::fprintf(out, "  %s%s%s\n", place.what.c_str(), place.who.empty() ? "" : " by ", place.who.c_str());
      for (const SourceLine& line : shown.lines[index]) std::fprintf(out, "    at %s\n", at(line).c_str());
    }
    if (!one.object.empty()) std::fprintf(out, "  %s\n", one.object.c_str());
    if (one.count > 1)
      std::fprintf(out, "  %llu times in all\n", static_cast<unsigned long long>(one.count));
  }
  std::fprintf(out, "simt check: %zu finding%s\n", all.size(), all.size() == 1 ? "" : "s");
}

}  // namespace

bool add(Finding finding) {
  List& all = list();
  const std::string key = key_of(finding);
  const std::lock_guard lock(all.mutex);
  const auto [it, is_new] = all.by_key.emplace(key, all.findings.size());
  if (!is_new) {
    if (it->second < all.findings.size()) ++all.findings[it->second].count;
    return false;
  }
  if (all.findings.size() >= kMost) return false;
  all.findings.push_back(std::move(finding));
  return true;
}

std::string take_report() {
  List& all = list();
  const std::lock_guard lock(all.mutex);
  const std::string made =
      as_json(resolved(all.findings)) + ",\n\"launches\": " + places_in_modules(launching_calls()) + "}\n";
  all.findings.clear();
  all.by_key.clear();
  return made;
}

std::size_t write_report() {
  List& all = list();
  const std::lock_guard lock(all.mutex);
  const std::vector<Shown> shown = resolved(all.findings);
  const char* path = std::getenv("SIMT_CHECK_REPORT");
  if (path != nullptr && *path != 0) {
    if (std::FILE* out = std::fopen(path, "w")) {
      std::fprintf(out, "%s}\n", as_json(shown).c_str());
      std::fclose(out);
      return shown.size();
    }
    std::fprintf(stderr, "simt: SIMT_CHECK_REPORT: %s cannot be written\n", path);
  }
  if (!shown.empty()) write_text(stderr, shown);
  return shown.size();
}

std::vector<std::uintptr_t> program_frames() {
  std::array<void*, 48> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  const void* const own = module_at(reinterpret_cast<const void*>(&program_frames)).begin;
  std::vector<std::uintptr_t> found;
  for (int index = 0; index < count && found.size() < 12; ++index) {
    const void* const module = module_at(frames[index]).begin;
    if (module == nullptr || module == own) continue;
    found.push_back(reinterpret_cast<std::uintptr_t>(frames[index]));
  }
  return found;
}

}  // namespace simtrt::check
