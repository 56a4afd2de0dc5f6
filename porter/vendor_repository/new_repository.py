"""Creation of a vendor's own repository: project file, mappings, lock files, workflow."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import templates
from porter.base.errors import Problem, SourceError, UsageError
from porter.mapping import budget, new_target
from porter.mapping.library import OVERLAYS, MappingLibrary
from porter.mapping.new_target import TargetNames
from porter.model.rules import RuleSet
from porter.port import header_tree
from porter.vendor_repository import project_file

_TEMPLATES = "repository"
MAPPINGS = "mappings"
_FILES = {
    project_file.FILE: "porter.toml",
    f"{MAPPINGS}/{budget.FILE}": "budget.yaml",
    "locks/README.md": "locks.md",
    ".github/workflows/port.yml": "port.yml",
    "README.md": "README.md",
    ".gitignore": "gitignore",
    ".gitattributes": "gitattributes",
}
"""Maps the path of each file of the repository to its template.

The target's folder also contains README.md for overlays.
"""
_WORKFLOWS = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)@(?P<ref>[\w./-]+)", re.ASCII)


class RepositorySettings(NamedTuple):
    """Settings of a new repository."""

    names: TargetNames
    summary: str
    """One-line description of the target; may be empty."""
    releases: Sequence[str]
    """Names of the PyTorch trees that the repository ports."""
    workflows: str
    """GitHub repository with porter's reusable workflow: `OWNER/NAME@REF`."""


def create(
    folder: Path, library: MappingLibrary, settings: RepositorySettings, like: RuleSet | None
) -> list[Path]:
    """Write the files of a repository and return their paths. Existing files stay unchanged.

    `like` is the rule set of the target from which prefixes and launch rules are copied; None copies nothing. Raises
    UsageError for an invalid name, or with a list of the files that exist already, and SourceError if the folder cannot
    be written.
    """
    names = settings.names.filled()
    workflows = _WORKFLOWS.fullmatch(settings.workflows)
    if not workflows:
        text = f"'{settings.workflows}' is not a GitHub repository with a tag or branch"
        raise UsageError(text, help="for example acme/porter@v0.1.0")
    target = f"{MAPPINGS}/{names.target}"
    files = {**_FILES, f"{target}/{OVERLAYS}/README.md": "overlays.md"}
    _refuse_existing(folder, [*_FILES, target])
    releases = [name.removesuffix(header_tree.SUFFIX) for name in settings.releases]
    values = {
        "target": names.target,
        "lower": names.lower,
        "releases": list(settings.releases),
        "budgeted": list(dict.fromkeys(releases)),
        **workflows.groupdict(),
    }
    environment = templates.environment(_TEMPLATES)
    texts = {
        file: environment.get_template(f"{template}.jinja").render(values)
        for file, template in files.items()
    }
    written = new_target.create(library, folder / MAPPINGS, names, settings.summary, like)
    for file, text in texts.items():
        place = folder / file
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("x", encoding="utf-8") as stream:
                stream.write(text)
        except OSError as error:
            raise SourceError(f"cannot be written: {error.strerror}", str(place)) from None
        written.append(place)
    return sorted(written)


def _refuse_existing(folder: Path, names: Sequence[str]) -> None:
    """Raise UsageError, with a list of the paths, if paths in `names` exist already in `folder`."""
    if folder.exists() and not folder.is_dir():
        raise UsageError("is a file, not a folder", str(folder))
    help = "choose another folder, or move the existing file away"
    if (folder / project_file.FILE).exists():
        help = "to add a target to an existing repository, run porter target new NAME in its folder"
    problems = [
        Problem("exists already", str(folder / name), help)
        for name in names
        if (folder / name).exists() or (folder / name).is_symlink()
    ]
    if problems:
        raise UsageError(problems)
