"""What is said while a release is fetched: always on stderr, for stdout carries the answer."""

from __future__ import annotations

import sys

from release_sources.errors import FetchError


def say(line: str) -> None:
    """A line on stderr, seen at once."""
    print(line.rstrip(), file=sys.stderr, flush=True)


def tell(error: FetchError) -> None:
    """An error, and below it what to do next."""
    say(f"error: {error}")
    if error.advice:
        first, *others = error.advice.splitlines()
        say("\n".join([f"  help: {first}", *(f"        {line}" for line in others)]))
