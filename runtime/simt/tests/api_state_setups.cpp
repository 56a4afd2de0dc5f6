// Sets up each state of the table in api_states.inc, which lists the results of runtime calls in each state.
#include "api_state_setups.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <thread>

namespace api_states {
namespace {

__global__ void touch(char* memory) { *memory = 1; }
__global__ void fault() { *reinterpret_cast<volatile int*>(16) = 1; }
__global__ void allocate(void** memory) { simtMalloc(memory, 64); }

simtGraph_t end(simtStream_t stream) {
  simtGraph_t graph;
  MUST(simtStreamEndCapture(stream, &graph));
  return graph;
}

void begin(Subject& s, simtStream_t stream, simtStreamCaptureMode mode) {
  s.origin = stream;
  MUST(simtStreamBeginCapture(stream, mode));
}

void on_other_thread(const std::function<void()>& work) { std::thread(work).join(); }

// Graph that allocates memory, s.pointer; with `frees`, the graph also frees it.
void make_allocating_graph(Subject& s, bool frees, unsigned long long flags) {
  MUST(simtGraphExecDestroy(s.exec));
  MUST(simtStreamBeginCapture(s.stream, simtStreamCaptureModeRelaxed));
  MUST(simtMallocAsync(&s.pointer, 4096, s.stream));
  MUST(simtMemsetAsync(s.pointer, 1, 4096, s.stream));
  if (frees) MUST(simtFreeAsync(s.pointer, s.stream));
  s.graph = end(s.stream);
  MUST(simtGraphInstantiate(&s.exec, s.graph, flags));
}

using Setup = std::function<void(Subject&)>;
using Setups = std::map<std::string, Setup>;

void add_captures_elsewhere(Setups& all) {
  const auto here = [](simtStreamCaptureMode mode) {
    return [mode](Subject& s) { begin(s, new_stream(), mode); };
  };
  const auto there = [](simtStreamCaptureMode mode, simtStreamCaptureMode own) {
    return [mode, own](Subject& s) {
      on_other_thread([&] { begin(s, new_stream(), mode); });
      simtStreamCaptureMode exchanged = own;
      MUST(simtThreadExchangeStreamCaptureMode(&exchanged));
    };
  };
  constexpr auto kGlobal = simtStreamCaptureModeGlobal;
  constexpr auto kLocal = simtStreamCaptureModeThreadLocal;
  constexpr auto kRelaxed = simtStreamCaptureModeRelaxed;
  all["global"] = here(kGlobal);
  all["local"] = here(kLocal);
  all["relaxed"] = here(kRelaxed);
  all["global-there"] = there(kGlobal, kGlobal);
  all["global-there/local"] = there(kGlobal, kLocal);
  all["global-there/relaxed"] = there(kGlobal, kRelaxed);
  all["local-there"] = there(kLocal, kGlobal);
  all["relaxed-there"] = there(kRelaxed, kGlobal);
  all["blocking"] = [](Subject& s) { begin(s, new_stream(simtStreamDefault), kRelaxed); };
}

void add_streams(Setups& all) {
  all["idle"] = [](Subject&) {};
  all["busy"] = [](Subject& s) { Hold::instance().put_on(s.stream); };
  all["captured"] = [](Subject& s) { begin(s, s.stream, simtStreamCaptureModeRelaxed); };
  all["joined"] = [](Subject& s) {
    begin(s, new_stream(), simtStreamCaptureModeRelaxed);
    simtEvent_t fork;
    MUST(simtEventCreate(&fork));
    MUST(simtEventRecord(fork, s.origin));
    MUST(simtStreamWaitEvent(s.stream, fork));
  };
  all["broken"] = [](Subject& s) {
    begin(s, s.stream, simtStreamCaptureModeRelaxed);
    static_cast<void>(simtStreamQuery(s.stream));
    static_cast<void>(simtGetLastError());
  };
  all["destroyed"] = [](Subject& s) { MUST(simtStreamDestroy(s.stream)); };
  all["no-stream"] = [](Subject& s) { s.stream = reinterpret_cast<simtStream_t>(s.host); };
  all["null"] = [](Subject& s) { s.stream = nullptr; };
  all["legacy"] = [](Subject& s) { s.stream = simtStreamLegacy; };
  all["per-thread"] = [](Subject& s) { s.stream = simtStreamPerThread; };
  all["null/busy"] = [](Subject& s) {
    s.stream = nullptr;
    Hold::instance().put_on(new_stream(simtStreamDefault));
  };
  all["null/apart"] = [](Subject& s) {
    s.stream = nullptr;
    Hold::instance().put_on(new_stream(simtStreamNonBlocking));
  };
  all["null/captured"] = [](Subject& s) {
    s.stream = nullptr;
    begin(s, new_stream(simtStreamDefault), simtStreamCaptureModeRelaxed);
  };
  all["null/cap.apart"] = [](Subject& s) {
    s.stream = nullptr;
    begin(s, new_stream(), simtStreamCaptureModeRelaxed);
  };
  all["null-busy"] = [](Subject& s) {
    s.stream = new_stream(simtStreamDefault);
    Hold::instance().put_on(nullptr);
  };
  all["other-device"] = [](Subject& s) {
    MUST(simtSetDevice(1));
    s.stream = new_stream();
    MUST(simtSetDevice(0));
  };
}

void add_events(Setups& all) {
  all["event-new"] = [](Subject& s) { MUST(simtEventCreate(&s.event)); };
  all["event-pending"] = [](Subject& s) {
    const simtStream_t held = new_stream();
    Hold::instance().put_on(held);
    MUST(simtEventRecord(s.event, held));
  };
  all["event-captured"] = [](Subject& s) {
    begin(s, new_stream(), simtStreamCaptureModeRelaxed);
    MUST(simtEventRecord(s.event, s.origin));
  };
  all["event-of-ended"] = [](Subject& s) {
    const simtStream_t stream = new_stream();
    MUST(simtStreamBeginCapture(stream, simtStreamCaptureModeRelaxed));
    MUST(simtEventRecord(s.event, stream));
    end(stream);
  };
  all["event-destroyed"] = [](Subject& s) { MUST(simtEventDestroy(s.event)); };
  all["event-null"] = [](Subject& s) { s.event = nullptr; };
  all["event-untimed"] = [](Subject& s) {
    MUST(simtEventCreateWithFlags(&s.event, simtEventDisableTiming));
    MUST(simtEventRecord(s.event, s.stream));
    MUST(simtStreamSynchronize(s.stream));
  };
  all["event/captured"] = [](Subject& s) { begin(s, s.stream, simtStreamCaptureModeRelaxed); };
}

void add_graphs(Setups& all) {
  all["graph-empty"] = [](Subject& s) { MUST(simtGraphCreate(&s.graph, 0)); };
  all["graph-destroyed"] = [](Subject& s) { MUST(simtGraphDestroy(s.graph)); };
  all["graph-null"] = [](Subject& s) { s.graph = nullptr, s.node = nullptr, s.exec = nullptr; };
  all["graph-allocates"] = [](Subject& s) { make_allocating_graph(s, true, 0); };
  all["exec-destroyed"] = [](Subject& s) { MUST(simtGraphExecDestroy(s.exec)); };
  all["exec-running"] = [](Subject& s) {
    const simtStream_t held = new_stream();
    Hold::instance().put_on(held);
    MUST(simtGraphLaunch(s.exec, held));
  };
  const auto launched = [](unsigned long long flags) {
    return [flags](Subject& s) {
      make_allocating_graph(s, false, flags);
      MUST(simtGraphLaunch(s.exec, s.stream));
      MUST(simtStreamSynchronize(s.stream));
    };
  };
  all["memory-live"] = launched(0);
  all["memory-auto"] = launched(simtGraphInstantiateFlagAutoFreeOnLaunch);
  all["memory-freed"] = [launched](Subject& s) {
    launched(0)(s);
    MUST(simtFreeAsync(s.pointer, s.stream));
  };
  all["memory-in-graph"] = [](Subject& s) {
    make_allocating_graph(s, true, 0);
    MUST(simtGraphLaunch(s.exec, s.stream));
    MUST(simtStreamSynchronize(s.stream));
  };
  all["memory-not-yet"] = [](Subject& s) { make_allocating_graph(s, false, 0); };
  all["memory-orphan"] = [launched](Subject& s) {
    launched(0)(s);
    MUST(simtGraphExecDestroy(s.exec));
    MUST(simtGraphDestroy(s.graph));
  };
}

void add_pools_and_pointers(Setups& all) {
  all["pool-default"] = [](Subject& s) { MUST(simtDeviceGetDefaultMemPool(&s.pool, 0)); };
  all["pool-current"] = [](Subject& s) { MUST(simtDeviceSetMemPool(0, s.pool)); };
  all["pool-in-use"] = [](Subject& s) {
    MUST(simtMallocFromPoolAsync(&s.pointer, 4096, s.pool, s.stream));
  };
  all["pool-destroyed"] = [](Subject& s) { MUST(simtMemPoolDestroy(s.pool)); };
  all["pool-null"] = [](Subject& s) { s.pool = nullptr; };
  all["pool-busy"] = [](Subject& s) {
    MUST(simtMallocFromPoolAsync(&s.pointer, 4096, s.pool, s.stream));
    const simtStream_t held = new_stream();
    Hold::instance().put_on(held);
    MUST(simtFreeAsync(s.pointer, held));
  };
  all["of-malloc"] = [](Subject&) {};
  all["of-async"] = [](Subject& s) { MUST(simtMallocAsync(&s.pointer, 4096, s.stream)); };
  all["of-old-pool"] = [](Subject& s) {
    MUST(simtMallocFromPoolAsync(&s.pointer, 4096, s.pool, s.stream));
    MUST(simtMemPoolDestroy(s.pool));
  };
  all["freed"] = [](Subject& s) { MUST(simtFree(s.pointer)); };
  all["freed-async"] = [](Subject& s) {
    MUST(simtMallocAsync(&s.pointer, 4096, s.stream));
    MUST(simtFreeAsync(s.pointer, s.stream));
    MUST(simtStreamSynchronize(s.stream));
  };
  all["freeing"] = [](Subject& s) {
    MUST(simtMallocAsync(&s.pointer, 4096, s.stream));
    const simtStream_t held = new_stream();
    Hold::instance().put_on(held);
    MUST(simtFreeAsync(s.pointer, held));
  };
  all["in-use"] = [](Subject& s) {
    const simtStream_t held = new_stream();
    Hold::instance().put_on(held);
    MUST(simtMemsetAsync(s.pointer, 1, 4096, held));
  };
  all["of-managed"] = [](Subject& s) { s.pointer = s.managed; };
  all["of-pinned"] = [](Subject& s) { s.pointer = s.pinned; };
  all["of-host"] = [](Subject& s) { s.pointer = s.host; };
  all["inner"] = [](Subject& s) { s.pointer = s.memory + 64; };
  all["pointer-null"] = [](Subject& s) { s.pointer = nullptr; };
  all["of-kernel"] = [](Subject& s) {
    SIMT_LAUNCH((allocate), (1), (1), (0), (0), static_cast<void**>(s.managed));
    MUST(simtDeviceSynchronize());
    s.pointer = *static_cast<void**>(s.managed);
  };
}

const Setups& setups() {
  static const Setups all = [] {
    Setups made;
    add_captures_elsewhere(made);
    add_streams(made);
    add_events(made);
    add_graphs(made);
    add_pools_and_pointers(made);
    made["sticky"] = [](Subject&) {
      SIMT_LAUNCH((fault), (1), (1), (0), (0));
      static_cast<void>(simtDeviceSynchronize());
    };
    return made;
  }();
  return all;
}

}  // namespace

simtStream_t new_stream(unsigned flags) {
  simtStream_t stream;
  MUST(simtStreamCreateWithFlags(&stream, flags));
  return stream;
}

void prepare(Subject& s) {
  MUST(simtStreamCreateWithFlags(&s.stream, simtStreamNonBlocking));
  MUST(simtEventCreate(&s.event));
  MUST(simtEventCreate(&s.later));
  void* memory;
  MUST(simtMalloc(&memory, 4096));
  s.memory = static_cast<char*>(memory);
  MUST(simtMalloc(&s.pointer, 4096));
  MUST(simtMallocManaged(&s.managed, 4096));
  MUST(simtMallocHost(&s.pinned, 4096));
  s.registered = std::malloc(4096);
  MUST(simtHostRegister(s.registered, 4096, simtHostRegisterDefault));
  simtMemPoolProps wanted{};
  wanted.allocType = simtMemAllocationTypePinned;
  wanted.location = {simtMemLocationTypeDevice, 0};
  MUST(simtMemPoolCreate(&s.pool, &wanted));
  MUST(simtStreamBeginCapture(s.stream, simtStreamCaptureModeRelaxed));
  SIMT_LAUNCH((touch), (1), (1), (0), (s.stream), s.memory);
  SIMT_LAUNCH((touch), (1), (1), (0), (s.stream), s.memory);
  s.graph = end(s.stream);
  std::size_t count = 1;
  MUST(simtGraphGetRootNodes(s.graph, &s.node, &count));
  MUST(simtGraphInstantiate(&s.exec, s.graph, 0));
  MUST(simtEventRecord(s.event, s.stream));
  MUST(simtEventRecord(s.later, s.stream));
  // These two calls register the kernel and the symbol before the tested call.
  for (const char* name : {"LaunchKernel", "GetSymbolAddress"}) MUST(find_call(name)(s));
  MUST(simtDeviceSynchronize());
}

void enter(const std::string& state, Subject& s) {
  const auto it = setups().find(state);
  if (it == setups().end()) {
    std::fprintf(stderr, "api_states: there is no state '%s'\n", state.c_str());
    std::exit(2);
  }
  it->second(s);
}

}  // namespace api_states
