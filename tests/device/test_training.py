"""Training examples on the device: losses as on the CPU, no fallback, and a picture of both curves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")
TRAIN = Path(__file__).resolve().parents[2] / "examples" / "train"


@pytest.mark.parametrize(("name", "steps"), [("mlp", 40), ("cnn", 20), ("transformer", 5)])
def test_the_device_learns_as_the_cpu_does(name: str, steps: int, tmp_path: Path) -> None:
    picture = tmp_path / f"{name}.png"
    command = [sys.executable, str(TRAIN / f"{name}.py"), "--steps", str(steps)]
    done = subprocess.run(
        [*command, "--picture", str(picture)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ops that fell back to the CPU: none" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
