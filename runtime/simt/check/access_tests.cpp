// GCC plugin that makes the instrumentation of accesses cheap (-fsanitize=thread). Only instrumented programs load it.
//
// Before an access, the compiler calls a function. The pass removes the call if the access is the runtime's own:
// threadIdx, the loop over threads, the arguments of a kernel. Before other calls, it inserts a test:
//
//     static const PermittedRange* site = &nothing;
//     if (address - site->begin >= site->spans[log2(size)]) simt_check_access(address, &site, kind);
//
// hooks.cpp stores the range at the site if further accesses to it need no check. Without the plugin, all calls remain.
// Source of the interface: "GCC Internals", chapters "Plugins", "GIMPLE" and "Control Flow Graph".

#include "gcc-plugin.h"
// GCC requires this order of its headers: each uses declarations of the headers above it.
#include "diagnostic-core.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "stringpool.h"
#include "ssa.h"
#include "cgraph.h"
#include "gimple-iterator.h"
#include "tree-cfg.h"
#include "tree-into-ssa.h"
#include "tree-pass.h"
#include "context.h"
#include "cfghooks.h"
#include "output.h"
#include "varasm.h"

#include <array>
#include <vector>

#include "../plugin/runtime_names.h"

// GCC loads only plugins with this symbol, which states that the plugin's licence (BSD) is compatible with the GPL.
int plugin_is_GPL_compatible;

namespace {

/// A function that the compiler calls before an access. The numbers are those of simt_check_access.
struct Hook {
  built_in_function builtin;
  unsigned log_size;
  bool writes;
  bool is_volatile;

