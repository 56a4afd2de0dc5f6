"""Disk cache for compiled rule sets, passed checks and coverage counts, each under a hash of its inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from porter.base import columnar_json, disk_cache, untrusted
from porter.base.fingerprint import Answer
from porter.mapping.library import MappingLibrary
from porter.model.rules import RuleSet

if TYPE_CHECKING:
    from porter.mapping.load import Loaded

_CODE = ("base", "cpp", "mapping", "model", "regex", "rewrite")
RULES = Answer("rules", _CODE)
CHECKED = Answer("checked", _CODE)
COVERAGE = Answer("coverage", _CODE)
CLASSES = ("mapped", "unsupported", "unclassified")
"""Classes into which a rule set divides the names in CUDA's headers."""


def rule_set(library: MappingLibrary, target: str, release: str) -> RuleSet:
    """Rule set of a target for a release, from the disk cache unless a mapping file has changed.

    Raises the errors of loading and compiling. Errors of the cache are ignored.
    """
    digest = _digest(library, target, release)
    kept = read(digest)
    if kept:
        return kept
    # Imported late: loading these modules and pydantic takes longer than reading a cached rule set.
    from porter.mapping.load import load

    return _compiled(library, load(library, target), release, digest)


def _digest(library: MappingLibrary, target: str, release: str) -> str:
    return disk_cache.key_of(RULES, release, library.digest(target))


def _compiled(library: MappingLibrary, loaded: Loaded, release: str, digest: str) -> RuleSet:
    """Compile a rule set and store it in the cache."""
    from porter.mapping import inventory
    from porter.mapping.compile import compile_rules

    names = inventory.read(library.special("cuda", "inventory.json"))
    made = compile_rules(loaded, names, release, digest)
    disk_cache.put(RULES, digest, columnar_json.encode(RuleSet, [made]))
    return made


def checked_rule_set(library: MappingLibrary, target: str, release: str) -> RuleSet:
    """Rule set of a target for a release, after it has passed the checks of `porter mapping check`.

    Raises the errors of `rule_set`, and MappingError with every error of the checks: contradictory rules,
    replacements that another rule would replace again, examples with an unexpected result. A rule set that has
    passed is not checked again.
    """
    digest = _digest(library, target, release)
    kept = read(digest)
    if kept and disk_cache.get(CHECKED, digest) is True:
        return kept
    from porter.mapping.check import refuse_wrong_rules
    from porter.mapping.load import load

    loaded = load(library, target)
    rules = kept or _compiled(library, loaded, release, digest)
    refuse_wrong_rules(library, target, loaded)
    disk_cache.put(CHECKED, digest, True)
    return rules


def coverage(library: MappingLibrary, rules: RuleSet) -> dict[str, int]:
    """Maps each class in `CLASSES` to the number of names in CUDA's headers that the rule set puts into the class.

    Raises MappingError if the inventory of the names cannot be read.
    """
    key = disk_cache.key_of(COVERAGE, rules.digest)
    kept = disk_cache.get(COVERAGE, key)
    if isinstance(kept, list) and [type(count) for count in kept] == [int] * len(CLASSES):
        return dict(zip(CLASSES, kept, strict=True))
    from porter.mapping import api_coverage, inventory

    names = inventory.read(library.special("cuda", "inventory.json"))
    total = api_coverage.measure(rules, names).total
    counts = {name: len(getattr(total, name)) for name in CLASSES}
    disk_cache.put(COVERAGE, key, list(counts.values()))
    return counts


def read(digest: str) -> RuleSet | None:
    """Cached rule set with the given digest; None when the cache has no such rule set, or invalid data."""
    data = disk_cache.get(RULES, digest)
    if data is None:
        return None
    try:
        (made,) = columnar_json.decode(RuleSet, data)
        _check(made)
    except ValueError:
        return None
    return made if made.digest == digest else None


def _check(made: RuleSet) -> None:
    """Raise ValueError for an index that belongs to no rule, and for a folder outside the source tree."""
    indexes = [*_indexes(made)]
    if min(indexes, default=0) < 0 or max(indexes, default=-1) >= len(made.rules):
        raise ValueError("an index without a rule")
    for folder in made.selection.folders:
        untrusted.relative_path(folder.folder)
        for path in folder.only:
            untrusted.relative_path(path)


def _indexes(made: RuleSet) -> Iterator[int]:
    """Yield all indexes into `RuleSet.rules` that the rule set's look-up tables contain."""
    for resolutions in made.exact.values():
        yield from (one.rule for one in resolutions)
    yield from (family.rule for family in made.families)
    for table in made.uses.values():
        for found in table.values():
            yield from found
    for found in made.by_kind.values():
        yield from found
