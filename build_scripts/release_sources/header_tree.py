"""A tree with the headers, torchgen and declarations of a wheel, laid out as PyTorch's sources are.

    torch/include/c10/...            c10/...
    torch/include/ATen/...           aten/src/ATen/...
    torch/include/torch/...          torch/...
    torchgen/...                     torchgen/...
    torchgen/packaged/ATen/...       aten/src/ATen/...       native_functions.yaml, templates
    torchgen/packaged/autograd/...   tools/autograd/...
    torch/include/...                torch/include/...       all other headers

A source tree has no headers that torchgen or CMake made, and no pybind11: these keep their place below
`torch/include`, where a compiler finds them and the port does not. `header_tree.json` at the root says what
the tree is.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
import zipfile
import zlib
from collections import Counter
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import IO, NamedTuple, cast

from release_sources.errors import FetchError
from release_sources.package_index import WheelFile

MARKER = "header_tree.json"
_SCHEMA = 2
"""1 had no headers that torchgen or CMake made."""
REQUIRED = (
    "c10/cuda/CUDAStream.h",
    "aten/src/ATen/native/native_functions.yaml",
    "torchgen/gen.py",
    "torch/version.py",
)
_HEADERS = (".h", ".cuh", ".hpp", ".inl")
_CMAKE = "torch/share/cmake/Torch/TorchConfig.cmake"
"""States the ABI of std::string of the wheel's libraries."""
_MARK_OF_GENERATED = re.compile(rb"@generated\b")
"""Stands in the first lines of most headers that torchgen makes."""
_GENERATED = re.compile(
    r"aten/src/ATen/(ops/.*|(Composite|Meta|CPU|CUDA)\w*Functions(_inl)?\.h|core/TensorBody\.h"
    r"|RegistrationDeclarations\.h|VmapGeneratedPlumbing\.h|Config\.h|cuda/CUDAConfig\.h)"
    r"|torch/csrc/(autograd/generated/.*|api/include/torch/version\.h)"
    r"|c10/(macros/cmake_macros\.h|cuda/impl/cuda_cmake_macros\.h)"
    r"|torch/headeronly/macros/cmake_macros\.h"
)
"""Other headers that torchgen or CMake makes, by their paths in the tree."""


class _Part(NamedTuple):
    name: str
    inside: str
    """Prefix in the wheel."""
    tree: str
    """Prefix in the tree."""


_PARTS = (
    _Part("aten", "torch/include/ATen/", "aten/src/ATen/"),
    _Part("c10", "torch/include/c10/", "c10/"),
    _Part("caffe2", "torch/include/caffe2/", "caffe2/"),
    _Part("torch", "torch/include/torch/", "torch/"),
    _Part("declarations", "torchgen/packaged/ATen/", "aten/src/ATen/"),
    _Part("autograd", "torchgen/packaged/autograd/", "tools/autograd/"),
    _Part("torchgen", "torchgen/", "torchgen/"),
    _Part("native_dsl", "torch/_native/", "torch/_native/"),
    _Part("version", "torch/version.py", "torch/version.py"),
    _Part("cpp_extension", "torch/utils/cpp_extension.py", "torch/utils/cpp_extension.py"),
    _Part("cmake", _CMAKE, _CMAKE),
)
"""The first part that fits a file takes it."""
_BUILT = _Part("built", "torch/include/", "torch/include/")
"""Headers that a source tree does not have."""


class DamagedError(FetchError):
    """The bytes of a wheel are not the ones that the index or the wheel's RECORD names."""


def write(wheel_file: IO[bytes] | io.RawIOBase | Path, wheel: WheelFile, into: Path) -> None:
    """Write the tree of a wheel into the new folder `into`.

    Raises DamagedError for wrong bytes, FetchError for a wheel that lacks headers or is of another
    release than its name says.
    """
    try:
        with zipfile.ZipFile(cast("IO[bytes]", wheel_file)) as archive:
            _write(archive, wheel, into)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error, KeyError) as error:
        text = f"{wheel.name} is no whole wheel: {error}"
        raise DamagedError(text, "run this again; if it stays so, the index is damaged") from error


