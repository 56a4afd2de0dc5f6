"""The command line: parses arguments, calls other packages and prints results. No other package prints or exits.

May import: everything.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType


def _end_on_interrupt(
    kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    """Exception hook that ends porter without a traceback after Ctrl-C.

    It is needed while modules are loaded, before `main` can catch the exception. All other exceptions are passed to
    Python's own hook.
    """
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, traceback)
        return
    os.write(2, b"error: interrupted\n")
    os._exit(130)


if sys.excepthook is sys.__excepthook__:
    sys.excepthook = _end_on_interrupt
