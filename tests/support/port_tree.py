"""An invented source tree that porter accepts as a tree of PyTorch, and functions that port the tree: in this process,
in a forked process, or in a new process.

tree = make_tree(tmp_path / "pytorch")
assert run(tree, tmp_path / "out") == 0
assert b"toyMalloc" in files(port_of(tmp_path / "out"))["src/c10/toy/TOYFunctions.cpp"]
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from repository import TEST_MAPPINGS

from porter.cli.main import call
from porter.mapping import budget
from porter.mapping.library import shipped
from porter.port.state import STATE

RELEASE = "2.6.0"
_TOY = TEST_MAPPINGS / "toy"

LAYERS: Mapping[str, Any] = {
    "cuda/inventory.json": {
        "cuda": "12.4",
        "areas": {
            "runtime": {"functions": ["cudaMalloc", "cudaMemcpyAsync", "cudaGetLastError"]},
            "driver": {"functions": ["cuDeviceGetName"], "types": ["CUresult", "CUdevice"]},
        },
    },
    "cuda/runtime.json": {
        "area": "runtime",
        "rules": [{"family": r"cuda([A-Z]\w*)", "replace": r"{runtime}\1"}, {"names": "inventory"}],
    },
    "cuda/driver.json": {
        "area": "driver",
        "rules": [
            {"family": r"cu([A-Z]\w*)", "replace": r"{driver}\1"},
            {"family": r"CU([a-z]\w*)", "replace": r"{DRIVER}\1"},
        ],
    },
    "cuda/hazards.json": {
        "area": "hazards",
        "rules": [{"hazard": "lane_mask", "pattern": r"\b0[xX][fF]{8}\b", "note": "32 lanes"}],
    },
    "pytorch/selection.yaml": {
        "folders": [
            {"folder": folder, "suffixes": ["cu", "cuh", "cpp", "h"], "reason": f"all of {folder}"}
            for folder in (
                "aten/src/ATen/cuda",
                "aten/src/ATen/native",
                "c10/cuda",
                "torch/csrc/cuda",
            )
        ],
        "exclude": [{"glob": "**/excluded/**", "reason": "left out"}],
    },
    "pytorch/names.json": {
        "area": "pytorch",
        "rules": [
            {"name": "cuda", "replace": "{lower}"},
            {"family": r"(cu[A-Z]\w*)_", "replace": r"\1_", "follows": True},
            {"family": r"(\w*)CUDA(\w*)", "replace": r"\1{UPPER}\2"},
            {"value": "CUDA_VERSION", "replace": "{guard_CUDA_VERSION}"},
            {"macro": "CUDA_VERSION", "replace": "{guard_CUDA_VERSION}"},
            {"call": ".is_cuda()", "replace": ".is_{device}()"},
            {"qualified": "c10::cuda::impl::state", "replace": "c10::{lower}::state"},
            {"include": "cuda*", "replace": "{runtime}*"},
            {"include": "cublas_v2.h", "replace": "{blas}.h"},
            {"path": "cuda", "part": "folder", "replace": "{lower}"},
            {"path": r"CUDA(\w+)", "part": "stem", "replace": r"{UPPER}\1"},
            {"path": "cu", "part": "suffix", "replace": "{cu}"},
            {"string": r"cuda:0", "replace": "{device}:0"},
            {
                "patch": "**/Fill.cu",
                "before": "threadIdx.x < n",
                "after": "int(threadIdx.x) < n",
                "expect": {"min_hits": 0},
            },
        ],
    },
}
"""Mapping files of the layers `cuda` and `pytorch`, with rules of many kinds. They load faster than porter's own
mappings, and no rule requires hits."""


_BUDGET = {"toy": {RELEASE: {"unmapped": 1000, "ambiguous": 1000}}}
"""Budget larger than the residue of any test, so that a port prints nothing on stderr."""


def make_mappings(root: Path) -> Path:
    """Create a mapping folder with the files of LAYERS, the target `toy` and a budget; returns the folder."""
    for name, data in LAYERS.items():
        write(root / name, json.dumps(data, indent=1))
    write(root / "cuda" / "vendor.yaml", (shipped() / "cuda" / "vendor.yaml").read_bytes())
    write(root / budget.FILE, json.dumps(_BUDGET))
    shutil.copytree(_TOY, root / "toy")
    return root


LANDMARKS = {
    "version.txt": f"{RELEASE}a0\n",
    "c10/cuda/CUDAStream.h": "#pragma once\n#include <cuda_runtime_api.h>\n\nnamespace c10::cuda {\n"
    "struct CUDAStream { cudaStream_t stream; };\n}\n",
    "aten/src/ATen/native/native_functions.yaml": "- func: none\n",
}
"""Files by which porter recognises a folder as a PyTorch tree."""

SOURCES = {
    "c10/cuda/CUDAFunctions.cpp": "#include <c10/cuda/CUDAStream.h>\n"
    "#include <cuda_runtime.h>\n\nvoid* get(size_t n) {\n  void* p;\n"
    '  if (cudaMalloc(&p, n) != cudaSuccess) fail("cuda says no");\n'
    '  return c10::cuda::impl::state.is_cuda() ? p : at("cuda:0");\n}\n',
    "aten/src/ATen/cuda/CUDAContext.h": "#pragma once\n#include <cublas_v2.h>\n"
    "#if CUDA_VERSION >= 12000\ncublasHandle_t handle();\n#endif\n",
    "aten/src/ATen/native/cuda/Fill.cu": "#include <ATen/cuda/CUDAContext.h>\n"
    "#include <ATen/native/cuda/Loops.cuh>\n\n"
    "__global__ void fill(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 0; }\n"
    "void launch(float* p, int n, cudaStream_t s) {\n  fill<<<1, 32, 0, s>>>(p, n);\n"
    "  C10_CUDA_CHECK(cudaGetLastError());\n}\n",
    "aten/src/ATen/native/cuda/Loops.cuh": "#pragma once\n// cudaMalloc in a comment stays\n"
    "template <class T>\n__global__ void twice(T* p) {\n  extern __shared__ T buffer[];\n"
    "  unsigned mask = 0xffffffff;\n  p[0] = __shfl_sync(mask, p[0] * 2, 0);\n}\n",
    "aten/src/ATen/native/sparse/cuda/Sparse.cpp": "#include <cusparse.h>\n"
    "cusparseStatus_t a(cusparseHandle_t h) { return cusparseDestroy(h); }\n",
    "torch/csrc/cuda/Module.cpp": "#include <cuda.h>\nCUresult go(CUdevice d) "
    "{ return cuDeviceGetName_(cuDeviceGetName(nullptr, 0, d)); }\n// no end of line",
    "aten/src/ATen/native/cuda/README.md": "not a source: cudaMalloc\n",
}


def make_tree(root: Path, sources: Mapping[str, str | bytes] = SOURCES) -> Path:
    """Write `sources` and LANDMARKS to `root`, so that porter accepts `root` as a PyTorch tree; returns `root`."""
    for path, text in {**LANDMARKS, **sources}.items():
        write(root / path, text)
    return root


def write(place: Path, text: str | bytes) -> None:
    """Write a file and create its parent folders."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode() if isinstance(text, str) else text)


