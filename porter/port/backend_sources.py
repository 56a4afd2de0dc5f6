"""Port of the backend's own C++ sources, which are not part of PyTorch: hooks, CPU fallback, Python binding.

The sources are written once, in CUDA's dialect (`backend/`). They are ported by the same rules as PyTorch's sources, so
that a vendor of new hardware writes none of this code.
"""

from __future__ import annotations

from pathlib import Path

from porter.base import fs, resources
from porter.base.errors import SourceError
from porter.model import seams
from porter.model.cuda_project import ByHand, PathNaming
from porter.model.ported import Ported
from porter.model.rules import RuleSet
from porter.port import cuda_project as project_port
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

    `mappings` is the digest of the target's mappings. `sources` is the folder of the sources; by default, `backend/`.
    Raises the errors of `porter.port.stage.port`.
    """
    sources = sources or resources.folder("backend")
    project = gather([sources], left_out(rules, sources))
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


def left_out(rules: RuleSet, sources: Path) -> list[str]:
    """Globs of the sources that the target does not use.

    Sources in a folder `with/LIBRARY` need that library, and the profile states which libraries the target lacks:
    `libraries: {cupti: {unsupported: ...}}`. A folder `seams/SEAM/NAME` contains an implementation of a seam, and the
    profile selects implementations: `seams: {dnn: [columns, host]}`.
    """
    libraries = rules.profile.libraries.items()
    lacking = [f"with/{area}/**" for area, library in libraries if library.unsupported]
    selected = seams.selected(rules.profile)
    folders = sorted((sources / seams.FOLDER).glob("*/*"))
    others = [
        f"{seams.FOLDER}/{folder.parent.name}/{folder.name}/**"
        for folder in folders
        if folder.name not in selected.get(folder.parent.name, ())
    ]
    return [*lacking, *others]


def copy_vendors(rules: RuleSet, mappings: Path, folder: Path) -> None:
    """Copy the implementations of seams that the profile selects from a target's mappings folder to `folder`.

    These sources use the vendor's names and are not ported. Files in `folder` that are not copies of these sources are
    deleted. Raises SourceError when a file cannot be read or written.
    """
    wanted = {
        source.relative_to(mappings / seams.FOLDER): source
        for seam, names in seams.selected(rules.profile).items()
        for name in names
        for source in sorted((mappings / seams.FOLDER / seam / name).rglob("*"))
        if source.is_file()
    }
    try:
        for known in [place for place in folder.rglob("*") if place.is_file()]:
            if known.relative_to(folder) not in wanted:
                known.unlink()
        for path, source in wanted.items():
            fs.write_if_changed(folder / path, source.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be copied: {error}", str(mappings / seams.FOLDER)) from None
