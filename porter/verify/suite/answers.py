"""Answers of a suite program to the process that started the program: JSON lines on the original stdout.

All other output of the program goes to stderr.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
from importlib import metadata
from typing import IO, Any

_TRACEBACK = "Traceback (most recent call last)"
_TEXT = 300
"""Largest number of characters in the note of an error."""


class Answers:
    """Stream of answers to the process that started the program."""

    def __init__(self) -> None:
        # Operators, tests and imported modules may print anything; their output must not be mixed with the answers.
        self.file: IO[str] = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)

    def tell(self, **what: Any) -> None:
        """Send one answer, with `what` as its JSON object."""
        self.file.write(json.dumps(what) + "\n")
        self.file.flush()

    def begin(self, check: str) -> None:
        """Report the beginning of a check. Later lines on stderr belong to this check."""
        os.write(2, b"\x1e\n")
        self.tell(begin=check)

    def ready(self, package: str, device: str) -> bool:
        """Import the backend and send the installed versions, or an error. Returns True if the backend is installed."""
        import torch

        build = digest(package)
        if build:
            # From 2.5 on, `import torch` also loads the installed backends.
            importlib.import_module(package)
        if not build or not hasattr(torch, device):
            self.tell(error=f"{package} is not installed")
            return False
        self.tell(ready=True, torch=torch.__version__, build=build)
        return True


def digest(package: str) -> str:
    """Digest of an installed package, from the hashes in its RECORD; empty if the package is not installed."""
    try:
        record = metadata.distribution(package).read_text("RECORD")
    except metadata.PackageNotFoundError:
        return ""
    return hashlib.sha256((record or "").encode()).hexdigest()


def outcome(error: BaseException) -> tuple[str, str]:
    """Status (`fail` or `unsupported`) and note for an exception that the backend raised."""
    text = str(error)
    if _TRACEBACK in text:
        # The exception of another process, for example of a rank.
        return "fail", _last_line_of_traceback(text)[:_TEXT]
    text = " ".join(text.split())
    if isinstance(error, AssertionError):
        return "fail", text[:_TEXT]
    lacking = isinstance(error, NotImplementedError) or "not implemented for" in text
    return "unsupported" if lacking else "fail", f"{type(error).__name__}: {text}"[:_TEXT]


def _last_line_of_traceback(text: str) -> str:
    """Type and message of the exception in the first traceback of a text."""
    _, _, traceback = text.partition(_TRACEBACK)
    unindented = (line for line in traceback.splitlines()[1:] if line and not line[0].isspace())
    return next(unindented, "").strip()
