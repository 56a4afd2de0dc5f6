"""`porter release prove` on header trees of real wheels."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from release_trees import header_tree

from porter.base.errors import SourceError, UsageError
from porter.cli.main import cli
from porter.cli.release import release as command
from porter.model.versions import version
from porter.release import known
from porter.vendor_repository import release_trees

MOVED = {
    "2.8.0": set(),
    "2.9.1": {"macros/Macros.h", "util/BFloat16.h", "util/Half.h"},
    "2.14.1": {
        *("macros/Macros.h", "util/BFloat16.h", "util/Half.h", "util/NumericUtils.h"),
        *(
            "core/TensorAccessor.h",
            "musa/Atomic.h",
            "musa/KernelUtils.h",
            "musa/detail/ROCmMacros.h",
        ),
    },
}
"""Release -> headers of torch/headeronly in a port of the release to musa."""
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("release", MOVED)
def test_a_release_ports_and_registers_with_no_name_left(release: str, tmp_path: Path) -> None:
    tree = header_tree(release)
    words = ["prove", release, "--target", "musa", "--tree", f"{release}={tree}", "--json"]
    done = CliRunner().invoke(command, [*words, "--out", str(tmp_path)])
    (proof,) = json.loads(done.stdout)["proofs"]
    assert proof["problems"] == []
    assert (proof["unmapped"], proof["ambiguous"]) == (0, 0)
    assert proof["registered"] > 0.9 * proof["operators"] > 1000
    headeronly = tmp_path / f"musa/{release}-headers/src/torch/headeronly"
    found = {str(path.relative_to(headeronly)) for path in headeronly.rglob("*.h")}
    assert found == MOVED[release]


@pytest.fixture
def older_porter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-in for a porter that knows no release after 2.13."""
    releases = known.read()
    older = tuple(one for one in releases.releases if version(one.release) < (2, 14))
    monkeypatch.setattr(known, "read", lambda: releases._replace(releases=older))


@pytest.mark.usefixtures("older_porter")
def test_an_unknown_release_is_proven_by_the_newest_rules_with_a_warning(tmp_path: Path) -> None:
    tree = header_tree("2.14.1")
    words = ["prove", "2.14.1", "-t", "musa", "--tree", f"2.14.1={tree}", "--out", str(tmp_path)]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0
    assert "2.14.1 is not a known release (newest: 2.13.0); using the newest rules" in done.stderr
    assert "kernels, wheel and operators are unchecked" in done.stderr
    assert "0 unmapped, 0 ambiguous" in done.stdout


@pytest.mark.usefixtures("older_porter")
def test_the_facts_of_an_unknown_release_come_from_its_header_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trees = {"2.14.1-headers": header_tree("2.14.1")}
    monkeypatch.setattr(release_trees, "cached", trees.get)
    done = CliRunner().invoke(command, ["show", "2.14.1"])
    assert done.exit_code == 0
    assert "20" in done.stdout and "13.0" in done.stdout and "nothing is proven" in done.stdout
    assert "porter upgrade 2.13.0 2.14.1" in done.stdout
    assert "2.14.1 is not a known release" in done.stderr
    error = CliRunner().invoke(command, ["show", "2.99.0"]).exception
    assert isinstance(error, UsageError)
    assert "porter release fetch 2.99.0-headers" in error.problems[0].help


def test_a_release_before_the_hooks_of_the_key_is_not_built(tmp_path: Path) -> None:
    tree = tmp_path / "pytorch"
    shutil.copytree(header_tree("2.6.0"), tree, symlinks=True)
    for name in ("version.txt", "torch/version.py"):
        place = tree / name
        place.write_text(place.read_text().replace("2.6.0", "2.0.1"))
    marker = tree / "header_tree.json"
    marker.write_text(marker.read_text().replace("2.6.0", "2.0.1"))
    words = ["run", "--pytorch-src", str(tree), "--out", str(tmp_path / "out"), "--keep-going"]
    error = CliRunner().invoke(cli, [*words, "--until", "build"]).exception
    assert isinstance(error, SourceError) and error.code == 4
    assert "the backend compiles for 2.1 and later releases" in error.problems[0].text
    assert "--until register" in error.problems[0].help
