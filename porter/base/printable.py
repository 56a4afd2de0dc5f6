"""Text that a terminal shows as it is: control characters of names and file contents are escaped.

>>> printable("a\\x1b[31mb")
'a\\\\x1b[31mb'
>>> on_one_line("two\\nlines")
'two\\\\nlines'
"""

from __future__ import annotations

import re

_C0_BUT_TAB_AND_NEWLINE = r"\x00-\x08\x0b-\x1f"
_OTHERS = r"\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""C1 controls, separators of lines, characters that reverse the direction of text (CVE-2021-42574), and halves of
surrogate pairs, with which Python stands for bytes that are not UTF-8."""
_CONTROL = re.compile(f"[{_C0_BUT_TAB_AND_NEWLINE}{_OTHERS}]")
_CONTROL_OF_LINE = re.compile(rf"[\x00-\x1f{_OTHERS}]")
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def printable(text: str) -> str:
    """Text of several lines with its control characters, other than tabs and line ends, as escapes."""
    return _CONTROL.sub(_escaped, text)


def on_one_line(text: str) -> str:
    """As `printable`, with tabs and line ends as escapes, too."""
    return _CONTROL_OF_LINE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:
        # os.fsdecode gives a byte that is not UTF-8 so.
        return f"\\x{number - 0xDC00:02x}"
    return _SHORT.get(character) or (f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}")
