// Memory that was allocated in a capture: it belongs to an allocation node of a graph (CUDA C++
// Programming Guide, "Graph Memory Nodes").
//
// Ownership: allocation nodes, executable graphs and launches share ownership. The object owns the
// bytes, and owns itself while a launch has left it allocated. A registry knows it by a weak
// reference.
// Threads: any thread. The mutex of the registry guards the state of all objects.
// Memory ordering: the mutex. The registry's atomic count lets find() skip the mutex while there is
// no object. A pointer to graph memory reaches another thread only by the program's own ordering,
// after the count was incremented.
#pragma once

#include <simt_runtime_api.h>

#include <cstddef>
#include <memory>

namespace simtrt {

/// One address for all launches. It is kept as long as the graph, what was instantiated from it and
/// its launches are, and as long as a launch has left it allocated.
class GraphMemory : public std::enable_shared_from_this<GraphMemory> {
 public:
  /// Errors: simtErrorMemoryAllocation.
  static simtError_t allocate(int device, std::size_t size, std::shared_ptr<GraphMemory>* memory);
  /// The memory that begins at `pointer`; null where that is no memory of a graph.
  static std::shared_ptr<GraphMemory> find(const void* pointer);
  /// simtDeviceReset has given the memory of all graphs of a device to the machine.
  static void forget_all(int device);

  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory();

  /// False once simtDeviceReset has given the bytes to the machine.
  bool is_there() const;
  /// True if a launch has left it allocated, and nothing has freed it since.
  bool is_allocated() const;
  /// A launch leaves it allocated.
  void note_allocated();
  /// It is freed by simtFree, simtFreeAsync or a node of a graph. False where it is not allocated.
  bool note_freed();

  void* const begin;
  const std::size_t size;
  const int device;

 private:
  GraphMemory(void* begin, std::size_t size, int device)
      : begin(begin), size(size), device(device) {}

  std::shared_ptr<GraphMemory> allocated_;  ///< itself, while a launch has left it allocated
  bool forgotten_ = false;
};

}  // namespace simtrt
