"""Port of a CUDA project other than PyTorch: an extension, a sample, a library.

The text is rewritten by the rules for PyTorch's sources. By default, only the suffixes of file names change in paths.
An include of a PyTorch header gets the path that the header has in the port of PyTorch.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from porter.base.errors import Problem, SourceError
from porter.base.globs import matches
from porter.cpp.lex import decode
from porter.model.cuda_project import PathNaming, Project, UnportedMention
from porter.model.plan import PortJob, PortPlan
from porter.model.ported import Ported
from porter.model.rules import RuleSet, Status
from porter.port.source_tree import OTHER
from porter.port.stage import (
    DEFAULT_REPORT,
    DEFAULTS,
    PortSettings,
    ReportInputs,
    carry_out,
    check_apart,
)
from porter.rewrite.kinds import path as path_rules
from porter.rewrite.resolver import Resolver
from porter.rewrite.source import WORD

PORTED = "a C, C++ or CUDA source"
"""Reason that the manifest states for a ported file. The reason for a copied file begins with `copied: `."""
_FILE_NAME = re.compile(r"[\w.+-]+")
_READ_FOR_MENTIONS = 1 << 20
"""Number of bytes at the start of a copied file that are searched for vendor names."""


def port(
    project: Project,
    given: Iterable[Path],
    plan: PortPlan,
    rules: RuleSet,
    mappings: str,
    folder: Path,
    settings: PortSettings = DEFAULTS,
    report: ReportInputs = DEFAULT_REPORT,
) -> Ported:
    """Port a project into `folder`. The folder is replaced atomically at the end; with `dry_run`, it is not changed.

    `given` are the paths that the user gave; `mappings` is the digest of the target's mappings. Raises the errors of
    `porter.port.stage.port`.
    """
    for path in given:
        check_apart(path, folder)
    return carry_out(project.root, plan, rules, mappings, folder, settings, report)


def plan_of(project: Project, rules: RuleSet, naming: PathNaming = PathNaming.SUFFIX) -> PortPlan:
    """Plan the port of all files of a project. Raises SourceError if two files would get the same ported path."""
    jobs = []
    for file in project.files:
        if file.why_copied:
            jobs.append(PortJob(file.path, file.path, f"copied: {file.why_copied}", copied=True))
        else:
            to, hits = renamed(file.path, rules, naming)
            jobs.append(PortJob(file.path, to, PORTED, tuple(hits)))
    _check(jobs)
    return PortPlan(
        tuple(jobs), Moves(((job.path, job.to) for job in jobs if not job.copied), rules)
    )


def mentions(project: Project, plan: PortPlan, rules: RuleSet) -> Iterator[UnportedMention]:
    """Yield the mentions in each text file that is copied unchanged, for example `setup.py`.

    A mention is a vendor name, or the old name of a file that the port renames. The user must edit mentions by hand.
    Names that the project itself declares keep their names, so that they need no edit.
    """
    own = plan.names.own.keys() if plan.names else ()
    old_names = {
        posixpath.basename(job.path)
        for job in plan.jobs
        if posixpath.basename(job.path) != posixpath.basename(job.to)
    }
    resolver = Resolver(rules)
    for job in plan.jobs:
        if job.reason != f"copied: {OTHER}":
            continue
        try:
            with (project.root / job.path).open("rb") as file:
                text = decode(file.read(_READ_FOR_MENTIONS))
        except OSError:  # The error is reported when the file is copied.
            continue
        found = Counter(
            word for word in WORD.findall(text) if word not in own and _has_changed(resolver, word)
        )
        words = tuple(sorted(found, key=lambda word: (-found[word], word)))
        renamed = tuple(sorted(old_names.intersection(_FILE_NAME.findall(text))))
        if words or renamed:
            yield UnportedMention(job.path, words, renamed)


def _has_changed(resolver: Resolver, word: str) -> bool:
    """Test whether a port replaces or reports `word`: a vendor name that no rule accepts unchanged."""
    verdict = resolver.verdict(word)
    decided = verdict.exact or ((verdict.family,) if verdict.family else ())
    kept = decided and resolver.rules.rules[decided[0].rule].status is Status.SUPPORTED
    return verdict.vendor and not (kept and decided[0].replace is None)


class Moves(Mapping[str, str]):
    """Maps the path in an `#include` to the ported path, for headers of the project and of PyTorch.

    The include folders of the project are unknown. Therefore, a path in an `#include` denotes every file of the project
    whose path ends with the included path: `a/b.cuh` denotes `include/a/b.cuh`. If several files match and their ported
    paths differ, the included path has no entry. An absolute path denotes one file. A PyTorch header need not exist on
    disk, because its ported path follows from its name.
    """

    def __init__(self, moves: Iterable[tuple[str, str]], rules: RuleSet) -> None:
        self._rules = rules
        self._ends: dict[str, set[str]] = {}
        for old, new in moves:
            was, now = old.split("/"), new.split("/")
            for start in range(1 if old.startswith("/") else len(was)):
                self._ends.setdefault("/".join(was[start:]), set()).add("/".join(now[start:]))

    def __getitem__(self, path: str) -> str:
        own = self._ends.get(path)
        if own:
            if len(own) > 1:
                raise KeyError(path)
            return next(iter(own))
        for root in path_rules.INCLUDE_ROOTS:
            if self._is_ported(root + path):
                new, _ = path_rules.renamed(root + path, self._rules)
                return new.removeprefix(root)
        raise KeyError(path)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ends)

    def __len__(self) -> int:
        return len(self._ends)

    def _is_ported(self, path: str) -> bool:
        selection = self._rules.selection
        held = any(folder.holds(path) for folder in selection.folders)
        return held and not matches(path, [excluded.glob for excluded in selection.excluded])


def renamed(path: str, rules: RuleSet, naming: PathNaming) -> tuple[str, list[int]]:
    """Ported path of a project's file, and the indexes of the rules that changed the path."""
    if naming is PathNaming.KEEP:
        return path, []
    if naming is PathNaming.PYTORCH:
        return path_rules.renamed(path, rules)
    stem, dot, suffix = path.rpartition(".")
    new, hits = path_rules.renamed_part("suffix", suffix, path, rules)
    return stem + dot + new, hits


def _check(jobs: Sequence[PortJob]) -> None:
    taken: dict[str, str] = {}
    problems = []
    for job in jobs:
        other = taken.setdefault(job.to, job.path)
        if other != job.path:
            text = f"'{other}' and this file both become '{job.to}'"
            help = "port the files separately, leave one out with --exclude, or keep their names with --keep-names"
            problems.append(Problem(text, job.path, help))
    if problems:
        raise SourceError(problems)
    path_rules.check({job.path: job.to for job in jobs if job.to != job.path})
