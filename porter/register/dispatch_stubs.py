"""DispatchStubs that kernels in libtorch_cpu call, and tests for a CUDA device, found in a release's sources.

Some kernels in libtorch_cpu serve every device: they call a DispatchStub for the work on the device. If such a kernel
is registered but the stub has no function for the device, the operator fails with "missing kernel" and does not fall
back to the CPU. Therefore porter must know the stubs of each kernel.

    needs = read(Path("pytorch"), written)
    needs.of("at::native::structured_abs_out::impl")      # frozenset({"abs_stub"})

If a kernel tests for a CUDA tensor, the test is false for the target's device. In the worst case the kernel then runs
CPU code on memory that the CPU cannot read. `asks_of` lists the functions with such a test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import disk_cache
from porter.base.fingerprint import Answer
from porter.base.fs import stamp
from porter.cpp.functions import FunctionBody, functions
from porter.cpp.lex import decode
from porter.model.ops import DeviceQuery

STUBS = Answer("stubs", ("base", "cpp", "model", "register"))

_NATIVE = Path("aten/src/ATen/native")
_FOLDERS = (".", "sparse", "nested", "quantized", "transformers", "utils")
"""Folders below `_NATIVE` with sources of libtorch_cpu. Their subfolders `cuda` contain CUDA's kernels."""
_FILLED = re.compile(r"\bREGISTER_(?:CUDA_)?DISPATCH\s*\(\s*(\w+)\s*,")
_MENTION = re.compile(
    r"(?P<before>\.\s*|->\s*|(?:\b\w+\s*::\s*)+)?\b(?P<name>[A-Za-z_]\w*)\b(?P<first>\s*\(\s*[\w:]+)?"
)
_BY_NAME = re.compile(
    r"\bis_cuda\s*\(\s*\)"
    r"|(?:[=!]=|\?)\s*(?:at::|c10::)?(?:DeviceType::CUDA|kCUDA)\b"
    r"|\(\s*(?:at::|c10::)?kCUDA\s*,"
    r"|\bcase\s+(?:at::|c10::)?(?:DeviceType::CUDA|kCUDA)\s*:"
)
"""Pattern of tests for CUDA in C++ text.

The alternatives are `is_cuda()`, a comparison with the CUDA device type, an argument of a stub, and a case label.
"""
_HOST = re.compile(r"\(\s*(?:at::|c10::)?(?:kCPU|DeviceType::CPU)$")
_NAMESPACE = re.compile(r"^(?:(?:at\s*::\s*)?native\s*::\s*)$")


class StubNeeds(NamedTuple):
    """Facts about the functions in a release's libtorch_cpu: stubs that they need, files, tests for a CUDA device.

    A symbol is the name of a function, in the short form of `_short`.
    """

    stubs: Mapping[str, frozenset[str]]
    """Maps a symbol to the stubs that the function and its callees use, except stubs that CUDA leaves empty."""
    files: Mapping[str, str]
    """Maps a symbol to the upstream path of the file that defines the function; includes CUDA's own kernels."""
    filled: Mapping[str, str]
    """Maps a stub to the CUDA source that registers its function: an upstream path, or a generated file's name."""
    asks: Mapping[str, tuple[DeviceQuery, ...]] = {}
    """Maps a symbol to the functions that test for a CUDA device.

    The function of the symbol and its callees in libtorch_cpu are examined.
    """

    def of(self, symbol: str) -> frozenset[str] | None:
        """Stubs that a kernel needs; None if the definition of the kernel was not found."""
        return self.stubs.get(_short(symbol))

    def asks_of(self, symbol: str) -> tuple[DeviceQuery, ...]:
        """Functions that test for a CUDA device.

        The kernel `symbol` of libtorch_cpu and its direct and indirect callees are examined.
        """
        return self.asks.get(_short(symbol), ())

    def file_of(self, symbol: str) -> str | None:
        """Upstream path of the file that defines a kernel; None if the definition was not found."""
        return self.files.get(_short(symbol))


def read(tree: Path, written: Mapping[str, str]) -> StubNeeds:
    """Facts about kernels, read from the sources of a release (3 s). The result is cached until the sources change.

    `written` maps each stub whose function torchgen generates to the name of the generated file.
    """
    paths = sorted(_sources(tree))
    key = f"{stamp(tree / path for path in paths)} {sorted(written.items())}"
    needs: StubNeeds = disk_cache.computed_once(
        STUBS, key, StubNeeds, lambda: _read(tree, paths, written)
    )
    return needs


