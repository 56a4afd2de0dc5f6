"""Results of comparing two releases of PyTorch: one row for each change, with the file and line to edit."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import NamedTuple


class Subject(StrEnum):
    """Subject of a row, in the order of the report."""

    FACT = "fact"
    """C++ standard, CUDA or Python range of the wheels."""
    HEADER = "header"
    """Header that the selection, a patch or the backend names."""
    SOURCE = "source"
    """Upstream file of the selection."""
    VIRTUAL = "virtual"
    """Virtual function of a class from which the backend derives."""
    DECLARATION = "declaration"
    """Class, function, type or macro of PyTorch that the backend uses."""
    SCHEMA = "schema"
    """Operator of native_functions.yaml."""
    NAME = "name"
    """Vendor name in a ported header that the mappings do not know."""
    RULE = "rule"
    """Rule or patch of the mappings."""
    OVERLAY = "overlay"
    """Hand-made change of a ported file."""
    DSL = "dsl"
    """Operator that `torch/_native` overrides on the CUDA key."""


class Change(StrEnum):
    """Kind of change from the first release to the second."""

    GONE = "gone"
    MOVED = "moved"
    CHANGED = "changed"
    NEW = "new"


class Effect(StrEnum):
    """Effect of a change when nothing is edited."""

    BREAKS = "breaks"
    """The port, the registration or the compilation fails."""
    CHECK = "check"
    """The port builds, but the user must check the change."""
    INFORMS = "informs"
    """No edit is needed."""


class UpgradeRow(NamedTuple):
    """One change between two releases."""

    subject: Subject
    change: Change
    effect: Effect
    name: str
    """Name of the operator, header, declaration, vendor word or rule."""
    before: str
    """Text in the first release; empty when the first release has no such text."""
    after: str
    """Text in the second release; empty when the second release has no such text."""
    place: str
    """`file:line` of the text to edit: a mapping file, a source of the backend, or upstream's declaration."""
    advice: str
    """Edit to make, or the reason why no edit is needed."""


class ComparedTree(NamedTuple):
    """Source tree or header tree of one of the two releases."""

    release: str
    path: str
    is_header_tree: bool


class Upgrade(NamedTuple):
    """All changes between two releases that concern one target."""

    before: ComparedTree
    after: ComparedTree
    target: str
    rows: tuple[UpgradeRow, ...]
    """Rows, sorted by subject, then by effect, then by name."""
    unchecked: tuple[str, ...]
    """One sentence for each part that could not be compared, with the reason."""

    def of(self, subject: Subject) -> tuple[UpgradeRow, ...]:
        """Rows of one subject."""
        return tuple(row for row in self.rows if row.subject is subject)

    def tally(self) -> Counter[tuple[Subject, Effect]]:
        """Number of rows by subject and effect."""
        return Counter((row.subject, row.effect) for row in self.rows)


_SUBJECTS = list(Subject)
_EFFECTS = list(Effect)


def order(row: UpgradeRow) -> tuple[int, int, str, str]:
    """Sort key of a row in `Upgrade.rows`."""
    return _SUBJECTS.index(row.subject), _EFFECTS.index(row.effect), row.name, row.place
