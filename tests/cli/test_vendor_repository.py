"""A vendor's own repository: `porter target new --repo`, and commands that take their defaults from porter.toml."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from repository import ROOT
from workshop import UPSTREAM, write_files

from porter.cli.main import call
from porter.mapping import new_target, profile_file

Text = pytest.CaptureFixture[str]
HEADERS = "2.6.0-headers"
"""The made-up tree is marked as a header tree: no rule expects a number of hits in it."""
MARKER = {"kind": "header tree", "release": "2.6.0", "wheel": "w.whl", "sha256": "", "parts": {}}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    place = tmp_path / "pytorch"
    write_files(place, {**UPSTREAM, "header_tree.json": json.dumps(MARKER)})
    return place


@pytest.fixture
def repo(tmp_path: Path, tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: Text) -> Path:
    """New repository as the current folder; its release is available locally."""
    place = tmp_path / "port"
    assert call(["target", "new", "acme", "--repo", str(place), "--release", HEADERS]) == 0
    monkeypatch.chdir(place)
    monkeypatch.setenv("PORTER_TREES", f"{HEADERS}={tree}")
    monkeypatch.delenv("PORTER_MAPPINGS", raising=False)
    capsys.readouterr()
    return place


def files_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_the_files_of_a_repository(repo: Path) -> None:
    assert files_of(repo) == {
        ".github/workflows/port.yml",
        ".gitattributes",
        ".gitignore",
        "README.md",
        "locks/README.md",
        "mappings/acme/launch.yaml",
        "mappings/acme/overlays/README.md",
        "mappings/acme/target.yaml",
        "mappings/budget.yaml",
        "porter.toml",
    }


def test_commands_need_no_options(repo: Path, tree: Path, capsys: Text) -> None:
    assert call(["mapping", "check"]) == 0
    checked = capsys.readouterr().out
    assert "acme" in checked and "simt" not in checked

    assert call(["regenerate", "-j", "1"]) == 1
    assert f"acme {HEADERS}: has no lock" in capsys.readouterr().out
    assert call(["regenerate", "-j", "1", "--update"]) == 0
    assert (repo / "locks" / f"acme-{HEADERS}.lock.json").is_file()
    assert call(["regenerate", "-j", "1"]) == 0
    capsys.readouterr()

    assert call(["run", "--pytorch-src", str(tree), "--until", "port", "-j", "1"]) == 0
    memory = repo / "generated" / "acme" / HEADERS / "src/c10/acme/ACMEMemory.cpp"
    assert "acmeMalloc(&p, n);" in memory.read_text()
    capsys.readouterr()
    assert call(["mapping", "show", "cudaMalloc"]) == 0
    assert "acmeMalloc" in capsys.readouterr().out
    assert call(["explain", "cudaMalloc"]) == 0
    assert "acmeMalloc" in capsys.readouterr().out


def test_commands_work_in_a_folder_below(
    repo: Path, capsys: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo / "mappings" / "acme")
    assert call(["regenerate", "-j", "1", "--update"]) == 0
    assert (repo / "locks" / f"acme-{HEADERS}.lock.json").is_file()
    (repo / "mappings/acme/runtime.yaml").write_text("area: runtime\nrulez: []\n")
    assert call(["mapping", "check"]) == 3
    assert "error: ../../mappings/acme/runtime.yaml:" in capsys.readouterr().err


def test_a_command_line_has_the_last_word(
    repo: Path, tmp_path: Path, capsys: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call(["mapping", "show", "cudaMalloc", "--target", "simt"]) == 0
    assert "simtMalloc" in capsys.readouterr().out
    assert call(["target", "new", "other", "--mappings", str(tmp_path / "mine")]) == 0
    assert call(["mapping", "check", "--mappings", str(tmp_path / "mine"), "-t", "other"]) == 0
    capsys.readouterr()
    monkeypatch.setenv("PORTER_MAPPINGS", str(tmp_path / "mine"))
    # The target of porter.toml is not in these mappings.
    assert call(["mapping", "show", "cudaMalloc"]) == 2
    assert "unknown target 'acme'" in capsys.readouterr().err


def test_drift_is_found(repo: Path, capsys: Text) -> None:
    assert call(["regenerate", "-j", "1", "--update"]) == 0
    profile = repo / "mappings/acme/target.yaml"
    profile.write_text(profile.read_text().replace("runtime: acme ", "runtime: acm "))
    capsys.readouterr()
    assert call(["regenerate", "-j", "1"]) == 1
    assert f"acme {HEADERS}: differs from its lock" in capsys.readouterr().out


def test_a_second_target_joins_the_repository(repo: Path, capsys: Text) -> None:
    assert call(["target", "new", "other"]) == 0
    assert (repo / "mappings/other/target.yaml").is_file()


def test_nothing_is_overwritten(repo: Path, tmp_path: Path, capsys: Text) -> None:
    before = {name: (repo / name).read_bytes() for name in files_of(repo)}
    assert call(["target", "new", "acme", "--repo", str(repo)]) == 2
    told = capsys.readouterr().err
    assert all(
        f"error: {repo / name}: exists already" in told for name in ("porter.toml", "README.md")
    )
    assert {name: (repo / name).read_bytes() for name in files_of(repo)} == before

    begun = tmp_path / "begun"
    write_files(begun, {"README.md": "mine", "LICENSE": "mine"})
    assert call(["target", "new", "acme", "--repo", str(begun)]) == 2
    assert capsys.readouterr().err.count("error:") == 1
    assert files_of(begun) == {"README.md", "LICENSE"}
    (begun / "README.md").unlink()
    assert call(["target", "new", "acme", "--repo", str(begun)]) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--workflows", "porter"], "'porter' is not a GitHub repository"),
        (["--release", "newest"], "'newest' is not a PyTorch release"),
        (["--device", "cuda"], "device name 'cuda' is reserved by c10"),
        (["--from", "smit"], "unknown target 'smit'"),
    ],
)
def test_bad_options_leave_nothing(
    tmp_path: Path, capsys: Text, options: list[str], message: str
) -> None:
    place = tmp_path / "port"
    assert call(["target", "new", "acme", "--repo", str(place), *options]) == 2
    assert message in capsys.readouterr().err
    assert not place.exists()


def test_the_workflow_calls_porters(tmp_path: Path) -> None:
    place = tmp_path / "port"
    workflows = ["--workflows", "acme/porter@v3"]
    assert call(["target", "new", "acme", "--repo", str(place), *workflows]) == 0
    workflow = yaml.safe_load((place / ".github/workflows/port.yml").read_text())
    (job,) = workflow["jobs"].values()
    assert job["uses"] == "acme/porter/.github/workflows/regenerate.yml@v3"
    assert job["with"] == {"porter": "porter @ git+https://github.com/acme/porter@v3"}


def test_the_reusable_workflow_reports_drift(repo: Path, tmp_path: Path) -> None:
    """Steps of the workflow, executed like a runner does after the installation of porter."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/regenerate.yml").read_text())
    # YAML 1.1 reads the key `on` as a truth value.
    inputs = workflow[True]["workflow_call"]["inputs"]
    called = yaml.safe_load((repo / ".github/workflows/port.yml").read_text())
    (call_of,) = called["jobs"].values()
    assert set(call_of["with"]) <= set(inputs)
    assert {name for name, one in inputs.items() if one.get("required")} <= set(call_of["with"])

    (job,) = workflow["jobs"].values()
    _, command, summary = [step["run"] for step in job["steps"] if "run" in step]
    bin = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    page = tmp_path / "summary.md"
    env = {**os.environ, "PATH": bin, "ARGUMENTS": "-j 1", "GITHUB_STEP_SUMMARY": str(page)}
    done = subprocess.run(command, shell=True, env=env, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    subprocess.run(summary, shell=True, env=env, check=True)
    assert f"| acme | {HEADERS} | 3 | 9 | has no lock |" in page.read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("targets = [", "is not TOML"),
        (f"out = {'9' * 5000}", "is not TOML"),
        ("target = 'acme'", "unknown key 'target'\n  help: did you mean 'targets'?"),
        ("targets = 'acme'", "'targets' must be a list of texts"),
        ("locks = ['locks']", "'locks' must be a path"),
        ("releases = ['v2']", "'v2' is not a PyTorch release"),
        ('mappings = ["a\\u0000b"]', "'mappings' contains a control character"),
        ('locks = "a\\u001bb"', "'locks' contains a control character"),
        ("mappings = ['gone']", "gone: the mapping folder does not exist"),
    ],
)
def test_a_wrong_project_file(repo: Path, capsys: Text, text: str, message: str) -> None:
    (repo / "porter.toml").write_text(text)
    assert call(["regenerate"]) == 2
    assert message in capsys.readouterr().err


def test_a_library_that_the_profile_leaves_out_is_unsupported(repo: Path, capsys: Text) -> None:
    profile = repo / "mappings/acme/target.yaml"
    left_out = ("fft", "nvtx")
    lines = profile.read_text().splitlines()
    kept = [line for line in lines if line.strip().partition(":")[0] not in left_out]
    assert len(kept) == len(lines) - len(left_out)
    profile.write_text("\n".join(kept))
    assert call(["mapping", "check"]) == 0
    capsys.readouterr()
    assert call(["mapping", "show", "cufftExecC2C", "nvtxRangePop", "--json"]) == 0
    shown = capsys.readouterr().out
    assert 'ExecC2C"' not in shown.replace("cufftExecC2C", "")
    for area in left_out:
        assert f"the profile of acme names no library for {area}" in shown


def test_a_new_profile_speaks_of_every_library_with_a_prefix() -> None:
    assert set(new_target._BY_PREFIX) == set(profile_file.PREFIXED)
