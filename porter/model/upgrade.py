"""Results of a comparison of two releases of PyTorch: a row for each thing that changed, with the place to edit."""

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
    """Upstream file that the selection holds."""
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
    """Nothing needs to be edited."""


class UpgradeRow(NamedTuple):
    """One change between two releases."""

    subject: Subject
    change: Change
    effect: Effect
    name: str
    """Name of the operator, header, declaration, vendor word or rule."""
    before: str
    """Text in the first release; empty when the release lacks the thing."""
    after: str
    """Text in the second release; empty when the release lacks the thing."""
    place: str
    """`file:line` of the text to edit: a mapping file, a source of the backend, or upstream's declaration."""
    advice: str
    """Edit to make, or the reason why none is needed."""


class ComparedTree(NamedTuple):
    """Tree that was compared."""

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
    """Sentences about parts that could not be compared, with the reason."""

    def of(self, subject: Subject) -> tuple[UpgradeRow, ...]:
        """Rows of one subject."""
        return tuple(row for row in self.rows if row.subject is subject)

    def tally(self) -> Counter[tuple[Subject, Effect]]:
        """Number of rows by subject and effect."""
        return Counter((row.subject, row.effect) for row in self.rows)


_SUBJECTS = list(Subject)
_EFFECTS = list(Effect)


def order(row: UpgradeRow) -> tuple[int, int, str, str]:
    """Key by which the rows of an Upgrade are sorted."""
    return _SUBJECTS.index(row.subject), _EFFECTS.index(row.effect), row.name, row.place
