// GCC plugin that gives device code CUDA's semantics where C++ differs, and makes it fast. Source of the interface:
// "GCC Internals", chapter "Plugins".

#include "gcc-plugin.h"
// GCC requires this order of its headers: each uses declarations of the headers above it.
#include "diagnostic-core.h"
#include "plugin-version.h"

#include "plugin.h"

// GCC loads only plugins with this symbol, which states that the plugin's licence (BSD) is compatible with the GPL.
int plugin_is_GPL_compatible;

namespace {

/// True for the compiler's option -fplugin-arg-simt_compiler-NAME.
bool has_argument(const plugin_name_args& arguments, const char* name) {
  for (int i = 0; i < arguments.argc; ++i)
    if (strcmp(arguments.argv[i].key, name) == 0) return true;
  return false;
}

}  // namespace

int plugin_init(plugin_name_args* arguments, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    error("%s was built for another compiler: GCC %s", arguments->full_name, gcc_version.basever);
    return 1;
  }
  if (!register_float_to_integer(arguments->base_name)) return 1;
  register_math_calls(arguments->base_name);
  register_volatile_stores(arguments->base_name, has_argument(*arguments, "warp-stores"));
  register_shared_memory(arguments->base_name);
  register_thread_loops(arguments->base_name);
  register_argument_copies(arguments->base_name);
  return 0;
}
