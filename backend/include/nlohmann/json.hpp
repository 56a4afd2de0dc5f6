#pragma once

// JSON values that PyTorch's flight recorder of collectives writes. PyTorch is built with a JSON
// library that the installed package does not contain. Only what the recorder needs is here: values
// are made and written, not read.

#include <cstdint>
#include <cstdio>
#include <list>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace nlohmann {

/// JSON value, stored as its text. operator[] makes the value an object.
class json {
 public:
  json() = default;
  json(bool value) : text_(value ? "true" : "false") {}
  json(const char* value) : text_(quoted(value)) {}
  json(const std::string& value) : text_(quoted(value)) {}
  template <class Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
  json(Number value) : text_(std::to_string(value)) {}
  json(double value) : text_(number(value)) {}
  json(float value) : text_(number(static_cast<double>(value))) {}
  template <class Value>
  json(const std::list<Value>& values) : text_(array(values)) {}
  template <class Value>
  json(const std::vector<Value>& values) : text_(array(values)) {}
  template <class... Values>
  json(const std::tuple<Values...>& values)
      : text_(std::apply([](const auto&... each) { return array(std::vector<json>{json(each)...}); },
                         values)) {}
  template <class Value>
  json(const std::map<std::string, Value>& values) : text_(object(values)) {}
  template <class Value>
  json(const std::unordered_map<std::string, Value>& values) : text_(object(values)) {}

  json& operator[](const std::string& key) { return members_[key]; }

  /// Text of the value, without blanks; members of an object are sorted by name.
  std::string dump() const { return members_.empty() ? text_ : object(members_); }

 private:
  static std::string quoted(const std::string& value) {
    std::string text = "\"";
    for (const char each : value) {
      if (each == '"' || each == '\\') {
        text += '\\';
        text += each;
      } else if (static_cast<unsigned char>(each) < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(each));
        text += escape;
      } else {
        text += each;
      }
    }
    return text + "\"";
  }

  static std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  }

  template <class Values>
  static std::string array(const Values& values) {
    std::string text = "[";
    for (const auto& value : values) text += (text.size() > 1 ? "," : "") + json(value).dump();
    return text + "]";
  }

  template <class Values>
  static std::string object(const Values& values) {
    std::string text = "{";
    for (const auto& [key, value] : values)
      text += (text.size() > 1 ? "," : "") + quoted(key) + ":" + json(value).dump();
    return text + "}";
  }

  std::string text_ = "null";
  std::map<std::string, json> members_;
};

}  // namespace nlohmann
