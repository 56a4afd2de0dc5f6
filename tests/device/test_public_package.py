"""Unmodified packages of the index, written for CUDA, are built by one command and give right results."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
SORTED = """
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
ASSIGNED = """
import importlib.util, itertools, os, torch
# The package's Python files import scipy. Its library needs nothing.
folder = importlib.util.find_spec("torch_linear_assignment").submodule_search_locations[0]
(library,) = (f"{folder}/{name}" for name in os.listdir(folder) if name.startswith("_backend."))
spec = importlib.util.spec_from_file_location("_backend", library)
backend = importlib.util.module_from_spec(spec)
spec.loader.exec_module(backend)
assert backend.has_cuda()
for dtype in (torch.float32, torch.float64):
    costs = torch.randint(0, 1000, (8, 4, 6), generator=torch.Generator().manual_seed(0)).to(dtype)
    matching, _ = backend.batch_linear_assignment(costs.cuda())
    assert matching.is_cuda
    for cost, columns in zip(costs, matching.cpu().long()):
        ways = itertools.permutations(range(6), 4)
        least = min(sum(cost[row, column].item() for row, column in enumerate(one)) for one in ways)
        assert len(set(columns.tolist())) == 4
        assert cost[torch.arange(4), columns].sum().item() == least
"""
PACKAGES = {"torchsort==0.1.10": SORTED, "torch-linear-assignment==0.0.4": ASSIGNED}
"""Maps a package to a program that checks results on the device.

The kernels of each package are in one source, so that a build takes a minute; docs/extensions.md lists larger packages.
"""


@pytest.fixture(params=PACKAGES)
def package(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def sdist(package: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-build-isolation"]
    command = [*pip, "--no-binary", ":all:", "--dest", str(folder), package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "No matching distribution" in done.stderr:
        pytest.skip(f"the package index has no {package}")
    assert done.returncode == 0, done.stderr
    return next(folder.iterdir())


def test_a_public_package_is_built_and_right(package: str, sdist: Path, tmp_path: Path) -> None:
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
    script.write_text(PACKAGES[package], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "torch_simt.as_cuda", str(script)],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
