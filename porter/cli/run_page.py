"""Page `report.html` and history of an output folder, written by `porter run`."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import porter
from porter.mapping.library import MappingLibrary
from porter.model.ported import Ported
from porter.model.rewrite_result import Reason
from porter.model.rules import RuleSet
from porter.model.summary import Summary
from porter.port.state import PAGE

# These modules load slowly, and a run without changes does not need them.
if TYPE_CHECKING:
    from porter.inspect.port_page import PageWriter
    from porter.model.build import BuildResult


@dataclass
class RunPage:
    """Writer of the page of one run: after the port, and again after the later stages."""

    ported: Ported
    rules: RuleSet
    tree: Path
    library: MappingLibrary
    summary: Summary
    jobs: int
    started: float = field(default_factory=time.time)
    _writer: PageWriter | None = None

    @property
    def place(self) -> Path:
        """Path of the page."""
        return self.ported.folder / PAGE

    def after_port(self, seconds: dict[str, float]) -> None:
        """Write the page if the port changed or if there is no page. Raises SourceError."""
        if self.ported.summary or not self.place.is_file():
            self._write(seconds, None)

    def after_build(self, seconds: dict[str, float], built: BuildResult | None) -> None:
        """Write the page if the run has changed the port or built something. Raises SourceError."""
        if self._writer or (built and built.compiled):
            self._write(seconds, built)

    def _write(self, seconds: dict[str, float], built: BuildResult | None) -> None:
        # Imported late, for the reason above.
        from porter.inspect.port_page import PageWriter
        from porter.model.port_page import RunRecord
        from porter.port import run_history

        manifest = self.ported.manifest
        record = RunRecord(
            time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.started)),
            porter=porter.__version__,
            mappings=manifest.mappings[:12],
            files=self.summary.selected,
            edits=self.summary.edits,
            residue={str(reason): self.summary.places(reason) for reason in Reason},
            hazards=sum(hazard.count for hazard in self.summary.hazards),
            dead=len(self.summary.dead),
            failed=len(built.failed) + len(built.left_out) if built else None,
            seconds={**seconds, **(built.seconds if built else {})},
        )
        run_history.add(self.ported.folder, record, again=self._writer is not None)
        self._writer = self._writer or PageWriter.read(
            self.ported.folder, self.rules, self.tree, self.library, self.jobs
        )
        self._writer.write(self.place)
