#pragma once

// Registration of handlers with PyTorch's worker server, which PyTorch's flight recorder of
// collectives uses. The installed package lacks this header, and a CUDA build of PyTorch registers
// the same handlers for its own collectives. Handlers of the device are therefore not registered;
// `torch.<device>.distributed` gives the same traces.

#include <functional>
#include <map>
#include <string>

namespace c10d::control_plane {

class Request {
 public:
  virtual ~Request() = default;
  virtual const std::multimap<std::string, std::string>& params() const = 0;
};

class Response {
 public:
  virtual ~Response() = default;
  virtual void setContent(std::string&& content, const std::string& content_type) = 0;
  virtual void setStatus(int status) = 0;
};

class RegisterHandler {
 public:
  RegisterHandler(const std::string&, const std::function<void(const Request&, Response&)>&) {}
};

}  // namespace c10d::control_plane
