"""`pip install` of a package written for CUDA, with the backend's toolkit in place of CUDA's (docs/extensions.md)."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from clipping import CHECK, WRONG_KERNEL, WRONG_LINE, write_sdist

pytestmark = pytest.mark.slow
PIP = ["-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "--no-cache-dir"]


def installing(sdist: Path, site: Path, cache: Path) -> subprocess.Popen[str]:
    """Running installation of a package into the folder `site`."""
    environment = {**os.environ, "TORCH_SIMT_AS_CUDA_TOOLKIT": "1", "PORTER_CACHE": str(cache)}
    return subprocess.Popen(
        [sys.executable, *PIP, "--target", str(site), str(sdist)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_two_installations_at_once_and_a_cut_cache(tmp_path: Path) -> None:
    cache, sites = tmp_path / "cache", [tmp_path / "right", tmp_path / "wrong"]
    sdists = [write_sdist(tmp_path / "a"), write_sdist(tmp_path / "b", WRONG_KERNEL)]
    running = [installing(sdist, site, cache) for sdist, site in zip(sdists, sites, strict=True)]
    right, wrong = (one.communicate()[0] for one in running)
    assert [one.returncode for one in running] == [0, 1], right + wrong
    assert f"csrc/clip.cu:{WRONG_LINE}:" in wrong
    assert f"csrc/clip.cu:{WRONG_LINE}: note: porter: cudaMalloc became simtMalloc (simt/" in wrong
    assert not list(sites[1].glob("clipping*"))

    program = f"import torch, clipping as module\nDEVICE = 'simt'\n{CHECK}"
    environment = {**os.environ, "PYTHONPATH": str(sites[0])}
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=False)
    assert done.returncode == 0

    cut(cache)
    environment = {**os.environ, "PORTER_CACHE": str(cache)}
    command = [sys.executable, "-m", "porter", "toolkit", "--target", "simt", "--torch"]
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    kernel = tmp_path / "a/clipping-1.0/csrc/clip.cu"
    include = f"-I{sysconfig.get_path('include')}"
    command = [f"{made.stdout.strip()}/bin/nvcc", include, "-c", str(kernel), "-o", "clip.o"]
    compiled = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (compiled.returncode, compiled.stderr) == (0, "")


def cut(cache: Path) -> None:
    """Leave half of every file, as a full disk or a crash does."""
    files = [path for path in cache.rglob("*") if path.is_file() and not path.is_symlink()]
    assert any(path.name == "nvcc" for path in files)
    for path in files:
        os.truncate(path, path.stat().st_size // 2)
