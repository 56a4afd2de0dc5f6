"""The backend's own C++, which no release brings: hooks, fallback, the Python binding.

It is written once, in CUDA's dialect (`backend/`), and ported for each target by the rules that port
PyTorch's sources, so that a new vendor has it without writing any.
"""

from __future__ import annotations

import functools
from pathlib import Path

from porter import own_data, port_project
from porter.model.rules import RuleSet
from porter.port import DEFAULTS, Ported, Settings
from porter.port_project import Naming
from porter.project import gather
from porter.report import project as report


def port(rules: RuleSet, mappings: str, folder: Path, settings: Settings = DEFAULTS) -> Ported:
    """Port the backend's own sources into `folder`; `mappings` is the digest of the target's mappings.

    Raises what `porter.port.port` raises.
    """
    sources = own_data.folder("backend")
    project = gather([sources], without_libraries(rules))
    plan = port_project.plan_of(project, rules, Naming.PYTORCH)
    by_hand = report.ByHand(tuple(port_project.mentions(project, plan, rules)), project.skipped)
    return port_project.port(
        project,
        [sources],
        plan,
        rules,
        mappings,
        folder,
        settings,
        write_report=functools.partial(report.write, by_hand=by_hand),
    )


def without_libraries(rules: RuleSet) -> list[str]:
    """Globs of the sources that a target cannot have: `with/LIBRARY` needs a library of the vendor's.

    The profile says which libraries have no counterpart: `libraries: {cupti: {unsupported: ...}}`.
    """
    libraries = rules.profile.libraries.items()
    return [f"with/{area}/**" for area, library in libraries if library.unsupported]
