"""What goes to the terminal: the answer to stdout; progress and warnings to stderr, progress on a terminal only."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any


def print_json(data: dict[str, Any]) -> None:
    """One document on stdout, with the schema number first."""
    sys.stdout.write(json.dumps({"schema": 1, **data}, indent=1) + "\n")


def warn(text: str) -> None:
    """A warning on stderr."""
    sys.stderr.write(f"warning: {text}\n")


@contextlib.contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for the time of the block; the function given takes done and total."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
