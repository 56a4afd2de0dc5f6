"""A header tree from the package index that this machine's pip is configured with, held against the sources."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from machine import SCRIPT

from porter.cli.main import call
from porter.release import facts, known

pytestmark = pytest.mark.release
RELEASE = "2.6.0"
MADE_HERE = {"header_tree.json", "version.txt", "torch/version.py"}
"""Files of a header tree that sources lack or have in another form."""


@pytest.fixture(scope="module")
def headers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The header tree of RELEASE; the tests are skipped where no index of pip's answers."""
    cache = tmp_path_factory.mktemp("headers")
    argv = [sys.executable, str(SCRIPT), RELEASE, "--from", "wheel", "--cache", str(cache)]
    done = subprocess.run(argv, env=os.environ, capture_output=True, text=True, check=False)
    if done.returncode == 4 and "does not answer" in done.stderr:
        pytest.skip(f"no package index: {done.stderr}")
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def test_every_file_is_the_one_of_the_sources(headers: Path, releases: dict[str, Path]) -> None:
    if RELEASE not in releases:
        pytest.skip(f"PORTER_TEST_RELEASES does not name {RELEASE}")
    files = [path for path in headers.rglob("*") if path.is_file()]
    names = {path.relative_to(headers).as_posix() for path in files} - MADE_HERE
    different = {
        name
        for name in names
        if not (releases[RELEASE] / name).is_file()
        or (releases[RELEASE] / name).read_bytes() != (headers / name).read_bytes()
    }
    assert len(names) > 1700
    assert not different


def test_the_listed_facts_are_those_of_the_wheel(headers: Path) -> None:
    listed = known.read().find(RELEASE)
    assert listed
    assert facts.read(headers)._replace(wheel="") == listed.facts._replace(wheel="")


@pytest.mark.parametrize("target", ["simt", "musa", "hip"])
def test_a_header_tree_ports_without_findings(headers: Path, target: str, tmp_path: Path) -> None:
    where = ["--pytorch-src", str(headers), "--target", target, "--out", str(tmp_path)]
    assert call(["run", *where, "--until", "port"]) == 0


def test_operators_are_registered_from_a_header_tree(headers: Path, tmp_path: Path) -> None:
    where = ["--pytorch-src", str(headers), "--target", "simt", "--out", str(tmp_path)]
    assert call(["run", *where, "--until", "register"]) == 0
    assert (tmp_path / "simt" / f"{RELEASE}-headers" / "register" / "ops.json").is_file()
