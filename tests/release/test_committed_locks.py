"""Ports of each release for each target equal the committed lock files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT


@pytest.mark.release
def test_the_ports_are_what_the_locks_say(releases: dict[str, Path], tmp_path: Path) -> None:
    expected = {
        f"{target}-{release}.lock.json"
        for target in ("hip", "maca", "musa", "simt")
        for release in releases
    }
    assert expected <= {path.name for path in (ROOT / "generated").glob("*.lock.json")}
    which = [argument for release in releases for argument in ("--release", release)]
    for release, tree in releases.items():
        which += ["--tree", f"{release}={tree}"]
    locks = ["--locks", str(ROOT / "generated"), "--out", str(tmp_path / "out")]
    done = subprocess.run(
        [sys.executable, "-m", "porter", "regenerate", *which, *locks],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
