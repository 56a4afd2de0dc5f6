"""Files of a CUDA project that is not PyTorch's, and what a port of it leaves to be done by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

SOURCE_SUFFIXES = frozenset(
    suffix
    for language in (
        ("c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++"),
        ("inc", "inl", "ipp", "tcc", "tpp"),
        ("cu", "cuh"),
    )
    for suffix in language
)
"""Last suffixes of C, C++ and CUDA sources; templates of such (`config.h.in`) count too."""


@dataclass(frozen=True)
class ProjectFile:
    """One file of a project."""

    path: str
    """From the root, with forward slashes."""
    why_copied: str = ""
    """Why it is taken over unchanged; empty: it is ported."""

    @property
    def is_unread_source(self) -> bool:
        """Test whether it has the name of a source, and no text that could be ported."""
        return bool(self.why_copied) and is_source(self.path)


@dataclass(frozen=True)
class Skipped:
    """A file or folder that stays behind."""

    path: str
    reason: str


@dataclass(frozen=True)
class Project:
    """What lies under the paths that were given."""

    root: Path
    files: tuple[ProjectFile, ...]
    """Sorted by path."""
    skipped: tuple[Skipped, ...]

    @property
    def sources(self) -> list[str]:
        """Paths of the files to port."""
        return [file.path for file in self.files if not file.why_copied]


def is_source(name: str) -> bool:
    """Whether a file name is that of a C, C++ or CUDA source."""
    stem, _, suffix = name.lower().removesuffix(".in").rpartition(".")
    return bool(stem) and suffix in SOURCE_SUFFIXES


class PathNaming(StrEnum):
    """Which parts of a project's paths change."""

    KEEP = "keep"
    SUFFIX = "suffix"
    """`.cu` and `.cuh` by the profile."""
    PYTORCH = "pytorch"
    """Folders and stems too, by the rules for PyTorch's own files: `cuda/CUDAUtil.h`."""


@dataclass(frozen=True)
class UnportedMention:
    """A file taken over unchanged that speaks of CUDA or of files that have another name now."""

    path: str
    words: tuple[str, ...]
    """Vendor words that ported code writes otherwise, most frequent first."""
    renamed: tuple[str, ...]
    """Names of ported files as they were."""


@dataclass(frozen=True)
class ByHand:
    """What porter did not touch: files left behind, and files in which something is left to do."""

    mentions: Sequence[UnportedMention] = ()
    skipped: Sequence[Skipped] = ()
