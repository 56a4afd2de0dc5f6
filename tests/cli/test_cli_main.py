"""Behaviour that all commands share: closed pipes, and exit codes of a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from workshop import Workshop

from porter.cli.main import call


def run(arguments: str, *, read: int | None) -> tuple[int, str]:
    """Exit code and stderr of `porter`; the reader of its output exits after a number of bytes."""
    command = [sys.executable, "-m", "porter", *arguments.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        if read is not None:
            process.stdout.read(read)
            process.stdout.close()
        else:
            process.stdout.read()
        stderr = process.stderr.read().decode()
    return process.returncode, stderr


@pytest.mark.parametrize("read", [0, 1])
@pytest.mark.parametrize(
    "arguments",
    ["--help", "--version", "run --help", "mapping show --target simt", "target list", "mapping"],
)
def test_a_reader_that_goes_is_no_failure(arguments: str, read: int) -> None:
    code, stderr = run(arguments, read=read)

    assert "Traceback" not in stderr and "BrokenPipe" not in stderr
    # Without a subcommand the help is an answer to a mistake, and goes to stderr.
    assert code == (2 if arguments == "mapping" else 0)


def test_a_mistake_is_told_and_is_the_exit_code() -> None:
    code, stderr = run("nope", read=None)

    assert code == 2
    assert stderr.startswith("error: No such command")


# -- streams, folders and errors that are nobody's


def shell(line: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `porter` is this checkout's porter."""
    environment = {**os.environ, "PYTHON": sys.executable, **more}
    line = line.replace("porter ", '"$PYTHON" -m porter ')
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("porter mapping show cudaMalloc >&-", 0),
        ("porter mapping show cudaMalloc 2>&-", 0),
        ("porter mapping show cudaMalloc <&- >&- 2>&-", 0),
        ("porter mapping show cudaMalloc 2>/dev/full", 0),
        ("porter mapping show cudaMalloc >/dev/full", 4),
        ("porter nope >/dev/full", 2),
        ("porter nope 2>&-", 2),
        ("mkdir a; cd a; rmdir ../a; porter mapping show cudaMalloc", 0),
        ("mkdir a; cd a; rmdir ../a; porter scan .", 4),
        ("mkdir a; cd a; rmdir ../a; porter simt flags", 4),
        (f"porter target new {'n' * 300} --mappings m", 2),
        (f"porter mapping import {'n' * 300}.json --area runtime", 3),
        ("porter verify --python /nope", 4),
    ],
)
def test_odd_surroundings(tmp_path: Path, line: str, code: int) -> None:
    done = shell(line, tmp_path)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_goes_on_when_nobody_reads_its_summary(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    line = (
        f"set -o pipefail; porter run --until port --pytorch-src {shop.tree} -t toy"
        f" --mappings {shop.mappings} --out out | head -c 1"
    )
    done = shell(line, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/toy/2.6.0/manifest.json").is_file()


def test_the_summary_is_not_wrapped(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    note = "the code assumes 32 lanes, " * 10
    shop.edit(shop.mappings / "pytorch/names.yaml", "the code assumes 32 lanes", f"'{note}'")
    line = f"porter run --until port --pytorch-src {shop.tree} -t toy --mappings {shop.mappings} --out out"
    done = shell(line, tmp_path, COLUMNS="40")
    assert done.returncode == 0, done.stderr
    assert note.strip() in done.stdout


def test_an_internal_error_is_70(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("nobody expected\x1b[31m this")

    monkeypatch.setattr("porter.mapping.library.MappingLibrary.targets", fail)
    assert call(["target", "list"]) == 70
    said = capsys.readouterr().err
    assert said.startswith("error: internal: KeyError: ")
    assert "Traceback" not in said and "PORTER_TRACEBACK=1" in said and "\x1b" not in said
    monkeypatch.setenv("PORTER_TRACEBACK", "1")
    assert call(["target", "list"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_control_characters_of_names_are_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "a\x1b[31m\u202e\n.cu"
    Path(name).write_text("cudaFree(p); cudaNope(p);\n")
    summary = ["--summary", "red \x1b[31m", "--mappings", "m"]
    for args in (
        ["scan", name],
        ["explain", name + "x"],
        ["target", "new", "acme", *summary],
        ["target", "list", "--mappings", "m"],
    ):
        call(args)
        captured = capsys.readouterr()
        shown = captured.out + captured.err
        assert shown and not {"\x1b", "\u202e"} & set(shown), args
