"""Cache of rule sets, compiled and checked, and of their coverage, by the hash of their inputs."""

from __future__ import annotations

from collections.abc import Iterator

from porter.base import columnar_json, disk_cache, untrusted
from porter.base.fingerprint import Answer
from porter.mapping.library import MappingLibrary
from porter.model.rules import RuleSet

_CODE = ("base", "cpp", "mapping", "model", "regex", "rewrite")
RULES = Answer("rules", _CODE)
CHECKED = Answer("checked", _CODE)
COVERAGE = Answer("coverage", _CODE)
CLASSES = ("mapped", "unsupported", "unclassified")
"""Classes of the names in CUDA's headers."""


def rule_set(library: MappingLibrary, target: str, release: str) -> RuleSet:
    """Rule set of a target for a release; read from the cache unless a mapping file has changed.

    Raises the errors of loading and compiling. Errors of the cache are ignored.
    """
    digest = disk_cache.key_of(RULES, release, library.digest(target))
    kept = read(digest)
    if kept:
        return kept
    # Imported late: with pydantic, these modules load longer than a cached rule set.
    from porter.mapping import inventory
    from porter.mapping.compile import compile_rules
    from porter.mapping.load import load

    loaded = load(library, target)
    names = inventory.read(library.special("cuda", "inventory.json"))
    made = compile_rules(loaded, names, release, digest)
    disk_cache.put(RULES, digest, columnar_json.encode(RuleSet, [made]))
    return made


def checked_rule_set(library: MappingLibrary, target: str, release: str) -> RuleSet:
    """Rule set as from `rule_set` that has passed the checks of `porter mapping check`.

    Also raises MappingError with every error of the checks: contradictions, replacements that are replaced again,
    examples with another result. A rule set that passed is not checked again.
    """
    rules = rule_set(library, target, release)
    if disk_cache.get(CHECKED, rules.digest) is not True:
        from porter.mapping.check import refuse_wrong_rules

        refuse_wrong_rules(library, target)
        disk_cache.put(CHECKED, rules.digest, True)
    return rules


def coverage(library: MappingLibrary, rules: RuleSet) -> dict[str, int]:
    """Maps each of `CLASSES` to the number of names in CUDA's headers that the rule set puts into it.

    Raises MappingError for an unreadable inventory of these names.
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
    """Cached rule set with the given digest; None when there is none, or when its data has another shape."""
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
    """All indexes into `RuleSet.rules`."""
    for resolutions in made.exact.values():
        yield from (one.rule for one in resolutions)
    yield from (family.rule for family in made.families)
    for table in made.uses.values():
        for found in table.values():
            yield from found
    for found in made.by_kind.values():
        yield from found
