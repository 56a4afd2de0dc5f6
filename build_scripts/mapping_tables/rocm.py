"""ROCm names for CUDA names, read from git clones: HIPIFY's tables, and identifiers in ROCm's headers."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mapping_tables.cpp_words import WORD, words
from mapping_tables.errors import TableError

# One line of HIPIFY's tables, which are C++ sources: {"cudaX", {"hipX", "rocX", TYPE, API, SECTION, FLAGS}}
_ENTRY = re.compile(
    r'^\s*\{"(?P<cuda>[^"]+)",\s*\{"(?P<hip>[^"]*)",\s*"(?P<roc>[^"]*)",\s*(?P<type>\w+),'
    r"\s*(?P<api>\w+),\s*(?P<section>[^,}]+?)(?:,\s*(?P<flags>[^}]*?))?\s*\}\}",
    re.MULTILINE,
)


class Clone:
    """Committed files (`HEAD`) of a git clone; the clone may be bare."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.path), *arguments]
        try:
            run = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            raise TableError("git is not on this machine") from None
        if run.returncode:
            said = " ".join(run.stderr.decode(errors="replace").split())
            raise TableError(f"{' '.join(command)}: {said}", f"{self.path} must be a git clone")
        return run.stdout.decode("utf-8", errors="replace")

    @cached_property
    def commit(self) -> str:
        """Commit and its date, for example `014177bc (2024-10-24)`."""
        return self._git("log", "-1", "--abbrev=8", "--format=%h (%cs)").strip()

    def texts(self, pattern: str) -> Iterator[str]:
        """Yield the texts of the files whose paths begin with a match of `pattern`."""
        for path in self._git("ls-tree", "-r", "--name-only", "HEAD").splitlines():
            if re.match(pattern, path):
                yield self._git("show", f"HEAD:{path}")


@dataclass(frozen=True)
class Headers:
    """Headers of a ROCm project that declare names of an API area."""

    project: str
    paths: str
    """Regular expression that matches the beginning of the headers' paths."""


@dataclass(frozen=True)
class Entry:
    """One line of HIPIFY's tables."""

    api: str
    hip: str
    roc: str
    flags: frozenset[str]

    @property
    def supported(self) -> bool:
        """True if the ROCm name exists according to HIPIFY."""
        if self.api == "API_DNN":
            return bool(self.roc) and not self.flags & {"UNSUPPORTED", "ROC_UNSUPPORTED"}
        return bool(self.hip) and not self.flags & {"UNSUPPORTED", "HIP_UNSUPPORTED"}

    @property
    def name(self) -> str:
        """ROCm name, existing or only proposed. For cuDNN, this is MIOpen's name; for all others, HIP's name."""
        return self.roc if self.api == "API_DNN" else self.hip


class Facts:
    """Facts from the clones. Raises TableError for a missing or unreadable clone.

    `clones` is the folder with the clones, each under its project's name; `headers` maps an API area to its headers.
    """

    def __init__(self, clones: Path, headers: Mapping[str, Sequence[Headers]]) -> None:
        self._clones = clones
        self._headers = headers
        projects = dict.fromkeys(h.project for found in headers.values() for h in found)
        if missing := [name for name in ("HIPIFY", *projects) if not (clones / name).exists()]:
            help = f"git clone https://github.com/ROCm/{missing[0]} {clones / missing[0]}"
            raise TableError(f"{clones}: no clone of {', '.join(missing)}", help)
        self._opened: dict[str, Clone] = {}
        self._words: dict[str, frozenset[str]] = {}
        self.hipify = hipify_tables(self._clone("HIPIFY"))
        """Maps a CUDA name to HIPIFY's entry."""

    def _clone(self, project: str) -> Clone:
        return self._opened.setdefault(project, Clone(self._clones / project))

    def words(self, area: str) -> frozenset[str]:
        """All words in the headers of an API area, outside comments and strings."""
        if area not in self._words:
            found: set[str] = set()
            for headers in self._headers[area]:
                for text in self._clone(headers.project).texts(headers.paths):
                    found |= words(text)
            self._words[area] = frozenset(found)
        return self._words[area]

    def source(self, area: str) -> str:
        """Text that lists the projects and commits from which the facts about an API area come."""
        projects = ["HIPIFY", *(headers.project for headers in self._headers[area])]
        return "; ".join(f"ROCm/{name} {self._clone(name).commit}" for name in projects)


def hipify_tables(hipify: Clone) -> dict[str, Entry]:
    """Maps a CUDA name to HIPIFY's entry."""
    found: dict[str, Entry] = {}
    for text in hipify.texts(r"src/CUDA2HIP_\w+_(functions|types)\.cpp"):
        for match in _ENTRY.finditer(text):
            flags = frozenset(re.findall(r"[A-Z]\w+", match["flags"] or ""))
            entry = Entry(match["api"], match["hip"], match["roc"], flags)
            if match["api"] != "API_CAFFE2" and WORD.fullmatch(match["cuda"]):
                found.setdefault(match["cuda"], entry)
    return found
