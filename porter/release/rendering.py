"""Text of mappings/pytorch/releases.yaml, from the known releases."""

from __future__ import annotations

from collections.abc import Iterable

from porter.model.proof import Proof
from porter.release.known import STAGES, KnownRelease, KnownReleases
from porter.release.known import Proof as StageProof

_HEAD = """\
# Known releases of PyTorch, oldest first: one for each minor version.
#
# facts: values that build_scripts/release_facts reads from the header tree of the wheel and also checks.
#   wheel    file name of the wheel
#   cxx      C++ standard: the -std=c++N that torch/utils/cpp_extension.py names most often
#   cuda     CUDA version with which the wheel was built, from torch/version.py
#   python   Python versions that the wheel supports: Requires-Python in its METADATA
#   schemas  number of operators that native_functions.yaml declares
# proven: stages that succeeded on the listed targets, each with the command that shows it. In the commands, TREE is
#   the folder that `build_scripts/fetch_release RELEASE` prints, and HEADERS the folder that
#   `build_scripts/fetch_release RELEASE --from wheel` prints (a header tree).
#   The trees of 2.4 and 2.7 are public copies of the sources: docs/new-release.md.
#   port     the whole source tree is ported, and the port equals its lock file
#   headers  the header tree is ported, and no name is left unmapped or ambiguous
#   register registrations are generated under the assumption that every source is compiled
#   compile  registrations and the backend's sources compile against the headers of the wheel
#   backend  the backend's libraries are built
#   wheel    the package is built
#   verify   every operator is tested on the installed package; every failure is an expected failure with a reason
"""
_PROVED = ("headers", "register", "compile")
"""Stages that `porter release prove` can run."""


def text(releases: KnownReleases) -> str:
    """Text of releases.yaml for the given releases."""
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
    """Copy of the releases with updated proofs: stages that succeeded are added, stages that failed are removed."""
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
    """A value as YAML text."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
