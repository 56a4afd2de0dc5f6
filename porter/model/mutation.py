"""Results of mutation tests of a target's mappings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Change(StrEnum):
    """Change that makes a mutant: of one rule, or of one name in a rule about several names."""

    DELETED = "deleted"
    MISSPELT = "misspelt"
    """One letter is missing in the replacement or, for a list of names, in the name."""


class Stage(StrEnum):
    """Stages that can notice a wrong mapping, in the order in which they run."""

    CHECK = "check"
    """`porter mapping check` reports an error or a warning."""
    PORT = "port"
    """The port leaves undecided text, a rule misses its expected hits, or the port stops."""
    SDK = "sdk"
    """The port contains a name or a header that the SDK lacks."""
    COMPILE = "compile"
    """The compiler rejects the port, in a build on the host."""


class Result(StrEnum):
    """Classification of one mutant after all stages."""

    NOTICED = "noticed"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    """The port has the same meaning: its text is unchanged, or a name that only the port uses has another spelling."""
    UNTESTED = "untested"
    """Only a compiler can notice the change, which is in the text of a patch, and the stage `compile` did not run."""


class Mutant(NamedTuple):
    """One changed rule of a target's mappings."""

    place: str
    """Mapping file and line of the rule or the name: `musa/runtime.yaml:46`."""
    kind: str
    name: str
    """Match of the rule; for a change of one name, that name."""
    change: Change
    entry: int
    """Index of the rule's mapping entry. All mapping files of the target share one list of entries."""
    single: bool
    """True if the change concerns one name in a rule about several names."""


class MutantResult(NamedTuple):
    """Mutant, its classification, and the reason."""

    mutant: Mutant
    result: Result
    stage: Stage | None
    """First stage that notices the mutant; None if no stage does."""
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
        """Share of noticed mutants among those that are noticed or survive, from 0 to 1; 1 if there are none."""
        counted = self.results
        noticed, survived = counted[Result.NOTICED], counted[Result.SURVIVED]
        return noticed / (noticed + survived) if noticed + survived else 1.0

    def with_result(self, result: Result) -> tuple[MutantResult, ...]:
        """Mutants with one result."""
        return tuple(one for one in self.tested if one.result is result)
