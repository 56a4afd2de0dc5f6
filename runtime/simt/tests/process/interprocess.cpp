// Memory and events that two processes share. The first process forks before it uses the device.
#include "program.h"

#include <simt.h>

#include <sys/wait.h>

#include <csignal>

namespace {

__global__ void scale(int* values, int size, int factor) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < size) values[index] *= factor;
}

/// Pipe for values that need no encoding.
class Channel {
 public:
  Channel() { EXPECT(pipe(ends_), 0); }
  template <class T>
  void send(const T& value) const {
    EXPECT(write(ends_[1], &value, sizeof value), sizeof value);
  }
  template <class T>
  T receive() const {
    T value{};
    EXPECT(read(ends_[0], &value, sizeof value), sizeof value);
    return value;
  }

 private:
  int ends_[2];
};

Channel there;  // from the parent to the child
Channel back;   // from the child to the parent

template <class Child>
pid_t start(Child child) {
  const pid_t process = fork();
  if (process != 0) return process;
  alarm(20);
  child();
  std::exit(0);
}

void expect_end(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
}

simtIpcMemHandle_t handle_of(void* memory) {
  simtIpcMemHandle_t handle;
  EXPECT_OK(simtIpcGetMemHandle(&handle, memory));
  return handle;
}

int* opened(const simtIpcMemHandle_t& handle) {
  void* memory = nullptr;
  EXPECT_OK(simtIpcOpenMemHandle(&memory, handle, simtIpcMemLazyEnablePeerAccess));
  return static_cast<int*>(memory);
}

/// Array of `size` values of `value`.
int* filled(int size, int value) {
  int* made = device_array(static_cast<std::size_t>(size));
  const std::vector<int> host(static_cast<std::size_t>(size), value);
  EXPECT_OK(simtMemcpy(made, host.data(), host.size() * sizeof(int), simtMemcpyHostToDevice));
  return made;
}

void expect_filled(const int* memory, int size, int value) {
  std::vector<int> host(static_cast<std::size_t>(size));
  EXPECT_OK(simtMemcpy(host.data(), memory, host.size() * sizeof(int), simtMemcpyDeviceToHost));
  for (const int one : host) EXPECT(one, value);
}

constexpr int kSmall = 100;
constexpr int kLarge = 3 << 18;  // 3 MiB: a mapping of its own

// Small allocations share a mapping, a large one has its own. Both processes see each other's writes.
int memory() {
  const pid_t child = start([] {
    int* small = opened(there.receive<simtIpcMemHandle_t>());
    int* large = opened(there.receive<simtIpcMemHandle_t>());
    expect_filled(small, kSmall, 7);
    expect_filled(large, kLarge, 8);
    SIMT_LAUNCH((scale), (1), (128), (0), (0), small, kSmall, 3);
    SIMT_LAUNCH((scale), (kLarge / 128), (128), (0), (0), large, kLarge, 5);
    simtPointerAttributes attributes;
    EXPECT_OK(simtPointerGetAttributes(&attributes, small + kSmall / 2));
    EXPECT(attributes.type, simtMemoryTypeDevice);
    EXPECT(simtFree(small), simtErrorInvalidValue);
    EXPECT(simtFreeAsync(small, nullptr), simtErrorInvalidValue);
    simtIpcMemHandle_t handle;
    EXPECT(simtIpcGetMemHandle(&handle, small), simtErrorInvalidValue);
    EXPECT_OK(simtIpcCloseMemHandle(small));
    EXPECT(simtIpcCloseMemHandle(small), simtErrorInvalidValue);
    EXPECT_OK(simtDeviceReset());
    EXPECT(simtIpcCloseMemHandle(large), simtErrorInvalidValue);
  });
  int* before = filled(50, 1);
  int* small = filled(kSmall, 7);
  int* large = filled(kLarge, 8);
  there.send(handle_of(small + 3));  // the handle denotes the allocation, not the address
  there.send(handle_of(large));
  expect_end(child);
  expect_filled(before, 50, 1);
  expect_filled(small, kSmall, 21);
  expect_filled(large, kLarge, 40);
  EXPECT_OK(simtFree(large));
  EXPECT_OK(simtFree(small));
  expect_device_works();
  return 0;
}

// The same device has other ordinals in processes that see other devices.
int other_ordinals() {
  setenv("SIMT_DEVICE_COUNT", "3", 1);
  const pid_t sees_it_last = start([] {
    setenv("SIMT_VISIBLE_DEVICES", "0,2", 1);
    int* memory = opened(there.receive<simtIpcMemHandle_t>());
    simtPointerAttributes attributes;
    EXPECT_OK(simtPointerGetAttributes(&attributes, memory));
    EXPECT(attributes.device, 1);
    expect_filled(memory, kSmall, 7);
    back.send(true);
    EXPECT_OK(simtDeviceReset());  // device 0; the memory is on device 1
    EXPECT_OK(simtIpcCloseMemHandle(memory));
  });
  setenv("SIMT_VISIBLE_DEVICES", "2,1", 1);
  const auto handle = handle_of(filled(kSmall, 7));
  there.send(handle);
  expect_end(sees_it_last);
  EXPECT(back.receive<bool>(), true);
  return 0;
}

