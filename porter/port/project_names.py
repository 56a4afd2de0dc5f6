"""Names that a CUDA project declares in its sources, and macros that its build files define."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from porter.base import regular_files
from porter.base.fork_pool import share_out
from porter.cpp.lex import decode
from porter.model.cuda_project import Project
from porter.model.project_names import NameKind, ProjectName, ProjectNames, PyTorchNames
from porter.model.rules import RuleSet, Status
from porter.rewrite.declared_words import declared_scopes, declared_words
from porter.rewrite.name_owner import NameOwners
from porter.rewrite.resolver import Resolver
from porter.rewrite.source import WORD, Source

_MOST_BYTES = 1 << 20
"""Largest number of bytes that are read from a build file. The rest of a larger file is ignored."""
_PIECE = 24
"""Largest number of files in one task of a worker process."""
_USES_PYTORCH = re.compile(
    r"\b(?:at|c10|torch)::|\b(?:TORCH|AT|C10)_[A-Z]|#\s*include\s*[<\"](?:torch|ATen|c10|THC)/"
)
_FLAG = re.compile(r"(?<![\w-])[-/]D\s*([A-Za-z_]\w*)", re.ASCII)
_PAIR = re.compile(r"\(\s*[\"']([A-Za-z_]\w*)[\"']\s*,", re.ASCII)
_LISTS = re.compile(
    r"\b(?:target_compile_definitions|add_compile_definitions|add_definitions)\s*\(([^()]*)\)"
    r"|\bdefines\s*=\s*\[([^\[\]]*)\]"
)


class FileNames(NamedTuple):
    """Names in one file."""

    path: str
    declared: list[tuple[str, NameKind, int, bool]]
    """Declared words that matter to a port: (word, kind, line, is a definition)."""
    scopes: set[str]
    words: set[str]
    """Words in which vendor text may occur."""
    uses_pytorch: bool


def collect(
    project: Project, rules: RuleSet, pytorch: PyTorchNames, *, jobs: int = 1, rename: bool = False
) -> ProjectNames:
    """Names of a project: of its sources and, for macros, of its build files.

    With `rename`, the names that the project declares in its sources get new names by the rules' families. Files that
    cannot be read are skipped; the port reports them.
    """
    resolver = Resolver(rules)
    found = sorted(_files(project, resolver, jobs), key=lambda one: one.path)
    return joined(found, _build_macros(project, resolver), resolver, pytorch, rename=rename)


def joined(
    found: Sequence[FileNames],
    macros: Iterable[tuple[str, str]],
    resolver: Resolver,
    pytorch: PyTorchNames,
    *,
    rename: bool = False,
) -> ProjectNames:
    """Names of a project, from the names in its files and from the macros of its build: pairs of (macro, place)."""
    rules = resolver.rules
    own: dict[str, ProjectName] = {}
    defined: dict[str, ProjectName] = {}
    for one in found:
        for word, kind, line, is_definition in one.declared:
            name = ProjectName(frozenset((kind,)), f"{one.path}:{line}")
            if not is_cudas(rules, resolver, word, name):
                _add(own, word, name)
            elif is_definition and _is_edited(rules, resolver, word):
                _add(defined, word, name)
    for word, place in macros:
        name = ProjectName(frozenset((NameKind.BUILD_MACRO,)), place)
        if not is_cudas(rules, resolver, word, name):
            _add(own, word, name)
    words: set[str] = set().union(*(one.words for one in found))
    return ProjectNames(
        own=own,
        defined=defined,
        scopes=frozenset().union(*(one.scopes for one in found)),
        uses_pytorch=any(one.uses_pytorch for one in found),
        pytorch=pytorch,
        renamed=_renamed(own, resolver, words) if rename else {},
    )


def is_cudas(rules: RuleSet, resolver: Resolver, word: str, name: ProjectName) -> bool:
    """Test whether a word that the project declares is a name of CUDA's headers or compiler."""
    verdict = resolver.verdict(word)
    about = [index for _, known in verdict.uses for index in known.get(word, ())]
    alone = ProjectNames({word: name}, {}, frozenset(), uses_pytorch=False, pytorch=PyTorchNames())
    return NameOwners(rules, alone).is_cudas(word, verdict.exact, verdict.family, about)


