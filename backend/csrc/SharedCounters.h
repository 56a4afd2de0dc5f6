#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace at::cuda::backend {

struct CounterFile;

// Number in memory that several processes share. The memory is a file without a name (memfd): it
// ends with the last process that uses it, and nothing stays behind if a process is killed.
class SharedCounter {
 public:
  // Makes a counter with value 0.
  static SharedCounter make();
  // Counter of another process. Returns an invalid counter if the process has ended.
  static SharedCounter open(const std::string& address);

  SharedCounter() = default;
  explicit operator bool() const { return file_ != nullptr; }
  std::string address() const;
  uint64_t value() const;
  void add(int64_t number) const;
  // Lets make() use the memory for another counter.
  void recycle() const;

 private:
  SharedCounter(std::shared_ptr<CounterFile> file, uint64_t index)
      : file_(std::move(file)), index_(index) {}

  std::shared_ptr<CounterFile> file_;
  uint64_t index_ = 0;
};

}  // namespace at::cuda::backend
