"""Lines of a changed file that are most similar to a patch's text."""

from __future__ import annotations

from porter.port.nearest_text import nearest

FILE = """#include <type_traits>
#ifndef USE_ROCM
#include <a.h>
#endif
#if !defined(USE_ROCM) && !defined(_WIN32) && CUDA_VERSION > 12000
#include <b.h>
#endif
#ifndef USE_ROCM
void f();
int g(int a,
      int b);
#endif
"""


def test_a_rare_word_finds_the_line() -> None:
    line, text = nearest("#ifndef _WIN32", FILE)
    assert (line, "_WIN32" in text) == (5, True)


def test_lines_of_a_longer_text_stay_together() -> None:
    assert nearest("int g(long a,\n      long b);", FILE) == (10, "int g(int a,\n      int b);")


def test_a_text_without_a_common_word_gives_the_first_line() -> None:
    assert nearest("nothing", FILE)[0] == 1
    assert nearest("nothing", "") == (1, "")
