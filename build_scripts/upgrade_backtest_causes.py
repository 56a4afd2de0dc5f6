"""Causes of compiler errors in the backend's sources, and the rows of `porter upgrade` that predicted them."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from porter.builder.flags import header_folders
from porter.mapping import build_sets, registration, rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.rules import RuleSet
from porter.model.upgrade import Subject, Upgrade, UpgradeRow
from porter.port import backend_sources
from porter.port import stage as port_stage
from porter.register import catalogue
from porter.register import stage as register_stage
from porter.release import facts
from porter.toolchain.discovery import find_compiler
from porter.upgrade.trees import Tree

_INSTALLED = ("torch/include", "aten/src", "", "torch/csrc/api/include", "torch/include/kineto")
_ROUNDS = 4
"""Largest number of compilations of a source. After each compilation, an empty file replaces a missing header."""
_LINE = re.compile(r"^(?P<place>[^\s:][^:\n]*):(?P<line>\d+):\d+: (?:fatal )?error: (?P<text>.*)$")
_MISSING = re.compile(r"([\w./+-]+): No such file or directory")
_CONSEQUENCE = re.compile(
    r"template argument \d+ is invalid|does not have any field named|expected [^']*'|unable to deduce"
    # Message about a missing member of a class of the backend. The compiler dropped the member, because the member's
    # type is unknown.
    r"|'(?:struct|class) at::\w+::backend::[^']*' has no member named"
)
_NAMES = (
    re.compile(r"'([^']+)' is not a member of '"),
    re.compile(r"has no member named '([^']+)'"),
    re.compile(r"'([^']+)' (?:was|has) not (?:been )?declared"),
    re.compile(r"'([^']+)' (?:in \S+ '[^']*' )?does not name a (?:template )?type"),
    re.compile(r"expected class-name|'([^']+)' has not been declared"),
    re.compile(r"to function '(?:[^']*?[\s:&*])?(\w+)\("),
    re.compile(r"no matching function for call to '(?:[^'(]*::)?~?(\w+)\("),
    re.compile(r"use of deleted function '(?:[^'(]*::)?(\w+)\("),
)
_VIRTUAL = re.compile(r"'(?:virtual )?[^']*?(\w+)::(~?\w+)\([^']*' ?(?:marked|hides|conflicting|)")


class Cause(NamedTuple):
    """Cause of a compiler error."""

    kind: str
    """`header`, `name`, `virtual` or `other`."""
    name: str
    words: tuple[str, ...]
    """Names in the message and in the source line, with CUDA's names in place of the target's."""
    place: str
    message: str

    @property
    def key(self) -> tuple[str, str]:
        return self.kind, self.name


class BackendCompiler:
    """Compiles the backend's sources with the headers of one release. The folder `work` stores the results."""

    def __init__(self, tree: Tree, backend: Path, work: Path, target: str) -> None:
        self.folder = work / tree.release
        self.rules = rule_cache.rule_set(MappingLibrary.find(), target, tree.release)
        if not (self.folder / "register").is_dir():
            prepared(tree, self.rules, backend, self.folder)
        self.command = compile_command(tree, self.rules, self.folder)
        ported = self.folder / "backend" / "src"
        self.sources = sorted(str(path.relative_to(ported)) for path in ported.rglob("*.cpp"))

    def all(self, sources: list[str], jobs: int) -> dict[str, list[Cause]]:
        """Maps each source to the causes of its errors."""
        with ThreadPoolExecutor(jobs) as pool:
            return dict(zip(sources, pool.map(self.one, sources), strict=True))

    def one(self, source: str) -> list[Cause]:
        """Causes of the compiler errors in one source file, without repetitions."""
        answer = self.folder / "answers" / f"{source.replace('/', '-')}.json"
        if not answer.is_file():
            answer.parent.mkdir(parents=True, exist_ok=True)
            path = self.folder / "backend" / "src" / source
            answer.write_text(json.dumps(list(causes(self.command, path, self.folder, self.rules))))
        return [
            Cause(kind, name, tuple(words), place, message)
            for kind, name, words, place, message in json.loads(answer.read_text())
        ]


def distinct(answers: dict[str, list[Cause]]) -> Iterator[Cause]:
    """Yield all causes, without causes of consequential errors.

    Consequential errors are errors in PyTorch's own headers after an empty file has replaced a missing header, and
    errors that an unknown type causes.
    """
    for found in answers.values():
        for cause in found:
            own = cause.place.startswith("backend/") or cause.kind == "header"
            if own and not _CONSEQUENCE.search(cause.message):
                yield cause


def prepared(tree: Tree, rules: RuleSet, backend: Path, folder: Path) -> None:
    """Port the headers of a tree and the backend's sources into `folder`.

    The function also generates the headers that the backend's sources include.
    """
    library = MappingLibrary.find()
    mappings = library.digest(rules.target)
    port_stage.port(tree.root, rules, mappings, folder)
    backend_sources.port(rules, mappings, folder / "backend", sources=backend)
    inputs = register_stage.Inputs(
        rules.profile,
        catalogue.in_tree(tree.root),
        library.special("pytorch", registration.FILE),
        tree=tree.root,
        ported=(folder / "src", folder / "backend"),
    )
    register_stage.prepare(inputs, folder / "register")


