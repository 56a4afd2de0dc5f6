"""Comparison of two releases for one target: all rows of `porter upgrade`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from porter.mapping.library import MappingLibrary
from porter.mapping.places import Places
from porter.model.overlay import Overlay
from porter.model.rules import RuleSet
from porter.model.upgrade import Upgrade, UpgradeRow, order
from porter.model.versions import version
from porter.upgrade import (
    branches,
    declarations,
    dsl,
    header_index,
    headers,
    names,
    operators,
    overlays,
    ported,
    rules,
    sources,
    virtuals,
    wheel_facts,
)
from porter.upgrade.mentions import BackendFile
from porter.upgrade.rules import ReleasePort
from porter.upgrade.trees import Tree

_PYTORCH = frozenset({"ATen", "c10", "caffe2", "torch"})
"""First folders in the include paths of PyTorch's own headers."""


class Compared(NamedTuple):
    """Inputs of the comparison of two releases."""

    a: Tree
    b: Tree
    rules_a: RuleSet
    rules_b: RuleSet
    library: MappingLibrary
    """Mapping folders from which the rules were read."""
    backend: tuple[BackendFile, ...]
    overlays: tuple[Overlay, ...] = ()
    jobs: int = 1


def compare(given: Compared) -> Upgrade:
    """Rows of `porter upgrade` in order, and statements about the parts that were not compared.

    Raises SourceError for unreadable trees, and RegisterError if the torchgen of a release fails.
    """
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
    declared_a, declared_b = header_index.read(a, given.jobs), header_index.read(b, given.jobs)
    backend = as_compiled(given.backend, b, declared_b)
    yield from operators.rows(a, b, backend)
    yield from dsl.rows(a, b)
    yield from headers.rows(a, b, backend, given.rules_b, places)
    yield from virtuals.rows(declared_a, declared_b, backend)
    yield from declarations.rows(declared_a, declared_b, backend)
    before = ReleasePort(a, given.rules_a, ported.port(a, given.rules_a, given.jobs))
    after = ReleasePort(b, given.rules_b, ported.port(b, given.rules_b, given.jobs))
    yield from sources.rows(before, after, places)
    yield from names.rows(before.ported, after.ported, given.rules_b, places)
    yield from rules.rows(before, after, places)
    yield from overlays.rows(a, b, given.overlays, given.rules_b)


def as_compiled(
    files: tuple[BackendFile, ...], tree: Tree, index: header_index.HeaderIndex
) -> tuple[BackendFile, ...]:
    """Copies of the backend's sources. Lines that are not compiled for the release of `tree` are empty.

    `index` is the index of the tree's headers.
    """

    def has_include(path: str) -> bool | None:
        if index.resolve(path) or tree.has(f"torch/include/{path}"):
            return True
        return False if path.partition("/")[0] in _PYTORCH else None

    # Only definitions of macros in compiled lines are valid. The first pass finds these lines, with the macros of all
    # lines; the second pass uses the macros that are defined in them.
    seen = files
    for _ in range(2):
        facts = branches.Facts(
            version(tree.release), has_include, branches.macros(file.text for file in seen)
        )
        seen = tuple(file._replace(text=branches.active(file.text, facts)) for file in files)
    return seen


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
