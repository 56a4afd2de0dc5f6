"""Lines of a package's Python code that mention CUDA. Such code may not recognise the target's device."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from porter.base import regular_files
from porter.model.extension import PythonLine

_ASKS = re.compile(
    r"\.is_cuda\b|\btorch\.cuda\b|\.cuda\(|\btorch\.backends\.(?:cuda|cudnn)\b|\btorch\.version\.cuda\b"
    r"|(?P<quote>[\"'])cuda(?::\d+)?(?P=quote)"
)
_COMMENT = re.compile(r"[ \t]*#")
_LEFT_OUT = frozenset((".git", "build", "dist", "docs", "test", "tests"))
_BUILD_FILES = frozenset(("setup.py", "conftest.py"))
_LONGEST = 100


def find(root: Path) -> Iterator[PythonLine]:
    """Yield the lines of Python below a folder that mention CUDA, sorted by path.

    Tests, documentation and build scripts are left out, because the installed package does not run them.
    """
    for place in sorted(root.rglob("*.py")):
        path = place.relative_to(root)
        if _LEFT_OUT.intersection(path.parts[:-1]) or path.name in _BUILD_FILES:
            continue
        try:
            text = regular_files.read_text(place)
        except (OSError, UnicodeDecodeError):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if _ASKS.search(line) and not _COMMENT.match(line):
                yield PythonLine(path.as_posix(), number, line.strip()[:_LONGEST])
