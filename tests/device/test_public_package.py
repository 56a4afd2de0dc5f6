"""An unmodified package of the index, written for CUDA, is built by one command and gives the CPU's results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
PACKAGE = "torchsort==0.1.10"
"""Its kernel has one source, so that the build takes a minute; docs/extensions.md lists larger packages."""
PROGRAM = """
import torch, torchsort
numbers = torch.randn(8, 50, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
for sort in (torchsort.soft_rank, torchsort.soft_sort):
    for regularization in ("l2", "kl"):
        results = []
        for device in ("cpu", "cuda"):
            x = numbers.clone().to(device).requires_grad_()
            y = sort(x, regularization=regularization, regularization_strength=0.5)
            assert y.is_cuda == (device == "cuda")
            y.square().sum().backward()
            results.append((y.detach().cpu(), x.grad.cpu()))
        torch.testing.assert_close(results[1], results[0])
"""


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-build-isolation"]
    command = [*pip, "--no-binary", ":all:", "--dest", str(folder), PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "No matching distribution" in done.stderr:
        pytest.skip(f"the package index has no {PACKAGE}")
    assert done.returncode == 0, done.stderr
    return next(folder.iterdir())


def test_a_public_package_is_built_and_right(sdist: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "porter", "extension", "build", str(sdist)]
    built = subprocess.run(
        [*command, "--target", "simt", "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("*/*.whl")
    site = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*pip, str(wheel)], check=True, stdout=subprocess.DEVNULL)
    script = tmp_path / "program.py"
    script.write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "torch_simt.as_cuda", str(script)],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
