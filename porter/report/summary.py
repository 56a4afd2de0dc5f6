"""A port in figures: what was edited, what was left and why, what may be wrong, which rules did nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from porter.model.manifest import Manifest, PortedFile
from porter.model.port import Reason
from porter.model.rules import Rule, RuleSet


@dataclass(frozen=True)
class Word:
    """One vendor word that is left, over all files."""

    name: str
    count: int
    files: int
    first: str
    """`path:line` in the port."""
    rule: str
    note: str


@dataclass(frozen=True)
class Danger:
    """One kind of hazard, over all files."""

    name: str
    count: int
    files: int
    first: str
    note: str


@dataclass(frozen=True)
class RuleUse:
    """A rule and how often it decided."""

    key: str
    origin: str
    hits: int
    wanted: int
    """`expect: min_hits`."""
    note: str


@dataclass(frozen=True)
class Summary:
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

    def count(self, reason: Reason) -> int:
        """Places left for a reason."""
        return sum(word.count for word in self.residue.get(reason, ()))


def summarise(manifest: Manifest, rules: RuleSet) -> Summary:
    """The figures of a port made with a rule set."""
    hits = manifest.hits()
    by_rule: dict[str, int] = defaultdict(int)
    for (key, _), count in hits.items():
        by_rule[key] += count
    single = [
        rule
        for rule in rules.rules
        if not rule.names and rule.kind != "hazard" and rule.origin.file.endswith(".yaml")
    ]
    dead = [_use(rule, 0) for rule in single if not by_rule[rule.key]]
    broken = [
        _use(rule, by_rule[rule.key])
        for rule in rules.rules
        if rule.min_hits and by_rule[rule.key] < rule.min_hits
    ]
    unused: dict[str, tuple[int, int]] = {}
    for rule in rules.rules:
        if rule.names or rule.origin.file.endswith(".json"):
            entries, none = unused.get(rule.origin.file, (0, 0))
            names = rule.names or ("",)
            key = rule.key
            never = sum((key, name) not in hits for name in names)
            unused[rule.origin.file] = (entries + len(names), none + never)
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
                (file.to, left.line, left.count)
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
            found[hazard.name, hazard.rule].append((file.to, hazard.line, hazard.count))
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
        "residue": {str(reason): summary.count(reason) for reason in Reason},
        "words": {
            str(reason): [_plain(word) for word in words]
            for reason, words in summary.residue.items()
        },
        "hazards": [_plain(danger) for danger in summary.hazards],
        "rules": {
            "dead": [_plain(use) for use in summary.dead],
            "below_expectation": [_plain(use) for use in summary.broken],
            "tables": {
                file: {"names": names, "never_met": never}
                for file, (names, never) in sorted(summary.unused_names.items())
            },
        },
    }


def _plain(value: Word | Danger | RuleUse) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__dataclass_fields__}
