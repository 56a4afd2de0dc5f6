// The parts of the plugin for GCC that compiles device code.
#pragma once

/// Conversions of floating-point numbers to integers; false, with GCC's error told, where they cannot
/// be replaced. `plugin` is the name that GCC knows the plugin by.
bool register_float_to_integer(const char* plugin);

/// Static shared memory.
void register_shared_memory(const char* plugin);
