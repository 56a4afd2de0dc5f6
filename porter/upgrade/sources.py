"""Rows of `porter upgrade` about selected files that release B lacks, and about selected files that are new in B."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from porter.mapping.places import Places
from porter.model.rules import RuleSet
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.upgrade.rules import ReleasePort

_BUILD = "pytorch/build.yaml"
"""Mapping file that names sources: build sets, flags for single sources, sources that are left out."""
_UNITS = frozenset({"cu", "cpp", "cc", "c"})
"""Suffixes of files that are compiled."""


def rows(a: ReleasePort, b: ReleasePort, places: Places) -> Iterator[UpgradeRow]:
    """Rows about the selected files that differ between the two releases.

    If one of the trees is a header tree, only headers are compared.
    """
    whole = not (a.tree.is_header_tree or b.tree.is_header_tree)
    before, after = (
        frozenset(path for path in side.ported.files if whole or not _is_unit(path))
        for side in (a, b)
    )
    added = sorted(after - before)
    by_name: dict[str, list[str]] = {}
    for path in added:
        by_name.setdefault(posixpath.basename(path), []).append(path)
    for path in sorted(before - after):
        if not b.tree.has(path):
            yield _gone(path, by_name, b.rules, places)
    moved = {new for path in before - after for new in by_name.get(posixpath.basename(path), ())}
    for path in added:
        if path not in moved and not a.tree.has(path):
            yield _new(path, b.rules, places)


def _gone(
    path: str, by_name: Mapping[str, list[str]], rules: RuleSet, places: Places
) -> UpgradeRow:
    to = next(iter(by_name.get(posixpath.basename(path), ())), "")
    if to:
        change, effect = Change.MOVED, Effect.INFORMS
        advice = f"correct the entries of {_BUILD} that name the old path, if any; the selection contains {to} already"
    elif _is_unit(path):
        change, effect = Change.GONE, Effect.CHECK
        advice = (
            "find the source that has its kernels now; operators without kernels stay unregistered,"
            " and the report of the register stage lists them"
        )
    else:
        change, effect = Change.GONE, Effect.INFORMS
        advice = "nothing: porter ports only the selected files that exist"
    return _row(change, effect, path, path, to, _place(path, rules, places), advice)


def _new(path: str, rules: RuleSet, places: Places) -> UpgradeRow:
    what = "compiled" if _is_unit(path) else "ported"
    advice = f"nothing: the selection contains the file, and the file is {what}"
    place = _place(path, rules, places)
    return _row(Change.NEW, Effect.INFORMS, path, "", path, place, advice)


def _place(path: str, rules: RuleSet, places: Places) -> str:
    """`file:line` of the selection's entry for a path; the path's own first line if there is no entry."""
    holding = (folder.origin for folder in rules.selection.folders if folder.holds(path))
    origin = next(holding, None)
    return places.of(origin) if origin else f"{path}:1"


def _is_unit(path: str) -> bool:
    return path.rpartition(".")[2] in _UNITS


def _row(
    change: Change, effect: Effect, name: str, before: str, after: str, place: str, advice: str
) -> UpgradeRow:
    return UpgradeRow(Subject.SOURCE, change, effect, name, before, after, place, advice)
