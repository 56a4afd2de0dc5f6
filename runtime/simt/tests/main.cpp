// Without this macro, doctest's signal handlers would replace the runtime's handlers for faults of
// kernels.
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
