"""Sdists of packages, which pip downloads with the sha256 that a table of this folder states."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def download(package: str, version: str, sha256: str, folder: Path) -> Path:
    """Archive of a package in `folder`, which pip downloads at the first call.

    Raises subprocess.CalledProcessError if pip fails; pip's messages are on stderr.
    """
    if archives := list(folder.glob("*.tar.gz")):
        return archives[0]
    folder.mkdir(parents=True, exist_ok=True)
    pinned = folder / "requirements.txt"
    pinned.write_text(f"{package}=={version} --hash=sha256:{sha256}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--require-hashes", "--no-deps"]
    command += ["--no-binary", ":all:", "--no-build-isolation", "--quiet"]
    command += ["--disable-pip-version-check", "-d", str(folder), "-r", str(pinned)]
    # pip runs setup.py, which raises an exception without CUDA in some packages (warp-rnnt). The variable has an effect
    # if torch_simt is installed.
    environment = {**os.environ, "TORCH_SIMT_AS_CUDA_TOOLKIT": "1"}
    subprocess.run(command, check=True, stdout=sys.stderr, env=environment)
    return next(folder.glob("*.tar.gz"))