def _read(tree: Path, paths: Sequence[str], written: Mapping[str, str]) -> StubNeeds:
    texts = {path: decode((tree / path).read_bytes()) for path in paths}
    listed = {path: tuple(functions(text)) for path, text in texts.items()}
    device = [path for path in paths if _of_device(path)]
    filled = {**written, **{n: p for p in device for n in _FILLED.findall(texts[p])}}
    graph = _Graph({p: listed[p] for p in paths if p not in device}, frozenset(filled))
    # If host and device code define functions of the same name, the one in device code is the kernel.
    in_order = [*(p for p in paths if p not in device), *device]
    files = {function.name: path for path in in_order for function in listed[path]}
    reached = {name: graph.reached(name) for name in graph.names()}
    stubs = {name: graph.stubs_of(places) for name, places in reached.items()}
    asks = {name: graph.asks_of(places) for name, places in reached.items()}
    return StubNeeds(stubs, files, filled, {name: found for name, found in asks.items() if found})


class _Mentioned(NamedTuple):
    """Stubs and functions that one function, with all its overloads in one file, mentions."""

    stubs: frozenset[str]
    calls: frozenset[tuple[str, str]]
    """Mentioned functions, as (path, function)."""
    asks: bool
    """True if a body tests for a CUDA device."""


class _Graph:
    """Call graph: maps (file, function) to the stubs and functions that the body mentions."""

    def __init__(
        self, listed: Mapping[str, tuple[FunctionBody, ...]], stubs: frozenset[str]
    ) -> None:
        self._stubs = stubs
        self._by_file: dict[str, dict[str, list[str]]] = {}
        self._homes: dict[str, list[str]] = {}
        for path, found in listed.items():
            bodies = self._by_file.setdefault(path, {})
            for function in found:
                bodies.setdefault(function.name, []).append(function.body)
            for name in bodies:
                self._homes.setdefault(name, []).append(path)
        self._mentions: dict[tuple[str, str], _Mentioned] = {}

    def names(self) -> Iterator[str]:
        yield from self._homes

    def reached(self, name: str) -> frozenset[tuple[str, str]]:
        """All functions with the given name and their direct and indirect callees, as (path, function)."""
        seen: set[tuple[str, str]] = set()
        ahead = [(path, name) for path in self._homes[name]]
        while ahead:
            here = ahead.pop()
            if here not in seen:
                seen.add(here)
                ahead.extend(self._mentioned(*here).calls)
        return frozenset(seen)

    def stubs_of(self, places: Iterable[tuple[str, str]]) -> frozenset[str]:
        """Stubs that any of the given functions uses. `places`: functions as (path, function)."""
        return frozenset().union(*(self._mentioned(*place).stubs for place in places))

    def asks_of(self, places: Iterable[tuple[str, str]]) -> tuple[DeviceQuery, ...]:
        """The given functions that test for a CUDA device, sorted. `places`: functions as (path, function)."""
        asking = (
            DeviceQuery(name, path) for path, name in places if self._mentioned(path, name).asks
        )
        return tuple(sorted(asking))

    def _mentioned(self, path: str, name: str) -> _Mentioned:
        known = self._mentions.get((path, name))
        if known is None:
            stubs: set[str] = set()
            calls: set[tuple[str, str]] = set()
            bodies = self._by_file[path][name]
            for body in bodies:
                for match in _MENTION.finditer(body):
                    self._mention(path, match, stubs, calls)
            asks = any(_BY_NAME.search(body) for body in bodies)
            known = _Mentioned(frozenset(stubs), frozenset(calls), asks)
            self._mentions[path, name] = known
        return known

    def _mention(
        self, path: str, match: re.Match[str], stubs: set[str], calls: set[tuple[str, str]]
    ) -> None:
        word, before, first = match["name"], match["before"] or "", match["first"] or ""
        if word in self._stubs:
            if not _HOST.search(first.strip()):
                stubs.add(word)
            return
        native = bool(_NAMESPACE.match(before))
        if before and not native:
            # The name is a method of an object, or an operator that the dispatcher redirects to the device's kernel.
            return
        if word in self._by_file[path]:
            calls.add((path, word))
        elif native:
            calls.update((home, word) for home in self._homes.get(word, ()))


def _sources(tree: Path) -> Iterator[str]:
    root = tree / _NATIVE
    for folder in _FOLDERS:
        for path in (*(root / folder).glob("*"), *(root / folder / "cuda").rglob("*")):
            if path.suffix in (".cpp", ".cu", ".h", ".cuh"):
                yield path.relative_to(tree).as_posix()


def _of_device(path: str) -> bool:
    return path.endswith(".cu") or "/cuda/" in path


def _short(symbol: str) -> str:
    """Short form of a qualified name, as `functions` returns it: `structured_x::impl`, or only the last part."""
    parts = symbol.split("::")
    return "::".join(parts[-2:]) if parts[-1] == "impl" else parts[-1]
