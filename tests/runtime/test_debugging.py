"""The session with gdb in docs/debugging.md gives the output that the page shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from repository import ROOT
from simt_programs import libsimt

pytestmark = pytest.mark.slow
PAGE = ROOT / "docs" / "debugging.md"
COMMANDS = ROOT / "runtime" / "simt" / "gdb" / "simt_commands.py"


def _block(language: str) -> str:
    """Text of the page's first block of code in a language; "" means a block that names no language."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    return next(text for name, text in blocks if name == language)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's program, compiled by simtcc."""
    if not shutil.which("gdb"):
        pytest.skip("no gdb: apt-get install gdb")
    folder = tmp_path_factory.mktemp("debugging")
    (folder / "sum.cu").write_text(_block("cuda"), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
        command = ["simtcc", "-g", "-O0", "sum.cu", "-o", "sum"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "sum"


def _output(program: Path, commands: list[str]) -> str:
    """Output of gdb's commands. Skips the test where gdb may not trace processes."""
    words = ["gdb", "-q", "-nx", "-batch", "-ex", "set pagination off", "-ex", "set confirm off"]
    words += ["-x", str(COMMANDS)]
    for command in commands:
        words += ["-ex", command]
    done = subprocess.run(
        [*words, program.name], cwd=program.parent, capture_output=True, text=True, check=False
    )
    if "ptrace: Operation not permitted" in done.stderr:
        pytest.skip("gdb may not trace processes here")
    return done.stdout + done.stderr


def test_the_session_gives_the_output_of_the_page(program: Path) -> None:
    session = _block("").splitlines()
    commands = [line[6:] for line in session if line.startswith("(gdb) ")]
    assert len(commands) > 5
    said = _output(program, commands)
    at = 0
    for line in session:
        if line.startswith("(gdb) "):
            continue
        # gdb prints the path of the source as the compiler received it. Any of the threads may run the block.
        pattern = re.escape(line).replace(r"\.\.\.", ".*").replace(r"at\ sum", r"at\ \S*sum")
        found = re.compile(re.sub(r"(?i)(thread\\ )3", r"\1[1-4]", pattern)).search(said, at)
        assert found, f"{line}\n--\n{said}"
        at = found.end()


def test_outside_of_a_kernel_no_block_runs(program: Path) -> None:
    said = _output(program, ["break main", "run", "simt blocks", "simt thread (0,0,0)"])
    assert "no block runs" in said
    assert "the selected thread of gdb runs no block with a thread (0,0,0)" in said


def test_the_program_continues_after_a_command(program: Path) -> None:
    commands = [
        "break sum.cu:6 if threadIdx.x == 3",
        "run",
        "simt blocks",
        "print $xmm0",
        "continue",
    ]
    said = _output(program, [*commands, "simt blocks", "delete", "continue"])
    stops = re.findall(r"^\* gdb thread \d: kernel block_sum, (block .*)$", said, re.M)
    assert sorted(stops) == [f"block ({block},0,0), thread (3,0,0)" for block in (0, 1)]
    assert "2016 6112" in said
    assert "exited normally" in said


def test_a_wrong_argument_names_the_right_form(program: Path) -> None:
    assert "give the thread's position" in _output(program, ["simt thread first"])
