"""The command line: parses arguments, calls one function, prints the result. No other package prints or exits.

May import: everything.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType


def _told(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Exception hook: Ctrl-C while modules are loaded, before `main` can catch it, ends porter without a traceback."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, traceback)
        return
    os.write(2, b"error: interrupted\n")
    os._exit(130)


if sys.excepthook is sys.__excepthook__:
    sys.excepthook = _told
