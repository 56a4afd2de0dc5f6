// Makes conversions of floating-point numbers to integers return the same results as in CUDA.
//
// In C++ the result is undefined if the integer type cannot represent the number. CUDA's compiler
// emits the PTX instruction `cvt.rzi`, which saturates. Conversions to 8 and 16 bits saturate to 32
// bits and keep the low bits. NaN becomes 0 if the source has at most 32 bits and the result of
// `cvt` has 32 bits; otherwise NaN becomes the integer in which only the most significant bit is
// set (PTX ISA 8.4, "cvt", integer notes; the instruction for each pair of types:
// runtime/simt/tests/float_to_integer.inc).
//
// A pass over GIMPLE replaces the conversions. In GIMPLE each conversion is one statement, whatever
// its form in the source. The front end would fold constants earlier, with GCC's results; therefore
// the plugin folds them before the front end does. Source of the interface: "GCC Internals",
// chapters "Plugins", "GIMPLE" and "GENERIC".

#include "gcc-plugin.h"
// GCC requires this order of its headers: each uses declarations of the headers above it.
#include "tree.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "tree-pass.h"
#include "context.h"
#include "builtins.h"
#include "diagnostic-core.h"
#include "fold-const.h"
#include "gimple-expr.h"
#include "langhooks.h"
#include "real.h"
#include "realmpfr.h"
#include "stor-layout.h"
#include "target.h"

#include "plugin.h"
#include "statement_pass.h"

// Function of the C++ front end; null in other front ends.
extern tree cp_fully_fold(tree) __attribute__((weak));
extern tree cp_walk_subtrees(tree*, int*, walk_tree_fn, void*, hash_set<tree>*)
    __attribute__((weak));

