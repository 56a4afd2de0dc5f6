"""The templates that porter writes files from (`templates/`), and what renders them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from porter.base import resources

if TYPE_CHECKING:
    from jinja2 import Environment


def folder(name: str) -> Path:
    """A folder of templates: `package`, `ops`, `op_project`."""
    return resources.folder("templates") / name


def environment(name: str) -> Environment:
    """Renders the templates of a folder; a name that a template is not given is an error."""
    # Imported late: what has nothing to write does without.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(folder(name)),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
