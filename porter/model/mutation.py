"""Results of mutation tests of a target's mappings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Change(StrEnum):
    """Change of one rule, or of one name in a rule about several names."""

    DELETED = "deleted"
    MISSPELT = "misspelt"
    """The replacement, or the listed name, lacks one letter."""


class Stage(StrEnum):
    """Stage that can notice a wrong mapping, in the order in which the stages run."""

    CHECK = "check"
    """`porter mapping check` reports an error or a warning."""
    PORT = "port"
    """The port leaves undecided text, a rule misses its expected hits, or the port stops."""
    SDK = "sdk"
    """The port contains a name or a header that the SDK lacks."""
    COMPILE = "compile"
    """The compiler rejects the port, in a build on the host."""


class Result(StrEnum):
    """Result of one mutant."""

    NOTICED = "noticed"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    """The port has the same meaning: its text is unchanged, or a name of its own has another spelling everywhere."""


class Mutant(NamedTuple):
    """One changed rule of a target's mappings."""

    place: str
    """Mapping file and line of the rule or the name: `musa/runtime.yaml:46`."""
    kind: str
    name: str
    """Match of the rule, or the name in a rule about several names."""
    change: Change
    entry: int
    """Index of the mapping entry among the entries of all files of the target."""
    single: bool
    """True if the change concerns one name of a rule about several names."""


class MutantResult(NamedTuple):
    """Result of one mutant, with the reason."""

    mutant: Mutant
    result: Result
    stage: Stage | None
    """First stage that notices the mutant; None if none does."""
    reason: str
    """Message of the stage, or the reason for which no stage notices the mutant."""


class MutationScore(NamedTuple):
    """Results of all tested mutants of a target."""

    target: str
    release: str
    tested: tuple[MutantResult, ...]
    all_mutants: int
    """Number of possible mutants, of which `tested` may be a sample."""
    stages: tuple[Stage, ...]
    """Stages that ran."""

    @property
    def results(self) -> Mapping[Result, int]:
        """Number of mutants for each result."""
        return Counter(one.result for one in self.tested)

    @property
    def score(self) -> float:
        """Noticed mutants as a share of the mutants that are not equivalent, from 0 to 1; 1 without such mutants."""
        counted = self.results
        noticed, survived = counted[Result.NOTICED], counted[Result.SURVIVED]
        return noticed / (noticed + survived) if noticed + survived else 1.0

    @property
    def survivors(self) -> tuple[MutantResult, ...]:
        """Mutants that no stage notices."""
        return tuple(one for one in self.tested if one.result is Result.SURVIVED)
