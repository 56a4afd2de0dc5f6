// Code shared by the tests of kernels: device arrays, checked calls, captured output of the
// runtime.
#pragma once

#include <simt_runtime.h>

#include <doctest/doctest.h>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <forward_list>
#include <future>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// Makes a failed check show the name of an error. doctest finds the function by its argument type.
inline doctest::String toString(simtError_t error) { return simtGetErrorName(error); }

#define CHECK_OK(...) CHECK_EQ((__VA_ARGS__), simtSuccess)
#define REQUIRE_OK(...) REQUIRE_EQ((__VA_ARGS__), simtSuccess)

/// Requires success of the previous launch and of all submitted work of the device.
#define REQUIRE_FINISHED()               \
  do {                                   \
    REQUIRE_OK(simtGetLastError());      \
    REQUIRE_OK(simtDeviceSynchronize()); \
  } while (0)

/// `count` values in memory of the current device.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count, const T& value = T())
      : DeviceArray(std::vector<T>(count, value)) {}

  explicit DeviceArray(const std::vector<T>& values) : count_(values.size()) {
    REQUIRE_OK(simtMalloc(&data_, bytes()));
    REQUIRE_OK(simtMemcpy(data_, values.data(), bytes(), simtMemcpyHostToDevice));
  }

  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { simtFree(data_); }

  T* data() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  /// Copies the values back after all work of the default stream is complete.
  std::vector<T> values() const {
    std::vector<T> result(count_);
    REQUIRE_OK(simtMemcpy(result.data(), data_, bytes(), simtMemcpyDeviceToHost));
    return result;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

/// Blocks a stream: work submitted after `hold` waits until the gate opens. The destructor opens
/// the gate.
class Gate {
 public:
  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() { open(); }

  void hold(simtStream_t stream) {
    REQUIRE_OK(simtLaunchHostFunc(stream, pass, kept()));
  }
  void open() {
    if (!std::exchange(is_open_, true)) promise_.set_value();
  }

 private:
  using Opened = std::shared_future<void>;

  static void pass(void* opened) {
    // A failing test must not hang.
    static_cast<const Opened*>(opened)->wait_for(std::chrono::seconds(20));
  }

  /// An argument of `pass`. It is kept until the end of the program: a stream may call `pass` after
  /// the end of the gate, or never, if a kernel of the device has failed.
  Opened* kept() const {
    static std::mutex mutex;
    static std::forward_list<Opened> all;
    const std::lock_guard<std::mutex> lock(mutex);
    return &all.emplace_front(opened_);
  }

  bool is_open_ = false;
  std::promise<void> promise_;
  Opened opened_ = promise_.get_future().share();
};

/// Stream of the current device.
class TestStream {
 public:
  explicit TestStream(unsigned flags = simtStreamNonBlocking) {
    REQUIRE_OK(simtStreamCreateWithFlags(&stream_, flags));
  }
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;
  ~TestStream() { simtStreamDestroy(stream_); }
  operator simtStream_t() const { return stream_; }

 private:
  simtStream_t stream_ = nullptr;
};

/// Event of the current device.
class TestEvent {
 public:
  explicit TestEvent(unsigned flags = simtEventDefault) {
    REQUIRE_OK(simtEventCreateWithFlags(&event_, flags));
  }
  TestEvent(const TestEvent&) = delete;
  TestEvent& operator=(const TestEvent&) = delete;
  ~TestEvent() { simtEventDestroy(event_); }
  operator simtEvent_t() const { return event_; }

 private:
  simtEvent_t event_ = nullptr;
};

/// Captures output to a file descriptor (1: stdout, 2: stderr) during its lifetime.
class CapturedOutput {
 public:
  explicit CapturedOutput(int descriptor) : descriptor_(descriptor), file_(std::tmpfile()) {
    std::fflush(nullptr);
    saved_ = dup(descriptor_);
    dup2(fileno(file_), descriptor_);
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  /// Output so far.
  std::string text() {
    std::fflush(nullptr);
    std::string result;
    char part[256];
    for (off_t at = 0;; at = static_cast<off_t>(result.size())) {
      const ssize_t size = pread(fileno(file_), part, sizeof part, at);
      if (size <= 0) return result;
      result.append(part, static_cast<std::size_t>(size));
    }
  }

  ~CapturedOutput() {
    std::fflush(nullptr);
    dup2(saved_, descriptor_);
    close(saved_);
    std::fclose(file_);
  }

 private:
  int descriptor_;
  int saved_ = -1;
  std::FILE* file_;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
