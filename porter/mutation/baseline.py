"""Unchanged mappings of a target, and their port of a source tree. Mutants are compared with both."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from porter.cpp.lex import decode
from porter.mapping import argument_counts, document, inventory
from porter.mapping.check import CHECKS
from porter.mapping.checks import Finding, Target
from porter.mapping.checks import title as title_of
from porter.mapping.compile import compile_rules
from porter.mapping.inventory import Inventory
from porter.mapping.library import PROFILE, MappingLibrary
from porter.mapping.load import Loaded, load
from porter.mapping.newer_names import is_about_newer
from porter.mapping.source_locations import NameLocations
from porter.model.plan import PortPlan
from porter.model.rewrite_result import Rewrite
from porter.model.rules import Rule, RuleSet
from porter.port import stage
from porter.port.select import select
from porter.rewrite.rewriter import Rewriter
from porter.rewrite.source import WORD

_HEADER_FOLDERS = ("aten/src", "c10", "torch/csrc", "torch/headeronly")
"""Folders of a source tree with the headers that a port includes."""


@dataclass(frozen=True)
class Baseline:
    """Mappings of a target, their findings, and their port of a source tree."""

    tree: Path
    library: MappingLibrary
    loaded: Loaded
    names: Inventory
    rules: RuleSet
    plan: PortPlan
    raw: Mapping[str, bytes]
    """Maps the upstream path of each file that is ported to the file's content."""
    port: Mapping[str, Rewrite]
    """Maps the upstream path of each file to its port."""
    findings: frozenset[Finding]

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the port."""
        return words_of(made.text for made in self.port.values())

    @cached_property
    def outside(self) -> frozenset[str]:
        """All words in the headers of the source tree that are not ported."""
        headers = (
            path
            for folder in _HEADER_FOLDERS
            for path in (self.tree / folder).rglob("*.h")
            if path.relative_to(self.tree).as_posix() not in self.raw
        )
        return words_of(decode(path.read_bytes()) for path in headers)

    def check(self, loaded: Loaded) -> frozenset[Finding]:
        """Findings of `porter mapping check` for changed mappings. Raises MappingError if they cannot be compiled."""
        return _findings(self.library, loaded, self.names)

    def compile(self, loaded: Loaded) -> RuleSet:
        """Rule set of changed mappings for the release of the tree.

        Raises MappingError, with a list of all contradictions between the mappings.
        """
        return compile_rules(loaded, self.names, self.rules.release)


class Hits:
    """Hits of mapping entries in a port."""

    def __init__(self, baseline: Baseline) -> None:
        loaded, rules = baseline.loaded, baseline.rules
        entries: dict[tuple[object, str], deque[int]] = defaultdict(deque)
        for index, entry in enumerate(loaded.entries):
            entries[entry.origin, entry.kind].append(index)
        self._rules: dict[int, Rule] = {}
        """Maps the index of an entry to its rule."""
        entry_of: dict[int, int] = {}
        for index, rule in enumerate(rules.rules):
            if not is_about_newer(rule) and entries[rule.origin, rule.kind]:
                entry_of[index] = entries[rule.origin, rule.kind].popleft()
                self._rules[entry_of[index]] = rule
        self._names: dict[int, list[str]] = defaultdict(list)
        counted: Counter[tuple[int, str]] = Counter()
        for made in baseline.port.values():
            counted.update(made.hits)
        for job in baseline.plan.jobs:
            counted.update((index, "") for index in job.path_hits)
        for index, name in sorted(counted):
            if index in entry_of:
                self._names[entry_of[index]].append(name)
        self._origins = NameLocations(baseline.library, rules.target)

    def names(self, entry: int) -> list[str]:
        """Names that the rule of a mapping entry hit; `entry` is the entry's index.

        The list is empty if the rule has no hits. For a rule that is not a bulk rule, the only name is `""`.
        """
        return self._names.get(entry, [])

    def title(self, entry: int) -> str:
        """Text that the rule of an entry matches, or the rule's title if it matches several names."""
        return self._rules[entry].match or title_of(self._rules[entry])

    def place(self, entry: int, name: str) -> str:
        """Mapping file and line of an entry's rule or, if `name` is not empty, of this name in the rule."""
        rule = self._rules[entry]
        return str(self._origins.of(rule, name) if name else rule.origin)


def baseline_of(library: MappingLibrary, target: str, tree: Path, release: str) -> Baseline:
    """Port a tree in memory, and return the port with the mappings. Raises the errors of both."""
    loaded = load(library, target)
    names = inventory.read(library.special("cuda", "inventory.json"))
    rules = compile_rules(loaded, names, release)
    plan = stage.plan_of(select(tree, rules.selection), rules)
    raw = {job.path: (tree / job.path).read_bytes() for job in plan.jobs}
    rewriter = Rewriter(rules, plan.moved)
    port = {path: rewriter.rewrite(path, data) for path, data in raw.items()}
    findings = _findings(library, loaded, names)
    return Baseline(tree, library, loaded, names, rules, plan, raw, port, findings)


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """All words in the texts."""
    return frozenset(word for text in texts for word in WORD.findall(text))


def _findings(library: MappingLibrary, loaded: Loaded, names: Inventory) -> frozenset[Finding]:
    target = loaded.profile.target
    profile = document.read(library.special(target, PROFILE), f"{target}/{PROFILE}")
    rules = compile_rules(loaded, names, release="")
    counts = argument_counts.read(library)
    seen = Target(loaded, rules, names, NameLocations(library, target), profile, counts)
    return frozenset(_all(seen))


def _all(seen: Target) -> Iterator[Finding]:
    for find in CHECKS:
        yield from find(seen)
