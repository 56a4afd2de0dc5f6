// Removes copies of large kernel arguments in the loop over threads (simtrt::run_threads).
//
// A kernel's parameters are variables of each thread, so that the loop copies the launch's arguments for each of them:
// several hundred bytes for a kernel that takes the strides of its tensors. Few kernels change a parameter. Where a kernel
// that was inlined into the loop only reads a large one, this pass lets it read the arguments of the launch, which nothing
// changes while the kernel runs. Source of the interface: "GCC Internals", chapters "Plugins" and "GIMPLE".

#include "gcc-plugin.h"
// GCC requires this order of its headers: each uses declarations of the headers above it.
#include "tree.h"
#include "gimple.h"
#include "context.h"
#include "fold-const.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "ssa.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-pass.h"

#include "plugin.h"
#include "runtime_names.h"

namespace {

/// Smaller arguments stay copies: the optimiser keeps their parts in registers.
constexpr HOST_WIDE_INT kSmallest = 64;

/// Memory at a constant distance from a pointer.
struct Place {
  tree pointer = NULL_TREE;  ///< an SSA name
  poly_int64 offset = 0;     ///< in bytes
};

/// A variable that one statement fills from the launch's arguments.
struct Copy {
  gimple* statement = nullptr;
  Place source;
  bool changes = false;  ///< written elsewhere, or its address is used for more than reading
};

using Copies = hash_map<tree, Copy>;

bool is_large_local(tree variable) {
  return VAR_P(variable) && auto_var_p(variable) && !TREE_THIS_VOLATILE(variable) &&
         AGGREGATE_TYPE_P(TREE_TYPE(variable)) && tree_fits_shwi_p(TYPE_SIZE_UNIT(TREE_TYPE(variable))) &&
         tree_to_shwi(TYPE_SIZE_UNIT(TREE_TYPE(variable))) >= kSmallest;
}

/// Place that a reference denotes, if it is at a constant distance from the value of an SSA name.
bool place_of(tree reference, Place* place) {
  poly_int64 offset = 0;
  tree base = get_addr_base_and_unit_offset(reference, &offset);
  if (base == NULL_TREE || TREE_CODE(base) != MEM_REF || TREE_CODE(TREE_OPERAND(base, 0)) != SSA_NAME) return false;
  poly_int64 inner = 0;
  if (!mem_ref_offset(base).to_shwi(&inner)) return false;
  *place = {TREE_OPERAND(base, 0), offset + inner};
  return true;
}

/// True if a pointer is computed from the first parameter of the function alone: the launch's arguments.
bool is_of_launch(tree pointer) {
  while (TREE_CODE(pointer) == SSA_NAME) {
    gimple* made = SSA_NAME_DEF_STMT(pointer);
    if (SSA_NAME_IS_DEFAULT_DEF(pointer)) return SSA_NAME_VAR(pointer) == DECL_ARGUMENTS(current_function_decl);
    if (!is_gimple_assign(made)) return false;
    const tree_code code = gimple_assign_rhs_code(made);
    if (code != SSA_NAME && code != POINTER_PLUS_EXPR && !CONVERT_EXPR_CODE_P(code)) return false;
    pointer = gimple_assign_rhs1(made);
  }
  return false;
}

/// True if the memory at the address `name` is only read through it.
bool only_reads(tree name, hash_set<tree>* seen) {
  if (seen->add(name)) return true;
  imm_use_iterator uses;
  gimple* use = nullptr;
  FOR_EACH_IMM_USE_STMT(use, uses, name) {
    if (is_gimple_debug(use) || gimple_code(use) == GIMPLE_COND) continue;
    if (gimple_code(use) == GIMPLE_PHI) {
      if (!only_reads(gimple_phi_result(use), seen)) return false;
      continue;
    }
    if (!is_gimple_assign(use)) return false;
    tree left = gimple_assign_lhs(use);
    if (gimple_assign_single_p(use) && TREE_CODE(gimple_assign_rhs1(use)) != SSA_NAME &&
        TREE_CODE(gimple_assign_rhs1(use)) != ADDR_EXPR) {
      // A load. The stored-to memory must not be that of the name.
      tree base = get_base_address(left);
      if (base != NULL_TREE && TREE_CODE(base) == MEM_REF && TREE_OPERAND(base, 0) == name) return false;
      continue;
    }
    if (TREE_CODE(left) != SSA_NAME || !POINTER_TYPE_P(TREE_TYPE(left))) return false;
    if (!only_reads(left, seen)) return false;
  }
  return true;
}

/// Copy in the variable that contains an object, which may be a part of it or be spelled as memory at its address; null
/// if there is none.
Copy* copy_with(tree object, void* copies) {
  tree base = get_base_address(object);
  return base != NULL_TREE ? static_cast<Copies*>(copies)->get(base) : nullptr;
}

/// Callbacks of walk_stmt_load_store_addr_ops.
bool on_store(gimple* statement, tree object, tree, void* copies) {
  Copy* copy = copy_with(object, copies);
  if (copy != nullptr && statement != copy->statement && !gimple_clobber_p(statement)) copy->changes = true;
  return false;
}

bool on_address(gimple* statement, tree object, tree, void* copies) {
  Copy* copy = copy_with(object, copies);
  if (copy == nullptr || is_gimple_debug(statement)) return false;
  hash_set<tree> seen;
  const bool is_pointer = is_gimple_assign(statement) && gimple_assign_single_p(statement) &&
                          TREE_CODE(gimple_assign_lhs(statement)) == SSA_NAME &&
                          TREE_CODE(gimple_assign_rhs1(statement)) == ADDR_EXPR;
  if (!is_pointer || !only_reads(gimple_assign_lhs(statement), &seen)) copy->changes = true;
  return false;
}

void find_copies(function* body, Copies* copies) {
  basic_block block;
  FOR_EACH_BB_FN(block, body) {
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      gimple* statement = gsi_stmt(at);
      Place source;
      if (!gimple_assign_single_p(statement) || gimple_clobber_p(statement)) continue;
      tree variable = gimple_assign_lhs(statement);
      if (!is_large_local(variable) || !place_of(gimple_assign_rhs1(statement), &source) ||
          !is_of_launch(source.pointer))
        continue;
      Copy& copy = copies->get_or_insert(variable);
      if (copy.statement != nullptr) copy.changes = true;
      copy.statement = statement;
      copy.source = source;
    }
  }
}