def many(count: int, mark: str) -> dict[str, str]:
    """Maps paths to texts of `count` sources, to keep several processes busy. `mark` distinguishes sets of sources."""
    body = "".join(f"  cudaMemcpyAsync(a{i}, b{i}, n, k, s); // {mark}\n" for i in range(40))
    return {
        f"aten/src/ATen/native/cuda/{mark}{i % 7}/Op{i}.cu": f"void f{mark}{i}() {{\n{body}}}\n"
        for i in range(count)
    }


def port_of(out: Path) -> Path:
    """Folder of the port to `toy` in an output folder."""
    return out / "toy" / RELEASE


def run(tree: Path, out: Path, *more: str) -> int:
    """Port a tree to `toy`, in this process; returns the exit code."""
    return call(arguments(tree, out, *more))


def arguments(tree: Path, out: Path, *more: str) -> list[str]:
    """Command-line arguments that port a tree to `toy`, by default with this module's mappings and one process."""
    given = [
        "run",
        "--until",
        "port",
        "--no-page",
        "--pytorch-src",
        str(tree),
        "--out",
        str(out),
        "--target",
        "toy",
    ]
    given += [] if "--mappings" in more else ["--mappings", str(_mappings())]
    return given + ([] if "-j" in more else ["-j", "1"]) + list(more)


