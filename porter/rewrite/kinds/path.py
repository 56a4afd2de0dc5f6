"""`path` rules change the paths of ported files, and therefore also the include paths of these files.

aten/src/ATen/cuda/CUDAContext.h  ->  aten/src/ATen/musa/MUSAContext.h
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from porter.base.errors import MappingError, Problem
from porter.base.globs import is_within
from porter.model.rules import Resolution, Rule, RuleSet
from porter.regex.samples import samples
from porter.regex.template_expand import expand
from porter.rewrite.kind import Key, Mistake, Preview, Resolve, RuleKind
from porter.rewrite.kind_schema import TEXT, WRITTEN_OR_NOT, Choice, Field, Regex

INCLUDE_ROOTS = ("aten/src/", "torch/csrc/api/include/", "")
"""Include folders of PyTorch's sources (source: PyTorch's CMakeLists.txt), longest first."""


@functools.cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def renamed(path: str, rules: RuleSet) -> tuple[str, list[int]]:
    """Ported path of an upstream path, and the indexes of the applied rules.

    For each part of the path, the first matching rule decides.
    """
    *folders, name = path.split("/")
    stem, dot, suffix = name.partition(".")
    hits: list[int] = []

    def part(kind: str, text: str) -> str:
        new, hit = renamed_part(kind, text, path, rules)
        hits.extend(hit)
        return new

    new = [part("folder", folder) for folder in folders]
    return "/".join([*new, part("stem", stem) + dot + part("suffix", suffix)]), hits


def renamed_part(kind: str, text: str, path: str, rules: RuleSet) -> tuple[str, list[int]]:
    """New text of one part (`folder`, `stem` or `suffix`) of a path, and a list with the index of the applied rule.

    If no rule applies, the text is unchanged and the list is empty.
    """
    for index in rules.of_kind("path"):
        rule = rules.rules[index]
        if rule.option("part") != kind or not is_within(path, rule.only_in, rule.not_in):
            continue
        match = _pattern(rule.match).fullmatch(text)
        if match:
            return expand(match, rule.replace or ""), [index]
    return text, []


def check(moves: dict[str, str]) -> None:
    """Check the ported paths. `moves` maps upstream paths to ported paths.

    Raises MappingError if two files would get the same path, or if a path would lie outside the port.
    """
    problems = []
    taken: dict[str, str] = {}
    for old, new in moves.items():
        parts = new.split("/")
        if new.startswith("/") or ".." in parts or "" in parts or "\0" in new:
            problems.append(Problem(f"its ported path '{new}' leaves the output folder", old))
        # The comparison ignores case: files must not collide on a file system that ignores case.
        other = taken.setdefault(new.lower(), old)
        if other != old:
            problems.append(Problem(f"'{other}' and this file both become '{new}'", old))
    if problems:
        raise MappingError(problems)


def spellings(moves: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Maps each include path of the ported files to the new include path.

    `moves` has (upstream path, ported path) of each file. A file has one include path for each include folder of
    PyTorch (`INCLUDE_ROOTS`) that contains it.
    """
    known: dict[str, str] = {}
    for old, new in moves:
        for root in INCLUDE_ROOTS:
            if old.startswith(root) and new.startswith(root):
                known.setdefault(old[len(root) :], new[len(root) :])
    return known


def _preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    for text in samples(rule.match):
        if match := _pattern(rule.match).fullmatch(text):
            yield Preview("", text, expand(match, rule.replace or ""))


def _again(rules: RuleSet, by: Rule, text: str) -> Resolution | None:
    for index in rules.of_kind("path"):
        rule = rules.rules[index]
        if rule.option("part") == by.option("part") and (
            match := _pattern(rule.match).fullmatch(text)
        ):
            new = expand(match, rule.replace or "")
            return None if new == text else Resolution(index, new)
    return None


def _keys(rule: Rule) -> Iterator[Key]:
    yield "path", rule.option("part"), rule.match


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    for text in samples(rule.match) or [rule.match]:
        found = _pattern(rule.match).fullmatch(text)
        new = expand(found, rule.replace or "") if found else rule.replace or ""
        if "/" in new or "\\" in new or "\0" in new or new in ("..", "."):
            yield Mistake(f"{title}: '{new}' leaves the folder of the file")
            return
        if not new:
            yield Mistake(f"{title}: no text remains of the {rule.option('part')}")
            return


KIND = RuleKind(
    name="path",
    summary="Part of the path of a ported file.",
    fields=(
        Field("path", TEXT, regex=Regex.WHOLE),
        Field("part", Choice(("folder", "stem", "suffix"))),
        Field("replace", WRITTEN_OR_NOT),
    ),
    listed=8,
    match_is_regex=True,
    match_is_verbatim=True,
    affects_all=True,
    preview=_preview,
    again=_again,
    keys=_keys,
    mistakes=_mistakes,
    example=lambda before, rules: renamed(before, rules)[0],
)
