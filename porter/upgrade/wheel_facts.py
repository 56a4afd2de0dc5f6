"""Rows of `porter upgrade` about facts of the wheels: C++ standard, CUDA version, range of Python versions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.mapping.library import PROFILE
from porter.mapping.places import Places
from porter.model.rules import Profile, RuleSet
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.release import facts, known
from porter.release.known import ReleaseFacts
from porter.upgrade.trees import Tree


def of(tree: Tree) -> ReleaseFacts | None:
    """Facts of a tree's release, from a header tree or else from the known releases; None for an unknown release."""
    if tree.is_header_tree:
        return facts.read(tree.root)
    found = known.read().find(tree.release)
    return found.facts if found else None


def rows(a: ReleaseFacts, b: ReleaseFacts, rules: RuleSet, places: Places) -> Iterator[UpgradeRow]:
    """Rows about the facts that differ between the releases."""
    profile = rules.profile
    file = f"{profile.target}/{PROFILE}"
    standard = _standard(profile)
    if a.cxx != b.cxx:
        is_newer = bool(standard) and standard < int(b.cxx)
        place = places.of_word(file, f"c++{standard}" if standard else "compiler")
        advice = (
            f"porter adds -std=c++{b.cxx} to the profile's flags: check that the target's compiler supports C++{b.cxx}"
            if is_newer
            else "nothing: the profile's flags state this standard or a newer one"
        )
        effect = Effect.CHECK if is_newer else Effect.INFORMS
        yield _row(effect, "C++ standard", f"C++{a.cxx}", f"C++{b.cxx}", place, advice)
    if a.cuda != b.cuda:
        guard = profile.guards.get("CUDA_VERSION")
        value = f" ({guard.macro} is {guard.value})" if guard else ""
        advice = f"check the branches for CUDA {b.cuda}: the profile's guard does not change{value}"
        place = places.of_word(file, "CUDA_VERSION")
        yield _row(Effect.CHECK, "CUDA", f"CUDA {a.cuda}", f"CUDA {b.cuda}", place, advice)
    if a.python != b.python:
        advice = "build and test wheels for these versions of Python"
        place = places.of_word("pytorch/releases.yaml", b.wheel)
        yield _row(Effect.CHECK, "Python", a.python, b.python, place, advice)


def _standard(profile: Profile) -> int:
    """C++ standard in the compiler flags of a profile; 0 if the flags state none."""
    found = [re.fullmatch(r"-std=(?:c|gnu)\+\+(\d+)", flag) for flag in profile.compiler_flags]
    return max((int(match[1]) for match in found if match), default=0)


def _row(effect: Effect, name: str, before: str, after: str, place: str, advice: str) -> UpgradeRow:
    return UpgradeRow(Subject.FACT, Change.CHANGED, effect, name, before, after, place, advice)
