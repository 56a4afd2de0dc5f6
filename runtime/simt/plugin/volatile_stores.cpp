// Lets the lanes of a warp execute stores to volatile shared memory together.
//
// Programs written before __syncwarp exchange values between the lanes of a warp through volatile shared memory, without a
// barrier: on a GPU the lanes of a warp execute a statement together. Here the threads of a block run one after another.
// The plugin therefore surrounds each such store with calls of simtrt::volatile_store (simtrt/kernel/warp.h), at which the
// lanes wait for each other: in `s[i] += s[i + 16]`, all lanes load before a lane stores, and all lanes store before a lane
// continues. The library decides by the address whether memory is shared. Source of the interface: "GCC Internals",
// chapters "Plugins" and "GIMPLE".
//
// With the plugin's argument `warp-stores`, the pass does the same for all stores, for programs whose shared memory is not
// volatile either. The functions that need no such stores, those of libraries for example, become slower.

#include "gcc-plugin.h"
// GCC requires this order of its headers: each uses declarations of the headers above it.
#include "tree.h"
#include "gimple.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "fold-const.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "tree-pass.h"
#include "context.h"

#include "plugin.h"
#include "runtime_names.h"
#include "statement_pass.h"

namespace {

bool takes_all_stores = false;
bool has_searched = false;
tree function_of_runtime = NULL_TREE;

/// simtrt::volatile_store; null in a source without the runtime's headers. GCC does not collect the function: the pass runs
/// before unreachable functions are removed.
tree find_function() {
  if (has_searched) return function_of_runtime;
  has_searched = true;
  cgraph_node* node;
  FOR_EACH_FUNCTION(node) {
    if (is_in_runtime(node->decl, "volatile_store")) function_of_runtime = node->decl;
  }
  return function_of_runtime;
}

/// True for a target that has an address and may lie in shared memory.
bool may_be_shared(tree target) {
  if (TREE_CODE(target) == BIT_FIELD_REF ||
      (TREE_CODE(target) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(target, 1)))) {
    return false;
  }
  tree base = get_base_address(target);
  if (base == NULL_TREE) return false;
  // Before the pass that places shared variables, a shared variable has its attribute; after the pass, it is a reference to
  // memory.
  return TREE_CODE(base) == MEM_REF ||
         (VAR_P(base) && lookup_attribute("simt_shared", DECL_ATTRIBUTES(base)) != NULL_TREE);
}

gcall* call_of(tree function, tree address, location_t place) {
  static unsigned calls = 0;
  gcall* call = gimple_build_call(function, 2, address, build_int_cst(unsigned_type_node, calls++));
  gimple_set_location(call, place);
  return call;
}

class Pass : public StatementPass {
 public:
  Pass() : StatementPass("simt_volatile_stores") {}

 private:
  void visit(gimple_stmt_iterator* at) final override {
    gimple* store = gsi_stmt(*at);
    if (!gimple_assign_single_p(store) || !gimple_store_p(store)) return;
    tree target = gimple_assign_lhs(store);
    if (!(takes_all_stores || TREE_THIS_VOLATILE(target)) || !may_be_shared(target)) return;
    tree function = find_function();
    if (function == NULL_TREE) return;
    tree address = build_fold_addr_expr(unshare_expr(target));
    address = force_gimple_operand_gsi(at, address, true, NULL_TREE, true, GSI_SAME_STMT);
    const location_t place = gimple_location(store);
    gsi_insert_before(at, call_of(function, address, place), GSI_SAME_STMT);
    gsi_insert_after(at, call_of(function, address, place), GSI_NEW_STMT);
  }
};

}  // namespace

void register_volatile_stores(const char* plugin, bool all_stores) {
  takes_all_stores = all_stores;
  StatementPass::add(plugin, new Pass);
}
