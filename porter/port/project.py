"""Ports CUDA sources that are not PyTorch's: an extension, a sample, a library.

The rules are those for PyTorch. What differs is where files go: a project's folders and names are
its own, so only suffixes change, and headers of PyTorch that it includes are spelled as the port of
PyTorch spells them.
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
from porter.model.plan import PortJob, PortPlan
from porter.model.ported import Ported
from porter.model.project import PathNaming, Project, UnportedMention
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
from porter.rewrite.identifiers import Resolver
from porter.rewrite.kinds import path as path_rules
from porter.rewrite.source import WORD

PORTED = "a C, C++ or CUDA source"
"""The manifest's reason for a file that was ported; others carry the reason why they were not."""
_FILE_NAME = re.compile(r"[\w.+-]+")
_READ_FOR_MENTIONS = 1 << 20
"""Bytes of a file taken over unchanged that are searched for vendor words."""


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
    """Port a project into `folder`, which changes at once when all is done (`dry_run`: not at all).

    `given` are the paths that the user named. Raises what `porter.port.port` raises.
    """
    for path in given:
        check_apart(path, folder)
    return carry_out(project.root, plan, rules, mappings, folder, settings, report)


def plan_of(project: Project, rules: RuleSet, naming: PathNaming = PathNaming.SUFFIX) -> PortPlan:
    """Where each file of a project goes. Raises SourceError when two would land on one path."""
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
    """The files taken over unchanged in which something is left to do by hand: a `setup.py`."""
    was = {
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
        except OSError:  # told when it is copied
            continue
        found = Counter(word for word in WORD.findall(text) if _has_changed(resolver, word))
        words = tuple(sorted(found, key=lambda word: (-found[word], word)))
        renamed = tuple(sorted(was.intersection(_FILE_NAME.findall(text))))
        if words or renamed:
            yield UnportedMention(job.path, words, renamed)


def _has_changed(resolver: Resolver, word: str) -> bool:
    """Whether ported code writes a vendor word otherwise: what is kept there is no news here."""
    verdict = resolver.verdict(word)
    decided = verdict.exact or ((verdict.family,) if verdict.family else ())
    kept = decided and resolver.rules.rules[decided[0].rule].status is Status.SUPPORTED
    return verdict.vendor and not (kept and decided[0].replace is None)


class Moves(Mapping[str, str]):
    """How includes of a project's and of PyTorch's files were spelled -> how the port spells them.

    A project's include folders are not known, so any path on which a file of its ends is one:
    `a/b.cuh` is `include/a/b.cuh`. PyTorch's headers need not be there; where they go follows from
    their names.
    """

    def __init__(self, moves: Iterable[tuple[str, str]], rules: RuleSet) -> None:
        self._rules = rules
        self._ends: dict[str, set[str]] = {}
        for old, new in moves:
            was, now = old.split("/"), new.split("/")
            for start in range(len(was)):
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
    """The ported path of a project's file, and the rules that made it."""
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
            help = "port them apart, or leave one out with --exclude; --keep-names renames nothing"
            problems.append(Problem(text, job.path, help))
    if problems:
        raise SourceError(problems)
    path_rules.check({job.path: job.to for job in jobs if job.to != job.path})
