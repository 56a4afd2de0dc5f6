"""`porter doctor`: checks of the machine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from repository import TEST_MAPPINGS
from workshop import UPSTREAM, write_files

from porter.cli.main import call

Doctor = Callable[..., tuple[int, dict[str, dict[str, Any]]]]


@pytest.fixture
def doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Doctor:
    """Exit code, and the checks by name."""
    monkeypatch.chdir(tmp_path)

    def run(
        *args: str | Path, mappings: Path = TEST_MAPPINGS
    ) -> tuple[int, dict[str, dict[str, Any]]]:
        command = ["doctor", "-t", "toy", "--mappings", str(mappings), "--json"]
        code = call([*command, *map(str, args)])
        data = json.loads(capsys.readouterr().out)
        assert data["ok"] == (code == 0)
        return code, {check["name"]: check for check in data["checks"]}

    return run


def test_a_machine_that_has_all(doctor: Doctor, tmp_path: Path) -> None:
    write_files(tmp_path / "pytorch", UPSTREAM)
    code, checks = doctor("--pytorch-src", "pytorch", "--out", "out")
    assert code == 0
    for name in ("python", "packages", "shipped mappings", "target toy", "cache", "output"):
        assert checks[name]["state"] == "ok", checks[name]
    assert checks["pytorch"]["text"] == "2.6.0 at pytorch"
    assert checks["selection for toy"]["text"] == "3 files"
    assert not Path("out").exists()


def test_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["doctor", "-t", "toy", "--mappings", str(TEST_MAPPINGS)]
    code = call([*command, "--out", str(tmp_path), "--pytorch-src", str(tmp_path / "none")])
    out = capsys.readouterr().out
    assert code == 1
    assert "fail  pytorch" in out
    assert "help: give the root of a PyTorch source tree" in out
    assert "ok    python" in out
    counts = [out.count("\nfail "), out.count("\nwarn ")]
    last = out.splitlines()[-1]
    assert last.endswith(
        f", {sum(counts)} problem{'' if sum(counts) == 1 else 's'}: {counts[0]} fail, {counts[1]} warn"
    )


def test_all_targets_are_looked_at(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call(["doctor", "--mappings", str(TEST_MAPPINGS), "--out", str(tmp_path), "--json"])
    names = [check["name"] for check in json.loads(capsys.readouterr().out)["checks"]]
    looked_at = {name for name in names if name.startswith("target ")}
    assert {"target toy", "target simt", "target musa", "target hip"} <= looked_at


def test_malformed_mappings(doctor: Doctor, tmp_path: Path) -> None:
    shutil.copytree(TEST_MAPPINGS / "toy", tmp_path / "mine" / "toy")
    text = "area: x\nrules:\n  - {nam: a}\n  - {name: b, c: d}\n"
    write_files(tmp_path, {"mine/toy/x.yaml": text})
    code, checks = doctor(mappings=tmp_path / "mine")
    assert code == 1
    check = checks["target toy"]
    assert check["state"] == "fail"
    assert check["text"].startswith("toy/x.yaml:3: the rule has no kind")
    assert "(2 problems)" in check["text"]
    assert check["help"] == "porter mapping check --target toy"


def test_an_output_that_is_a_file(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    code, checks = doctor("--out", "out")
    assert code == 1
    assert checks["output"]["state"] == "fail"
    assert checks["output"]["help"] == "choose another --out"


def test_an_output_that_cannot_be_written(doctor: Doctor) -> None:
    code, checks = doctor("--out", "/proc/porter")
    assert code == 1
    assert "cannot be written" in checks["output"]["text"]


def test_a_cache_that_cannot_be_written_is_done_without(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_CACHE", "/proc/porter")
    code, checks = doctor()
    assert code == 0
    assert checks["cache"]["state"] == "warn"
    assert checks["cache"]["help"] == "set PORTER_CACHE"


def test_little_room(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda place: usage._replace(free=1_000_000))
    code, checks = doctor()
    assert code == 1
    assert checks["output"]["state"] == "fail"
    assert checks["output"]["help"].startswith("free 200 MB")
    assert checks["cache"]["state"] == "warn"


def test_tools_that_are_not_there(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setenv("CXX", "ownc++ -m64")
    code, checks = doctor()
    # A port can be made without them.
    assert code == 0
    assert (checks["git"]["state"], checks["compiler"]["state"]) == ("warn", "warn")
    assert "CXX=ownc++" in checks["compiler"]["text"]


def test_what_a_killed_run_left(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "out/toy/.2.6.0.staging").mkdir(parents=True)
    write_files(tmp_path, {"out/toy/1.13.1/manifest.json": "{}"})
    _, checks = doctor("--out", "out")
    assert "out/toy/.2.6.0.staging belongs to a run that is active or was killed" in str(
        checks["ports"]
    )


def test_a_tree_that_is_none(doctor: Doctor, tmp_path: Path) -> None:
    code, checks = doctor("--pytorch-src", tmp_path)
    assert code == 1
    assert checks["pytorch"]["state"] == "fail"
    assert "looked for version.txt" in checks["pytorch"]["help"]


def test_a_release_that_is_not_known(doctor: Doctor, tmp_path: Path) -> None:
    write_files(tmp_path / "pytorch", {**UPSTREAM, "version.txt": "2.99.0\n"})
    code, checks = doctor("--pytorch-src", "pytorch")
    assert code == 0
    assert checks["pytorch"]["state"] == "warn"


def test_an_unknown_target(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["doctor", "-t", "toi", "--mappings", str(TEST_MAPPINGS)]) == 2
    assert "did you mean 'toy'?" in capsys.readouterr().err


@pytest.mark.release
def test_a_real_tree(doctor: Doctor, release_tree: Path) -> None:
    code, checks = doctor("--pytorch-src", release_tree)
    assert code == 0
    assert checks["pytorch"]["state"] == "ok"
    assert int(checks["selection for toy"]["text"].split()[0]) > 450


def test_the_compiler_is_the_one_that_the_profile_names(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CXX", raising=False)
    _, checks = doctor()
    check = checks["compiler of toy"]
    assert (check["state"], check["text"]) == ("warn", "'toycc' is not found")
    assert "CXX" in check["help"]
    monkeypatch.setenv("CXX", "g++")
    assert doctor()[1]["compiler of toy"]["state"] == "ok"
    monkeypatch.setenv("CXX", " ")
    assert doctor()[1]["compiler of toy"]["state"] == "warn"


@pytest.mark.parametrize("name", ["n" * 300, "loop", "file/below"])
def test_a_cache_that_cannot_be_used(
    doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").touch()
    monkeypatch.setenv("PORTER_CACHE", name)
    code, checks = doctor()
    assert (code, checks["cache"]["state"]) == (0, "warn")
