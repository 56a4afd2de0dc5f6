"""Applicability of rules: tests whether two rules can apply to the same text, whether one rule covers the second rule,
and whether a glob selects a file."""

from __future__ import annotations

import re
from collections.abc import Iterable

from porter.base.globs import matches
from porter.mapping.compile import AXES, bounds
from porter.mapping.schema import RuleEntry
from porter.model.rules import Exclusion, Folder, Rule
from porter.model.versions import version

_WILD = re.compile(r"[*?]")


def can_meet(one: Rule, one_model: RuleEntry, other: Rule, other_model: RuleEntry) -> bool:
    """Test whether two rules may apply in the same version, file and token class. False is certain."""
    if not all(bounds(one_model, axis).overlap(bounds(other_model, axis)) for axis in AXES):
        return False
    if not one.classes & other.classes:
        return False
    for a, b in ((one, other), (other, one)):
        if a.only_in and set(a.only_in) <= set(b.not_in):
            return False
    if one.only_in and other.only_in:
        return any(_globs_meet(a, b) for a in one.only_in for b in other.only_in)
    return True


def covers(one: Rule, one_model: RuleEntry, other: Rule, other_model: RuleEntry) -> bool:
    """Test whether the first rule applies wherever the second rule applies. True is certain."""
    for axis in AXES:
        here, there = bounds(one_model, axis), bounds(other_model, axis)
        if version(here.since) > version(there.since):
            return False
        if here.until and version(here.until) != version(there.until):
            return False
    if not one.classes >= other.classes:
        return False
    if one.only_in and set(one.only_in) != set(other.only_in):
        return False
    return set(one.not_in) <= set(other.not_in)


def selects_nothing(
    glob: str, folders: Iterable[Folder], excluded: Iterable[Exclusion] = ()
) -> bool:
    """Test whether a glob matches no file in the folders of a selection."""
    if not _WILD.search(glob) and "/" in glob and matches(glob, [e.glob for e in excluded]):
        return True
    head, tail = _ends(glob)
    for folder in folders:
        begin = f"{folder.folder}/"
        if not (begin.startswith(head) or head.startswith(begin)):
            continue
        if "/" in glob and "**" not in glob and glob.count("/") < begin.count("/"):
            continue
        if folder.only:
            if any(matches(f"{folder.folder}/{name}", [glob]) for name in folder.only):
                return False
            continue
        for suffix in folder.suffixes:
            end = f".{suffix}"
            # A glob without a wildcard is a single path; its suffix must be a suffix of the folder.
            if tail.endswith(end) or (_WILD.search(glob) and end.endswith(tail)):
                return False
    return True


def _ends(glob: str) -> tuple[str, str]:
    """Text before the first wildcard of a glob, and text after the last wildcard."""
    if "/" not in glob:
        glob = f"**/{glob}"
    pieces = _WILD.split(glob)
    # `**/` also matches the empty text, so the slash is not part of the tail.
    tail = pieces[-1]
    return pieces[0], tail.removeprefix("/") if len(pieces) > 1 else tail


def _globs_meet(one: str, other: str) -> bool:
    head, tail = _ends(one)
    other_head, other_tail = _ends(other)
    heads = head.startswith(other_head) or other_head.startswith(head)
    return heads and (tail.endswith(other_tail) or other_tail.endswith(tail))
