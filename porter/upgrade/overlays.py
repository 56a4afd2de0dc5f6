"""Rows of `porter upgrade` about overlays: each overlay is merged in memory with the ported text of release B."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from porter.base.errors import OverlayError
from porter.model.overlay import MEANING, Overlay, OverlayStatus
from porter.model.rules import RuleSet
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.overlay import apply
from porter.port.select import select
from porter.port.stage import plan_of
from porter.rewrite.rewriter import Rewriter, ported_bytes
from porter.upgrade.trees import Tree

_EFFECTS = {
    OverlayStatus.APPLIED: Effect.INFORMS,
    OverlayStatus.MOVED: Effect.INFORMS,
    OverlayStatus.REDUCED: Effect.CHECK,
    OverlayStatus.NEEDLESS: Effect.CHECK,
    OverlayStatus.ABSENT: Effect.INFORMS,
}


def rows(a: Tree, b: Tree, overlays: Sequence[Overlay], rules: RuleSet) -> Iterator[UpgradeRow]:
    """Rows about all overlays. Raises SourceError if a file cannot be read or git is missing."""
    applied = [one for one in overlays if one.bounds.admit(b.release)]
    for overlay in overlays:
        if not overlay.bounds.admit(b.release):
            yield _outside(a, b, overlay, [one for one in applied if one.file == overlay.file])
    if not applied:
        return
    plan = plan_of(select(b.root, rules.selection), rules)
    selected = {job.path for job in plan.jobs}
    rewriter = Rewriter(rules, plan.moved)
    for path, group in itertools.groupby(applied, key=lambda one: one.file):
        if path not in selected:
            yield from (_absent(b, one) for one in group)
            continue
        text = ported_bytes(rewriter.rewrite(path, b.text(path).encode("latin-1")))
        yield from _of_file(b, path, text, list(group))


def _of_file(b: Tree, path: str, text: bytes, overlays: Sequence[Overlay]) -> Iterator[UpgradeRow]:
    try:
        done = apply.apply(text, overlays, b.release)
    except OverlayError as error:
        problem = error.problems[0]
        names = ", ".join(one.name for one in overlays)
        head, _, conflict = problem.text.partition("\n")
        advice = f"{head}; if {overlays[0].release} still needs the change, rebase with --split"
        yield _row(Change.CHANGED, Effect.BREAKS, names, conflict, overlays[0].place, advice)
        return
    for overlay, use in zip(overlays, done.file.uses, strict=True):
        advice = f"{path}: {MEANING[use.status]}" + (f" ({use.note})" if use.note else "")
        change = Change.MOVED if use.status is OverlayStatus.MOVED else Change.CHANGED
        yield _row(change, _EFFECTS[use.status], overlay.name, "", overlay.place, advice)


def _outside(a: Tree, b: Tree, overlay: Overlay, applied: Sequence[Overlay]) -> UpgradeRow:
    """Row about an overlay whose bounds exclude release B.

    `applied` are the overlays of the same file whose bounds include B.
    """
    advice = f"{overlay.file}: {MEANING[OverlayStatus.OUTSIDE]} ({overlay.bounds})"
    if not (overlay.bounds.admit(a.release) and overlay.bounds.end_before(b.release)):
        return _row(Change.CHANGED, Effect.INFORMS, overlay.name, "", overlay.place, advice)
    after = [one.name for one in applied if not one.bounds.overlap(overlay.bounds)]
    if after:
        advice = f"{advice}; {b.release} has {', '.join(after)}"
        return _row(Change.GONE, Effect.INFORMS, overlay.name, "", overlay.place, advice)
    advice = f"{advice}: decide whether the file needs an overlay for {b.release}"
    return _row(Change.GONE, Effect.CHECK, overlay.name, "", overlay.place, advice)


def _absent(b: Tree, overlay: Overlay) -> UpgradeRow:
    if b.is_header_tree:
        advice = f"unchecked: {MEANING[OverlayStatus.ABSENT]} {overlay.file}"
        return _row(Change.CHANGED, Effect.INFORMS, overlay.name, "", overlay.place, advice)
    advice = (
        f"{b.release} does not have {overlay.file}: drop the overlay, save it on another file, or add 'Until:' and the "
        "last release that has the file"
    )
    return _row(Change.GONE, Effect.BREAKS, overlay.name, "", overlay.place, advice)


def _row(
    change: Change, effect: Effect, name: str, text: str, place: str, advice: str
) -> UpgradeRow:
    return UpgradeRow(Subject.OVERLAY, change, effect, name, text, "", place, advice)
