"""Known releases as lines for a terminal and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from porter.release.known import KnownRelease
from porter.report.tables import Line, Table, aligned

_SOURCES = (
    ("C++ standard", "cxx", "torch/utils/cpp_extension.py"),
    ("CUDA", "cuda", "torch/version.py"),
    ("Python", "python", "METADATA, Requires-Python"),
    ("schemas", "schemas", "native_functions.yaml"),
)
"""Each fact as (label, name of the field in `ReleaseFacts`, file of the wheel that states the fact)."""


def document(release: KnownRelease) -> dict[str, Any]:
    """One release as plain data."""
    return {
        "release": release.release,
        "facts": release.facts._asdict(),
        "proven": [
            {"stage": proof.stage, "targets": list(proof.targets), "command": proof.command}
            for proof in release.proven
        ],
    }


def table(releases: Sequence[KnownRelease]) -> Iterator[Line]:
    """Table with one line for each release."""
    rows = tuple(
        (
            one.release,
            one.facts.cxx,
            one.facts.cuda,
            one.facts.python,
            str(one.facts.schemas),
            ", ".join(one.stages()) or "nothing",
        )
        for one in releases
    )
    columns = ("release", "C++", "CUDA", "Python", "schemas", "proven")
    yield from aligned(Table("", columns, rows, frozenset({4})))


def details(release: KnownRelease) -> Iterator[Line]:
    """Facts of a release with their sources, and its proofs with their commands."""
    yield Line(f"PyTorch {release.release}", "bold")
    facts = release.facts._asdict()
    rows = tuple((name, str(facts[field]), source) for name, field, source in _SOURCES)
    yield from aligned(Table("", ("fact", "value", "file in the wheel"), rows))
    yield Line(f"  read from {release.facts.wheel} by build_scripts/release_facts")
    if not release.proven:
        yield Line("  nothing is proven")
        return
    proofs = tuple((p.stage, ", ".join(p.targets), p.command) for p in release.proven)
    yield Line("")
    yield from aligned(Table("", ("proven", "targets", "command"), proofs))
