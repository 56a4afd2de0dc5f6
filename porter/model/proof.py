"""Proof of a release: results of porting its header tree, and of generating and compiling the registrations."""

from __future__ import annotations

from typing import NamedTuple


class Proof(NamedTuple):
    """Result of `porter release prove` for one header tree and one target.

    The numbers of a stage that did not run are -1.
    """

    release: str
    target: str
    headers: int = -1
    """Number of ported files."""
    edits: int = -1
    unsupported: int = -1
    """Number of occurrences of names without a counterpart in the target."""
    unmapped: int = -1
    ambiguous: int = -1
    operators: int = -1
    """Number of operators with a CUDA kernel, over all dispatch keys."""
    registered: int = -1
    compiled: int = -1
    """Number of generated registration sources that compile."""
    sources: int = -1
    """Number of generated registration sources."""
    problems: tuple[str, ...] = ()
    """Reasons why a stage did not succeed."""
    code: int = 0
    """Exit code of the stage that failed; 0 when none failed."""
    milliseconds: int = 0
    """Duration of the proof."""

    def stages(self) -> tuple[str, ...]:
        """Stages that succeeded, among `headers`, `register` and `compile`."""
        shown = {
            "headers": self.unmapped == self.ambiguous == 0,
            "register": self.registered > 0,
            "compile": self.compiled > 0 and self.compiled == self.sources,
        }
        return tuple(stage for stage, is_shown in shown.items() if is_shown)

    @property
    def fine(self) -> bool:
        """True if every requested stage succeeded."""
        return not self.code and not self.problems
