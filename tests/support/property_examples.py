"""Number of examples of a property test."""

from __future__ import annotations

import os

FAST = "PORTER_TEST_FAST"
"""Environment variable that the option --fast sets. If it is set, tests/support/simt_programs.py builds nothing."""
_SHARE = 5


def examples(count: int) -> int:
    """Number of examples to run: `count`, or a fifth of `count` with --fast."""
    return count // _SHARE if FAST in os.environ else count
