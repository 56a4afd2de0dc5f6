"""One exception class for each kind of failure, each with its own exit code.

Only `porter.cli` prints and exits. Code in all other packages raises one of these exceptions. The command line shows
an exception as:

    error: mappings/acme/runtime.yaml:41: unknown key 'repalce' in rule 'cudaMalloc'
      help: did you mean 'replace'?
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from porter.base.printable import on_one_line, printable


class Problem(NamedTuple):
    """One error: message, file and line, and advice."""

    text: str
    place: str = ""
    """`file` or `file:line`; empty when the error concerns no file."""
    help: str = ""
    """Advice to the user; empty when there is none."""

    def __str__(self) -> str:
        place, text = on_one_line(self.place), printable(self.text)
        head = f"error: {place}: {text}" if place else f"error: {text}"
        return f"{head}\n  help: {printable(self.help)}" if self.help else head


class PorterError(Exception):
    """Base class of all expected failures, with one or more problems. Bugs of porter raise other exceptions."""

    code = 70

    def __init__(self, text: str | Iterable[Problem], place: str = "", help: str = "") -> None:
        if isinstance(text, str):
            self.problems: tuple[Problem, ...] = (Problem(text, place, help),)
        else:
            self.problems = tuple(text)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[PorterError], tuple[tuple[Problem, ...]]]:
        # Pickling preserves class and problems, so that the parent process shows a worker's error unchanged.
        return type(self), (self.problems,)


class Findings(PorterError):
    """Findings that need the user's decision; the command itself completed (exit 1)."""

    code = 1


class UsageError(PorterError):
    """Invalid arguments of the command (exit 2)."""

    code = 2


class MappingError(PorterError):
    """Malformed or contradictory mapping or profile (exit 3)."""

    code = 3


class SourceError(PorterError):
    """Unusable sources or output location (exit 4)."""

    code = 4


class OverlayError(PorterError):
    """Failure to apply an overlay: a hand-made change no longer fits the ported file (exit 5)."""

    code = 5


class RegisterError(PorterError):
    """Failure to generate operator registrations (exit 6)."""

    code = 6


class BuildError(PorterError):
    """Failure to compile or link (exit 7)."""

    code = 7


class VerifyError(PorterError):
    """Failure to run the tests of an installed backend (exit 8)."""

    code = 8


class Interrupted(PorterError):
    """Run stopped by the user; output from before the run is intact (exit 130)."""

    code = 130


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Help line that names the most similar word in `known`; empty when no word is similar."""
    # The first search respects upper and lower case; the second search ignores them.
    words = list(known)
    folded = {other.casefold(): other for other in words}
    # Imported late: only runs with an error need the module.
    import difflib

    near = difflib.get_close_matches(word, words, n=1, cutoff=0.6) or [
        folded[other]
        for other in difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    ]
    return f"did you mean '{near[0]}'?" if near else ""