  unsigned kind() const { return log_size | unsigned{writes} << 3 | unsigned{is_volatile} << 4; }
};

#define HOOKS_OF_SIZE(size, log_size)                                        \
  {BUILT_IN_TSAN_READ##size, log_size, false, false},                        \
  {BUILT_IN_TSAN_WRITE##size, log_size, true, false},                        \
  {BUILT_IN_TSAN_VOLATILE_READ##size, log_size, false, true},                \
  {BUILT_IN_TSAN_VOLATILE_WRITE##size, log_size, true, true}

constexpr Hook kHooks[] = {
    HOOKS_OF_SIZE(1, 0), HOOKS_OF_SIZE(2, 1), HOOKS_OF_SIZE(4, 2), HOOKS_OF_SIZE(8, 3), HOOKS_OF_SIZE(16, 4)};

const Hook* hook_of(gimple* statement) {
  if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL)) return nullptr;
  const built_in_function builtin = DECL_FUNCTION_CODE(gimple_call_fndecl(statement));
  for (const Hook& hook : kHooks) {
    if (hook.builtin == builtin) return &hook;
  }
  return nullptr;
}

/// The access for which a hook was inserted; null if it is unknown.
tree access_after(gimple_stmt_iterator at, const Hook& hook) {
  do {
    gsi_next_nondebug(&at);
  } while (!gsi_end_p(at) && hook_of(gsi_stmt(at)) != nullptr);
  if (gsi_end_p(at)) return NULL_TREE;
  gimple* const statement = gsi_stmt(at);
  if (hook.writes) return gimple_get_lhs(statement);
  return gimple_assign_single_p(statement) ? gimple_assign_rhs1(statement) : NULL_TREE;
}

bool is_thread_cursor(const_tree type) {
  const_tree name = TYPE_NAME(type);
  return name != NULL_TREE && TREE_CODE(name) == TYPE_DECL && is_in_runtime(name, "ThreadCursor");
}

/// True for accesses of the runtime's own headers, to memory that no kernel knows.
bool is_of_runtime(tree access) {
  for (tree part = access; handled_component_p(part); part = TREE_OPERAND(part, 0)) {
    if (TREE_CODE(part) == COMPONENT_REF && is_thread_cursor(DECL_CONTEXT(TREE_OPERAND(part, 1)))) return true;
  }
  tree base = get_base_address(access);
  if (base == NULL_TREE) return false;
  if (VAR_P(base)) return DECL_THREAD_LOCAL_P(base) && is_in_namespace_of_runtime(base);
  if (TREE_CODE(base) != MEM_REF || !is_in_runtime(current_function_decl, kThreadLoop)) return false;
  // The kernel and its arguments: the first parameter of the loop.
  const_tree pointer = TREE_OPERAND(base, 0);
  return TREE_CODE(pointer) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF(pointer) &&
         SSA_NAME_VAR(pointer) == DECL_ARGUMENTS(current_function_decl);
}

tree static_variable(tree type, tree value) {
  static unsigned number = 0;
  char name[32];
  ASM_GENERATE_INTERNAL_LABEL(name, "Lsimt_access", number++);
  tree made = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  TREE_STATIC(made) = 1;
  TREE_ADDRESSABLE(made) = 1;
  TREE_USED(made) = 1;
  DECL_ARTIFICIAL(made) = 1;
  DECL_IGNORED_P(made) = 1;
  DECL_INITIAL(made) = value;
  varpool_node::finalize_decl(made);
  return made;
}

/// Trees of one compilation. Static variables keep them from GCC's collection of garbage.
struct Declarations {
  tree number = long_unsigned_type_node;
  tree range = build_pointer_type(number);
  tree nothing;   ///< a PermittedRange without addresses
  tree function;  ///< simt_check_access

  Declarations() {
    constexpr unsigned kNumbers = 6;  // of a PermittedRange
    nothing = static_variable(build_array_type_nelts(number, kNumbers), NULL_TREE);
    tree type = build_function_type_list(void_type_node, ptr_type_node, build_pointer_type(range),
                                         unsigned_type_node, NULL_TREE);
    function = build_fn_decl("simt_check_access", type);
    TREE_NOTHROW(function) = 1;
    DECL_VISIBILITY(function) = VISIBILITY_HIDDEN;
    DECL_VISIBILITY_SPECIFIED(function) = 1;
  }
};

Declarations& declarations() {
  static Declarations* made = nullptr;
  if (made == nullptr) {
    made = new Declarations;
    for (tree* root : {&made->range, &made->nothing, &made->function}) {
      auto* const roots = new ggc_root_tab[2]{{root, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
                                              LAST_GGC_ROOT_TAB};
      ggc_register_root_tab(roots);
    }
  }
  return *made;
}

tree assigned(gimple_seq* statements, tree type, tree_code code, tree one, tree other = NULL_TREE) {
  tree made = make_ssa_name(type);
  gimple_seq_add_stmt(statements, other == NULL_TREE ? gimple_build_assign(made, code, one)
                                                     : gimple_build_assign(made, code, one, other));
  return made;
}

tree loaded(gimple_seq* statements, tree type, tree place) {
  tree made = make_ssa_name(type);
  gimple_seq_add_stmt(statements, gimple_build_assign(made, place));
  return made;
}

tree number_of(gimple_seq* statements, tree range, unsigned index) {
  const Declarations& known = declarations();
  tree offset = build_int_cst(known.range, index * sizeof(unsigned long));
  return loaded(statements, known.number, build2(MEM_REF, known.number, range, offset));
}

/// Inserts the test before a call, and replaces the called function.
void insert_test(gimple* call, const Hook& hook) {
  const Declarations& known = declarations();
  tree nothing = build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(known.nothing)), known.nothing);
  tree site = static_variable(known.range, fold_convert(known.range, nothing));
  tree address = gimple_call_arg(call, 0);

  gimple_seq test = nullptr;
  tree range = loaded(&test, known.range, site);
  tree begin = number_of(&test, range, 0);
  tree span = number_of(&test, range, 1 + hook.log_size);
  tree number = assigned(&test, known.number, NOP_EXPR, address);
  tree distance = assigned(&test, known.number, MINUS_EXPR, number, begin);
  gimple_seq_add_stmt(&test, gimple_build_cond(GE_EXPR, distance, span, NULL_TREE, NULL_TREE));
  gimple_seq_set_location(test, gimple_location(call));

  gimple_stmt_iterator at = gsi_for_stmt(call);
  gsi_prev(&at);
  basic_block before = gimple_bb(call);
  const edge to_call = gsi_end_p(at) ? split_block_after_labels(before) : split_block(before, gsi_stmt(at));
  before = to_call->src;
  const basic_block checking = to_call->dest;
  const edge to_access = split_block(checking, call);
  to_call->flags = (to_call->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
  to_call->probability = profile_probability::very_unlikely();
  checking->count = before->count.apply_probability(to_call->probability);
  const edge permitted = make_edge(before, to_access->dest, EDGE_FALSE_VALUE);
  permitted->probability = to_call->probability.invert();
  gimple_stmt_iterator end = gsi_last_bb(before);
  gsi_insert_seq_after(&end, test, GSI_NEW_STMT);

  tree site_address = build1(ADDR_EXPR, build_pointer_type(known.range), site);
  gcall* checked = gimple_build_call(known.function, 3, address, site_address, build_int_cst(unsigned_type_node, hook.kind()));
  gimple_set_location(checked, gimple_location(call));
  at = gsi_for_stmt(call);
  gsi_replace(&at, checked, false);
}

class Pass : public gimple_opt_pass {
 public:
  Pass() : gimple_opt_pass(data(), g) {}

  unsigned int execute(function* fun) final override {
    struct Found {
      gimple* call;
      const Hook* hook;
    };
    std::vector<Found> found;
    bool changed = false;
    basic_block block;
    FOR_EACH_BB_FN(block, fun) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
        const Hook* hook = hook_of(gsi_stmt(at));
        tree access = hook == nullptr ? NULL_TREE : access_after(at, *hook);
        if (access != NULL_TREE && is_of_runtime(access)) {
          unlink_stmt_vdef(gsi_stmt(at));
          gsi_remove(&at, true);
          changed = true;
          continue;
        }
        if (hook != nullptr) found.push_back({gsi_stmt(at), hook});
        gsi_next(&at);
      }
    }
    for (const Found& each : found) insert_test(each.call, *each.hook);
    if (found.empty()) return changed ? TODO_update_ssa_only_virtuals : 0;
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    mark_virtual_operands_for_renaming(fun);
    return TODO_update_ssa_only_virtuals | TODO_cleanup_cfg;
  }

  /// Registers a pass behind GCC's pass `name`, of which GCC becomes the owner.
  static void add(const char* plugin, const char* name) {
    register_pass_info info = {new Pass, name, 1, PASS_POS_INSERT_AFTER};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
  }

 private:
  static pass_data data() {
    return {GIMPLE_PASS, "simt_access_tests", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};
  }
};

}  // namespace

int plugin_init(plugin_name_args* arguments, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    error("%s was built for another compiler: GCC %s", arguments->full_name, gcc_version.basever);
    return 1;
  }
  Pass::add(arguments->base_name, "tsan");
  Pass::add(arguments->base_name, "tsan0");
  return 0;
}
