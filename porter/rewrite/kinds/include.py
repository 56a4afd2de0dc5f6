"""`include` rules replace include paths. Without a rule, includes of ported files get the new paths of these files.

#include <cuda_runtime.h>            ->  #include <musa_runtime.h>
#include <ATen/cuda/CUDAContext.h>   ->  #include <ATen/musa/MUSAContext.h>
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from porter.cpp.lex import Kind
from porter.model.rewrite_result import Reason
from porter.model.rules import STRENGTH, Resolution, Rule, RuleSet, Status
from porter.rewrite.include_lookup import glob
from porter.rewrite.kind import Mistake, Preview, Resolve, RuleKind, VendorWords
from porter.rewrite.kind_schema import REPLACE, TEXT, Field
from porter.rewrite.source import Source

_PATH = re.compile(r"\#[ \t]*include(?:_next)?[ \t]*[<\"]([^>\"\n]*)[>\"]")
_QUOTED = re.compile(r"[<\"]([^<>\"\n]+)[>\"]")
_FOLDERS = frozenset(
    [
        *("cuda", "cub", "thrust", "cooperative_groups", "crt", "nvtx3", "nv", "cutlass", "cute"),
        *("ATen", "c10", "caffe2", "torch", "THC", "THCUNN"),
    ]
)
"""Folders of CUDA's and PyTorch's headers."""
_FOREIGN = "the header is neither the project's nor one of CUDA and PyTorch"
_DIRECTIVES = ("include", "include_next", "import")
_ASKS = frozenset(["__has_include", "__has_include_next"])
_ASKED = re.compile(r"\b__has_include(?:_next)?\s*\(\s*[<\"]([^<>\"\n]+)[>\"]")
_GIVEN = re.compile(r"[ \t]+\w+[ \t]+[<\"]([\w./+-]+\.\w+)[>\"][ \t]*(?=\r?\n|//|/\*|\Z)")


def apply(source: Source) -> set[str]:
    """Edit every include path of a file. Returns the include paths of the ported file."""
    for path, start in _mentioned(source):
        _one(source, path, start)
        source.held.append((start, start + len(path)))
    return {_one(source, path, start) for path, start in included(source)}


def included(source: Source) -> Iterator[tuple[str, int]]:
    """Yield (path, offset of the path) for each include directive of a file."""
    for token in source.of_kind(Kind.INCLUDE):
        match = _PATH.match(token.text)
        if match and match[1]:
            yield match[1], token.start + match.start(1)

    for token in source.of_kind(Kind.DIRECTIVE):
        # Slow case: a comment or a line splice precedes the path, or the directive is another compiler's.
        if token.text.endswith(_DIRECTIVES):
            start = source.after(token.end)
            match = _QUOTED.match(source.text, start)
            if match and start < source.line_end(token.start):
                source.held.append(match.span(1))
                yield match[1], match.start(1)


def _mentioned(source: Source) -> Iterator[tuple[str, int]]:
    """Yield (path, offset) for each include path outside include directives: in `__has_include`, or in a `#define`."""
    if not _ASKS.isdisjoint(source.runs):
        for asked in _ASKED.finditer(source.text):
            inside = source.at(asked.start())
            if inside is None or inside.kind is Kind.CONDITION:
                yield asked[1], asked.start(1)
    for token in source.of_kind(Kind.DIRECTIVE):
        if token.text.endswith("define"):
            given = _GIVEN.match(source.text, token.end)
            if given and (source.text[given.start(1) - 1] == "<" or _is_known(source, given[1])):
                yield given[1], given.start(1)


def _is_known(source: Source, path: str) -> bool:
    """Test whether a rule matches an include path, or the include path denotes a ported file."""
    exact, globs = candidates(source, path)
    return bool(exact or globs or _moved(source, path, quoted=True))


def _one(source: Source, path: str, start: int) -> str:
    """Edit one include path and return the new path.

    A rule with exactly this path has precedence over the new path of the ported file that the path denotes. A rule
    with `*` comes last, but has precedence over a rule of a weaker layer with exactly this path.
    """
    exact, globs = candidates(source, path)
    for index in exact:
        return _by_rule(source, index, path, start)
    if spelled := _moved(source, path, quoted=source.text[start - 1] == '"'):
        if spelled == path or spelled == posixpath.normpath(
            path
        ):  # `./x.h` denotes the same file as `x.h`.
            return path
        source.edit(start, start + len(path), spelled, -1)
        return spelled
    for index in globs:
        return _by_rule(source, index, path, start)
    if source.include_rules.about(path).vendor:
        reason = _unknown(source, path, start)
        source.leave(start, reason, path, note=_FOREIGN if reason is Reason.FOREIGN else "")
    return path


def _unknown(source: Source, path: str, start: int) -> Reason:
    """Reason for a header without a rule.

    In a project, CUDA or PyTorch has such a header only if its path is in angle brackets, and without a folder or in a
    folder of theirs.
    """
    if not source.of_project:
        return Reason.UNMAPPED
    folder = path.partition("/")[0] if "/" in path else ""
    beside = source.text[start - 1] == '"'
    known = folder in _FOLDERS or (not folder and not beside)
    return Reason.UNMAPPED if known else Reason.FOREIGN


def _moved(source: Source, path: str, *, quoted: bool) -> str:
    """New include path of the ported file that `path` denotes; empty if `path` denotes no ported file.

    Only a path in quotes is also searched in the folder of the including file (ISO C++ [cpp.include]).
    """
    new = source.moved.get(path, "")
    if new or not quoted:
        return new
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), path))
    new = source.moved.get(beside, "")
    return _beside(source, new) if new else ""


def candidates(source: Source, path: str) -> tuple[list[int], list[int]]:
    """Indexes of the rules about an include path that apply to a file, strongest first.

    The result is (rules with exactly this path, rules with `*` that match the path). It contains no rule with exactly
    this path if a rule with `*` of a stronger layer matches the path.
    """
    known = source.include_rules.about(path)
    exact, globs = known.exact, known.globs
    if not known.everywhere:
        rules = source.rules.rules
        exact = [index for index in exact if source.applies(rules[index])]
        globs = [index for index in globs if source.applies(rules[index])]
    return _not_overridden(source.rules, exact, globs), globs


def _not_overridden(rules: RuleSet, exact: list[int], globs: list[int]) -> list[int]:
    """Rules with exactly one path, without those of a weaker layer than the strongest rule with `*`."""
    if not exact or not globs:
        return exact
    strongest = STRENGTH[rules.rules[globs[0]].layer]
    return [index for index in exact if STRENGTH[rules.rules[index].layer] <= strongest]


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
    """New include path that a rule gives to `path`."""
    new = rule.replace or path
    if "*" in rule.match and (match := glob(rule.match).fullmatch(path)):
        new = new.replace("*", match[1])
    return new


def _beside(source: Source, new: str) -> str:
    here = source.moved.get(source.path, source.path)
    return posixpath.relpath(new, posixpath.dirname(here) or ".")


def _apply(source: Source, words: VendorWords) -> None:
    source.included = apply(source)


def _can_affect(rule: Rule, path: str, text: str) -> bool:
    return all(part in text for part in rule.match.split("*"))


def _preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    if rule.replace:
        yield Preview("", rule.match.replace("*", "x.h"), rule.replace.replace("*", "x.h"))


def _again(rules: RuleSet, by: Rule, path: str) -> Resolution | None:
    about = rules.of_kind("include")
    exact = [index for index in about if rules.rules[index].match == path]
    globs = [
        index
        for index in about
        if "*" in rules.rules[index].match and glob(rules.rules[index].match).fullmatch(path)
    ]
    for index in _not_overridden(rules, exact, globs) + globs:
        rule = rules.rules[index]
        new = replaced(rule, path)
        if rule.status is not Status.SUPPORTED or new == path:
            return None
        return Resolution(index, new)
    return None


def _rivals(rules: RuleSet, rule: Rule) -> Iterator[int]:
    return (i for i in rules.of_kind("include") if rules.rules[i].match == rule.match)


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    if rule.match.count("*") > 1 and rule.replace is not None:
        text = f"{title} has more than one '*', and a replacement"
        yield Mistake(text, "the matched texts would be lost")
    if "*" not in rule.match and "*" in (rule.replace or ""):
        yield Mistake(
            f"{title}: the '*' of the replacement '{rule.replace}' has no '*' in the match"
        )
    new = (rule.replace or "").split("/")
    if ".." in new or (new[0] == "" and len(new) > 1):
        text = f"{title}: the replacement '{rule.replace}' is not a path from an include folder"
        yield Mistake(text)


KIND = RuleKind(
    name="include",
    summary="Include path; one `*` matches any text.",
    fields=(
        Field("include", TEXT),
        REPLACE,
    ),
    listed=7,
    apply=_apply,
    is_graded=True,
    names_headers=True,
    is_pattern=lambda rule: "*" in rule.match,
    can_affect=_can_affect,
    preview=_preview,
    again=_again,
    rivals=_rivals,
    mistakes=_mistakes,
    header=lambda rule: rule.replace or "",
)
