"""A port in figures: what was edited, what was left and why, what may be wrong, which rules did nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from porter.model.manifest import Manifest, PortedFile
from porter.model.port import Reason
from porter.model.rules import Rule, RuleSet


class Word(NamedTuple):
    """One vendor word that is left, over all files."""

    name: str
    count: int  # type: ignore[assignment]  # not the method of tuples
    files: int
    first: str
    """`path:line` in the port."""
    rule: str
    note: str


class Danger(NamedTuple):
    """One kind of hazard, over all files."""

    name: str
    count: int  # type: ignore[assignment]  # not the method of tuples
    files: int
    first: str
    note: str


class RuleUse(NamedTuple):
    """A rule and how often it decided."""

    key: str
    origin: str
    hits: int
    wanted: int
    """`expect: min_hits`."""
    note: str


class Summary(NamedTuple):
    """Everything a report says."""

    target: str
    release: str
    selected: int
    edits: int
    residue: dict[Reason, tuple[Word, ...]]
    hazards: tuple[Danger, ...]
    dead: tuple[RuleUse, ...]
    """Rules written singly that decided nothing."""
    unused_names: dict[str, tuple[int, int]]
    """Tables and lists of names: file -> (entries, entries never met)."""
    broken: tuple[RuleUse, ...]
    """Rules that met less than they expect."""

    def places(self, reason: Reason) -> int:
        """Places left for a reason."""
        return sum(word.count for word in self.residue.get(reason, ()))


def summarise(manifest: Manifest, rules: RuleSet) -> Summary:
    """The figures of a port made with a rule set."""
    by_rule: dict[str, int] = defaultdict(int)
    met: dict[str, set[str]] = defaultdict(set)
    for (key, name), count in manifest.hits().items():
        by_rule[key] += count
        met[key].add(name)
    dead: list[RuleUse] = []
    broken: list[RuleUse] = []
    unused: dict[str, tuple[int, int]] = {}
    for rule in rules.rules:
        key, file = rule.key, rule.origin.file
        count = by_rule.get(key, 0)
        if not rule.names and rule.kind != "hazard" and file.endswith(".yaml") and not count:
            dead.append(_use(rule, 0))
        if count < rule.min_hits:
            broken.append(_use(rule, count))
        if rule.names or file.endswith(".json"):
            entries, none = unused.get(file, (0, 0))
            names = rule.names or {"": None}
            never = len(names) - sum(name in names for name in met.get(key, ()))
            unused[file] = (entries + len(names), none + never)
    files = manifest.files.values()
    return Summary(
        target=manifest.target,
        release=manifest.release,
        selected=len(manifest.files),
        edits=sum(file.edits for file in files),
        residue=residue(files),
        hazards=_hazards(files, rules),
        dead=tuple(dead),
        unused_names=unused,
        broken=tuple(broken),
    )


def residue(files: Iterable[PortedFile]) -> dict[Reason, tuple[Word, ...]]:
    """What is left, by reason, most frequent first."""
    found: dict[tuple[str, str, str, str], list[tuple[str, int, int]]] = defaultdict(list)
    for file in files:
        for left in file.residue:
            found[left.reason, left.name, left.rule, left.note].append(
                (file.to, left.line, left.places)
            )
    words: dict[Reason, list[Word]] = defaultdict(list)
    for (reason, name, rule, note), places in found.items():
        to, line, _ = min(places)
        count = sum(n for _, _, n in places)
        words[Reason(reason)].append(Word(name, count, len(places), f"{to}:{line}", rule, note))
    return {
        reason: tuple(sorted(words[reason], key=lambda word: (-word.count, word.name)))
        for reason in Reason
    }


def _hazards(files: Iterable[PortedFile], rules: RuleSet) -> tuple[Danger, ...]:
    notes = {rule.key: rule.note for rule in rules.rules if rule.kind == "hazard"}
    found: dict[tuple[str, str], list[tuple[str, int, int]]] = defaultdict(list)
    for file in files:
        for hazard in file.hazards:
            found[hazard.name, hazard.rule].append((file.to, hazard.line, hazard.places))
    dangers = []
    for (name, rule), places in sorted(found.items()):
        to, line, _ = min(places)
        count = sum(n for _, _, n in places)
        dangers.append(Danger(name, count, len(places), f"{to}:{line}", notes.get(rule, "")))
    return tuple(dangers)


def _use(rule: Rule, hits: int) -> RuleUse:
    return RuleUse(rule.key, str(rule.origin), hits, rule.min_hits, rule.note)


def as_json(summary: Summary) -> dict[str, Any]:
    """The summary as plain data, all words included."""
    return {
        "target": summary.target,
        "release": summary.release,
        "files": {"selected": summary.selected},
        "edits": summary.edits,
        "residue": {str(reason): summary.places(reason) for reason in Reason},
        "words": {
            str(reason): [word._asdict() for word in words]
            for reason, words in summary.residue.items()
        },
        "hazards": [danger._asdict() for danger in summary.hazards],
        "rules": {
            "dead": [use._asdict() for use in summary.dead],
            "below_expectation": [use._asdict() for use in summary.broken],
            "tables": {
                file: {"names": names, "never_met": never}
                for file, (names, never) in sorted(summary.unused_names.items())
            },
        },
    }
