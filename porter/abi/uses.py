"""Classes that the backend's sources use, found by the names in the sources and the types in debug information.

A source uses a class if the name of the class occurs in the source or in the expansion of a macro that the source
uses. The name of a member function counts as well, if at most `_FEW` class templates have a member function of that
name. The source also uses the classes of a used class's bases, fields and template arguments, and the classes to which
its fields point, because PyTorch's inline functions access them. The result may contain classes that the backend does
not use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.abi.class_layouts import FoundClass
from porter.base import regular_files, resources
from porter.cpp.lex import Kind, decode, lex

_FEW = 2
_SUFFIXES = (".h", ".cpp", ".cuh", ".cu")
_INCLUDE = re.compile(r'#\s*include\s*[<"]((?:ATen|c10|torch)/[^>"]+)[>"]')
_PORTED = re.compile(r"(^|/)cuda/|_cuda\.h$|CUDA")
"""Pattern of headers that a port replaces."""
_GENERATED = "porter/register/emit.py"
"""Module that contains the text of generated registrations."""


class BackendSource(NamedTuple):
    """C++ source of the backend, or porter's generator of C++."""

    path: str
    """`backend/csrc/Memory.cpp`, or the path of the generator's module."""
    includes: tuple[str, ...]
    """PyTorch's headers that the source includes, without those that a port replaces."""
    words: frozenset[str]
    """Identifiers in the source."""


def backend_sources() -> list[BackendSource]:
    """The backend's C++ sources, and the module that generates registrations."""
    root = resources.folder("backend")
    found = []
    for path in sorted(root.rglob("*")):
        if path.suffix in _SUFFIXES:
            text = decode(regular_files.read_bytes(path))
            words = frozenset(token.text for token in lex(text) if token.kind is Kind.IDENT)
            found.append(_source(f"backend/{path.relative_to(root).as_posix()}", text, words))
    emit = Path(__file__).parent.parent / "register" / "emit.py"
    text = decode(regular_files.read_bytes(emit))
    found.append(_source(_GENERATED, text, frozenset(re.findall(r"[A-Za-z_]\w*", text))))
    return found


def _source(path: str, text: str, words: frozenset[str]) -> BackendSource:
    includes = (name for name in _INCLUDE.findall(text) if not _PORTED.search(name))
    return BackendSource(path, tuple(dict.fromkeys(includes)), words)


def headers(sources: Iterable[BackendSource]) -> list[str]:
    """PyTorch's headers that the sources include, sorted."""
    return sorted({name for source in sources for name in source.includes})


def used_by(
    classes: Mapping[str, FoundClass],
    sources: Sequence[BackendSource],
    macros: Mapping[str, tuple[str, ...]],
) -> dict[str, tuple[str, ...]]:
    """Maps the name of each used class to the paths of the sources that use the class.

    `macros` maps the name of a macro to the identifiers in its expansion.
    """
    by_word = _classes_by_word(classes)
    users: dict[str, set[str]] = {}
    for source in sources:
        words = _expanded(source.words, macros)
        pending = [name for word in words for name in by_word.get(word, ())]
        seen: set[str] = set()
        while pending:
            name = pending.pop()
            if name not in seen and name in classes:
                seen.add(name)
                users.setdefault(name, set()).add(source.path)
                pending.extend(classes[name].reaches)
    return {name: tuple(sorted(paths)) for name, paths in users.items()}


def _classes_by_word(classes: Mapping[str, FoundClass]) -> dict[str, list[str]]:
    """Maps an identifier to the names of the classes that a source with this identifier uses."""
    found: dict[str, list[str]] = {}
    declaring: dict[str, dict[str, list[str]]] = {}
    for name, layout in classes.items():
        template = name.partition("<")[0]
        found.setdefault(template.rpartition("::")[2], []).append(name)
        for function in layout.functions:
            declaring.setdefault(function, {}).setdefault(template, []).append(name)
    for function, templates in declaring.items():
        if len(templates) <= _FEW:
            found.setdefault(function, []).extend(n for names in templates.values() for n in names)
    return found


def _expanded(words: Iterable[str], macros: Mapping[str, tuple[str, ...]]) -> set[str]:
    """The given words, and all identifiers in the expansions of the macros among these words."""
    seen: set[str] = set()
    pending = list(words)
    while pending:
        word = pending.pop()
        if word not in seen:
            seen.add(word)
            pending.extend(macros.get(word, ()))
    return seen
