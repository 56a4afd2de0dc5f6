"""Fixtures of the tests of `simtcc`, the compiler driver with nvcc's command line for target `simt`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from simt_programs import libsimt
from simtcc_project import Simtcc


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def simtcc(tmp_path: Path, cache: Path) -> Simtcc:
    """Run simtcc in the test's folder, with the checkout's libsimt.so."""
    program = "from porter.toolkit.program import simtcc; simtcc()"
    told = {"PORTER_SIMT_RUNTIME": str(libsimt().parent)}

    def run(*arguments: str, cache: Path = cache) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-c", program, *arguments]
        environment = {**os.environ, **told, "PORTER_CACHE": str(cache)}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    return run
