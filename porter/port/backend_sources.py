"""The backend's own C++, which no release brings: hooks, fallback, the Python binding.

It is written once, in CUDA's dialect (`backend/`), and ported for each target by the rules that port
PyTorch's sources, so that a new vendor has it without writing any.
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


def port(rules: RuleSet, mappings: str, folder: Path, settings: PortSettings = DEFAULTS) -> Ported:
    """Port the backend's own sources into `folder`; `mappings` is the digest of the target's mappings.

    Raises what `porter.port.port` raises.
    """
    sources = resources.folder("backend")
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
    """Globs of the sources that a target cannot have: `with/LIBRARY` needs a library of the vendor's.

    The profile says which libraries have no counterpart: `libraries: {cupti: {unsupported: ...}}`.
    """
    libraries = rules.profile.libraries.items()
    return [f"with/{area}/**" for area, library in libraries if library.unsupported]
