"""Number of examples of a property test."""

from __future__ import annotations

import os

FAST = "PORTER_TEST_FAST"
"""Environment variable that the option --fast sets; tests/support/simt_programs.py then refuses to build."""
_SHARE = 5


def examples(count: int) -> int:
    """`count` examples; a fifth of them with --fast."""
    return count // _SHARE if FAST in os.environ else count