// Memory of a device that the process does not see.
int device_is_not_visible() {
  setenv("SIMT_DEVICE_COUNT", "2", 1);
  const pid_t child = start([] {
    setenv("SIMT_VISIBLE_DEVICES", "1", 1);
    void* memory = nullptr;
    EXPECT(simtIpcOpenMemHandle(&memory, there.receive<simtIpcMemHandle_t>(), simtIpcMemLazyEnablePeerAccess),
           simtErrorInvalidDevice);
  });
  there.send(handle_of(filled(kSmall, 7)));
  expect_end(child);
  return 0;
}

// A handle that is open already gives the same address, and is closed as often as it was opened.
int opened_twice() {
  const pid_t child = start([] {
    const auto handle = there.receive<simtIpcMemHandle_t>();
    int* first = opened(handle);
    EXPECT(opened(handle) == first, true);
    EXPECT_OK(simtIpcCloseMemHandle(first));
    expect_filled(first, kSmall, 7);
    EXPECT_OK(simtIpcCloseMemHandle(first));
    int value = 0;
    EXPECT(simtMemcpy(&value, first, sizeof value, simtMemcpyDeviceToHost), simtErrorInvalidValue);
  });
  there.send(handle_of(filled(kSmall, 7)));
  expect_end(child);
  return 0;
}

// Opened memory stays when the exporting process is killed. Other handles of the process are then invalid.
int exporter_is_killed() {
  const pid_t child = start([] {
    back.send(handle_of(filled(kLarge, 9)));
    back.send(handle_of(filled(kLarge, 10)));
    simtEvent_t event;
    EXPECT_OK(simtEventCreateWithFlags(&event, simtEventInterprocess | simtEventDisableTiming));
    simtIpcEventHandle_t handle;
    EXPECT_OK(simtIpcGetEventHandle(&handle, event));
    back.send(handle);
    pause();
  });
  int* memory = opened(back.receive<simtIpcMemHandle_t>());
  const auto other = back.receive<simtIpcMemHandle_t>();
  const auto handle = back.receive<simtIpcEventHandle_t>();
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  expect_filled(memory, kLarge, 9);
  void* none = nullptr;
  EXPECT(simtIpcOpenMemHandle(&none, other, simtIpcMemLazyEnablePeerAccess),
         simtErrorInvalidResourceHandle);
  simtEvent_t event;
  EXPECT(simtIpcOpenEventHandle(&event, handle), simtErrorInvalidResourceHandle);
  expect_device_works();
  return 0;
}

// A freed allocation cannot be opened any more; a process that has it open keeps the bytes.
int exporter_frees() {
  const pid_t child = start([] {
    int* memory = opened(there.receive<simtIpcMemHandle_t>());
    const auto handle = there.receive<simtIpcMemHandle_t>();
    back.send(0);
    there.receive<int>();
    expect_filled(memory, kLarge, 11);
    void* none = nullptr;
    EXPECT(simtIpcOpenMemHandle(&none, handle, simtIpcMemLazyEnablePeerAccess),
           simtErrorInvalidResourceHandle);
  });
  int* memory = filled(kLarge, 11);
  int* other = filled(kLarge, 12);
  there.send(handle_of(memory));
  there.send(handle_of(other));
  back.receive<int>();
  EXPECT_OK(simtFree(memory));
  EXPECT_OK(simtFree(other));
  there.send(0);
  expect_end(child);
  return 0;
}

simtEvent_t interprocess_event() {
  simtEvent_t event = nullptr;
  EXPECT_OK(simtEventCreateWithFlags(&event, simtEventInterprocess | simtEventDisableTiming));
  return event;
}

simtEvent_t opened(const simtIpcEventHandle_t& handle) {
  simtEvent_t event = nullptr;
  EXPECT_OK(simtIpcOpenEventHandle(&event, handle));
  return event;
}

