"""Code shared by the scripts that write tables: layout, comparison, names decided in YAML, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from repository import ROOT

from mapping_tables import by_hand, command, cpp_words, inventory, layout
from mapping_tables.errors import PlanError, TableError

SCRIPTS = ROOT / "build_scripts"
TABLE = {
    "area": "runtime",
    "source": "a header",
    "rules": [
        {"names": {"cudaFree": "xFree", "cudaMalloc": "xMalloc"}, "in": ["code", "condition"]},
        {"names": ["float4"]},
        {"names": ["cudaGone"], "status": "unsupported", "note": 'says "no"'},
        {"qualified": "cub::Sum", "replace": "xub::Sum"},
    ],
}


@pytest.mark.parametrize("between", [" ", "\n"])
def test_a_table_has_a_name_to_a_line(between: str) -> None:
    text = layout.text_of(TABLE, between)
    assert json.loads(text) == TABLE
    assert list(json.loads(text)["rules"][2]) == ["names", "status", "note"]
    lines = text.splitlines()
    for name in ('"cudaFree": "xFree",', '"cudaMalloc": "xMalloc"', '"float4"', '"cudaGone"'):
        assert lines.count(f"  {name}") == 1
    assert text.endswith("}\n")
    assert [line.startswith(('{"area"', '"area"')) for line in lines].index(True) == (
        0 if between == " " else 1
    )


def test_delivered_are_these_tables_and_no_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tables"
    tables = {"a.json": "1\n", "b.json": "2\n"}
    assert command.deliver(folder, tables, check=True) == 1
    assert not folder.exists()
    assert command.deliver(folder, tables, check=False) == 0
    (folder / "b.json").write_text("3\n")
    (folder / "old.json").write_text("4\n")
    capsys.readouterr()
    assert command.deliver(folder, tables, check=True) == 1
    assert capsys.readouterr().err == "b.json: differs\nold.json: differs\n"
    same = (folder / "a.json").stat().st_mtime_ns
    assert command.deliver(folder, tables, check=False) == 0
    assert {path.name: path.read_text() for path in folder.iterdir()} == tables
    assert (folder / "a.json").stat().st_mtime_ns == same
    assert command.deliver(folder, tables, check=True) == 0


RULES = """\
rules:
  - {name: cudaFlow, note: in braces}
  - macro: no
  - names: [cudaA,  # a comment
      cudaB]
  - names:
      cudaC: xC
  - family: nv\\w+
  - include: cuda.h
"""


def test_what_yaml_decides(tmp_path: Path) -> None:
    (tmp_path / "runtime.yaml").write_text(RULES)
    (tmp_path / "target.yaml").write_text("names: {lower: x}\n")
    hand = by_hand.read(tmp_path)
    assert hand.names == {"cudaFlow", "no", "cudaA", "cudaB", "cudaC"}
    assert "nvThing" in hand and "cudaB" in hand
    assert "cuda.h" not in hand and "thing_nvThing" not in hand
    (tmp_path / "odd.yaml").write_text("rules: [\n")
    with pytest.raises(PlanError, match=r"odd\.yaml"):
        by_hand.read(tmp_path)


def test_words_of_a_header() -> None:
    text = '#include <a.h>\n/* b */ int c = d("e"); // f\n'
    assert cpp_words.words(text) == {"include", "a", "h", "int", "c", "d"}


def test_names_of_an_inventory(tmp_path: Path) -> None:
    (tmp_path / "cuda").mkdir()
    path = tmp_path / "cuda" / "inventory.json"
    areas = {"cub": {"types": ["Sum"], "macros": ["CUB_VERSION"]}, "math": {"functions": ["cosf"]}}
    data = {"cuda": "12.4", "areas": areas, "namespaces": {"z": ["Sum"], "cub": ["Sum"]}}
    path.write_text(json.dumps(data))
    names = inventory.read(tmp_path)
    assert names.names("cub") == ["CUB_VERSION", "Sum"]
    assert names.area_of == {"CUB_VERSION": "cub", "Sum": "cub", "cosf": "math"}
    assert names.macros == {"CUB_VERSION"}
    assert names.namespaces_of == {"Sum": ["cub", "z"]}
    for broken in ("{", "[]", '{"areas": {}}', '{"cuda": "1", "areas": [], "namespaces": {}}'):
        path.write_text(broken)
        with pytest.raises(TableError, match="is no inventory"):
            inventory.read(tmp_path)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (TableError("no wheel", "download it"), 4, "error: no wheel\n  help: download it\n"),
        (PlanError("twice"), 3, "error: twice\n"),
        (FileNotFoundError(2, "No such file", "x.json"), 4, "error: x.json: No such file\n"),
        (KeyboardInterrupt(), 130, "error: interrupted\n"),
    ],
)
def test_how_a_script_ends(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(options: Namespace) -> int:
        assert options.check
        raise error

    assert command.run(fails, command.Parser("what it does"), ["--check"]) == code
    assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("cuda_inventory.py", ("names that CUDA 12.4's headers declare", "pip downloads", "libcl")),
        (
            "import_hipify.py",
            ("tables of target hip", "Nothing is downloaded", "PyYAML are required"),
        ),
        (
            "import_musa.py",
            ("tables of target musa", "downloads nothing", "PyYAML", "muAlg 5ffbaa4"),
        ),
        ("simt_tables.py", ("target simt", "downloads nothing", "needs only Python")),
    ],
)
def test_a_script_says_what_it_is_and_what_it_takes(
    script: str, told: tuple[str, ...], tmp_path: Path
) -> None:
    """Without additional packages, a script reports a missing package only when the package is needed."""
    link = tmp_path / script
    link.symlink_to(SCRIPTS / script)

    def run(*arguments: str) -> tuple[int, str, str]:
        argv = [sys.executable, "-S", str(link), *arguments]
        done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for words in told:
        assert words in out
    code, out, err = run("--chekc")
    assert (code, out) == (2, "")
    reason, help = err.splitlines()
    assert reason.startswith("error: ") and help == f"  help: {script} --help lists the options"
