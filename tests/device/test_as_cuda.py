"""Programs written for CUDA run unchanged on the device (docs/as-cuda.md): the programs of `written_for_cuda/`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")
pytestmark = pytest.mark.slow

PROGRAMS = Path(__file__).resolve().parent / "written_for_cuda"


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )


def test_programs() -> None:
    files = [str(PROGRAMS / f"{name}.py") for name in ("modules", "tensors", "compiled")]
    options = ("-q", "-p", "no:cacheprovider", "-W", "error::pytest.PytestCollectionWarning")
    done = python("-m", "pytest", *options, *files, TORCH_SIMT_AS_CUDA="1")
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr


def test_a_script_trains_on_the_device(tmp_path: Path) -> None:
    script, checkpoint = str(PROGRAMS / "train_mnist.py"), str(tmp_path / "model.pt")
    done = python("-m", "torch_simt.as_cuda", script, "--epochs", "6", checkpoint)
    assert done.returncode == 0, done.stderr
    found = re.fullmatch(r"device cuda:0, first ([\d.]+), last ([\d.]+)\n", done.stdout)
    assert found and float(found[2]) < 0.5 * float(found[1]), done.stdout


VISIBLE = {
    ("1", None): "1",
    ("", None): "0",
    # The variable of CUDA precedes the target's variable.
    ("0,1", "1"): "2",
    (None, "1"): "1",
}
"""Maps CUDA_VISIBLE_DEVICES and SIMT_VISIBLE_DEVICES to the number of devices, of two, that the program sees."""


@pytest.mark.parametrize("values", VISIBLE, ids=str)
def test_visible_devices(values: tuple[str | None, str | None]) -> None:
    names = ("CUDA_VISIBLE_DEVICES", "SIMT_VISIBLE_DEVICES")
    chosen = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    program = "import torch; print(torch.cuda.device_count())"
    done = python("-c", program, TORCH_SIMT_AS_CUDA="1", SIMT_DEVICE_COUNT="2", **chosen)
    assert done.stdout.strip() == VISIBLE[values], done.stderr


MISTAKES = {
    (): "error: a script or a module is missing\n  help: usage: python -m torch_simt.as_cuda",
    ("-m", "absent_module"): "error: the module cannot be run: No module named absent_module",
}


@pytest.mark.parametrize("arguments", MISTAKES, ids=str)
def test_wrong_arguments(arguments: tuple[str, ...]) -> None:
    done = python("-m", "torch_simt.as_cuda", *arguments)
    assert done.returncode == 2 and done.stderr.startswith(MISTAKES[arguments]), done.stderr
