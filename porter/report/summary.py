"""Totals of a port: edits, residue by reason, hazards, and rules without hits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from porter.mapping import evidence
from porter.model.manifest import Manifest, PortedFile
from porter.model.rewrite_result import Reason
from porter.model.rules import Rule, RuleSet
from porter.model.summary import HazardTotal, ResidueWord, RuleUse, Summary
from porter.report import moved_headers, overlays
from porter.rewrite.kinds import order

if TYPE_CHECKING:
    from porter.mapping.sdk import Sdk


_TEXT = 60
"""Largest number of characters of a patch's text in a report."""


def summarise(manifest: Manifest, rules: RuleSet, sdk: Sdk | None = None) -> Summary:
    """Totals of a port that was made with the given rules. The headers of `sdk`, if given, are evidence for names."""
    by_rule: dict[str, int] = defaultdict(int)
    met: dict[str, set[str]] = defaultdict(set)
    uses = manifest.uses()
    for (key, name), use in uses.items():
        by_rule[key] += use.places
        met[key].add(name)
    for file in manifest.files.values():
        for danger in file.hazards:
            by_rule[danger.rule] += danger.places
    dead: list[RuleUse] = []
    broken: list[RuleUse] = []
    unused: dict[str, tuple[int, int]] = {}
    reporting = _reporting()
    for rule in rules.rules:
        key, place = rule.key, rule.origin.file
        count = by_rule.get(key, 0)
        if not rule.names and rule.kind not in reporting and place.endswith(".yaml") and not count:
            dead.append(_use(rule, 0))
        if count < rule.min_hits:
            broken.append(_use(rule, count))
        if rule.names or place.endswith(".json"):
            entries, none = unused.get(place, (0, 0))
            names = rule.names or {"": None}
            never = len(names) - sum(name in names for name in met.get(key, ()))
            unused[place] = (entries + len(names), none + never)
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
        names=evidence.replacements(uses, rules, sdk),
        sdk=sdk.folders if sdk else (),
        overlays=manifest.overlays,
    )


def residue(files: Iterable[PortedFile]) -> dict[Reason, tuple[ResidueWord, ...]]:
    """Maps each reason for residue to the totals of the words with the reason, the most frequent words first."""
    found: dict[tuple[str, str, str, str], list[tuple[str, int, int]]] = defaultdict(list)
    for file in files:
        for left in file.residue:
            found[left.reason, left.name, left.rule, left.note].append(
                (file.to, left.line, left.places)
            )
    words: dict[Reason, list[ResidueWord]] = defaultdict(list)
    for (reason, name, rule, note), places in found.items():
        to, line, _ = min(places)
        count = sum(n for _, _, n in places)
        words[Reason(reason)].append(
            ResidueWord(name, count, len(places), f"{to}:{line}", rule, note)
        )
    return {
        reason: tuple(sorted(words[reason], key=lambda word: (-word.count, word.name)))
        for reason in Reason
    }


def _hazards(files: Iterable[PortedFile], rules: RuleSet) -> tuple[HazardTotal, ...]:
    reporting = _reporting()
    notes = {rule.key: rule.note for rule in rules.rules if rule.kind in reporting}
    found: dict[tuple[str, str], list[tuple[str, int, int]]] = defaultdict(list)
    for file in files:
        for hazard in file.hazards:
            found[hazard.name, hazard.rule].append((file.to, hazard.line, hazard.places))
    dangers = []
    for (name, rule), places in sorted(found.items()):
        to, line, _ = min(places)
        count = sum(n for _, _, n in places)
        dangers.append(HazardTotal(name, count, len(places), f"{to}:{line}", notes.get(rule, "")))
    return tuple(dangers)


def _reporting() -> set[str]:
    return {kind.name for kind in order.ORDER if kind.reports}


def _use(rule: Rule, hits: int) -> RuleUse:
    text = " ".join(rule.key_text.split())
    return RuleUse(
        key=rule.key,
        origin=str(rule.origin),
        hits=hits,
        wanted=rule.min_hits,
        note=rule.note,
        since=rule.since,
        until=rule.until,
        text=text if len(text) <= _TEXT else f"{text[: _TEXT - 3]}...",
    )


def as_json(summary: Summary) -> dict[str, Any]:
    """Plain data of the summary, including all words of residue."""
    uses = overlays.as_json(summary.overlays)
    moved = moved_headers.as_json(summary.moved)
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
        **({"overlays": uses} if uses else {}),
        **({"moved_headers": moved} if moved else {}),
        "evidence": evidence_json(summary),
        "rules": {
            "dead": [use._asdict() for use in summary.dead],
            "below_expectation": [use._asdict() for use in summary.broken],
            "tables": {
                file: {"names": names, "never_met": never}
                for file, (names, never) in sorted(summary.unused_names.items())
            },
        },
    }


def evidence_json(summary: Summary) -> dict[str, Any]:
    """Plain data of the replaced names, with the evidence for each new name."""
    counted = evidence.counts(summary.names)
    return {
        "sdk": list(summary.sdk),
        **{str(grade): {"names": n, "places": p} for grade, (n, p) in counted.items()},
        "collisions": [
            {"becomes": one.becomes, "names": list(one.names), "guessed": one.guessed}
            for one in summary.collisions()
        ],
        "names": [one._asdict() for one in summary.names],
    }
