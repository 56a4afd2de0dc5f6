"""Comparison of two ports by files, rule hits, residue and hazards.

All functions are pure except `with_text`, which reads files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from porter.model.drift import CountPair, Drift, DriftCause, FileDrift, RuleDrift
from porter.model.lock import Lock, LockedFile, safe_name
from porter.model.manifest import Manifest
from porter.model.port_output import Output
from porter.model.rewrite_result import Reason
from porter.report import unified_diff

NO_COUNTS: Mapping[str, int] = {}


def compare(a: Output, b: Output) -> Drift:
    """Drift from port `a` to port `b`, without unified diffs. The field `equal` is True if the locks are equal."""
    before, after = a.lock, b.lock
    pairs, removed, added = _paired(before.files, after.files)
    by_hand = {*a.changed, *b.changed}
    places = _places(a.manifest, b.manifest)
    residue = {
        reason: _counts(
            before.residue.get(reason, NO_COUNTS),
            after.residue.get(reason, NO_COUNTS),
            places.get(reason, {}),
        )
        for reason in Reason
    }
    hazards = {
        name: _counts(before.hazards.get(name, NO_COUNTS), after.hazards.get(name, NO_COUNTS))
        for name in sorted(before.hazards.keys() | after.hazards.keys())
    }
    return Drift(
        target=(before.target, after.target),
        release=(before.release, after.release),
        totals=tuple(_totals(before, after)),
        added=tuple(added),
        removed=tuple(removed),
        changed=tuple(
            FileDrift(old, new, _cause(old, new, by_hand)) for old, new in pairs if old != new
        ),
        rules=tuple(_rules(before.hits, after.hits)),
        residue={reason: counts for reason, counts in residue.items() if counts},
        hazards={name: counts for name, counts in hazards.items() if counts},
    )


def with_text(drift: Drift, a: Output, b: Output) -> Drift:
    """Copy of the drift with a unified diff for each changed file whose text is available in both ports.

    Raises SourceError if a ported file cannot be read.
    """
    wanted = []
    for index, file in enumerate(drift.changed):
        old, new = a.file(file.before.to), b.file(file.after.to)
        if old and new and file.before.sha_out != file.after.sha_out:
            labels = (f"a/{file.before.to}", f"b/{file.after.to}")
            wanted.append((index, unified_diff.TextPair(old, new, *labels)))
    texts = unified_diff.texts([pair for _, pair in wanted])
    made = dict(zip((index for index, _ in wanted), texts, strict=True))
    changed = tuple(replace(file, text=made.get(index)) for index, file in enumerate(drift.changed))
    return replace(drift, changed=changed)


def as_json(drift: Drift) -> dict[str, Any]:
    """Plain data of a drift. In a list of two values, the first value is for port `a` and the second for port `b`."""
    return {
        "equal": drift.equal,
        "target": list(drift.target),
        "release": list(drift.release),
        "totals": {count.name: [count.before, count.after] for count in drift.totals},
        "files": {
            "added": [{"upstream": file.path, "ported": file.to} for file in drift.added],
            "removed": [{"upstream": file.path, "ported": file.to} for file in drift.removed],
            "changed": [
                {
                    "upstream": [file.before.path, file.after.path],
                    "ported": [file.before.to, file.after.to],
                    "moved": file.moved,
                    "cause": str(file.cause),
                    "edits": [file.before.edits, file.after.edits],
                    "text": file.text,
                }
                for file in drift.changed
            ],
        },
        "rules": [
            {
                "rule": rule.rule,
                "hits": [rule.before, rule.after],
                "names": {count.name: [count.before, count.after] for count in rule.names},
            }
            for rule in drift.rules
        ],
        "residue": {str(reason): _plain(counts) for reason, counts in drift.residue.items()},
        "hazards": {
            name: {count.name: [count.before, count.after] for count in counts}
            for name, counts in drift.hazards.items()
        },
    }


def _plain(counts: Iterable[CountPair]) -> list[dict[str, Any]]:
    return [
        {"name": count.name, "places": [count.before, count.after], "first": count.place}
        for count in counts
    ]


FilePairs = list[tuple[LockedFile, LockedFile]]


def _paired(
    before: Mapping[str, LockedFile], after: Mapping[str, LockedFile]
) -> tuple[FilePairs, list[LockedFile], list[LockedFile]]:
    """Lists of the pairs of corresponding files, the files only in the first port, and the files only in the second.

    Files with the same upstream path form a pair. Of the remaining files, two form a pair if they have the same ported
    path, or the same upstream content (upstream moved the file).
    """
    pairs = [(before[path], after[path]) for path in before.keys() & after.keys()]
    gone = [before[path] for path in before.keys() - after.keys()]
    new = [after[path] for path in after.keys() - before.keys()]
    for identity in (lambda file: file.to, lambda file: file.sha_in):
        found = _same(gone, new, identity)
        pairs += found
        gone = [file for file in gone if file not in {old for old, _ in found}]
        new = [file for file in new if file not in {fresh for _, fresh in found}]
    return (
        sorted(pairs, key=lambda pair: pair[1].path),
        sorted(gone, key=lambda file: file.path),
        sorted(new, key=lambda file: file.path),
    )


def _same(
    gone: list[LockedFile], new: list[LockedFile], identity: Callable[[LockedFile], str]
) -> FilePairs:
    """Pairs of a file in `gone` and a file in `new` with the same value of `identity`.

    If several files of one list have the same value, no file with this value is paired.
    """
    olds, news = Counter(map(identity, gone)), Counter(map(identity, new))
    fresh = {identity(file): file for file in new}
    return [
        (file, fresh[identity(file)])
        for file in gone
        if olds[identity(file)] == 1 and news[identity(file)] == 1
    ]


def _cause(old: LockedFile, new: LockedFile, by_hand: set[str]) -> DriftCause:
    if (old.path in by_hand or new.path in by_hand) and old.sha_out != new.sha_out:
        return DriftCause.HAND
    if (old.path, old.sha_in) != (new.path, new.sha_in):
        return DriftCause.UPSTREAM
    return DriftCause.RULES


def _totals(before: Lock, after: Lock) -> Iterable[CountPair]:
    yield CountPair("files", len(before.files), len(after.files))
    yield CountPair("edits", before.edits, after.edits)
    for reason in Reason:
        yield CountPair(reason, _sum(before.residue, reason), _sum(after.residue, reason))
    for name in sorted(before.hazards.keys() | after.hazards.keys()):
        yield CountPair(name, _sum(before.hazards, name), _sum(after.hazards, name))


def _sum(table: Mapping[str, Mapping[str, int]], key: str) -> int:
    return sum(table.get(key, NO_COUNTS).values())


def _rules(
    before: Mapping[str, Mapping[str, int]], after: Mapping[str, Mapping[str, int]]
) -> Iterable[RuleDrift]:
    for rule in sorted(before.keys() | after.keys()):
        old, new = before.get(rule, NO_COUNTS), after.get(rule, NO_COUNTS)
        if old != new:
            names = tuple(count for count in _counts(old, new) if count.name)
            yield RuleDrift(rule, sum(old.values()), sum(new.values()), names)


def _counts(
    before: Mapping[str, int], after: Mapping[str, int], places: Mapping[str, str] | None = None
) -> tuple[CountPair, ...]:
    return tuple(
        CountPair(name, before.get(name, 0), after.get(name, 0), (places or {}).get(name, ""))
        for name in sorted(before.keys() | after.keys())
        if before.get(name, 0) != after.get(name, 0)
    )


def _places(a: Manifest | None, b: Manifest | None) -> dict[str, dict[str, str]]:
    """Maps a reason for residue to a map from name to `path:line` of the name's first occurrence.

    The occurrence is in port `b` if the name occurs there, otherwise in port `a`.
    """
    places: dict[str, dict[str, str]] = {}
    for manifest in (a, b):
        first: dict[tuple[str, str], tuple[str, int]] = {}
        for file in manifest.files.values() if manifest else ():
            for left in file.residue:
                key = (left.reason, safe_name(left.name))
                first[key] = min(first.get(key, (file.to, left.line)), (file.to, left.line))
        for (reason, name), (to, line) in first.items():
            places.setdefault(reason, {})[name] = f"{to}:{line}"
    return places
