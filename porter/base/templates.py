"""Templates of generated files (`templates/`) and their renderer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from porter.base import resources

if TYPE_CHECKING:
    from jinja2 import Environment


def folder(name: str) -> Path:
    """Path of a folder of templates: `package`, `ops` or `op_project`."""
    return resources.folder("templates") / name


def environment(name: str) -> Environment:
    """Jinja environment for the templates in a folder; an undefined name in a template is an error."""
    # Imported late: most commands render no template.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(folder(name)),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
