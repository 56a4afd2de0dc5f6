// Inlines kernels that never wait into the loop over the threads of a block (simtrt::run_threads in
// simtrt/kernel/launch.h). A small kernel then costs no call for each thread, and the optimiser sees
// through the kernel's own small functions, which at -O1 stay calls.
//
// A kernel that waits (for a barrier or for lanes of its warp) runs on fibers, whose switches cost more
// than calls: it is left alone, because inlining would only cost time of compilation. So is a kernel
// whose inlined code would be very large. Source of the interface: "GCC Internals", chapters "Plugins"
// and "The Callgraph".

#include "gcc-plugin.h"
// GCC requires this order of its headers: each uses declarations of the headers above it.
#include "tree.h"
#include "gimple.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "gimple-iterator.h"

#include "plugin.h"
#include "runtime_names.h"

namespace {

/// Functions with which a thread waits. The plugin inlines no kernel that calls one. A function that is missing here costs
/// only time of compilation.
constexpr const char* kWaiting[] = {"block_barrier", "named_barrier", "grid_barrier", "yield", "warp_sync",
                                    "warp_shuffle", "warp_vote", "warp_match", "warp_gather", "warp_active", "warp_store"};

/// Largest number of GIMPLE statements of an inlined kernel.
constexpr int kLargest = 6000;

bool waits(const_tree function) {
  for (const char* name : kWaiting) {
    if (is_in_runtime(function, name)) return true;
  }
  return false;
}

int statements(function* body) {
  int count = 0;
  basic_block block;
  FOR_EACH_BB_FN(block, body) {
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      count += !is_gimple_debug(gsi_stmt(at));
  }
  return count;
}

/// Sizes of functions with everything that they call inlined.
class Sizes {
 public:
  /// Number of statements; more than kLargest if the function waits, is recursive or is too large.
  int of(cgraph_node* node) {
    bool known = false;
    int& entry = sizes_.get_or_insert(node, &known);
    if (known) return entry;
    entry = kLargest + 1;  // the answer for a function that calls itself
    int size = 0;
    function* body = node->has_gimple_body_p() ? DECL_STRUCT_FUNCTION(node->decl) : nullptr;
    if (body == nullptr || body->cfg == nullptr) {
      size = 1;
    } else {
      size = statements(body);
      for (cgraph_edge* edge = node->callees; edge != nullptr && size <= kLargest; edge = edge->next_callee)
        size += waits(edge->callee->decl) ? kLargest : of(edge->callee->ultimate_alias_target());
    }
    // The insertion of other entries may have moved this one.
    sizes_.put(node, MIN(size, kLargest + 1));
    return MIN(size, kLargest + 1);
  }

 private:
  hash_map<cgraph_node*, int> sizes_;
};

void flatten_loops(void*, void*) {
  Sizes sizes;
  cgraph_node* node;
  FOR_EACH_DEFINED_FUNCTION(node) {
    if (!is_in_runtime(node->decl, kThreadLoop) || sizes.of(node) > kLargest) continue;
    DECL_ATTRIBUTES(node->decl) = tree_cons(get_identifier("flatten"), NULL_TREE, DECL_ATTRIBUTES(node->decl));
  }
}

}  // namespace

void register_thread_loops(const char* plugin) {
  register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, flatten_loops, nullptr);
}
