"""`include` rules, and the new places of ported files.

#include <cuda_runtime.h>            ->  #include <musa_runtime.h>
#include <ATen/cuda/CUDAContext.h>   ->  #include <ATen/musa/MUSAContext.h>
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from porter.lex import Kind
from porter.model.port import Reason
from porter.model.rules import Rule, Status
from porter.rules.include_rules import glob
from porter.rules.source import Source

_PATH = re.compile(r"\#[ \t]*include(?:_next)?[ \t]*[<\"]([^>\"\n]*)[>\"]")


def apply(source: Source) -> set[str]:
    """Edit every include path of a file; returns the paths as they end."""
    return {_one(source, path, start) for path, start in included(source)}


def included(source: Source) -> Iterator[tuple[str, int]]:
    """The include paths of a file, and where they stand."""
    for token in source.of_kind(Kind.INCLUDE):
        match = _PATH.match(token.text)
        if match and match[1]:
            yield match[1], token.start + match.start(1)


def _one(source: Source, path: str, start: int) -> str:
    """Edit one include path: by an exact rule, else to where the ported file went, else by a rule with `*`."""
    exact, globs = candidates(source, path)
    for index in exact:
        return _by_rule(source, index, path, start)
    if spelled := _moved(source, path, quoted=source.text[start - 1] == '"'):
        if spelled == path or spelled == posixpath.normpath(path):  # `./x.h` is as good as `x.h`
            return path
        source.edit(start, start + len(path), spelled, -1)
        return spelled
    for index in globs:
        return _by_rule(source, index, path, start)
    if source.include_rules.about(path).vendor:
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
    known = source.include_rules.about(path)
    if known.everywhere:
        return known.exact, known.globs
    rules = source.rules.rules
    exact = [index for index in known.exact if source.applies(rules[index])]
    return exact, [index for index in known.globs if source.applies(rules[index])]


def _by_rule(source: Source, index: int, path: str, start: int) -> str:
    rule = source.rules.rules[index]
    source.hit(index)
    if rule.status is not Status.SUPPORTED:
        source.leave(start, Reason.UNSUPPORTED, path, index, rule.note)
        return path
    new = replaced(rule, path)
    if new != path:
        source.edit(start, start + len(path), new, index)
    elif source.include_rules.about(path).vendor:
        source.leave(start, Reason.INTENDED, path, index, rule.note)
    return new


def replaced(rule: Rule, path: str) -> str:
    """What a rule makes of an include path that it matches."""
    new = rule.replace or path
    if "*" in rule.match and (match := glob(rule.match).fullmatch(path)):
        new = new.replace("*", match[1])
    return new


def _beside(source: Source, new: str) -> str:
    here = source.moved.get(source.path, source.path)
    return posixpath.relpath(new, posixpath.dirname(here) or ".")
