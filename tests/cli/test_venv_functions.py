"""Functions of build_scripts/venv.sh, with a program in place of pip."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from repository import ROOT

PIP = """#!/bin/sh
echo "$@" >>calls
[ "$(wc -l <calls)" -gt FAILURES ]
"""


def pip_install(folder: Path, failures: int) -> subprocess.CompletedProcess[str]:
    """Run pip_install with a pip that fails `failures` times. It writes its arguments to `folder`/calls."""
    python = folder / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(PIP.replace("FAILURES", str(failures)))
    python.chmod(0o755)
    script = f"sleep() {{ :; }}; source {ROOT}/build_scripts/venv.sh; pip_install Torch 'torch==2.6.0' numpy"
    return subprocess.run(
        ["bash", "-euc", script], cwd=folder, text=True, capture_output=True, timeout=30
    )


@pytest.mark.parametrize("failures", [0, 1, 2])
def test_pip_runs_again_after_a_failure(tmp_path: Path, failures: int) -> None:
    ran = pip_install(tmp_path, failures)
    assert ran.returncode == 0, ran.stderr
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls == ["-m pip install --quiet torch==2.6.0 numpy"] * (failures + 1)
    assert ran.stderr.count("pip could not install Torch; attempt") == failures


def test_the_third_failure_ends_the_script_with_advice(tmp_path: Path) -> None:
    ran = pip_install(tmp_path, 3)
    assert ran.returncode == 4
    assert len((tmp_path / "calls").read_text().splitlines()) == 3
    assert ran.stderr.endswith(
        "error: pip could not install Torch\n  help: correct the error that pip reports above, then run this again\n"
    )
