// Copies from global to shared memory by the calling thread: the functions of cuda_pipeline.h and
// cuda_pipeline_primitives.h (CUDA 12.4). A copy is complete when its call returns; the functions
// that wait for copies have no effect.
#pragma once

#include <simt_awbarrier.h>

#include <cstddef>
#include <cstring>

/// Copies `size - zeros` bytes, and fills the other `zeros` bytes with zeros.
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t size,
                                    std::size_t zeros = 0) {
  std::memcpy(to, from, size - zeros);
  std::memset(static_cast<char*>(to) + (size - zeros), 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(std::size_t) {}
/// In CUDA, the barrier's phase waits for the thread's copies; the number of its arrivals stays.
inline void __pipeline_arrive_on(__mbarrier_t*) {}

namespace nvcuda::experimental {

class pipeline {
 public:
  std::size_t commit() { return batches_++; }
  void commit_and_wait() { commit(); }
  void wait(std::size_t) {}
  template <unsigned Prior>
  void wait_prior() {}
  void arrive_on(awbarrier&) {}

 private:
  std::size_t batches_ = 0;
};

template <class T>
void memcpy_async(T& to, const T& from, pipeline&) {
  to = from;
}
template <class T, std::size_t ToSize, std::size_t FromSize>
void memcpy_async(T (&to)[ToSize], const T (&from)[FromSize], pipeline&) {
  for (std::size_t i = 0; i < ToSize; ++i) to[i] = i < FromSize ? from[i] : T();
}

}  // namespace nvcuda::experimental
