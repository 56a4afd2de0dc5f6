"""DispatchStubs that the kernels in libtorch_cpu call, and functions that test for a CUDA device, by their source text.

A kernel that libtorch_cpu has for every device calls a DispatchStub. If such a kernel is registered and its stub is
empty, the kernel hides the CPU fallback and fails with "missing kernel"; therefore the stubs of each kernel are needed.

    needs = read(Path("pytorch"))
    needs.of("at::native::structured_abs_out::impl")      # frozenset({"abs_stub"})

A kernel that tests for a CUDA tensor takes its other branch for the target's device. In the worst case this branch is
the CPU's, on memory that the CPU cannot read. `asks_of` lists the functions with such a test.
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
"""Folders of libtorch_cpu's sources below `_NATIVE`; folders named after a device are others' kernels."""
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
"""Tests for CUDA: a method of a tensor, a comparison, a stub's argument, a case label."""
_HOST = re.compile(r"\(\s*(?:at::|c10::)?(?:kCPU|DeviceType::CPU)$")
_NAMESPACE = re.compile(r"^(?:(?:at\s*::\s*)?native\s*::\s*)$")


class StubNeeds(NamedTuple):
    """Requirements of the kernels in a release's libtorch_cpu."""

    stubs: Mapping[str, frozenset[str]]
    """Symbol -> stubs that its body, and what it calls, use; of those CUDA fills."""
    files: Mapping[str, str]
    """Symbol -> upstream path of the file that defines it, CUDA's own kernels included."""
    filled: Mapping[str, str]
    """Stub -> upstream path of the CUDA source that fills it."""
    asks: Mapping[str, tuple[DeviceQuery, ...]] = {}
    """Symbol -> functions of libtorch_cpu, itself or what it calls, that ask for CUDA by name."""

    def of(self, symbol: str) -> frozenset[str] | None:
        """Stubs that a kernel needs; None where its definition was not found."""
        return self.stubs.get(_short(symbol))

    def asks_of(self, symbol: str) -> tuple[DeviceQuery, ...]:
        """Functions that ask for CUDA by name where a kernel of libtorch_cpu runs."""
        return self.asks.get(_short(symbol), ())

    def file_of(self, symbol: str) -> str | None:
        """Upstream path of the file that defines a kernel; None where that was not found."""
        return self.files.get(_short(symbol))


def read(tree: Path, written: Mapping[str, str]) -> StubNeeds:
    """Reads the sources of a release (3 s; what was read is kept until they change).

    `written` are the stubs that no source fills, but a file that torchgen writes: stub -> name of that file.
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
    # Where host and device have a function of one name, the kernel is the device's.
    in_order = [*(p for p in paths if p not in device), *device]
    files = {function.name: path for path in in_order for function in listed[path]}
    reached = {name: graph.reached(name) for name in graph.names()}
    stubs = {name: graph.stubs_of(places) for name, places in reached.items()}
    asks = {name: graph.asks_of(places) for name, places in reached.items()}
    return StubNeeds(stubs, files, filled, {name: found for name, found in asks.items() if found})


class _Mentioned(NamedTuple):
    """Stubs and functions that the bodies of a function mention, for all functions of that name in a file."""

    stubs: frozenset[str]
    calls: frozenset[tuple[str, str]]
    asks: bool
    """For CUDA by name."""


class _Graph:
    """Function of a file -> stubs and functions that its body mentions."""

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
        """(path, function): those of a name, in whichever files there are such, and all they call."""
        seen: set[tuple[str, str]] = set()
        ahead = [(path, name) for path in self._homes[name]]
        while ahead:
            here = ahead.pop()
            if here not in seen:
                seen.add(here)
                ahead.extend(self._mentioned(*here).calls)
        return frozenset(seen)

    def stubs_of(self, places: Iterable[tuple[str, str]]) -> frozenset[str]:
        """Stubs that functions use."""
        return frozenset().union(*(self._mentioned(*place).stubs for place in places))

    def asks_of(self, places: Iterable[tuple[str, str]]) -> tuple[DeviceQuery, ...]:
        """Functions that test for a CUDA device, sorted."""
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
            # A method, or an operator that the dispatcher sends to whatever is registered for the device.
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
    """The name as `functions` writes it: `structured_x::impl`, or the last part."""
    parts = symbol.split("::")
    return "::".join(parts[-2:]) if parts[-1] == "impl" else parts[-1]
