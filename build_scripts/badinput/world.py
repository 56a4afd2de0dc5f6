"""Folder in which a case's command runs: a small PyTorch, two header trees, mappings, an extension, ports."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from wheel_index import HEADERS as WHEEL  # noqa: E402
from workshop import MAPPINGS, TEST_MAPPINGS, UPSTREAM, write_files  # noqa: E402

EXTENSION = {
    "ext/a.cu": '#include "b.cuh"\n__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); cudaFree(p); }\n',
    "ext/b.cuh": "#pragma once\nvoid f();\n",
    "ext/setup.py": "sources = ['a.cu']\n",
}
TABLE = '{"cudaMalloc": "toyMalloc", "cudaFree": "toyFree"}\n'
TARGET = ("--target", "toy", "--mappings", "maps")
PORTED_TEXT = (
    UPSTREAM["c10/cuda/CUDAMemory.cpp"].replace("cuda", "toy").replace("CUDA", "TOY").encode()
)
"""Ported text of c10/cuda/CUDAMemory.cpp in this world."""
EDITED = "out/toy/2.6.0/src/c10/toy/TOYMemory.cpp"
HEADERS, NEWER = "headers-2.6.0", "headers-2.7.1"
"""Folder names of the two header trees."""
COMPARED = ("upgrade", HEADERS, NEWER, *TARGET, "-j", "1")
RUN = ("run", "--until", "port", "--pytorch-src", "tree", "--out", "out", *TARGET)
PORT = ("port", "ext", "--out", "ported", *TARGET)


def header_tree(release: str) -> dict[str, str]:
    """Files of a small header tree of `release`: a dict from path to content."""
    files = {path: text for path, text in UPSTREAM.items() if path.endswith((".h", ".yaml"))}
    files |= {
        "version.txt": f"{release}\n",
        "torch/version.py": f"__version__ = '{release}+cu124'\ncuda = '12.4'\n",
        "torchgen/gen.py": "# torchgen\n",
        "torch/utils/cpp_extension.py": "FLAGS = ['-std=c++17']\n",
        "torch/include/ATen/core/TensorBody.h": "// made by torchgen\n",
        "torch/share/cmake/Torch/TorchConfig.cmake": "# -D_GLIBCXX_USE_CXX11_ABI=0\n",
        "aten/src/ATen/Context.h": "#pragma once\nnamespace at { struct Context { int a; }; }\n",
        "c10/core/Storage.h": f"#pragma once\nnamespace c10 {{ struct Storage {{}}; }} // {release}\n",
        "torch/csrc/Device.h": "#pragma once\nstruct THPDevice { int device; };\n",
    }
    marker = {
        "schema": 2,
        "kind": "header tree",
        "release": release,
        "wheel": f"torch-{release}-cp312-cp312-manylinux_2_28_x86_64.whl",
        "sha256": "0" * 64,
        "parts": {"c10": len(files) - 1},  # The number of files does not include version.txt.
        "files": len(files) - 1,
        "metadata": {"version": release, "requires_python": ">=3.9.0"},
    }
    return {**files, "header_tree.json": json.dumps(marker, indent=1) + "\n"}


def wheel_files(release: str) -> dict[str, str]:
    """Files of a small wheel: a dict from path to content."""
    files = {**WHEEL, "torch/version.py": f"__version__ = '{release}+cu999'\n"}
    info = f"torch-{release}.dist-info"
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: torch\nVersion: {release}\n"
    rows = [f"{name},{_sum(text)},1" for name, text in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""])
    return files


def _sum(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def make(folder: Path, cache: Path) -> None:
    """Write the files and ports that every case finds in its folder. Raises CalledProcessError if a port fails."""
    folder.mkdir(parents=True)
    write_files(folder / "tree", UPSTREAM)
    write_files(folder / HEADERS, header_tree("2.6.0"))
    write_files(folder / NEWER, header_tree("2.7.1"))
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
    made = (folder / EDITED).read_bytes()
    if made != PORTED_TEXT:
        raise ValueError(f"{EDITED} is ported to {made!r}")
