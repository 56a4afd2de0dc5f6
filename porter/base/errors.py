"""One exception class per way to fail, each with its exit code.

Nothing below `porter.cli` prints or exits; it raises one of these, and the command line shows it as

    error: mappings/acme/runtime.yaml:41: unknown key 'repalce' in rule 'cudaMalloc'
      help: did you mean 'replace'?
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from porter.base.printable import on_one_line, printable


class Problem(NamedTuple):
    """One thing that is wrong, where it is, and what to do about it."""

    text: str
    place: str = ""
    """`file`, `file:line`, or empty when no place makes sense."""
    help: str = ""

    def __str__(self) -> str:
        place, text = on_one_line(self.place), printable(self.text)
        head = f"error: {place}: {text}" if place else f"error: {text}"
        return f"{head}\n  help: {printable(self.help)}" if self.help else head


class PorterError(Exception):
    """Base of every failure that is not a bug of porter; carries one problem or several."""

    code = 70

    def __init__(self, text: str | Iterable[Problem], place: str = "", help: str = "") -> None:
        if isinstance(text, str):
            self.problems: tuple[Problem, ...] = (Problem(text, place, help),)
        else:
            self.problems = tuple(text)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[PorterError], tuple[tuple[Problem, ...]]]:
        # So that an error of a worker process is the same error in the one that shows it.
        return type(self), (self.problems,)


class Findings(PorterError):
    """The work was done and something was found that needs a decision (exit 1)."""

    code = 1


class UsageError(PorterError):
    """The command was called in a way that cannot work (exit 2)."""

    code = 2


class MappingError(PorterError):
    """A mapping or a profile is malformed or contradicts itself (exit 3)."""

    code = 3


class SourceError(PorterError):
    """The sources, or the place to write to, are not usable (exit 4)."""

    code = 4


class OverlayError(PorterError):
    """A change kept on top of ported files no longer applies (exit 5)."""

    code = 5


class RegisterError(PorterError):
    """Operator registrations could not be generated (exit 6)."""

    code = 6


class BuildError(PorterError):
    """Compiling or linking failed (exit 7)."""

    code = 7


class VerifyError(PorterError):
    """The operator tests could not be run (exit 8)."""

    code = 8


class Interrupted(PorterError):
    """The user stopped the run; what was there before is whole (exit 130)."""

    code = 130


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A help line naming the nearest of `known`, or an empty string when none is near."""
    # Spelled otherwise, else with other capitals.
    words = list(known)
    folded = {other.casefold(): other for other in words}
    # Imported late: most runs make no mistakes.
    import difflib

    near = difflib.get_close_matches(word, words, n=1, cutoff=0.6) or [
        folded[other]
        for other in difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    ]
    return f"did you mean '{near[0]}'?" if near else ""
