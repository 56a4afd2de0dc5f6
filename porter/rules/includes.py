"""`include` rules, the new places of ported files, and the target's main header.

#include <cuda_runtime.h>            ->  #include <musa_runtime.h>
#include <ATen/cuda/CUDAContext.h>   ->  #include <ATen/musa/MUSAContext.h>
"""

from __future__ import annotations

import functools
import posixpath
import re

from porter.lex import Kind, Token
from porter.model.port import Reason
from porter.model.rules import Status
from porter.rules.source import Source

_PATH = re.compile(r"\#[ \t]*include(?:_next)?[ \t]*[<\"]([^>\"\n]*)[>\"]")
_GUARD = re.compile(r"\#[ \t]*ifndef[ \t]+(\w+)[ \t]*\r?\n[ \t]*\#[ \t]*define[ \t]+\1\b")


@functools.cache
def _glob(pattern: str) -> re.Pattern[str]:
    return re.compile("(.*)".join(map(re.escape, pattern.split("*"))))


def apply(source: Source) -> set[str]:
    """Edit every include path of a file; returns the paths as they end."""
    final: set[str] = set()
    for token in source.opaque:
        if token.kind is Kind.INCLUDE:
            match = _PATH.match(token.text)
            if match and match[1]:
                final.add(_one(source, match[1], token.start + match.start(1)))
    return final


def insert_missing(source: Source, final: set[str]) -> None:
    """Include, once each, the target's main header where it is needed and the headers of shims that were used.

    They go before the first include or condition of the file, on a blank line if one is there.
    """
    profile = source.rules.profile
    suffix = source.path.rsplit(".", 1)[-1]
    wanted = [profile.main_header] if suffix in profile.main_header_into else []
    wanted += sorted({source.rules.rules[index].shim for index, _ in source.hits} - {""})
    missing = [f"#include <{header}>" for header in wanted if header not in final]
    if not missing:
        return
    text = source.text
    line = text.rfind("\n", 0, _first_directive(source)) + 1
    above = text.rfind("\n", 0, max(0, line - 1)) + 1
    if line and not text[above : line - 1].strip() and source.at(above) is None:
        source.edit(above, above, "\n".join(missing), -1)
    else:
        source.edit(line, line, "\n".join(missing) + "\n", -1)


def _one(source: Source, path: str, start: int) -> str:
    """Edit one include path: by an exact rule, else to where the ported file went, else by a rule with `*`."""
    exact, globs = _candidates(source, path)
    for index in exact:
        return _by_rule(source, index, path, start)
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), path))
    for known, is_beside in ((path, False), (beside, True)):
        if new := source.moved.get(known, ""):
            spelled = _beside(source, new) if is_beside else new
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


def _candidates(source: Source, path: str) -> tuple[list[int], list[int]]:
    exact: list[int] = []
    globs: list[int] = []
    for index in source.rules.includes:
        rule = source.rules.rules[index]
        if _glob(rule.match).fullmatch(path) and source.applies(rule):
            (globs if "*" in rule.match else exact).append(index)
    return exact, globs


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


def _first_directive(source: Source) -> int:
    guard = _GUARD.search(source.text)
    after = guard.end() if guard else 0
    for token in source.opaque:
        if token.start < after and guard and token.start >= guard.start():
            continue
        if token.kind in (Kind.INCLUDE, Kind.CONDITION):
            return token.start
    return _after_comment(source.opaque)


def _after_comment(found: list[Token]) -> int:
    return (
        found[0].end + 1 if found and found[0].kind is Kind.COMMENT and found[0].start == 0 else 0
    )