// The child's stream waits for the parent's work, and the parent's stream for the child's.
int events() {
  const pid_t child = start([] {
    int* values = opened(there.receive<simtIpcMemHandle_t>());
    const simtEvent_t ready = opened(there.receive<simtIpcEventHandle_t>());
    const simtEvent_t scaled = opened(there.receive<simtIpcEventHandle_t>());
    EXPECT(simtEventQuery(ready), simtErrorNotReady);
    const simtStream_t stream = new_stream();
    EXPECT_OK(simtStreamWaitEvent(stream, ready, 0));
    SIMT_LAUNCH((scale), (1), (128), (0), (stream), values, kSmall, 3);
    EXPECT_OK(simtEventRecord(scaled, stream));
    EXPECT(simtStreamQuery(stream), simtErrorNotReady);
    simtIpcEventHandle_t handle;
    EXPECT(simtIpcGetEventHandle(&handle, ready), simtErrorInvalidResourceHandle);
    float time = 0;
    EXPECT(simtEventElapsedTime(&time, ready, ready), simtErrorInvalidResourceHandle);
    back.send(0);
    EXPECT_OK(simtEventSynchronize(ready));
    EXPECT_OK(simtStreamSynchronize(stream));
    EXPECT_OK(simtEventQuery(ready));
    EXPECT_OK(simtEventDestroy(ready));
    there.receive<int>();
  });
  int* flag = nullptr;
  EXPECT_OK(simtMallocHost(&flag, sizeof(int)));
  *flag = 0;
  int* values = filled(kSmall, 7);
  const simtStream_t stream = new_stream();
  const simtEvent_t ready = interprocess_event();
  const simtEvent_t scaled = interprocess_event();
  EXPECT_OK(simtEventQuery(scaled));
  SIMT_LAUNCH((spin_politely), (1), (1), (0), (stream), flag);
  SIMT_LAUNCH((scale), (1), (128), (0), (stream), values, kSmall, 2);
  EXPECT_OK(simtEventRecord(ready, stream));
  there.send(handle_of(values));
  for (const simtEvent_t event : {ready, scaled}) {
    simtIpcEventHandle_t handle;
    EXPECT_OK(simtIpcGetEventHandle(&handle, event));
    there.send(handle);
  }
  back.receive<int>();
  EXPECT(simtEventQuery(scaled), simtErrorNotReady);
  const simtStream_t last = new_stream();
  EXPECT_OK(simtStreamWaitEvent(last, scaled, 0));
  *flag = 1;
  EXPECT_OK(simtStreamSynchronize(last));
  expect_filled(values, kSmall, 42);
  there.send(0);
  expect_end(child);
  return 0;
}

/// Interprocess event that a stream records after a kernel.
struct Recorded {
  int* flag;  ///< the kernel runs until it is 1
  simtStream_t stream;
  simtIpcEventHandle_t handle;
};

/// Records an event after a kernel that waits for its flag and, if `fails`, after a kernel with a fault.
Recorded recorded_after_kernel(bool fails = false) {
  Recorded made{};
  EXPECT_OK(simtMallocHost(&made.flag, sizeof(int)));
  *made.flag = 0;
  made.stream = new_stream();
  SIMT_LAUNCH((spin_politely), (1), (1), (0), (made.stream), made.flag);
  if (fails) SIMT_LAUNCH((add), (1), (1), (0), (made.stream), static_cast<int*>(nullptr));
  const simtEvent_t event = interprocess_event();
  EXPECT_OK(simtEventRecord(event, made.stream));
  EXPECT_OK(simtIpcGetEventHandle(&made.handle, event));
  return made;
}

// A wait for the record of a killed process ends with an error.
int recorder_is_killed() {
  const pid_t child = start([] {
    back.send(recorded_after_kernel().handle);
    pause();
  });
  const simtEvent_t event = opened(back.receive<simtIpcEventHandle_t>());
  const simtStream_t stream = new_stream();
  EXPECT_OK(simtStreamWaitEvent(stream, event, 0));
  EXPECT(simtStreamQuery(stream), simtErrorNotReady);
  kill(child, SIGKILL);
  EXPECT(simtEventSynchronize(event), simtErrorLaunchFailure);
  EXPECT(simtStreamSynchronize(stream), simtErrorLaunchFailure);
  waitpid(child, nullptr, 0);
  EXPECT_OK(simtDeviceReset());
  expect_device_works();
  return 0;
}

// A wait for a record before which a kernel of the other process fails ends with an error.
int recorder_has_a_fault() {
  const pid_t child = start([] {
    const Recorded recorded = recorded_after_kernel(/*fails=*/true);
    back.send(recorded.handle);
    there.receive<int>();
    *recorded.flag = 1;
    EXPECT(simtStreamSynchronize(recorded.stream), simtErrorIllegalAddress);
    there.receive<int>();
  });
  const simtEvent_t event = opened(back.receive<simtIpcEventHandle_t>());
  EXPECT(simtEventQuery(event), simtErrorNotReady);
  there.send(0);
  EXPECT(simtEventSynchronize(event), simtErrorLaunchFailure);
  there.send(0);
  expect_end(child);
  expect_device_works();
  return 0;
}

// A process ends while its stream waits for another process.
int ends_while_it_waits() {
  const pid_t child = start([] {
    const simtEvent_t event = opened(there.receive<simtIpcEventHandle_t>());
    EXPECT_OK(simtStreamWaitEvent(new_stream(), event, 0));
  });
  const Recorded recorded = recorded_after_kernel();
  there.send(recorded.handle);
  expect_end(child);
  *recorded.flag = 1;
  EXPECT_OK(simtStreamSynchronize(recorded.stream));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_case({{"memory", memory},
                   {"opened twice", opened_twice},
                   {"other ordinals", other_ordinals},
                   {"device is not visible", device_is_not_visible},
                   {"exporter is killed", exporter_is_killed},
                   {"exporter frees", exporter_frees},
                   {"events", events},
                   {"recorder is killed", recorder_is_killed},
                   {"recorder has a fault", recorder_has_a_fault},
                   {"ends while it waits", ends_while_it_waits}},
                  argc, argv);
}
