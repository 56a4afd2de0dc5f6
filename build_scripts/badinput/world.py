"""The folder in which a command is called: a small PyTorch, mappings, an extension, ports of both."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from workshop import MAPPINGS, TEST_MAPPINGS, UPSTREAM, write_files  # noqa: E402

EXTENSION = {
    "ext/a.cu": '#include "b.cuh"\n__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); cudaFree(p); }\n',
    "ext/b.cuh": "#pragma once\nvoid f();\n",
    "ext/setup.py": "sources = ['a.cu']\n",
}
TABLE = '{"cudaMalloc": "toyMalloc", "cudaFree": "toyFree"}\n'
TARGET = ("--target", "toy", "--mappings", "maps")
RUN = ("run", "--until", "port", "--pytorch-src", "tree", "--out", "out", *TARGET)
PORT = ("port", "ext", "--out", "ported", *TARGET)


def make(folder: Path, cache: Path) -> None:
    """Write the files and ports that every case finds in its folder. Raises CalledProcessError if a port fails."""
    folder.mkdir(parents=True)
    write_files(folder / "tree", UPSTREAM)
    write_files(folder / "maps", MAPPINGS)
    files = {path.name: path.read_text() for path in (TEST_MAPPINGS / "toy").iterdir()}
    write_files(folder / "maps" / "toy", files)
    write_files(folder, {**EXTENSION, "table.json": TABLE, "file": "text\n", "empty": ""})
    environment = {**os.environ, "PORTER_CACHE": str(cache)}
    for command in (RUN, PORT, ("mapping", "show", "cudaMalloc")):
        subprocess.run(
            [sys.executable, "-m", "porter", *command],
            cwd=folder,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
