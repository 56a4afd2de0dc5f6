// Base class of the plugin's passes over single statements of GIMPLE. Include GCC's headers tree.h, gimple.h,
// gimple-iterator.h, tree-pass.h and context.h first.
#pragma once

/// Pass that visits each statement of each function once, before SSA form and all optimisation; also at -O0.
class StatementPass : public gimple_opt_pass {
 public:
  explicit StatementPass(const char* name) : gimple_opt_pass(data(name), g) {}

  unsigned int execute(function* fun) final override {
    basic_block block;
    FOR_EACH_BB_FN(block, fun) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) visit(&at);
    }
    return 0;
  }

  /// Registers a pass, of which GCC becomes the owner.
  static void add(const char* plugin, StatementPass* pass) {
    register_pass_info info = {pass, "cfg", 1, PASS_POS_INSERT_AFTER};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
  }

 private:
  /// May insert statements before `at`, and replace the statement.
  virtual void visit(gimple_stmt_iterator* at) = 0;

  static pass_data data(const char* name) {
    return {GIMPLE_PASS, name, OPTGROUP_NONE, TV_NONE, PROP_gimple_any | PROP_cfg, 0, 0, 0, 0};
  }
};
