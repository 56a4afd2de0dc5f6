"""`include` rules, and the new places of ported files.

#include <cuda_runtime.h>            ->  #include <musa_runtime.h>
#include <ATen/cuda/CUDAContext.h>   ->  #include <ATen/musa/MUSAContext.h>
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterator

from porter.lex import Kind
from porter.model.port import Reason
from porter.model.rules import Status
from porter.rules.source import Source

_PATH = re.compile(r"\#[ \t]*include(?:_next)?[ \t]*[<\"]([^>\"\n]*)[>\"]")


@functools.cache
def _glob(pattern: str) -> re.Pattern[str]:
    return re.compile("(.*)".join(map(re.escape, pattern.split("*"))))


def apply(source: Source) -> set[str]:
    """Edit every include path of a file; returns the paths as they end."""
    final: set[str] = set()
    for path, start in included(source):
        final.add(_one(source, path, start))
    return final


def included(source: Source) -> Iterator[tuple[str, int]]:
    """The include paths of a file, and where they stand."""
    for token in source.opaque:
        if token.kind is Kind.INCLUDE:
            match = _PATH.match(token.text)
            if match and match[1]:
                yield match[1], token.start + match.start(1)


def _one(source: Source, path: str, start: int) -> str:
    """Edit one include path: by an exact rule, else to where the ported file went, else by a rule with `*`."""
    exact, globs = candidates(source, path)
    for index in exact:
        return _by_rule(source, index, path, start)
    if spelled := _moved(source, path, quoted=source.text[start - 1] == '"'):
        if spelled == posixpath.normpath(path):  # `./x.h` is as good as `x.h`
            return path
        if spelled != path:
            source.edit(start, start + len(path), spelled, -1)
        return spelled
    for index in globs:
        return _by_rule(source, index, path, start)
    if source.rules.vendor.search(path):
        source.leave(start, Reason.UNMAPPED, path)
    return path


def _moved(source: Source, path: str, *, quoted: bool) -> str:
    """How an include of a ported file is spelled; empty when it is of another.

    Only what stands in quotes is looked for beside the file (ISO C++ [cpp.include]).
    """
    new = source.moved.get(path, "")
    if new or not quoted:
        return new
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), path))
    new = source.moved.get(beside, "")
    return _beside(source, new) if new else ""


def candidates(source: Source, path: str) -> tuple[list[int], list[int]]:
    """The rules, exact ones and ones with `*`, that are about an include path in a file, strongest first."""
    exact: list[int] = []
    globs: list[int] = []
    for place in _matching(source.include_patterns, path):
        index = source.rules.includes[place]
        rule = source.rules.rules[index]
        if source.applies(rule):
            (globs if "*" in rule.match else exact).append(index)
    return exact, globs


# Files include the same few headers again and again, and there are hundreds of patterns.
@functools.lru_cache(100_000)
def _matching(patterns: tuple[str, ...], path: str) -> list[int]:
    exact, globs = _sorted_out(patterns)
    return sorted([*exact.get(path, ()), *(place for place, glob in globs if glob.fullmatch(path))])


@functools.cache
def _sorted_out(
    patterns: tuple[str, ...],
) -> tuple[dict[str, list[int]], list[tuple[int, re.Pattern[str]]]]:
    """Places of the patterns without `*` by text, and of those with one."""
    exact: dict[str, list[int]] = {}
    for place, pattern in enumerate(patterns):
        if "*" not in pattern:
            exact.setdefault(pattern, []).append(place)
    return exact, [(i, _glob(pattern)) for i, pattern in enumerate(patterns) if "*" in pattern]


def _by_rule(source: Source, index: int, path: str, start: int) -> str:
    rule = source.rules.rules[index]
    source.hit(index)
    if rule.status is not Status.SUPPORTED:
        source.leave(start, Reason.UNSUPPORTED, path, index, rule.note)
        return path
    match = _glob(rule.match).fullmatch(path)
    new = rule.replace or path
    if match and match.groups():
        new = new.replace("*", match[1])
    if new != path:
        source.edit(start, start + len(path), new, index)
    elif source.rules.vendor.search(path):
        source.leave(start, Reason.INTENDED, path, index, rule.note)
    return new


def _beside(source: Source, new: str) -> str:
    here = source.moved.get(source.path, source.path)
    return posixpath.relpath(new, posixpath.dirname(here) or ".")
