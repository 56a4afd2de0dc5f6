"""Commands and files of a Markdown page, as a shell script that stops at the first unexpected exit code.

In a ```console block, each line that begins with `$ ` is a command; a comment `# exit code N` states the command's exit
code. A block whose first line is `# path/to/file` is written to that file. A comment `<!-- with ... -->` before a block
states a condition for the block.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection
from typing import NamedTuple

_BLOCK = re.compile(
    r"(?:<!-- (?P<needs>with [^>]*?) -->\n)?```(?P<language>\w+)\n(?P<text>.*?)```\n", re.S
)
_FILE = re.compile(r"# (?P<place>[\w./-]+/[\w.-]+)\n")
_CODE = re.compile(r"\s# exit code (?P<code>\d+)\b")
SURPRISE = 99
"""Exit code of the script if a command has another exit code than the page states."""


class PageBlock(NamedTuple):
    """One block of a page."""

    needs: str
    """Condition in the comment before the block, such as `with the SDK`; empty for a block without a condition."""
    language: str
    text: str

    def script(self) -> str:
        """Shell commands for the block; empty if the block contains neither commands nor a file."""
        if self.language == "console":
            return "".join(map(_command, self.commands()))
        if match := _FILE.match(self.text):
            place = shlex.quote(match["place"])
            return f"mkdir -p $(dirname {place})\ncat > {place} <<'END_OF_FILE'\n{self.text}END_OF_FILE\n"
        return ""

    def commands(self) -> list[str]:
        """Commands of the block, with their comments."""
        if self.language != "console":
            return []
        return [line.removeprefix("$ ") for line in self.text.splitlines() if line.startswith("$ ")]


def blocks(page: str) -> list[PageBlock]:
    """Blocks of a page in their order."""
    return [PageBlock(m["needs"] or "", m["language"], m["text"]) for m in _BLOCK.finditer(page)]


def script(found: Collection[PageBlock]) -> str:
    """Bash script that runs the commands and writes the files of the blocks."""
    return "set -uo pipefail\n" + "".join(block.script() for block in found)


def _command(line: str) -> str:
    match = _CODE.search(line)
    code = match["code"] if match else "0"
    shown = shlex.quote(f"+ {line}")
    surprise = shlex.quote(f"the page says exit code {code} of: {line}")
    return (
        f"echo {shown} >&2\n{line}\n"
        f"if [ $? -ne {code} ]; then echo {surprise} >&2; exit {SURPRISE}; fi\n"
    )
