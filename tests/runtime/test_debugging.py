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
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    assert found is not None
    return found[1]


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
    said = _output(program, [line[6:] for line in session if line.startswith("(gdb) ")])
    at = 0
    for line in session:
        if line.startswith("(gdb) "):
            continue
        pattern = ".*".join(re.escape(part) for part in line.split("..."))
        # gdb prints the path of the source as the compiler received it.
        found = re.compile(pattern.replace(" at sum", r" at \S*sum")).search(said, at)
        assert found, f"{line}\n--\n{said}"
        at = found.end()


def test_outside_of_a_kernel_no_block_runs(program: Path) -> None:
    said = _output(program, ["break main", "run", "simt blocks", "simt thread (0,0,0)"])
    assert "no block runs" in said
    assert "the selected thread of gdb runs no block with a thread (0,0,0)" in said


def test_a_wrong_argument_names_the_right_form(program: Path) -> None:
    assert "give the thread's position" in _output(program, ["simt thread first"])
