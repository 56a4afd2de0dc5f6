// Functions of the driver API that write a word of memory, or wait for its value, in the order of a stream.
#include "api/call.h"
#include "api/driver_pointers.h"
#include "api/driver_result.h"
#include "process/runtime_thread.h"
#include "streams/graph.h"

#include <simt_driver.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

namespace {

using simtrt::result;

/// Time between two reads of a word for which a stream waits.
constexpr std::chrono::microseconds kPoll{20};

/// A word, the value to compare with, and the comparison.
template <class Word>
struct Wait {
  Word* word;
  Word value;
  unsigned comparison;
};

template <class Word>
bool is_met(const Wait<Word>& wait) {
  const Word found = __atomic_load_n(wait.word, __ATOMIC_ACQUIRE);
  switch (wait.comparison) {
    case SIMT_DRV_STREAM_WAIT_VALUE_GEQ:
      return static_cast<std::make_signed_t<Word>>(found - wait.value) >= 0;
    case SIMT_DRV_STREAM_WAIT_VALUE_EQ:
      return found == wait.value;
    case SIMT_DRV_STREAM_WAIT_VALUE_AND:
      return (found & wait.value) != 0;
    default:
      return static_cast<Word>(~(found | wait.value)) != 0;
  }
}

simtDrvResult enqueue(simtDrvStream handle, simtrt::Work work) {
  return result([&] {
    return simtrt::with_stream(handle, [&](const auto& stream) {
      if (const simtError_t error = forbid_in_capture(stream)) return error;
      return submit(stream, std::move(work), simtGraphNodeTypeHost);
    });
  });
}

template <class Word>
Word* word_at(simtDrvDeviceptr address) {
  return address % sizeof(Word) == 0 ? reinterpret_cast<Word*>(simtrt::address_of(address)) : nullptr;
}

template <class Word>
simtDrvResult enqueue_write(simtDrvStream stream, simtDrvDeviceptr to, Word value, unsigned flags) {
  Word* const word = word_at<Word>(to);
  if (word == nullptr || flags > SIMT_DRV_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return SIMT_DRV_ERROR_INVALID_VALUE;
  const auto write = [=] { __atomic_store_n(word, value, __ATOMIC_RELEASE); };
  return enqueue(stream, simtrt::TaskWork{"stream write value", write, true});
}

template <class Word>
simtDrvResult enqueue_wait(simtDrvStream stream, simtDrvDeviceptr from, Word value, unsigned flags) {
  const Wait<Word> wait{word_at<Word>(from), value, flags & ~static_cast<unsigned>(SIMT_DRV_STREAM_WAIT_VALUE_FLUSH)};
  if (wait.word == nullptr || wait.comparison > SIMT_DRV_STREAM_WAIT_VALUE_NOR) return SIMT_DRV_ERROR_INVALID_VALUE;
  // A thread of its own: a worker that waits could not run the kernel that writes the word.
  const auto start = [=](simtError_t error, std::function<void()> done) {
    if (error != simtSuccess || is_met(wait)) return done();
    simtrt::start_thread([=] {
      const simtrt::RuntimeThread thread;
      while (!is_met(wait)) {
        simtrt::stop_if_process_ends();
        std::this_thread::sleep_for(kPoll);
      }
      done();
    }).detach();
  };
  return enqueue(stream, simtrt::LaterWork{"stream wait value", start});
}

}  // namespace

simtDrvResult simtDrvStreamWriteValue32(simtDrvStream stream, simtDrvDeviceptr to, simtDrvUint32 value,
                                        unsigned flags) {
  return enqueue_write(stream, to, value, flags);
}
simtDrvResult simtDrvStreamWriteValue64(simtDrvStream stream, simtDrvDeviceptr to, simtDrvUint64 value,
                                        unsigned flags) {
  return enqueue_write(stream, to, value, flags);
}
simtDrvResult simtDrvStreamWaitValue32(simtDrvStream stream, simtDrvDeviceptr from, simtDrvUint32 value,
                                       unsigned flags) {
  return enqueue_wait(stream, from, value, flags);
}
simtDrvResult simtDrvStreamWaitValue64(simtDrvStream stream, simtDrvDeviceptr from, simtDrvUint64 value,
                                       unsigned flags) {
  return enqueue_wait(stream, from, value, flags);
}
