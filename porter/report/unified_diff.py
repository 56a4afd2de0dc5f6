"""Unified diffs of pairs of files, made by `git diff --no-index`, or by difflib when git is missing."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.base.errors import SourceError
from porter.cpp.lex import decode

_SECTION = re.compile(r"^diff --git a/(\d+) b/\1$", re.MULTILINE)
_BINARY = "Binary files differ\n"
_NO_NEWLINE = "\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two files to compare, and their labels in the unified diff."""

    old: Path
    new: Path
    old_label: str
    new_label: str


def texts(pairs: Sequence[TextPair]) -> list[str]:
    """Unified diff of each pair, with three lines of context; empty for equal files.

    Bytes that are not UTF-8 become the replacement character U+FFFD. For files with NUL bytes, the diff only states
    that the files differ. Raises SourceError when a file cannot be read.
    """
    if not pairs:
        return []
    hunks = _by_git(pairs) if shutil.which("git") else None
    if hunks is None:
        hunks = [_by_difflib(pair) for pair in pairs]
    return [
        f"--- {pair.old_label}\n+++ {pair.new_label}\n{text}" if text else ""
        for pair, text in zip(pairs, hunks, strict=True)
    ]


def _by_git(pairs: Sequence[TextPair]) -> list[str] | None:
    """Unified diffs of all pairs by one call of git; None if git fails.

    The files are copied to a/0 and b/0, a/1 and b/1 ... The two files of a pair get the same name, because git compares
    files with the same name.
    """
    options = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"]
    options += ["--src-prefix=", "--dst-prefix=", "--unified=3"]
    try:
        with tempfile.TemporaryDirectory(prefix="porter-diff-") as work:
            for side in ("a", "b"):
                Path(work, side).mkdir()
            for index, pair in enumerate(pairs):
                shutil.copyfile(pair.old, Path(work, "a", str(index)))
                shutil.copyfile(pair.new, Path(work, "b", str(index)))
            done = subprocess.run(
                ["git", "diff", "--no-index", *options, "a", "b"],
                cwd=work,
                env=_git_environment(),
                capture_output=True,
                check=False,
            )
    except OSError:
        # A file is unreadable, the disk is full, or git is missing. The caller then uses difflib: it needs no temporary
        # files, and its error names an unreadable file.
        return None
    if done.returncode not in (0, 1):
        return None
    found = [""] * len(pairs)
    pieces = _SECTION.split(done.stdout.decode("utf-8", "replace"))
    for number, section in zip(pieces[1::2], pieces[2::2], strict=True):
        _, at, hunks = section.partition("\n@@ ")
        found[int(number)] = at[1:] + hunks if at else _BINARY
    return found


def _git_environment() -> dict[str, str]:
    """Copy of the environment for git, without the user's settings and without variables that select a repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C"}


def _by_difflib(pair: TextPair) -> str:
    # Only \n ends a line here, as in git; str.splitlines would also split at \r and at form feeds.
    texts = (_read(pair.old), _read(pair.new))
    if any("\0" in text for text in texts):
        return _BINARY
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in texts)
    lines = list(difflib.unified_diff(old, new))[2:]
    text = "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}" for line in lines)
    return text.encode("latin-1").decode("utf-8", "replace")


def _read(path: Path) -> str:
    try:
        return decode(path.read_bytes())
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(path)) from None
