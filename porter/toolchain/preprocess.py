"""Preprocessed text of headers, without the text of files outside given folders."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

_MARKER = re.compile(r'# \d+ "((?:[^"\\]|\\.)*)"')
_TIMEOUT = 60.0
"""Time limit of the preprocessor in seconds."""


def preprocessed(
    command: Sequence[str], header: str, folders: Sequence[Path], flags: Sequence[str] = ()
) -> str:
    """Preprocessed text of `#include <header>`, without the text of files outside the include folders `folders`.

    Empty when the preprocessor cannot be started or exceeds its time limit. After an error of the preprocessor, the
    text before the error is returned: the headers of an SDK may include headers that are missing on this machine.
    """
    includes = [word for folder in folders for word in ("-isystem", str(folder))]
    words = [*command, "-E", "-w", "-x", "c++", "-std=c++17", *flags, *includes, "-"]
    try:
        done = subprocess.run(
            words,
            input=f"#include <{header}>\n".encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "\n".join(_below(done.stdout.decode(errors="replace"), folders))


def _below(text: str, folders: Sequence[Path]) -> Iterator[str]:
    roots = tuple(f"{folder}/" for folder in folders)
    is_below = False
    for line in text.splitlines():
        marker = _MARKER.match(line)
        if marker:
            is_below = marker[1].startswith(roots)
        elif is_below:
            yield line