def compile_command(tree: Tree, rules: RuleSet, folder: Path) -> list[str]:
    """Command that checks the syntax of a source; the caller appends the path of the source."""
    profile = rules.profile
    build = build_sets.read(MappingLibrary.find(), profile)
    compiler = find_compiler(profile.compiler)
    flags = [flag for flag in profile.compiler_flags if not flag.startswith("-std=")]
    defines = (*build.defines, *profile.build.defines, "NDEBUG", "TORCH_API_INCLUDE_EXTENSION_H")
    python = subprocess.run(
        ["python3-config", "--includes"], capture_output=True, text=True, check=True
    ).stdout
    return [
        *compiler.command,
        *flags,
        *profile.build.host_flags,
        f"-std=c++{facts.read(tree.root).cxx}",
        "-fsyntax-only",
        "-w",
        "-fmax-errors=200",
        "-fno-diagnostics-color",
        *(f"-D{macro}" for macro in defines),
        f"-I{folder / 'backend' / 'src' / 'csrc'}",
        f"-I{folder / 'stubs'}",
        *(f"-I{place}" for place in header_folders(folder, profile)),
        *(word for place in _INSTALLED for word in ("-isystem", str(tree.root / place))),
        *python.split(),
    ]


def causes(command: list[str], source: Path, folder: Path, rules: RuleSet) -> Iterator[Cause]:
    """Yield the causes of the compiler errors in one source, each once."""
    stubs = folder / "stubs" / source.stem
    with_stubs = [*command, f"-I{stubs}"]
    found: list[Cause] = []
    for _ in range(_ROUNDS):
        done = subprocess.run(
            [*with_stubs, str(source)], capture_output=True, text=True, errors="replace", env=_ENV
        )
        found += list(read(done.stderr, folder, rules))
        missing = _MISSING.search(done.stderr)
        if not missing:
            break
        stub = stubs / missing[1]
        stub.parent.mkdir(parents=True, exist_ok=True)
        stub.write_text("")
    print(f"{source.relative_to(folder)}: {len({one.key for one in found})} causes", flush=True)
    yield from {one.key: one for one in found}.values()


_ENV = {"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"}


def read(said: str, folder: Path, rules: RuleSet) -> Iterator[Cause]:
    """Yield the cause of each error in `said`, the output of a compiler."""
    lines = said.splitlines()
    for number, line in enumerate(lines):
        match = _LINE.match(line)
        if not match:
            continue
        notes = []
        for later in lines[number + 1 : number + 40]:
            if _LINE.match(later):
                break
            notes.append(later)
        text = in_cuda(match["text"], rules)
        place = in_cuda(f"{match['place']}:{match['line']}".replace(f"{folder}/", ""), rules)
        shown = in_cuda(notes[0].partition("|")[2] if notes else "", rules)
        words = tuple(sorted(set(re.findall(r"[A-Za-z_]\w+", f"{text} {shown}"))))
        kind, name = cause_of(text, [in_cuda(note, rules) for note in notes])
        yield Cause(kind, name, words, place, text)


def cause_of(text: str, notes: list[str]) -> tuple[str, str]:
    """Kind and name of the cause of an error, from its text and the compiler's notes."""
    if missing := _MISSING.search(text):
        return "header", missing[1]
    if "override" in text or "abstract" in text or "overriding" in text or "conflicting" in text:
        for shown in (text, *notes) if "abstract" not in text else notes:
            if (found := _VIRTUAL.search(shown)) and "virtual" in " ".join((shown, text)):
                return "virtual", found[2]
    for pattern in _NAMES:
        if (found := pattern.search(text)) and found[1]:
            return "name", found[1].split("(")[0].rpartition("::")[2]
    return "other", re.sub(r"\s+", " ", text)[:100]


def in_cuda(text: str, rules: RuleSet) -> str:
    """Text in which CUDA's names replace the target's, as in the rows of `porter upgrade`."""
    profile = rules.profile
    for new, old in ((profile.lower, "cuda"), (profile.upper, "CUDA"), (profile.camel, "Cuda")):
        text = text.replace(new, old)
    return text


def predicted(cause: Cause, done: Upgrade, only: UpgradeRow | None = None) -> UpgradeRow | None:
    """Row of `porter upgrade` that names a cause; None if there is no such row. With `only`, no other row is tested."""
    rows = (row for row in done.rows if row.subject in _SUBJECTS and row.effect != "informs")
    for row in [only] if only else rows:
        if cause.kind == "header":
            if row.name.endswith(cause.name):
                return row
            continue
        parts = row.name.split("::")
        short = parts[-1].split(".")[0]
        if cause.name in (*parts, short) or (cause.kind == "other" and short in cause.words):
            return row
    return None


_SUBJECTS = (
    Subject.HEADER,
    Subject.VIRTUAL,
    Subject.DECLARATION,
    Subject.NAME,
    Subject.SCHEMA,
)
