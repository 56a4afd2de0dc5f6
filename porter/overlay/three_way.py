"""Three-way merge of texts by `git merge-file`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import SourceError

_ERROR = 128
"""Smallest exit code by which `git merge-file` reports a failure; a smaller code is the number of conflicts."""


class Labels(NamedTuple):
    """Names of the three texts in the markers of a conflict."""

    ours: str
    base: str
    theirs: str


class Merged(NamedTuple):
    """Merged text, with the number of conflicts."""

    text: bytes
    """Merged text. At a conflict, the text contains both changes and the base, separated by markers."""
    conflicts: int


class Binary(ValueError):
    """Exception for a text that git considers binary and cannot merge line by line."""


def merge(ours: bytes, base: bytes, theirs: bytes, labels: Labels) -> Merged:
    """Merge `ours` and `theirs`, two changed versions of `base`.

    Raises Binary for a text with NUL bytes, and SourceError if git fails.
    """
    if theirs in (base, ours):
        return Merged(ours, 0)
    if ours == base:
        return Merged(theirs, 0)
    if b"\0" in ours + base + theirs:
        raise Binary("contains NUL bytes")
    # Imported here, because few runs merge with git.
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(prefix="porter-merge-") as name:
        folder = Path(name)
        for file, text in (("ours", ours), ("base", base), ("theirs", theirs)):
            (folder / file).write_bytes(text)
        command = ["git", "merge-file", "-p", "-q", "--diff3"]
        for label in labels:
            command += ["-L", label]
        command += ["ours", "base", "theirs"]
        # The user's git settings are ignored, so that a port has the same bytes on every machine.
        env = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        try:
            done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)
        except OSError as error:
            help = "install git: overlays are merged by `git merge-file`"
            raise SourceError(f"cannot be run: {error.strerror}", "git", help) from None
    if not 0 <= done.returncode < _ERROR:
        said = done.stderr.decode(errors="replace").strip()
        raise SourceError(f"merge-file failed ({done.returncode}): {said}", "git")
    return Merged(done.stdout, done.returncode)


def has_markers(text: bytes, labels: Labels) -> bool:
    """Test whether a text contains a conflict marker that a merge with these labels wrote."""
    marks = {b"<<<<<<< " + labels.ours.encode(), b">>>>>>> " + labels.theirs.encode()}
    return any(line.rstrip(b"\r") in marks for line in text.split(b"\n"))


def conflicts(text: bytes, labels: Labels) -> list[tuple[int, bytes]]:
    """All conflicts in a merged text, each as (number of the first line from 1, text with the markers)."""
    begin, end = b"<<<<<<< " + labels.ours.encode(), b">>>>>>> " + labels.theirs.encode()
    found: list[tuple[int, bytes]] = []
    block: list[bytes] = []
    for number, line in enumerate(text.split(b"\n"), 1):
        bare = line.rstrip(b"\r")
        if bare == begin:
            found.append((number, b""))
            block = []
        if found and not found[-1][1]:
            block.append(line)
            if bare == end:
                found[-1] = (found[-1][0], b"\n".join(block))
    return found
