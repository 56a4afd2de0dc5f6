"""Small upstream tree and mappings for it; tests port the tree by porter's command line."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from repository import TEST_MAPPINGS

from porter.cli.main import call

UPSTREAM = {
    "version.txt": "2.6.0a0\n",
    "aten/src/ATen/native/native_functions.yaml": "[]\n",
    "c10/cuda/CUDAStream.h": """\
#pragma once
#include <cuda_runtime_api.h>
namespace c10::cuda {
cudaStream_t current();
}
""",
    "c10/cuda/CUDAMemory.cpp": """\
#include <c10/cuda/CUDAStream.h>
void* take(size_t n) {
  void* p = nullptr;
  cudaMalloc(&p, n);
  return p;
}
void give(void* p) {
  cudaFree(p);
}
""",
    "aten/src/ATen/native/cuda/Fill.cu": """\
#include <c10/cuda/CUDAStream.h>
__global__ void fill(float* p, int n) {
  for (int lane = threadIdx.x; lane < n; lane += 32) p[lane] = 1.f;
}
void launch_fill(float* p, int n) {
  fill<<<1, 32, 0, c10::cuda::current()>>>(p, n);
}
""",
}
"""Smallest PyTorch tree that porter accepts."""

MAPPINGS: dict[str, str] = {
    "cuda/inventory.json": json.dumps(
        {
            "cuda": "12.4",
            "areas": {
                "runtime": {
                    "functions": ["cudaFree", "cudaMalloc", "cudaMemcpy"],
                    "types": ["cudaStream_t"],
                }
            },
        }
    ),
    "cuda/vendor.yaml": "words: [cuda, CUDA, Cuda]\n",
    "cuda/runtime.yaml": r"""
area: runtime
rules:
  - family: cuda([A-Z]\w*)
    replace: '{runtime}\1'
  - include: cuda_runtime_api.h
    replace: '{lower}_runtime.h'
""",
    "pytorch/selection.yaml": """
folders:
  - {folder: c10/cuda, suffixes: [h, cpp], reason: the runtime's wrappers}
  - {folder: aten/src/ATen/native/cuda, suffixes: [cu, cuh, h], reason: kernels}
""",
    "pytorch/names.yaml": r"""
area: pytorch
rules:
  - name: cuda
    replace: '{lower}'
  - hazard: warp_size
    pattern: '\+= 32\b'
    note: the code assumes 32 lanes
""",
    "pytorch/paths.yaml": r"""
area: pytorch
rules:
  - {path: cuda, part: folder, replace: '{lower}'}
  - {path: 'CUDA(\w*)', part: stem, replace: '{UPPER}\1'}
  - {path: cu, part: suffix, replace: '{cu}'}
""",
}
"""Mapping files with rules for exactly the names that `UPSTREAM` uses. The target is `toy` of tests/mappings."""


@dataclass
class Workshop:
    """Small upstream tree, mappings that a test may change, and a folder for ports."""

    folder: Path
    page: bool = False
    """True if runs write the page `report.html`."""
    tree: Path = field(init=False)
    mappings: Path = field(init=False)

    def __post_init__(self) -> None:
        self.tree, self.mappings = self.folder / "pytorch", self.folder / "mappings"
        write_files(self.tree, UPSTREAM)
        write_files(self.mappings, MAPPINGS)
        shutil.copytree(TEST_MAPPINGS / "toy", self.mappings / "toy")

    def edit(self, file: Path, old: str, new: str) -> None:
        """Replace text in a file of the tree, the mappings or a port. The file must contain `old`."""
        text = file.read_text(encoding="utf-8")
        assert old in text, f"{file} does not hold {old!r}"
        file.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, name: str, *more: str) -> int:
        """Run `porter run --until port` with the output folder `name`; returns the exit code."""
        out = ["--out", str(self.folder / name), "--mappings", str(self.mappings), *more]
        out += [] if self.page else ["--no-page"]
        return call(
            [
                "run",
                "--until",
                "port",
                "--pytorch-src",
                str(self.tree),
                "-t",
                "toy",
                "-j",
                "1",
                *out,
            ]
        )

    def port(self, name: str) -> Path:
        """Port the tree into the folder `name`, and return the folder of the port. The run must succeed."""
        assert self.run(name) == 0
        return self.folder / name / "toy" / "2.6.0"

    def manifest(self, port: Path) -> dict[str, Any]:
        """Content of a port's manifest.json."""
        data: dict[str, Any] = json.loads((port / "manifest.json").read_text(encoding="utf-8"))
        return data


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write files to a folder. `files` maps relative paths to texts."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
