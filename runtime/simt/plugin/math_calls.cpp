// Replaces calls of expf, erff and tanhf by the inline functions of simtrt/math/inlined.h, which the compiler can vectorize.
//
// In GIMPLE each call has one form, whatever the source calls: std::exp, ::expf or __builtin_expf. The pass runs before the
// call graph is made, so that the inline functions, which nothing else calls, are found to be needed. Source of the interface:
// "GCC Internals", chapters "GIMPLE" and "The Callgraph".

#include "gcc-plugin.h"
// GCC requires this order of its headers: each uses declarations of the headers above it.
#include "tree.h"
#include "gimple.h"
#include "cgraph.h"
#include "gimple-iterator.h"
#include "tree-pass.h"
#include "context.h"

#include "plugin.h"
#include "runtime_names.h"
#include "statement_pass.h"

namespace {

struct Replacement {
  built_in_function builtin;
  const char* name;  ///< in simtrt::inlined
  tree function;     ///< null if the program does not include the header
};

Replacement replacements[] = {
    {BUILT_IN_EXPF, "exp", NULL_TREE},
    {BUILT_IN_ERFF, "erf", NULL_TREE},
    {BUILT_IN_TANHF, "tanh", NULL_TREE},
};

bool has_searched = false;

/// Finds the functions of the header. GCC does not collect them: the pass runs before unreachable functions are removed.
void search() {
  has_searched = true;
  cgraph_node* node;
  FOR_EACH_FUNCTION(node) {
    const_tree scope = DECL_CONTEXT(node->decl);
    if (scope == NULL_TREE || TREE_CODE(scope) != NAMESPACE_DECL || !is_named(scope, "inlined") ||
        !is_in_namespace_of_runtime(scope)) {
      continue;
    }
    for (Replacement& each : replacements)
      if (is_named(node->decl, each.name)) each.function = node->decl;
  }
}

void replace(gcall* call) {
  if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL)) return;
  const built_in_function builtin = DECL_FUNCTION_CODE(gimple_call_fndecl(call));
  for (const Replacement& each : replacements) {
    if (each.builtin != builtin) continue;
    if (!has_searched) search();
    if (each.function != NULL_TREE) gimple_call_set_fndecl(call, each.function);
  }
}

class Pass : public StatementPass {
 public:
  Pass() : StatementPass("simt_math_calls") {}

 private:
  void visit(gimple_stmt_iterator* at) final override {
    if (gcall* call = dyn_cast<gcall*>(gsi_stmt(*at))) replace(call);
  }
};

}  // namespace

void register_math_calls(const char* plugin) {
  StatementPass::add(plugin, new Pass);
}
