"""Known releases of PyTorch: mappings/pytorch/releases.yaml.

releases = known.read()
releases.find("2.6.0")      # facts and proofs; 2.6.1 gives the same entry, because the minor release is equal
releases.proven("port")     # ("1.13.1", "2.6.0")
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, NamedTuple

from porter.base.errors import MappingError, Problem
from porter.base.fingerprint import Answer
from porter.mapping import checked_file, library
from porter.model.versions import version

RELEASES = Answer("releases", ("base", "cpp", "mapping", "model", "regex", "release", "rewrite"))
FILE = "releases.yaml"
"""Name of the file in the mapping folder `pytorch`."""
STAGES = ("port", "headers", "register", "compile", "backend", "wheel", "verify")
"""Stages whose success a proof can state, in the order in which a new release reaches them."""

OLDEST_BUILT = "2.1"
"""Oldest release for which the backend compiles: the first release with ATen/detail/PrivateUse1HooksInterface.h.
porter can port older releases and generate their registrations."""


class ReleaseFacts(NamedTuple):
    """Facts of a release, read from its wheel."""

    wheel: str
    """File name of the wheel."""
    cxx: str
    """C++ standard for extensions, as a number: `17`."""
    cuda: str
    """CUDA version with which the wheel was built: `12.4`."""
    python: str
    """Range of Python versions: `>=3.9.0`."""
    schemas: int
    """Number of operators in native_functions.yaml."""


class Proof(NamedTuple):
    """Stage that succeeded for a release on some targets, and the command that repeats the stage."""

    stage: str
    targets: tuple[str, ...]
    command: str
    """Command that repeats the stage."""


class KnownRelease(NamedTuple):
    """Facts and proofs of one release of PyTorch."""

    release: str
    facts: ReleaseFacts
    proven: tuple[Proof, ...]

    def stages(self) -> tuple[str, ...]:
        """Stages with a proof, in the order of STAGES."""
        return tuple(name for name in STAGES if any(proof.stage == name for proof in self.proven))


class KnownReleases(NamedTuple):
    """All known releases, oldest first."""

    releases: tuple[KnownRelease, ...]

    @property
    def newest(self) -> KnownRelease:
        return self.releases[-1]

    def find(self, release: str) -> KnownRelease | None:
        """Entry of `release`, or else of a known release with the same minor version; None if neither exists."""
        minor = version(release)[:2]
        alike = [one for one in self.releases if version(one.release)[:2] == minor]
        exact = [one for one in alike if one.release == release]
        return next(iter(exact + alike), None)

    def proven(self, stage: str) -> tuple[str, ...]:
        """Releases for which the stage has a proof, oldest first."""
        return tuple(one.release for one in self.releases if stage in one.stages())


def can_be_built(release: str) -> bool:
    """Test whether the backend compiles for a release."""
    return version(release)[:2] >= version(OLDEST_BUILT)


def shipped() -> Path:
    """Path of the releases.yaml that is part of porter."""
    return library.shipped() / "pytorch" / FILE


def read(path: Path | None = None) -> KnownReleases:
    """Known releases from a file; by default from the file that is part of porter.

    Raises MappingError, with a list of all errors in the file.
    """
    return checked_file.read(path or shipped(), RELEASES, KnownReleases, _checked)


def _checked(path: Path) -> KnownReleases:
    # Imported here: loading pydantic takes longer than a whole run on unchanged sources.
    from porter.release.schema import ReleasesFile

    data, doc = checked_file.validated(path, ReleasesFile, "the known releases")
    entries = data["releases"]
    releases = [_release(entry) for entry in entries]
    unordered = [
        Problem(
            f"{later.release} does not come after {former.release}",
            f"{doc.file}:{doc.line(['releases', place])}",
            "list each release once, oldest first",
        )
        for place, (former, later) in enumerate(itertools.pairwise(releases), 1)
        if version(former.release) >= version(later.release)
    ]
    if unordered:
        raise MappingError(unordered)
    return KnownReleases(tuple(releases))


def _release(entry: dict[str, Any]) -> KnownRelease:
    proven = (Proof(p["stage"], tuple(p["targets"]), p["command"]) for p in entry["proven"])
    return KnownRelease(entry["release"], ReleaseFacts(**entry["facts"]), tuple(proven))
