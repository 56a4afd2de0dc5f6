"""Commands and files of a Markdown page, as a shell script that stops at the first unexpected exit code.

In a ```console block, commands follow `$ `; a comment `# exit code N` states the exit code of a command. A block whose
first line is `# path/to/file` is written to that file. A comment `<!-- with ... -->` before a block states a condition
for the block.
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
    """Condition before the block: `with the SDK`; empty for a block that runs anywhere."""
    language: str
    text: str

    def script(self) -> str:
        """Lines of shell for the block; empty for a block that is neither commands nor a file."""
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
    """Script of the blocks, for bash."""
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
