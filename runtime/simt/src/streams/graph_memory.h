// Memory that was allocated in a capture and belongs to an allocation node of a graph (CUDA C++
// Programming Guide, "Graph Memory Nodes").
//
// Ownership: allocation nodes, executable graphs and launches share ownership. The object owns the
// bytes. After a launch that does not free the memory, the object owns itself until the memory is
// freed. A registry has weak references to all objects.
// Threads: any thread. The mutex of the registry guards the state of all objects. Memory ordering:
// the mutex. The registry's atomic count lets find() skip the mutex while there is no object.
// Skipping the mutex is safe, because the count is incremented before the program can pass the
// pointer to another thread.
#pragma once

#include <simt_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <memory>

namespace simtrt {

/// Memory with the same address in all launches. It lives as long as the graph, its executable
/// graphs and its launches. If a launch does not free the memory, it lives until it is freed.
class GraphMemory : public std::enable_shared_from_this<GraphMemory> {
 public:
  /// Allocates the memory. Errors: simtErrorMemoryAllocation.
  static simtError_t allocate(int device, std::size_t size, std::shared_ptr<GraphMemory>* memory);
  /// Graph memory that begins at `pointer`; null for other memory.
  static std::shared_ptr<GraphMemory> find(const void* pointer);
  /// Called by simtDeviceReset after it has freed the graph memory of a device: removes this memory
  /// from the registry.
  static void forget_all(int device);

  /// Bytes of all graph memory of a device: at present, and the most since reset_highest().
  static std::size_t bytes(int device);
  static std::size_t highest_bytes(int device);
  static void reset_highest(int device);

  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory();

  /// False after simtDeviceReset has freed the bytes.
  bool is_there() const;
  /// True if a launch has left the memory allocated and nothing has freed it since.
  bool is_allocated() const;
  /// Records that a launch has left the memory allocated.
  void note_allocated();
  /// Records a free by simtFree, simtFreeAsync or a node of a graph. Returns false if the memory is
  /// not allocated.
  bool note_freed();

  /// Records that a program has added a node that frees the memory; false if there is such a node.
  bool take_free_node() { return !has_free_node_.exchange(true); }

  void* const begin;
  const std::size_t size;
  const int device;

 private:
  GraphMemory(void* begin, std::size_t size, int device)
      : begin(begin), size(size), device(device) {}

  std::shared_ptr<GraphMemory> allocated_;  ///< this object, while a launch has left it allocated
  bool forgotten_ = false;
  std::atomic<bool> has_free_node_{false};
};

}  // namespace simtrt
