// Names of the runtime that the plugin recognises in the compiled program.
#pragma once

#include <cstring>

/// The loop over the threads of a block: simtrt::run_threads in simtrt/kernel/launch.h.
inline constexpr const char* kThreadLoop = "run_threads";

/// True if a function, or an instance of a function template, is declared as simtrt::`name`.
inline bool is_in_runtime(const_tree function, const char* name) {
  const_tree scope = DECL_CONTEXT(function);
  return DECL_NAME(function) != NULL_TREE && std::strcmp(IDENTIFIER_POINTER(DECL_NAME(function)), name) == 0 &&
         scope != NULL_TREE && TREE_CODE(scope) == NAMESPACE_DECL && DECL_NAME(scope) != NULL_TREE &&
         std::strcmp(IDENTIFIER_POINTER(DECL_NAME(scope)), "simtrt") == 0;
}