namespace {

constexpr unsigned kRegisterBits = 32;
constexpr unsigned kLongBits = 64;

/// A conversion in PTX: `cvt.rzi.<wide>.<type of x>`.
struct Conversion {
  tree wide;
  /// Bounds as numbers of the source type. too_large: 2^n, the smallest number above the range;
  /// lowest: the smallest integer.
  tree too_large;
  tree lowest;
  /// Results for a number that is too large, a number that is too small, and NaN.
  tree max;
  tree min;
  tree nan;
};

bool is_binary_float(tree type) {
  return SCALAR_FLOAT_TYPE_P(type) && !DECIMAL_FLOAT_TYPE_P(type);
}

/// Conversion from the floating-point type `number` to the type `integer`. `wide` is the integer
/// type in which the conversion saturates.
Conversion conversion_of(tree number, tree integer) {
  const unsigned wanted = TYPE_PRECISION(integer);
  const unsigned bits = wanted <= kRegisterBits ? kRegisterBits
                        : wanted <= kLongBits   ? kLongBits
                                                : wanted;
  const bool is_unsigned = TYPE_UNSIGNED(integer);
  const signop sign = is_unsigned ? UNSIGNED : SIGNED;
  Conversion result;
  result.wide = build_nonstandard_integer_type(bits, is_unsigned);
  const wide_int first_bit = wi::set_bit_in_zero(bits - 1, bits);
  REAL_VALUE_TYPE bound;
  real_2expN(&bound, is_unsigned ? bits : bits - 1, TYPE_MODE(number));
  result.too_large = build_real(number, bound);
  const wide_int min = wi::min_value(bits, sign);
  real_from_integer(&bound, TYPE_MODE(number), min, sign);
  result.lowest = build_real(number, bound);
  result.max = wide_int_to_tree(result.wide, wi::max_value(bits, sign));
  result.min = wide_int_to_tree(result.wide, min);
  const bool zero = TYPE_PRECISION(number) <= kRegisterBits && bits == kRegisterBits;
  result.nan = wide_int_to_tree(result.wide, zero ? wi::zero(bits) : first_bit);
  return result;
}

/// CUDA's result of the conversion of `constant` to the type `integer`.
tree fold_constant(tree integer, tree constant) {
  const Conversion to = conversion_of(TREE_TYPE(constant), integer);
  const REAL_VALUE_TYPE* value = TREE_REAL_CST_PTR(constant);
  tree wide;
  if (REAL_VALUE_ISNAN(*value)) {
    wide = to.nan;
  } else if (!real_less(value, TREE_REAL_CST_PTR(to.too_large))) {
    wide = to.max;
  } else if (real_less(value, TREE_REAL_CST_PTR(to.lowest))) {
    wide = to.min;
  } else {
    bool failed = false;
    const wide_int bits = real_to_integer(value, &failed, TYPE_PRECISION(to.wide));
    wide = wide_int_to_tree(to.wide, bits);
  }
  return wide_int_to_tree(integer, wide_int::from(wi::to_wide(wide), TYPE_PRECISION(integer),
                                                  TYPE_SIGN(to.wide)));
}

// ---- constants

bool knows_front_end() { return cp_fully_fold && cp_walk_subtrees; }

/// Literal with the value of an expression, if the front end itself would evaluate the expression:
/// a constant variable, a call of a defined function, or arithmetic with these and with literals.
/// Returns any other expression unchanged.
tree literal_of(tree expression) {
  STRIP_ANY_LOCATION_WRAPPER(expression);
  if (!TREE_TYPE(expression)) {
    return expression;  // in a template
  }
  if (VAR_P(expression) && TREE_READONLY(expression) && !TREE_THIS_VOLATILE(expression) &&
      DECL_INITIAL(expression)) {
    return DECL_INITIAL(expression);
  }
  if (TREE_CODE(expression) == CALL_EXPR) {
    tree function = get_callee_fndecl(expression);
    // A function without a body may be a template that has not been instantiated yet.
    const bool is_there =
        function && (fndecl_built_in_p(function) || DECL_INITIAL(function) != NULL_TREE);
    return is_there && knows_front_end() ? cp_fully_fold(expression) : expression;
  }
  if (UNARY_CLASS_P(expression)) {
    tree operand = literal_of(TREE_OPERAND(expression, 0));
    return CONSTANT_CLASS_P(operand)
               ? fold_build1(TREE_CODE(expression), TREE_TYPE(expression), operand)
               : expression;
  }
  if (BINARY_CLASS_P(expression)) {
    tree left = literal_of(TREE_OPERAND(expression, 0));
    tree right = literal_of(TREE_OPERAND(expression, 1));
    return CONSTANT_CLASS_P(left) && CONSTANT_CLASS_P(right)
               ? fold_build2(TREE_CODE(expression), TREE_TYPE(expression), left, right)
               : expression;
  }
  return expression;
}

/// Hook that the front ends call for each conversion, before they fold it. With a null result, the
/// front end folds the conversion by the language's rules.
tree convert_literal(tree integer, tree expression) {
  if (TREE_CODE(integer) != INTEGER_TYPE || !TREE_TYPE(expression) ||
      !is_binary_float(TREE_TYPE(expression))) {
    return NULL_TREE;
  }
  tree number = literal_of(expression);
  return TREE_CODE(number) == REAL_CST ? fold_constant(integer, number) : NULL_TREE;
}

tree fold_conversion(tree* place, int* walk_subtrees, void*) {
  if (TYPE_P(*place)) {
    *walk_subtrees = 0;
    return NULL_TREE;
  }
  if (TREE_CODE(*place) == FIX_TRUNC_EXPR && is_binary_float(TREE_TYPE(TREE_OPERAND(*place, 0)))) {
    tree number = cp_fully_fold(TREE_OPERAND(*place, 0));
    if (TREE_CODE(number) == REAL_CST) {
      *place = fold_constant(TREE_TYPE(*place), number);
      *walk_subtrees = 0;
    }
  }
  return NULL_TREE;
}

/// Folds constant expressions in the body of a function, before the C++ front end does.
void before_folding(void* function, void*) {
  tree body = DECL_SAVED_TREE(static_cast<tree>(function));
  if (body && knows_front_end()) {
    hash_set<tree> seen;
    walk_tree_1(&body, fold_conversion, nullptr, &seen, cp_walk_subtrees);
  }
}

// ---- other conversions

/// Inserts statements before the statement that the pass replaces.
class Builder {
 public:
  explicit Builder(gimple_stmt_iterator* at)
      : at_(at), location_(gimple_location(gsi_stmt(*at))) {}

  tree convert(tree_code code, tree type, tree operand) {
    return emit(type, [&](tree to) { return gimple_build_assign(to, code, operand); });
  }

  tree select(tree_code compare, tree a, tree b, tree if_true, tree if_false) {
    tree condition = build2(compare, boolean_type_node, a, b);
    return emit(TREE_TYPE(if_true), [&](tree to) {
      return gimple_build_assign(to, COND_EXPR, condition, if_true, if_false);
    });
  }

  tree call(tree function, tree operand) {
    return emit(TREE_TYPE(operand),
                [&](tree to) { return gimple_build_call_with(function, operand, to); });
  }

 private:
  static gimple* gimple_build_call_with(tree function, tree operand, tree to) {
    gcall* call = gimple_build_call(function, 1, operand);
    gimple_call_set_lhs(call, to);
    return call;
  }

