"""Output of commands: results on stdout; progress and warnings on stderr. A progress bar needs a terminal."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    """Print a line about the result on stderr. On stdout, the line would corrupt the data."""
    sys.stderr.write(f"{printable(text)}\n")


_HEARTBEAT = 60.0
"""Smallest number of seconds between two progress lines in a log."""


@contextlib.contextmanager
def progress(title: str, *, patient: bool = False) -> Iterator[Callable[..., None]]:
    """Show a progress bar while the block of the `with` statement runs.

    The block gets a function with the parameters `done` (number of finished items), `total` (number of all items) and
    `last` (name of the last finished item). Without a terminal, no bar is shown. With `patient`, the function then logs
    a line at most once per minute, so that long work does not look stuck.
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
    logged = time.monotonic()

    def log(done: int, total: int, last: str = "") -> None:
        nonlocal logged
        if time.monotonic() - logged >= _HEARTBEAT:
            logged = time.monotonic()
            sys.stderr.write(f"{title}: {done}/{total} {on_one_line(last)}\n")
            sys.stderr.flush()

    return log


def print_text(text: str) -> None:
    """Print text on stdout; characters that the encoding of stdout lacks become question marks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(printable(text).encode(encoding, "replace").decode(encoding))


def page_lines(lines: Sequence[tuple[str, str]]) -> None:
    """Print pairs (line, style) on stdout. If a terminal has fewer lines, the pager of $PAGER shows them, else less.

    PAGER=cat disables the pager. Without a terminal, the function is equal to `print_lines`.
    """
    # Imported late: most commands need no pager.
    import shlex
    import shutil
    import subprocess

    command = shlex.split(os.environ.get("PAGER", "less"))
    fits = len(lines) < shutil.get_terminal_size().lines
    dumb = os.environ.get("TERM") == "dumb"
    if (
        fits
        or dumb
        or command in ([], ["cat"])
        or not sys.stdout.isatty()
        or not shutil.which(command[0])
    ):
        print_lines(lines)
        return
    from rich.console import Console
    from rich.text import Text

    # R: colours; F: no pager if the text fits; X: the text stays on the terminal.
    environment = {"LESS": "FRX", **os.environ}
    plain = bool(os.environ.get("NO_COLOR"))
    with (
        contextlib.suppress(BrokenPipeError, KeyboardInterrupt),
        subprocess.Popen(command, stdin=subprocess.PIPE, text=True, env=environment) as pager,
    ):
        assert pager.stdin, "the pipe was requested"
        terminal = Console(
            file=pager.stdin,
            force_terminal=not plain,
            no_color=plain,
            soft_wrap=True,
            highlight=False,
        )
        for text, style in lines:
            terminal.print(Text(printable(text), style=style))
        pager.stdin.close()


def print_lines(lines: Iterable[tuple[str, str]]) -> None:
    """Print pairs (line, style) on stdout. Styles are those of the library rich; only a terminal shows them."""
    # NO_COLOR disables styles if it is not empty (no-color.org).
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
