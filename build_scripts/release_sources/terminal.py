"""Output on stderr: progress and errors. stdout contains only the result."""

from __future__ import annotations

import sys

from release_sources.errors import FetchError


def say(line: str) -> None:
    """Print a line on stderr, unbuffered. Characters that cannot be printed become `?`."""
    shown = "".join(c if c.isprintable() or c == "\n" else "?" for c in line.rstrip())
    print(shown, file=sys.stderr, flush=True)


def tell(error: FetchError) -> None:
    """Print an error, with advice on the next line."""
    say(f"error: {error}")
    if error.advice:
        first, *others = error.advice.splitlines()
        say("\n".join([f"  help: {first}", *(f"        {line}" for line in others)]))


class Progress:
    """Line on stderr that shows the number of received megabytes. It is shown only if stderr is a terminal."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._is_shown = sys.stderr.isatty()

    def __call__(self, count: int) -> None:
        """Show `count`, the number of received bytes."""
        if self._is_shown:
            print(f"\r{self._label}: {count / 1e6:.0f} MB", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """End the line, so that the next text begins on a new line."""
        if self._is_shown:
            print(file=sys.stderr, flush=True)