  template <class Make>
  tree emit(tree type, Make make) {
    tree to = create_tmp_reg(type);
    gimple* statement = make(to);
    gimple_set_location(statement, location_);
    gsi_insert_before(at_, statement, GSI_SAME_STMT);
    return to;
  }

  gimple_stmt_iterator* at_;
  location_t location_;
};

/// Inserts the conversion of `number` to an integer of type `to.wide`. The inserted code has
/// selects, not branches, so that loops remain vectorisable.
tree saturated(Builder& builder, const Conversion& to, tree number) {
  // The selects below replace this result if the number is out of range.
  tree result = builder.convert(FIX_TRUNC_EXPR, to.wide, number);
  // A comparison with NaN is false, so the next two selects give `to.min` for NaN. The third select
  // replaces this result if CUDA's result for NaN differs.
  result = builder.select(LT_EXPR, number, to.too_large, result, to.max);
  result = builder.select(GE_EXPR, number, to.lowest, result, to.min);
  if (!tree_int_cst_equal(to.nan, to.min)) {
    result = builder.select(ORDERED_EXPR, number, number, result, to.nan);
  }
  return result;
}

void replace(gimple_stmt_iterator* at, tree lhs, tree number) {
  Builder builder(at);
  if (TYPE_PRECISION(TREE_TYPE(number)) < kRegisterBits) {
    // A type shorter than float cannot represent the bounds of an integer type.
    number = builder.convert(NOP_EXPR, float_type_node, number);
  }
  const Conversion to = conversion_of(TREE_TYPE(number), TREE_TYPE(lhs));
  tree result = saturated(builder, to, number);
  gimple* last = gimple_build_assign(lhs, NOP_EXPR, result);
  gsi_replace(at, last, true);
}

/// Rounding function of a builtin that rounds and converts, which the front end creates from
/// `(long)floor(x)`; END_BUILTINS for other calls.
built_in_function rounding_of(gcall* call) {
  if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL)) {
    return END_BUILTINS;
  }
  switch (DECL_FUNCTION_CODE(gimple_call_fndecl(call))) {
    CASE_FLT_FN(BUILT_IN_IFLOOR):
    CASE_FLT_FN(BUILT_IN_LFLOOR):
    CASE_FLT_FN(BUILT_IN_LLFLOOR):
      return BUILT_IN_FLOOR;
    CASE_FLT_FN(BUILT_IN_ICEIL):
    CASE_FLT_FN(BUILT_IN_LCEIL):
    CASE_FLT_FN(BUILT_IN_LLCEIL):
      return BUILT_IN_CEIL;
    CASE_FLT_FN(BUILT_IN_IROUND):
    CASE_FLT_FN(BUILT_IN_LROUND):
    CASE_FLT_FN(BUILT_IN_LLROUND):
      return BUILT_IN_ROUND;
    CASE_FLT_FN(BUILT_IN_IRINT):
    CASE_FLT_FN(BUILT_IN_LRINT):
    CASE_FLT_FN(BUILT_IN_LLRINT):
      return BUILT_IN_RINT;
    default:
      return END_BUILTINS;
  }
}

void replace_call(gimple_stmt_iterator* at, gcall* call) {
  tree lhs = gimple_call_lhs(call);
  const built_in_function rounding = lhs ? rounding_of(call) : END_BUILTINS;
  if (rounding == END_BUILTINS) {
    return;
  }
  tree number = gimple_call_arg(call, 0);
  if (tree function = mathfn_built_in(TREE_TYPE(number), rounding)) {
    Builder builder(at);
    replace(at, lhs, builder.call(function, number));
  }
}

class Pass : public StatementPass {
 public:
  Pass() : StatementPass("simt_float_to_integer") {}

 private:
  void visit(gimple_stmt_iterator* at) final override {
    gimple* statement = gsi_stmt(*at);
    if (gcall* call = dyn_cast<gcall*>(statement)) {
      replace_call(at, call);
    } else if (is_gimple_assign(statement) &&
               gimple_assign_rhs_code(statement) == FIX_TRUNC_EXPR &&
               is_binary_float(TREE_TYPE(gimple_assign_rhs1(statement)))) {
      replace(at, gimple_assign_lhs(statement), gimple_assign_rhs1(statement));
    }
  }
};

}  // namespace

bool register_float_to_integer(const char* plugin) {
  if (lang_GNU_CXX() && !knows_front_end()) {
    error("%s does not know the C++ front end of this GCC", plugin);
    return false;
  }
  StatementPass::add(plugin, new Pass);
  targetm.convert_to_type = convert_literal;
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, before_folding, nullptr);
  return true;
}
