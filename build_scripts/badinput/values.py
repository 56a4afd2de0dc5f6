"""Unusual values for options, and arguments of commands to which cases append an option."""

from __future__ import annotations

from badinput.case import OK, REFUSED, Codes
from badinput.world import EDITED, TARGET

DIGITS = "9" * 5000
NO_NUMBERS = (
    "",
    " ",
    "-1",
    "x",
    "1.5",
    "1e9",
    DIGITS,
    f"-{DIGITS}",
    "²",
    "0x10",
    "1\n2",
    "\x1b[1m",
)
NO_WORDS = (
    "",
    " ",
    "x" * 300,
    "x" * 100_000,
    "a\nb",
    "a\x1b[31m",
    "../x",
    "/",
    "é",
    b"\xff",
    "a b",
    "--",
    "*",
)
PORT = ("port", "ext", "--out", "new", *TARGET)
VERIFY_STUB = ("verify", *TARGET, "--python", "/bin/false", "--out", "new")
DEVICE_TESTS = (
    "device-tests",
    *TARGET,
    "--python",
    "/bin/false",
    "--out",
    "new",
    "--pytorch-src",
    "tree",
)
NO_LINES = ("\x1b[31mred", "a\nb", "", b"\xff", "x" * 100_000)
SAVE = ("overlay", "save", EDITED, "--owner", "me", "--reason", "slow", "--mappings", "maps")
ANSWERED: Codes = frozenset({OK, *REFUSED})


def shown(value: str | bytes | object) -> str:
    """Value as part of a case's name: its repr, shortened."""
    text = repr(value)
    return text if len(text) < 40 else f"{text[:30]}... of {len(text)}"