/// Reference to the memory of `place`, with the type of `variable`.
tree reference_to(const Place& place, tree variable, poly_int64 more = 0) {
  tree pointer_type = build_pointer_type(TYPE_MAIN_VARIANT(TREE_TYPE(variable)));
  return build2(MEM_REF, TREE_TYPE(variable), place.pointer, build_int_cst(pointer_type, place.offset + more));
}

/// Callback of walk_gimple_op: replaces variables by the memory of their sources.
tree replace(tree* operand, int* walk_subtrees, void* data) {
  auto* copies = static_cast<Copies*>(static_cast<walk_stmt_info*>(data)->info);
  tree t = *operand;
  if (TREE_CODE(t) == MEM_REF && TREE_CODE(TREE_OPERAND(t, 0)) == ADDR_EXPR) {
    tree variable = TREE_OPERAND(TREE_OPERAND(t, 0), 0);
    Copy* copy = copies->get(variable);
    if (copy == nullptr) return NULL_TREE;
    poly_int64 inner = 0;
    if (!mem_ref_offset(t).to_shwi(&inner)) gcc_unreachable();
    tree made = copy_node(t);
    TREE_OPERAND(made, 0) = copy->source.pointer;
    TREE_OPERAND(made, 1) = build_int_cst(TREE_TYPE(TREE_OPERAND(t, 1)), copy->source.offset + inner);
    *operand = made;
    *walk_subtrees = 0;
    static_cast<walk_stmt_info*>(data)->changed = true;
  } else if (Copy* copy = VAR_P(t) ? copies->get(t) : nullptr) {
    *operand = reference_to(copy->source, t);
    *walk_subtrees = 0;
    static_cast<walk_stmt_info*>(data)->changed = true;
  }
  return NULL_TREE;
}

/// True if a debug statement names a copy. Such statements go: a debugger shows the variable as optimised out.
bool names_copy(gimple* statement, Copies* copies) {
  auto find = [](tree* t, int*, void* all) -> tree {
    return VAR_P(*t) && static_cast<Copies*>(all)->get(*t) != nullptr ? *t : NULL_TREE;
  };
  for (unsigned i = 0; i < gimple_num_ops(statement); ++i) {
    tree* operand = gimple_op_ptr(statement, i);
    if (*operand != NULL_TREE && walk_tree(operand, find, copies, nullptr) != NULL_TREE) return true;
  }
  return false;
}

/// Removes the copies that the loop changes, or whose addresses it uses for more than reading.
void keep_only_read(function* body, Copies* copies) {
  basic_block block;
  FOR_EACH_BB_FN(block, body) {
    for (gphi_iterator at = gsi_start_phis(block); !gsi_end_p(at); gsi_next(&at))
      walk_stmt_load_store_addr_ops(at.phi(), copies, nullptr, nullptr, on_address);
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      walk_stmt_load_store_addr_ops(gsi_stmt(at), copies, nullptr, on_store, on_address);
  }
  auto_vec<tree> changing;
  for (auto entry : *copies) {
    if (entry.second.changes) changing.safe_push(entry.first);
  }
  for (tree variable : changing) copies->remove(variable);
}

/// Replaces the uses of the copies; the statements that made them go. Returns true if there were copies.
bool remove_copies(function* body) {
  Copies copies;
  find_copies(body, &copies);
  keep_only_read(body, &copies);
  if (copies.is_empty()) return false;
  basic_block block;
  FOR_EACH_BB_FN(block, body) {
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
      gimple* statement = gsi_stmt(at);
      tree left = gimple_get_lhs(statement);
      if (left != NULL_TREE && copies.get(left) != nullptr) {  // the copy itself, and ends of the variable's life
        unlink_stmt_vdef(statement);
        gsi_remove(&at, true);
        release_defs(statement);
        continue;
      }
      if (is_gimple_debug(statement)) {
        if (names_copy(statement, &copies)) {
          gsi_remove(&at, true);
          continue;
        }
      } else {
        walk_stmt_info info{};
        info.info = &copies;
        walk_gimple_op(statement, replace, &info);
        if (info.changed) update_stmt(statement);
      }
      gsi_next(&at);
    }
  }
  return true;
}

const pass_data kPass = {GIMPLE_PASS, "simt_arguments", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0,
                         TODO_update_ssa_only_virtuals | TODO_update_address_taken};

class ArgumentCopies : public gimple_opt_pass {
 public:
  explicit ArgumentCopies(gcc::context* context) : gimple_opt_pass(kPass, context) {}
  bool gate(function* body) final { return is_in_runtime(body->decl, kThreadLoop); }
  unsigned execute(function* body) final {
    // A copy of a copy becomes a copy of the arguments when the first one goes.
    while (remove_copies(body)) {
    }
    return 0;
  }
};

}  // namespace

void register_argument_copies(const char* plugin) {
  // Before the scalar replacement of aggregates, which would otherwise copy the parts that a kernel reads.
  register_pass_info pass{new ArgumentCopies(g), "sra", 1, PASS_POS_INSERT_BEFORE};
  register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
}
