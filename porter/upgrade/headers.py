"""Rows of `porter upgrade` about missing or moved headers that the selection, a patch or the backend names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from porter.mapping.places import Places
from porter.model.rules import RuleSet, Selection
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.port.moved_definitions import LARGEST_SHIM, is_shim, new_place
from porter.upgrade.mentions import BackendFile, Mention, mentions
from porter.upgrade.trees import Tree


def rows(
    a: Tree, b: Tree, files: tuple[BackendFile, ...], rules: RuleSet, places: Places
) -> Iterator[UpgradeRow]:
    """Rows about the mentioned headers that release B lacks, or that became shims in B.

    `files`, the selection and the patches in `rules` are searched for mentions. A shim of upstream is a header that
    only includes the header to which its definitions moved.
    """
    by_name: dict[str, list[str]] = {}
    for path in sorted(b.headers):
        by_name.setdefault(posixpath.basename(path), []).append(path)
    shims: dict[str, str] = {}
    for mention in mentions(files, rules, places, a.headers):
        if mention.path not in b.headers:
            if not b.has(mention.path):
                yield _gone(mention, by_name, a, rules.selection)
            continue
        if mention.path not in shims:
            shims[mention.path] = _new_shim(a, b, mention.path)
        if shims[mention.path]:
            yield _emptied(mention, shims[mention.path])


def _gone(
    mention: Mention, by_name: dict[str, list[str]], a: Tree, selection: Selection
) -> UpgradeRow:
    alike = [
        path for path in by_name.get(posixpath.basename(mention.path), ()) if path not in a.headers
    ]
    effect = Effect.BREAKS
    if alike and mention.selects and any(one.holds(alike[0]) for one in selection.folders):
        change, effect, after = Change.MOVED, Effect.INFORMS, alike[0]
        advice = f"nothing: the selection has {after}, too"
    elif alike:
        advice = f"name {alike[0]} in place of {mention.path}"
        change, after = Change.MOVED, alike[0]
    else:
        advice = "remove the mention, or limit it to the releases that have the header"
        change, after = Change.GONE, ""
    return UpgradeRow(
        Subject.HEADER,
        change,
        effect,
        mention.path,
        mention.path,
        after,
        mention.place,
        advice,
    )


def _emptied(mention: Mention, to: str) -> UpgradeRow:
    return UpgradeRow(
        Subject.HEADER,
        Change.MOVED,
        Effect.INFORMS,
        mention.path,
        mention.path,
        to,
        mention.place,
        f"nothing: the header only includes {to}, which the selection ports too",
    )


def _new_shim(a: Tree, b: Tree, path: str) -> str:
    """Path of the header to which the definitions of `path` moved; empty if `path` did not become a shim in B."""
    text = b.text(path)
    if len(text) > LARGEST_SHIM or not is_shim(text) or is_shim(a.text(path)):
        return ""
    return new_place(path, text, b.has) or ""
