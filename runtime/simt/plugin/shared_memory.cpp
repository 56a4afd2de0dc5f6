// Places static shared memory in the memory of the worker that runs a block. Without this plugin,
// static shared memory is thread-local.
//
// `__shared__` expands to `thread_local __attribute__((simt_shared))`. The front end treats such a
// variable as thread-local, so its address is not a constant. At the beginning of each function
// that uses the variable, a pass over GIMPLE computes its address: the address of an ordinary
// variable plus the distance to the worker's copy, which libsimt.so returns
// (src/kernel/static_shared.h). After the pass, the thread-local variable becomes that ordinary
// variable. The memory of the ordinary variable is zero-initialised and never accessed. For GCC's
// alias analysis, the sum points into this variable only. Source of the interface: "GCC Internals",
// chapters "Plugins" and "GIMPLE".

#include "gcc-plugin.h"
// GCC requires this order of its headers: each uses declarations of the headers above it.
#include "tree.h"
#include "gimple.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "context.h"
#include "fold-const.h"
#include "gimple-expr.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "gimplify.h"
#include "output.h"
#include "tree-cfg.h"
#include "tree-eh.h"
#include "tree-pass.h"
#include "varasm.h"

#include "plugin.h"

namespace {

constexpr const char* kAttribute = "simt_shared";
constexpr const char* kFunction = "simtrt_shared_distance";

/// True if a tree is a variable that the pass places in the worker's memory. A variable with an
/// initialiser, which CUDA does not allow, remains thread-local: each thread then starts with the
/// initial value.
bool is_shared(const_tree t) {
  return VAR_P(t) && (TREE_STATIC(t) || DECL_EXTERNAL(t)) && DECL_ATTRIBUTES(t) != NULL_TREE &&
         lookup_attribute(kAttribute, DECL_ATTRIBUTES(t)) != NULL_TREE && bss_initializer_p(t);
}

/// ptrdiff_t simtrt_shared_distance(const void* variable, size_t bytes). GCC may assume that the
/// result depends only on the arguments, because a block never moves to another worker.
tree distance_function;

tree get_distance_function() {
  if (distance_function == NULL_TREE) {
    tree type = build_function_type_list(ptrdiff_type_node, const_ptr_type_node, size_type_node,
                                         NULL_TREE);
    distance_function = build_fn_decl(kFunction, type);
    TREE_READONLY(distance_function) = 1;
    TREE_NOTHROW(distance_function) = 1;
    DECL_VISIBILITY(distance_function) = VISIBILITY_DEFAULT;
    DECL_VISIBILITY_SPECIFIED(distance_function) = 1;
  }
  return distance_function;
}

const ggc_root_tab kRoots[] = {
    {&distance_function, 1, sizeof distance_function, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB,
};

/// Addresses of the shared variables of one function.
class Addresses {
 public:
  /// Register that contains the address of the worker's copy of a variable.
  tree of(tree variable) {
    bool known = false;
    tree& address = map_.get_or_insert(variable, &known);
    if (!known) {
      address = create_tmp_reg(build_pointer_type(TREE_TYPE(variable)));
      compute(variable, address);
    }
    return address;
  }

  void insert_at_beginning(function* fun) {
    if (computation_ == nullptr) return;
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
    gsi_insert_seq_on_edge_immediate(entry, computation_);
  }

 private:
  void compute(tree variable, tree address) {
    mark_addressable(variable);
    tree image = build_fold_addr_expr(variable);
    tree bytes = DECL_SIZE_UNIT(variable);
    bytes = bytes != NULL_TREE ? fold_convert(size_type_node, bytes) : size_one_node;
    gcall* call = gimple_build_call(get_distance_function(), 2, image, bytes);
    tree distance = create_tmp_reg(ptrdiff_type_node);
    gimple_call_set_lhs(call, distance);
    gimple_call_set_nothrow(call, true);
    gimple_seq_add_stmt(&computation_, call);
    tree unsigned_distance = create_tmp_reg(sizetype);
    add(gimple_build_assign(unsigned_distance, NOP_EXPR, distance));
    add(gimple_build_assign(address, POINTER_PLUS_EXPR, image, unsigned_distance));
  }

  void add(gimple* statement) { gimple_seq_add_stmt(&computation_, statement); }

  hash_map<tree, tree> map_;
  gimple_seq computation_ = nullptr;
};

tree copy_in_worker(tree variable, Addresses& addresses) {
  // The variable's alignment may be larger than its type's.
  tree type = build_aligned_type(TREE_TYPE(variable), DECL_ALIGN(variable));
  tree address = addresses.of(variable);
  tree copy = build2(MEM_REF, type, address, build_int_cst(TREE_TYPE(address), 0));
  TREE_THIS_VOLATILE(copy) = TREE_THIS_VOLATILE(variable);
  TREE_SIDE_EFFECTS(copy) = TREE_THIS_VOLATILE(variable);
  TREE_THIS_NOTRAP(copy) = 1;
  return copy;
}

/// Shared variable that contains the operand of an `&`; null if no shared variable does.
tree shared_base(tree operand) {
  tree base = get_base_address(operand);
  return base != NULL_TREE && is_shared(base) ? base : NULL_TREE;
}

tree replace_operand(tree* place, int* walk_subtrees, void* data);

/// Replaces the variable in `&variable.part` by the worker's copy. GIMPLE permits the new address
/// only as the whole right side of an assignment. Elsewhere a temporary register receives the
/// address in a statement of its own.
void replace_address_of_part(tree* place, walk_stmt_info& info) {
  gimple* statement = gsi_stmt(info.gsi);
  tree address = unshare_expr(*place);
  walk_tree(&TREE_OPERAND(address, 0), replace_operand, &info, nullptr);
  recompute_tree_invariant_for_addr_expr(address);
  if (gimple_assign_single_p(statement) && place == gimple_assign_rhs1_ptr(statement)) {
    *place = address;
    return;
  }
  tree value = create_tmp_reg(TREE_TYPE(address));
  gimple* assignment = gimple_build_assign(value, address);
  gimple_set_location(assignment, gimple_location(statement));
  gsi_insert_before(&info.gsi, assignment, GSI_SAME_STMT);
  *place = value;
}

tree replace_operand(tree* place, int* walk_subtrees, void* data) {
  auto& info = *static_cast<walk_stmt_info*>(data);
  auto& addresses = *static_cast<Addresses*>(info.info);
  tree operand = *place;
  *walk_subtrees = 0;
  if (TREE_CODE(operand) == ADDR_EXPR) {
    if (is_shared(TREE_OPERAND(operand, 0))) {
      *place = addresses.of(TREE_OPERAND(operand, 0));
    } else if (shared_base(TREE_OPERAND(operand, 0))) {
      replace_address_of_part(place, info);
    } else {
      *walk_subtrees = 1;
    }
  } else if (is_shared(operand)) {
    *place = copy_in_worker(operand, addresses);
  } else if (EXPR_P(operand) || TREE_CODE(operand) == CONSTRUCTOR) {
    *walk_subtrees = 1;
  }
  return NULL_TREE;
}

const pass_data kPassData = {
    GIMPLE_PASS, "simt_shared_memory", OPTGROUP_NONE, TV_NONE, PROP_gimple_any | PROP_cfg,
    0,           0,                    0,             0,
};

class Pass : public gimple_opt_pass {
 public:
  explicit Pass(gcc::context* context) : gimple_opt_pass(kPassData, context) {}

  unsigned int execute(function* fun) final override {
    Addresses addresses;
    basic_block block;
    FOR_EACH_BB_FN(block, fun) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        walk_stmt_info info{};
        info.gsi = at;
        info.info = &addresses;
        walk_gimple_op(gsi_stmt(at), replace_operand, &info);
      }
    }
    addresses.insert_at_beginning(fun);
    return 0;
  }
};

/// Called after the last function was processed: the variables are no longer thread-local.
void make_ordinary(void*, void*) {
  varpool_node* node;
  FOR_EACH_VARIABLE(node) {
    if (!is_shared(node->decl)) continue;
    set_decl_tls_model(node->decl, TLS_MODEL_NONE);
    // The existing RTL is that of a thread-local variable.
    SET_DECL_RTL(node->decl, NULL);
  }
}

const attribute_spec kSpec = {
    kAttribute, 0, 0, true, false, false, false, nullptr, nullptr,
};

void register_attributes(void*, void*) { register_attribute(&kSpec); }

}  // namespace

void register_shared_memory(const char* plugin) {
  register_pass_info pass = {new Pass(g), "cfg", 1, PASS_POS_INSERT_AFTER};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
  register_callback(plugin, PLUGIN_ATTRIBUTES, register_attributes, nullptr);
  register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, make_ordinary, nullptr);
  register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, nullptr,
                    const_cast<ggc_root_tab*>(kRoots));
}
