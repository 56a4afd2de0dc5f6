"""Escape control characters in names and file contents, so a terminal shows any text safely.

>>> printable("a\\x1b[31mb")
'a\\\\x1b[31mb'
>>> on_one_line("two\\nlines")
'two\\\\nlines'
"""

from __future__ import annotations

import re

_C0_BUT_TAB_AND_NEWLINE = r"\x00-\x08\x0b-\x1f"
_OTHERS = r"\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""C1 controls, line separators, characters that reverse the direction of text (CVE-2021-42574), and surrogates.

In file names, Python represents bytes that are not UTF-8 as surrogates."""
_CONTROL = re.compile(f"[{_C0_BUT_TAB_AND_NEWLINE}{_OTHERS}]")
_CONTROL_OF_LINE = re.compile(rf"[\x00-\x1f{_OTHERS}]")
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def printable(text: str) -> str:
    """Escape the control characters of a text, except tabs and line ends."""
    return _CONTROL.sub(_escaped, text)


def on_one_line(text: str) -> str:
    """Escape the control characters of a text, tabs and line ends included."""
    return _CONTROL_OF_LINE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:
        # os.fsdecode represents a byte that is not UTF-8 by a character of this range.
        return f"\\x{number - 0xDC00:02x}"
    return _SHORT.get(character) or (f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}")
