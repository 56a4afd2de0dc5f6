"""Headers that options `-include` name: the compiler includes them before each source."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from porter.base import disk_cache
from porter.base.fingerprint import Answer
from porter.toolkit.search_path import Include, SearchPath

if TYPE_CHECKING:
    from porter.model.rules import RuleSet

_OPTION = "-include"
_PATHS = Answer("forced-includes", ("base", "cpp", "model", "regex", "rewrite", "toolkit"))


def own(options: Sequence[str], search: SearchPath) -> dict[str, str]:
    """Absolute paths of the headers of the user's program, by their paths in the options.

    The compiler searches the current folder first, then the include folders.
    """
    here = os.getcwd()  # noqa: PTH109
    found = {path: search.find(Include(path, True), here) for path in _named(options)}
    return {path: file for path, file in found.items() if file}


def renamed(
    options: Sequence[str], own: Container[str], key: str, rules: Callable[[], RuleSet]
) -> dict[str, str]:
    """Include paths of the target, by those of CUDA and PyTorch in the options."""
    paths = sorted({path for path in _named(options) if path not in own})
    if not paths:
        return {}
    entry = disk_cache.key_of(_PATHS, key, *paths)
    known = disk_cache.get(_PATHS, entry)
    if not isinstance(known, dict):
        known = dict(_look_up(paths, rules()))
        disk_cache.put(_PATHS, entry, known)
    return {str(old): str(new) for old, new in known.items()}


def replaced(options: Sequence[str], places: Mapping[str, str]) -> list[str]:
    """Options with other paths of the headers."""
    out = list(options)
    for index, word in enumerate(options[:-1]):
        if word == _OPTION:
            out[index + 1] = places.get(options[index + 1], options[index + 1])
    return out


def _named(options: Sequence[str]) -> Iterator[str]:
    for word, following in itertools.pairwise(options):
        if word == _OPTION:
            yield following


def _look_up(paths: Sequence[str], rules: RuleSet) -> Iterator[tuple[str, str]]:
    from porter.rewrite.rendering import render
    from porter.rewrite.rewriter import Rewriter, outermost

    rewriter = Rewriter(rules, {})
    for path in paths:
        before = f"#include <{path}>\n"
        source = rewriter.examine("forced.h", before.encode())
        # The last include is the one that was ported, after those that the port adds.
        after = render(source.text, outermost(source)).rpartition("#include <")[2]
        yield path, after.partition(">")[0] or path
