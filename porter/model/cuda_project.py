"""Files of a CUDA project other than PyTorch, and the work that remains for the user after a port."""

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
"""Suffixes of C, C++ and CUDA sources. A template (`config.h.in`) counts as a source when its name without `.in` has
one of these suffixes."""


@dataclass(frozen=True)
class ProjectFile:
    """One file of a project."""

    path: str
    """Path from the root of the project, with forward slashes."""
    why_copied: str = ""
    """Reason why the file is copied unchanged; empty for a file that is ported."""

    @property
    def is_unread_source(self) -> bool:
        """Test whether the file has the suffix of a source but is copied, because porter cannot read its text."""
        return bool(self.why_copied) and is_source(self.path)


@dataclass(frozen=True)
class Skipped:
    """File or folder left out of the port."""

    path: str
    reason: str
    is_unreadable: bool = False
    """True if porter cannot read the file or folder: the user did not ask to leave it out."""


@dataclass(frozen=True)
class Project:
    """Files under the paths that the user gave."""

    root: Path
    files: tuple[ProjectFile, ...]
    """Files sorted by path."""
    skipped: tuple[Skipped, ...]

    @property
    def sources(self) -> list[str]:
        """Paths of the files to port."""
        return [file.path for file in self.files if not file.why_copied]


def is_source(name: str) -> bool:
    """Test whether a file name has the suffix of a C, C++ or CUDA source."""
    stem, _, suffix = name.lower().removesuffix(".in").rpartition(".")
    return bool(stem) and suffix in SOURCE_SUFFIXES


class PathNaming(StrEnum):
    """Extent to which a port changes the paths of a project's files."""

    KEEP = "keep"
    """Paths stay unchanged."""
    SUFFIX = "suffix"
    """Only the suffixes `.cu` and `.cuh` change, as the profile says."""
    PYTORCH = "pytorch"
    """Folders, stems and suffixes change by the rules for PyTorch's own files: `cuda/CUDAUtil.h`."""


@dataclass(frozen=True)
class UnportedMention:
    """File that is copied unchanged and whose text mentions CUDA or a file that the port renamed."""

    path: str
    words: tuple[str, ...]
    """Vendor words that porter renames in ported code, most frequent first."""
    renamed: tuple[str, ...]
    """Old names of files that the port renamed."""


@dataclass(frozen=True)
class ByHand:
    """Work that a port leaves to the user: files that may need an edit by hand, and files left out of the port."""

    mentions: Sequence[UnportedMention] = ()
    """Files that are copied unchanged and whose text mentions CUDA or a file that the port renamed."""
    skipped: Sequence[Skipped] = ()
    """Files and folders left out of the port."""
