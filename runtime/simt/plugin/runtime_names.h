// Names of the runtime that the plugin recognises in the compiled program.
#pragma once

#include <cstring>

/// The loop over the threads of a block: simtrt::run_threads in simtrt/kernel/launch.h.
inline constexpr const char* kThreadLoop = "run_threads";

inline bool is_named(const_tree declaration, const char* name) {
  return DECL_NAME(declaration) != NULL_TREE && std::strcmp(IDENTIFIER_POINTER(DECL_NAME(declaration)), name) == 0;
}

/// True if a declaration is directly in the namespace simtrt.
inline bool is_in_namespace_of_runtime(const_tree declaration) {
  const_tree scope = DECL_CONTEXT(declaration);
  return scope != NULL_TREE && TREE_CODE(scope) == NAMESPACE_DECL && is_named(scope, "simtrt");
}

/// True if a function, or an instance of a function template, is declared as simtrt::`name`.
inline bool is_in_runtime(const_tree function, const char* name) {
  return is_named(function, name) && is_in_namespace_of_runtime(function);
}
