"""Port of the backend's own C++ sources, which are not part of PyTorch: hooks, CPU fallback, Python binding.

The sources are written once, in CUDA's dialect (`backend/`). The rules for PyTorch's sources also port the backend's
sources, so that a vendor of new hardware writes none of this code.
"""

from __future__ import annotations

from pathlib import Path

from porter.base import resources
from porter.model.ported import Ported
from porter.model.project import ByHand, PathNaming
from porter.model.rules import RuleSet
from porter.port import project as project_port
from porter.port.source_tree import gather
from porter.port.stage import DEFAULTS, PortSettings, ReportInputs


def port(
    rules: RuleSet,
    mappings: str,
    folder: Path,
    settings: PortSettings = DEFAULTS,
    sources: Path | None = None,
) -> Ported:
    """Port the backend's own sources into `folder`.

    `mappings` is the digest of the target's mappings; `sources` replaces the default source folder, `backend/`. Raises
    the errors of `porter.port.stage.port`.
    """
    sources = sources or resources.folder("backend")
    project = gather([sources], without_libraries(rules))
    plan = project_port.plan_of(project, rules, PathNaming.PYTORCH)
    by_hand = ByHand(tuple(project_port.mentions(project, plan, rules)), project.skipped)
    return project_port.port(
        project,
        [sources],
        plan,
        rules,
        mappings,
        folder,
        settings,
        ReportInputs(by_hand=by_hand),
    )


def without_libraries(rules: RuleSet) -> list[str]:
    """Globs of the sources that the target cannot use, because they need a library without a counterpart on the target.

    Sources in a folder `with/LIBRARY` need that library. The profile lists the libraries without a counterpart:
    `libraries: {cupti: {unsupported: ...}}`.
    """
    libraries = rules.profile.libraries.items()
    return [f"with/{area}/**" for area, library in libraries if library.unsupported]