def _is_edited(rules: RuleSet, resolver: Resolver, word: str) -> bool:
    """Test whether a rule replaces a name of CUDA or its calls, or states that the target lacks the name."""
    verdict = resolver.verdict(word)
    lacking = any(rules.rules[one.rule].status is not Status.SUPPORTED for one in verdict.exact)
    return bool(verdict.uses or lacking or any(one.replace for one in verdict.exact))


def _add(names: dict[str, ProjectName], word: str, name: ProjectName) -> None:
    known = names.get(word, name)
    names[word] = ProjectName(known.kinds | name.kinds, known.place)


def _files(project: Project, resolver: Resolver, jobs: int) -> Iterator[FileNames]:
    paths = project.sources
    pieces = -(-len(paths) // _PIECE)

    def read(piece: int) -> list[FileNames]:
        found = []
        for path in paths[piece::pieces]:
            try:
                raw = regular_files.read_bytes(project.root / path)
            except OSError:
                continue
            found.append(of_text(path, decode(raw), resolver))
        return found

    for some in share_out(pieces, read, jobs):
        yield from some


def of_text(path: str, text: str, resolver: Resolver) -> FileNames:
    """Names in the text of one file."""
    source = Source(path, text, resolver.rules, {})
    wanted = resolver.mattering(source.runs)
    declared = [
        (one.word, one.kind, text.count("\n", 0, one.start) + 1, one.is_definition)
        for one in declared_words(source, sorted(wanted))
    ]
    declared.sort(key=lambda item: item[2])
    vendor = {word for word in source.words if resolver.may_hold_vendor(word)}
    return FileNames(
        path, declared, declared_scopes(source), vendor, bool(_USES_PYTORCH.search(text))
    )


def _build_macros(project: Project, resolver: Resolver) -> Iterator[tuple[str, str]]:
    """Yield (macro, place) for each macro of a build file whose name a rule changes or reports."""
    for file in project.files:
        if not file.why_copied or file.is_unread_source:
            continue
        try:
            with (project.root / file.path).open("rb") as opened:
                text = decode(opened.read(_MOST_BYTES))
        except OSError:
            continue
        if not resolver.may_hold_vendor(text):
            continue
        for word, start in _macros_of(text):
            if resolver.verdict(word).matters:
                line = text.count("\n", 0, start) + 1
                yield word, f"{file.path}:{line}"


def _macros_of(text: str) -> Iterator[tuple[str, int]]:
    """Yield (word, offset) for each macro that the text of a build file seems to define."""
    for flag in _FLAG.finditer(text):
        yield flag[1], flag.start(1)
    for listed in _LISTS.finditer(text):
        for word in WORD.finditer(listed[1] or listed[2] or ""):
            yield word[0], listed.start()
    if "define_macros" in text:
        for pair in _PAIR.finditer(text):
            yield pair[1], pair.start(1)


def _renamed(own: Mapping[str, ProjectName], resolver: Resolver, words: set[str]) -> dict[str, str]:
    """Maps the project's own names to new names. `words` are the words in the project's sources.

    Macros of build files keep their names, because the port copies build files. A name also stays if its new name
    already occurs in the project, or if two names would become equal.
    """
    new_names: dict[str, str] = {}
    for word, name in own.items():
        verdict = resolver.verdict(word)
        found = (*verdict.exact, verdict.family) if verdict.family else verdict.exact
        new = next((one.replace for one in found if one.replace), None)
        if new and new.isidentifier() and NameKind.BUILD_MACRO not in name.kinds:
            new_names[word] = new
    taken = [*words, *new_names.values()]
    return {word: new for word, new in new_names.items() if taken.count(new) == 1}