@functools.cache
def _mappings() -> Path:
    folder = tempfile.mkdtemp(prefix="porter-test-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return make_mappings(Path(folder))


def command(tree: Path, out: Path, *more: str) -> list[str]:
    """Command that ports a tree in a new process."""
    return [sys.executable, "-m", "porter", *arguments(tree, out, *more)]


def files(folder: Path) -> dict[str, bytes]:
    """Maps the relative path of each file in a folder to its content. The file `.state.json` is omitted, because it
    contains times and paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != STATE
    }


def times(folder: Path) -> dict[str, int]:
    """Maps the relative path of each file in a folder to its modification time in nanoseconds."""
    return {
        path.relative_to(folder).as_posix(): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file()
    }


def cold(tree: Path, place: Path, *more: str) -> dict[str, bytes]:
    """Port a tree into the new folder `place`, and delete the port. Returns the result of `files` for the port."""
    assert run(tree, place, *more) == 0
    made = files(port_of(place))
    shutil.rmtree(place)
    return made


def left_over(out: Path) -> list[str]:
    """Sorted names in the port's parent folder, without the port itself and its lock."""
    return sorted(set(os.listdir(out / "toy")) - {RELEASE, f".{RELEASE}.lock"})


def fork(given: Sequence[str]) -> int:
    """Start porter in a forked process with its own process group; returns the process id.

    A forked process does not start Python again, which takes most of the time of a small port.
    """
    ready, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 99
        try:
            os.setpgid(0, 0)
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.write(tell, b"!")
            code = call(list(given))
        except KeyboardInterrupt:
            code = 130
        finally:
            os._exit(code)
    os.close(tell)
    os.read(ready, 1)
    os.close(ready)
    return pid


def ended(pid: int) -> int:
    """Wait for a process; returns its exit code, or the negative number of the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def seconds(given: Sequence[str]) -> float:
    """Seconds that a forked porter runs."""
    began = time.perf_counter()
    assert ended(fork(given)) == 0
    return time.perf_counter() - began


def powerless() -> list[str]:
    """Words to prepend to a command so that file permissions apply to it, even if root runs the tests.

    Skips the test if root cannot drop its capabilities.
    """
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    if not setpriv:
        pytest.skip("root may read and write everything, and there is no setpriv to change that")
    prefix = [setpriv, "--bounding-set", "-dac_override,-dac_read_search"]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode:
        pytest.skip("setpriv may not drop capabilities here")
    return prefix


def mount(folder: Path, size: str) -> None:
    """Mount a file system in memory with the given size at `folder`. Skips the test if mounting is not permitted."""
    libc = ctypes.CDLL(None, use_errno=True)
    where, what = os.fsencode(folder), b"tmpfs"
    if libc.mount(what, where, what, 0, f"size={size}".encode()):
        pytest.skip(f"no file system can be mounted here: {os.strerror(ctypes.get_errno())}")


def unmount(folder: Path) -> None:
    """Unmount the file system of `mount`."""
    ctypes.CDLL(None, use_errno=True).umount2(os.fsencode(folder), 2)