def is_whole(tree: Path, release: str) -> bool:
    """Test a tree in the cache: marker of the release, and as many files as the marker counts."""
    try:
        marker = json.loads((tree / MARKER).read_text())
        told = (marker["kind"], marker["release"], marker["schema"])
        if told != ("header tree", release, _SCHEMA):
            return False
        count = sum(1 for path in tree.rglob("*") if path.is_file())
        return bool(count == marker["files"] + len((MARKER, "version.txt")))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _write(archive: zipfile.ZipFile, wheel: WheelFile, into: Path) -> None:
    sums = _record(archive)
    metadata = _metadata(archive)
    counts: Counter[str] = Counter()
    into.mkdir()
    # In the order of the file, which is fetched from front to back.
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        found = None if info.is_dir() else _place(info.filename)
        if found is None:
            continue
        part, path = found
        data = archive.read(info)
        if sums.get(info.filename) != _sum(data):
            text = f"{wheel.name}: {info.filename} is not the file that the wheel's RECORD names"
            raise DamagedError(text, "run this again; if it stays so, the index is damaged")
        if _MARK_OF_GENERATED.search(data[:400]) and info.filename.startswith(_BUILT.inside):
            part, path = _BUILT.name, info.filename
        place = into / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        counts[part] += 1
    _check(into, wheel, metadata["version"])
    (into / "version.txt").write_text(f"{wheel.release}\n")
    marker = {
        "schema": _SCHEMA,
        "kind": "header tree",
        "release": wheel.release,
        "wheel": wheel.name,
        "sha256": wheel.sha256,
        "parts": dict(sorted(counts.items())),
        "files": sum(counts.values()),
        "metadata": metadata,
    }
    (into / MARKER).write_text(json.dumps(marker, indent=1) + "\n")


def _place(name: str) -> tuple[str, str] | None:
    """Part and path in the tree of a file of the wheel; None for a file that is not taken."""
    part = next((part for part in (*_PARTS, _BUILT) if name.startswith(part.inside)), None)
    if part is None:
        return None
    path = part.tree + name.removeprefix(part.inside)
    is_header = part.inside.startswith(_BUILT.inside)
    if ".." in path.split("/") or (is_header and not path.endswith(_HEADERS)):
        return None
    if is_header and _GENERATED.fullmatch(path):
        return _BUILT.name, name
    return part.name, path


def _record(archive: zipfile.ZipFile) -> dict[str, str]:
    """Path -> `sha256=...` of the wheel's RECORD."""
    text = archive.read(_dist_info(archive) + "RECORD").decode()
    return {row[0]: row[1] for row in csv.reader(io.StringIO(text)) if len(row) == 3}


def _metadata(archive: zipfile.ZipFile) -> dict[str, str]:
    """Version and Python range, of the wheel's METADATA."""
    headers = BytesHeaderParser().parsebytes(archive.read(_dist_info(archive) + "METADATA"))
    return {
        "version": str(headers.get("Version", "")),
        "requires_python": str(headers.get("Requires-Python", "")),
    }


def _dist_info(archive: zipfile.ZipFile) -> str:
    for name in archive.namelist():
        if re.fullmatch(r"[^/]+\.dist-info/RECORD", name):
            return name.removesuffix("RECORD")
    raise zipfile.BadZipFile("it has no RECORD")


def _sum(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    return f"sha256={digest}"


def _check(tree: Path, wheel: WheelFile, version: str) -> None:
    missing = [name for name in REQUIRED if not (tree / name).is_file()]
    if missing:
        text = f"{wheel.name} has no {', '.join(missing)}"
        raise FetchError(
            text, "a wheel with CUDA's headers is needed; wheels for the CPU have none"
        )
    text = (tree / "torch" / "version.py").read_text(errors="replace")
    told = re.search(r"^__version__(?:: str)? = '([^']+)'", text, re.MULTILINE)
    for place, found in (("METADATA", version), ("torch/version.py", told[1] if told else "none")):
        if found.partition("+")[0] != wheel.release:
            raise FetchError(
                f"{wheel.name}: its {place} says {found or 'no version'}",
                "it is no wheel of this release: the package index is wrong",
            )
