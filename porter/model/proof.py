"""Proofs: what came out of porting and registering a header tree."""

from __future__ import annotations

from typing import NamedTuple


class Proof(NamedTuple):
    """Port and registrations of one header tree for one target. Numbers are -1 where a stage was not reached."""

    release: str
    target: str
    headers: int = -1
    """Ported files."""
    edits: int = -1
    unsupported: int = -1
    """Places of names that have no counterpart, each with its reason."""
    unmapped: int = -1
    ambiguous: int = -1
    operators: int = -1
    """Operators with a CUDA kernel, over all dispatch keys."""
    registered: int = -1
    compiled: int = -1
    """Generated sources of registrations that compile."""
    sources: int = -1
    """Generated sources of registrations."""
    problems: tuple[str, ...] = ()
    """Reasons why a stage did not succeed."""
    code: int = 0
    """Exit code of a stage that could not be carried out; 0 when all were."""
    milliseconds: int = 0
    """Duration of the proof when it was made."""

    def stages(self) -> tuple[str, ...]:
        """Stages of a known release that the proof shows: `headers`, `register`, `compile`."""
        shown = {
            "headers": self.unmapped == self.ambiguous == 0,
            "register": self.registered > 0,
            "compile": self.compiled > 0 and self.compiled == self.sources,
        }
        return tuple(stage for stage, is_shown in shown.items() if is_shown)

    @property
    def fine(self) -> bool:
        """True if every stage that was asked for succeeded."""
        return not self.code and not self.problems
