"""Messages of a package's own build in the output of pip."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from porter.base.errors import BuildError

_BLOCK = re.compile(r"^.*\[\d+ lines? of output\]\n(?P<text>.*?)^\s*\[end of output\]", re.M | re.S)
"""The output of setup.py or of another build program, which pip indents."""
_NOTICE = re.compile(r"WARNING:|DEPRECATION:|\[notice\]")
"""Lines of pip that are no reasons for a failure, for example about its own configuration or the user root."""
_MISSING = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_NO_HEADER = re.compile(r"fatal error: ([^:\n]+): No such file or directory")
_FRAME = re.compile(r'(?P<indent>\s*)File "(?P<file>[^"]*)", line \d+, in ')
_BUILD_PROGRAMS = ("/pip/", "/setuptools/", "<pip-setuptools-caller>")
_ERROR = re.compile(r"CMake Error|(?i:\berror:)")
_FIRST, _LAST = 10, 20
"""Number of lines of a build's output in a message, from its first error and at its end."""


def own_failure(said: str, package: str) -> BuildError | None:
    """Error of the package's own build; None if pip failed for another reason, for example without a network."""
    blocks = [found["text"] for found in _BLOCK.finditer(said)]
    if not blocks:
        return None
    lines = [line.rstrip() for line in blocks[0].splitlines() if line.strip()]
    if not lines:
        return build_failure(said, package)
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    return build_failure("\n".join(line[indent:] for line in lines), package)


def build_failure(said: str, package: str) -> BuildError:
    """Error with the first error and the last lines of a build's output, and the module that it lacks, if any."""
    lines = _own_frames([line for line in said.splitlines() if line.strip()])
    before = lines[:-_LAST]
    first = next((number for number, line in enumerate(before) if _ERROR.search(line)), None)
    lines = lines[-_LAST:]
    if first is not None:
        shown = before[first : first + _FIRST]
        lines = [*shown, *(["..."] if len(before) > first + _FIRST else []), *lines]
    return BuildError("\n".join(("the package's own build failed", *lines)), package, _help(said))


def missing_header(said: str, root: Path) -> str:
    """Help line for a compiler's messages about a header that the package's folder `root` lacks; otherwise empty."""
    missing = _NO_HEADER.search(said)
    if missing is None or any(root.rglob(PurePosixPath(missing[1]).name)):
        return ""
    return (
        f"the package's sources do not contain {missing[1]}: if the header is the package's own, build a checkout "
        "of its repository; if it is a library's, install the library, or name its folder in CPATH"
    )


def reason(said: str) -> str:
    """First error in pip's messages, else the first other line that is no notice."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    lines = [line for line in lines if not _NOTICE.match(line)]
    errors = [line for line in lines if line.upper().startswith("ERROR")]
    return (errors or lines or ["pip failed without a message"])[0]


def _own_frames(lines: Sequence[str]) -> list[str]:
    """Lines without those frames of tracebacks that lie in pip and setuptools."""
    own: list[str] = []
    indent: int | None = None
    for line in lines:
        if indent is not None and len(line) - len(line.lstrip()) > indent:
            continue
        frame = _FRAME.match(line)
        omitted = frame and any(name in frame["file"] for name in _BUILD_PROGRAMS)
        indent = len(frame["indent"]) if frame and omitted else None
        if not omitted:
            own.append(line)
    return own


def _help(said: str) -> str:
    if missing := _MISSING.search(said):
        return f"install what the build needs, in the environment of --python: pip install {missing[1]}"
    return "the package's own requirements for a build must be installed: the build is not isolated"
