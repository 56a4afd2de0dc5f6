"""Front-end check of ported packages (`build_scripts/port_sources.py`): include folders, rejected sources."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from port_sources import FrontEnd, include_folders
from porter.cli.main import call


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Package with a header in another folder, a macro of its build file, and a source with an error."""
    texts = {
        "csrc/include/sum/sum.h": "template <class T> T sum(T a, T b) { return a + b; }\n",
        "csrc/kernels/good.cu": "#include <sum/sum.h>\nint three() { return sum(ONE, 2); }\n",
        "csrc/kernels/bad.cu": '#include "good.cu"\nint four() { return missing; }\n',
        "csrc/host.cpp": "int five() { return missing; }\n",
    }
    for name, text in texts.items():
        path = tmp_path / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "package"


def test_include_folders_are_those_that_directives_need(package: Path) -> None:
    assert include_folders(package) == [package / "csrc/include"]


def test_messages_name_the_rejected_cuda_sources(package: Path, tmp_path: Path) -> None:
    compiler = shutil.which("g++") or pytest.skip("g++ is not installed")
    assert call(["port", str(package), "--target", "hip", "--out", str(tmp_path / "out")]) == 0
    header = tmp_path / "sdk/hip/hip_runtime.h"
    header.parent.mkdir(parents=True)
    header.touch()
    check = FrontEnd([compiler], ("-x", "c++", "-Isdk"), tmp_path, ())
    done = check.check(tmp_path / "out/hip", ["ONE=1"], 1)
    assert done.accepted == 1
    assert list(done.messages) == ["csrc/kernels/bad.cu"]
    assert "missing" in done.messages["csrc/kernels/bad.cu"]
