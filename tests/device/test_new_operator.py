"""Instructions of docs/new-operator.md: files are written, commands are run, and their output is compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "new-operator.md"
BLOCK = re.compile(
    r"(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<language>\w+)\n(?P<text>.*?)```", re.S
)


def matches(said: str, expected: str) -> bool:
    """Test with wildcards: `...` matches any text; blanks at the ends of lines are ignored."""
    pattern = re.escape(re.sub(r"\s+", " ", expected.strip())).replace(r"\.\.\.", ".*?")
    return re.fullmatch(pattern, re.sub(r"\s+", " ", said.strip())) is not None


def test_from_nothing_to_a_compiled_model(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, command in (("python", ""), ("porter", " -m porter")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{command} "$@"\n')
        program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    # Options of this run of pytest are not for the one that the document shows.
    environment.pop("PYTEST_ADDOPTS", None)
    ran = 0
    for block in BLOCK.finditer(DOCUMENT.read_text(encoding="utf-8")):
        if block["file"]:
            (tmp_path / block["file"]).write_text(block["text"])
        elif block["language"] == "console":
            command, _, expected = block["text"].removeprefix("$ ").partition("\n")
            done = subprocess.run(
                command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stdout + done.stderr
            said = done.stdout.replace(f"{tmp_path}/", "")
            assert matches(said, expected), f"{command}\n{said}"
            ran += 1
    assert ran == 4
