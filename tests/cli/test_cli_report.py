"""`porter report`: the report of an existing port."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from workshop import Workshop

from porter.cli.main import call

Text = pytest.CaptureFixture[str]

MORE = """\
void more() {
  cudaStrange(1);
  cudaOdd(2);
  cudaOdd(3);
  say("cudaMalloc failed");
}
"""


@pytest.fixture
def port(tmp_path: Path, capsys: Text) -> Path:
    """Port with two words without a rule, one of them in a string, and a hazard."""
    shop = Workshop(tmp_path)
    (shop.tree / "c10/cuda/More.cpp").write_text(MORE)
    (shop.tree / "c10/cuda/Again.cpp").write_text("void f() { cudaStrange(); }\n")
    made = shop.port("out")
    capsys.readouterr()
    return made


def shown(port: Path, capsys: Text, *options: str) -> str:
    assert call(["report", str(port), *options]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def document(port: Path, capsys: Text, *options: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(shown(port, capsys, "--json", *options))
    return data


def test_all_of_the_report_is_json(port: Path, capsys: Text) -> None:
    assert document(port, capsys) == json.loads((port / "report.json").read_text())


def test_the_report_on_a_terminal(port: Path, capsys: Text) -> None:
    out = shown(port, capsys)
    assert out.startswith("PyTorch 2.6.0 for toy\n5 files, ")
    lines = [line.split() for line in out.splitlines()]
    assert ["unmapped", "4", "no", "rule", "matches", "the", "word"] in lines
    # By places, then by name; with the first place of each.
    words = [line for line in lines if line[2:3] and line[2].startswith("cuda")]
    assert words == [
        ["2", "1", "cudaOdd", "c10/toy/More.cpp:3"],
        ["2", "2", "cudaStrange", "c10/toy/Again.cpp:1"],
        ["1", "1", "cudaMalloc", "c10/toy/More.cpp:5"],
    ]
    assert "Left: unmapped (2)" in out
    assert "Left: intended" not in out
    assert "the code assumes 32 lanes" in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], ["cudaOdd", "cudaStrange"]),
        (["--sort", "files"], ["cudaStrange", "cudaOdd"]),
        (["--sort", "first"], ["cudaStrange", "cudaOdd"]),
        (["--sort", "name"], ["cudaOdd", "cudaStrange"]),
        (["--sort", "files", "--limit", "1"], ["cudaStrange"]),
        (["--limit", "0"], ["cudaOdd", "cudaStrange"]),
    ],
)
def test_words_are_sorted_and_limited(
    port: Path, capsys: Text, options: list[str], words: list[str]
) -> None:
    data = document(port, capsys, "--reason", "unmapped", *options)
    assert [word["name"] for word in data["words"]["unmapped"]] == words
    assert list(data["words"]) == ["unmapped"]
    # However few words are shown, the figures are those of the port.
    assert data["residue"]["unmapped"] == 4
    text = shown(port, capsys, "--reason", "unmapped", *options)
    assert "Left: unmapped (2)" in text
    assert "Left: in_string" not in text
    assert ("... and 1 more" in text) == (len(words) == 1)


def test_several_reasons(port: Path, capsys: Text) -> None:
    data = document(port, capsys, "--reason", "in_string", "--reason", "unmapped")
    assert list(data["words"]) == ["unmapped", "in_string"]


def test_markdown(port: Path, capsys: Text) -> None:
    out = shown(port, capsys, "--markdown", "--reason", "in_string")
    assert out.startswith("# PyTorch 2.6.0 for toy\n")
    assert "| unmapped | 4 | no rule matches the word |" in out
    assert "## Left: in_string (1)" in out
    assert "| 1 | 1 | cudaMalloc | c10/toy/More.cpp:5 |  |" in out
    assert "cudaOdd" not in out


def test_the_report_of_a_project(tmp_path: Path, capsys: Text) -> None:
    shop = Workshop(tmp_path)
    project = tmp_path / "extension"
    project.mkdir()
    (project / "add.cu").write_text("void f() { cudaMalloc(0, 1); }\n")
    (project / "setup.py").write_text("sources = ['add.cu']\n")
    out = ["--out", str(tmp_path / "ported"), "--mappings", str(shop.mappings)]
    assert call(["port", str(project), "-t", "toy", *out]) == 0
    capsys.readouterr()
    text = shown(tmp_path / "ported" / "toy", capsys)
    assert text.startswith("A project for toy, by the rules for PyTorch 2.6.0\n")
    assert "setup.py  add.cu" in text


@pytest.mark.parametrize(
    ("report", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        ("", ":1: is not a report: malformed JSON"),
        ('{"schema": 2}', ": is not a report: schema 2; this porter reads schema 1"),
        ('{"schema": 1}', ": is not a report: key 'words' is missing"),
        ("[]", ": is not a report: "),
    ],
)
def test_a_report_that_is_no_use(
    port: Path, capsys: Text, report: str | None, message: str
) -> None:
    place = port / "report.json"
    place.unlink()
    if report is not None:
        place.write_text(report)
    assert call(["report", str(port)]) == 4
    told = capsys.readouterr()
    assert f"{place}{message}" in told.err or f"{place}: {message}" in told.err
    assert told.out == ""


def test_bad_input(port: Path, capsys: Text) -> None:
    out = port.parent.parent
    assert call(["report", str(out)]) == 2
    assert capsys.readouterr().err == (
        f"error: {out}: holds no port (no manifest.json)\n  help: did you mean {port}?\n"
    )
    assert call(["report", str(port / "nothing")]) == 2
    assert "no such file or folder" in capsys.readouterr().err
    assert call(["report", str(port), "--reason", "boredom"]) == 2
    assert "'boredom' is not one of 'unmapped'" in capsys.readouterr().err
    assert call(["report", str(port), "--json", "--markdown"]) == 2


def test_the_things_to_do(port: Path, capsys: Text) -> None:
    out = shown(port, capsys)
    first = "  1. Add rules for 2 words that are unmapped (4 places): cudaOdd first."
    assert f"Next\n{first}\n     porter explain c10/toy/More.cpp:3\n" in out


def test_a_small_terminal_has_a_pager(
    port: Path, tmp_path: Path, capsys: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = shown(port, capsys)
    paged = tmp_path / "paged"
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {paged}\n")
    pager.chmod(0o755)
    for name, value in {
        "PAGER": str(pager),
        "TERM": "xterm",
        "COLUMNS": "200",
        "LINES": "10",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert shown(port, capsys) == ""
    text = paged.read_text()
    assert "\x1b[1m" in text
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == plain
    # A text that fits, or PAGER=cat, needs no pager.
    paged.unlink()
    monkeypatch.setenv("LINES", "1000")
    shown(port, capsys)
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("PAGER", "cat")
    shown(port, capsys)
    assert not paged.exists()
