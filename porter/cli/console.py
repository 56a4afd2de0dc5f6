"""Terminal output: the answer on stdout; progress and warnings on stderr, progress on a terminal only."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from porter.base.json_text import indented
from porter.base.printable import on_one_line, printable


def print_json(data: dict[str, Any]) -> None:
    """Print one JSON document on stdout, with the schema number first."""
    sys.stdout.write(indented({"schema": 1, **data}) + "\n")


def warn(text: str) -> None:
    """Print a warning on stderr."""
    sys.stderr.write(f"warning: {printable(text)}\n")


def note(text: str) -> None:
    """Print a line of the answer on stderr instead of stdout, where the line would corrupt the data."""
    sys.stderr.write(f"{printable(text)}\n")


_HEARTBEAT = 60.0
"""Seconds between two progress lines in a log."""


@contextlib.contextmanager
def progress(title: str, *, patient: bool = False) -> Iterator[Callable[..., None]]:
    """Show a progress bar while the block runs. The block gets a function that takes done, total and the last finished
    item.

    Without a terminal no bar is shown. With `patient`, a line is then logged every minute, so that long work does not
    look stuck.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield _heartbeat(title) if patient else lambda done, total, last="": None
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

        def update(done: int, total: int, last: str = "") -> None:
            described = f"{title}: {on_one_line(last)}"[: Console().width // 2] if last else title
            bar.update(task, completed=done, total=total or None, description=described)

        yield update


def _heartbeat(title: str) -> Callable[..., None]:
    told = time.monotonic()

    def tell(done: int, total: int, last: str = "") -> None:
        nonlocal told
        if time.monotonic() - told >= _HEARTBEAT:
            told = time.monotonic()
            sys.stderr.write(f"{title}: {done}/{total} {on_one_line(last)}\n")
            sys.stderr.flush()

    return tell


def print_text(text: str) -> None:
    """Print text of the answer; characters that the terminal's encoding lacks become question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(printable(text).encode(encoding, "replace").decode(encoding))


def print_lines(lines: Iterable[tuple[str, str]]) -> None:
    """Print lines of the answer, each with a style of the library rich (or none); only a terminal shows styles."""
    # NO_COLOR counts when it is not empty (no-color.org).
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        for text, _ in lines:
            print_text(f"{text}\n")
        return
    from rich.console import Console
    from rich.text import Text

    terminal = Console(highlight=False, soft_wrap=True)
    # Lines of one style are printed at once, because each call of print is slow and a diff has many lines.
    for style, group in itertools.groupby(lines, key=lambda line: line[1]):
        shown = "\n".join(printable(text) for text, _ in group)
        terminal.print(Text(shown, style=style))
