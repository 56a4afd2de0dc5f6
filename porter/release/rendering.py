"""Text of mappings/pytorch/releases.yaml, from the known releases."""

from __future__ import annotations

from collections.abc import Iterable

from porter.model.proof import Proof
from porter.release.known import STAGES, KnownRelease, KnownReleases
from porter.release.known import Proof as StageProof

_HEAD = """\
# Releases of PyTorch, oldest first: of each minor release, one.
#
# facts: read from the header tree of the wheel by build_scripts/release_facts, which also checks them.
#   cxx      C++ standard: the -std=c++N that torch/utils/cpp_extension.py names most often
#   cuda     CUDA that the wheel was built with: torch/version.py
#   python   Requires-Python of the wheel's METADATA
#   schemas  operators that native_functions.yaml declares
# proven: stages that were carried out with success, each with the command that shows it. TREE is the
#   folder that build_scripts/fetch_release RELEASE prints, HEADERS the one of a header tree (--from wheel).
#   The trees of 2.4 and 2.7 are public copies of the sources: docs/new-release.md.
#   port     the port is what its lock file says
#   headers  the header tree ports, and nothing is left unmapped or ambiguous
#   register registrations are generated, as if every source were compiled
#   compile  registrations and the backend compile against the headers of the wheel
#   backend  the backend's libraries are built
#   wheel    the package is built
#   verify   every operator is checked on the installed package; what fails is known and explained
"""
_PROVED = ("headers", "register", "compile")
"""Stages that `porter release prove` carries out."""


def text(releases: KnownReleases) -> str:
    """Text of the file."""
    lines = [_HEAD, "releases:"]
    for one in releases.releases:
        lines += [f"  - release: {one.release}", "    facts:"]
        lines += [f"      {name}: {_quoted(value)}" for name, value in one.facts._asdict().items()]
        if one.proven:
            lines.append("    proven:")
        for proof in one.proven:
            lines.append(f"      - stage: {proof.stage}")
            lines.append(f"        targets: [{', '.join(proof.targets)}]")
            lines.append(f"        command: {_quoted(proof.command)}")
    return "\n".join(lines) + "\n"


def with_proofs(releases: KnownReleases, proofs: Iterable[Proof]) -> KnownReleases:
    """Releases with the stages that new proofs show; stages that failed in the proofs are removed."""
    of_release: dict[str, list[Proof]] = {}
    for proof in proofs:
        of_release.setdefault(proof.release, []).append(proof)
    return KnownReleases(
        tuple(_proven(one, of_release.get(one.release, [])) for one in releases.releases)
    )


def _proven(release: KnownRelease, proofs: list[Proof]) -> KnownRelease:
    known = {proof.stage: proof for proof in release.proven}
    for stage in _PROVED:
        asked = {proof.target for proof in proofs if stage != "compile" or proof.sources >= 0}
        if not asked:
            continue
        shown = [proof.target for proof in proofs if stage in proof.stages()]
        kept = (
            [target for target in known[stage].targets if target not in asked]
            if stage in known
            else []
        )
        known.pop(stage, None)
        if targets := (*shown, *kept):
            option = " --compile" if stage == "compile" else ""
            known[stage] = StageProof(
                stage, targets, f"porter release prove {release.release}{option}"
            )
    return release._replace(proven=tuple(known[stage] for stage in STAGES if stage in known))


def _quoted(value: str | int) -> str:
    """Value as YAML text."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
