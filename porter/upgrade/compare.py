"""Comparison of two releases for one target: the rows of all subjects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from porter.mapping.library import MappingLibrary
from porter.model.overlay import Overlay
from porter.model.rules import RuleSet
from porter.model.upgrade import Upgrade, UpgradeRow, order
from porter.upgrade import (
    declarations,
    dsl,
    header_index,
    headers,
    names,
    operators,
    overlays,
    ported,
    rules,
    virtuals,
    wheel_facts,
)
from porter.upgrade.mentions import BackendFile
from porter.upgrade.places import Places
from porter.upgrade.rules import Side
from porter.upgrade.trees import Tree


class Compared(NamedTuple):
    """Inputs of a comparison."""

    a: Tree
    b: Tree
    rules_a: RuleSet
    rules_b: RuleSet
    library: MappingLibrary
    """Folders from which the rules were read."""
    backend: tuple[BackendFile, ...]
    overlays: tuple[Overlay, ...] = ()
    jobs: int = 1


def compare(given: Compared) -> Upgrade:
    """All rows. Raises SourceError for unreadable trees and RegisterError when a release's torchgen fails."""
    return Upgrade(
        given.a.described,
        given.b.described,
        given.rules_b.target,
        tuple(sorted(_rows(given), key=order)),
        tuple(_unchecked(given)),
    )


def _rows(given: Compared) -> Iterator[UpgradeRow]:
    a, b, places = given.a, given.b, Places(given.library)
    known_a, known_b = wheel_facts.of(a), wheel_facts.of(b)
    if known_a and known_b:
        yield from wheel_facts.rows(known_a, known_b, given.rules_b, places)
    yield from operators.rows(a, b, given.backend)
    yield from dsl.rows(a, b)
    yield from headers.rows(a, b, given.backend, given.rules_b, places)
    declared_a, declared_b = header_index.read(a, given.jobs), header_index.read(b, given.jobs)
    yield from virtuals.rows(declared_a, declared_b, given.backend)
    yield from declarations.rows(declared_a, declared_b, given.backend)
    before = Side(a, given.rules_a, ported.port(a, given.rules_a, given.jobs))
    after = Side(b, given.rules_b, ported.port(b, given.rules_b, given.jobs))
    yield from names.rows(before.ported, after.ported, given.rules_b, places)
    yield from rules.rows(before, after, places)
    yield from overlays.rows(a, b, given.overlays, given.rules_b)


def _unchecked(given: Compared) -> Iterator[str]:
    for tree in (given.a, given.b):
        if wheel_facts.of(tree) is None:
            yield f"C++ standard, CUDA and Python of PyTorch {tree.release} are unknown: give a header tree"
    if given.b.is_header_tree:
        patches = given.rules_b.of_kind("patch")
        sources = {given.rules_b.rules[index].match for index in patches}
        lacking = sorted(path for path in sources if not given.b.has(path))
        yield (
            f"PyTorch {given.b.release} is a header tree: sources are not compared, and patches of"
            f" {len(lacking)} sources are unchecked"
        )
