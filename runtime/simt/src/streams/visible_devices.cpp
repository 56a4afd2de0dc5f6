#include "streams/visible_devices.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <sstream>

namespace simtrt {
namespace {

bool begins_with(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

/// The device whose UUID begins with `beginning`; no value if there is none, or more than one.
std::optional<int> device_with_uuid(const std::string& beginning, int count) {
  std::optional<int> found;
  for (int number = 0; number < count; ++number) {
    if (!begins_with(text_of(device_uuid(number)), beginning)) continue;
    if (found) return std::nullopt;
    found = number;
  }
  return found;
}

/// Device that an entry names; no value for an invalid entry. As in CUDA, text after a number is ignored.
std::optional<int> device_of(const std::string& entry, int count) {
  if (begins_with(entry, "GPU-")) return device_with_uuid(entry, count);
  char* end = nullptr;
  const long number = std::strtol(entry.c_str(), &end, 10);
  if (end == entry.c_str() || number < 0 || number >= count) return std::nullopt;
  return static_cast<int>(number);
}

}  // namespace

std::vector<int> visible_devices(int count) {
  const char* list = std::getenv("SIMT_VISIBLE_DEVICES");
  if (list == nullptr) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<int> visible;
  std::istringstream entries(list);
  for (std::string entry; std::getline(entries, entry, ',');) {
    const std::optional<int> number = device_of(entry, count);
    if (!number) break;
    if (std::find(visible.begin(), visible.end(), *number) != visible.end()) return {};
    visible.push_back(*number);
  }
  return visible;
}

simtUUID_t device_uuid(int number) {
  simtUUID_t uuid{};
  uuid.bytes[0] = 's';
  uuid.bytes[1] = 'i';
  uuid.bytes[2] = 'm';
  uuid.bytes[3] = 't';
  uuid.bytes[15] = static_cast<char>(number);
  return uuid;
}

std::string text_of(const simtUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char byte[3];
    std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += byte;
  }
  return text;
}

}  // namespace simtrt
