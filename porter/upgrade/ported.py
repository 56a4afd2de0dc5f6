"""Ports of the selected files of a tree, made in memory, to compare residue and rule hits of two releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from porter.base import disk_cache
from porter.base.fingerprint import Answer
from porter.base.fork_pool import share_out
from porter.model.rewrite_result import Reason
from porter.model.rules import RuleSet
from porter.port.file import read
from porter.port.select import select
from porter.port.stage import plan_of
from porter.rewrite.rewriter import Rewriter
from porter.upgrade.trees import Tree

PORTED = Answer(
    "upgrade_ported",
    (
        "base",
        "cpp",
        "mapping",
        "model",
        "overlay",
        "port",
        "regex",
        "report",
        "rewrite",
        "upgrade",
    ),
)
_PIECE = 24


class LeftWord(NamedTuple):
    """Vendor word that stays in one ported file, with the reason."""

    reason: Reason
    name: str
    path: str
    line: int
    note: str


class RuleHit(NamedTuple):
    """Alphabetically first file with a hit of a rule, and the rule's number of hits in all files."""

    path: str
    hits: int


class PortedTree(NamedTuple):
    """Paths of the selected files of one tree, with the residue and the rule hits of their ports."""

    files: tuple[str, ...]
    left: tuple[LeftWord, ...]
    hits: Mapping[str, RuleHit]
    """Maps the key of a rule to its hits; rules without hits have no entry."""


def port(tree: Tree, rules: RuleSet, jobs: int) -> PortedTree:
    """Port the selected files of a tree. The result is cached until the tree or the rules change.

    Raises SourceError if a file cannot be read.
    """
    inputs = f"{tree.stamp} {tree.is_header_tree} {rules.digest}"
    made: PortedTree = disk_cache.computed_once(
        PORTED, inputs, PortedTree, lambda: _port(tree, rules, jobs)
    )
    return made


def _port(tree: Tree, rules: RuleSet, jobs: int) -> PortedTree:
    plan = plan_of(select(tree.root, rules.selection), rules)
    rewriter = Rewriter(rules, plan.moved)
    paths = [job.path for job in plan.jobs]
    pieces = [paths[start : start + _PIECE] for start in range(0, len(paths), _PIECE)]

    def work(number: int) -> tuple[list[LeftWord], dict[str, RuleHit]]:
        left: list[LeftWord] = []
        hits: dict[str, RuleHit] = {}
        for path in pieces[number]:
            made = rewriter.rewrite(path, read(f"{tree.root}/{path}"))
            left += (
                LeftWord(one.reason, one.name, path, one.line, one.note) for one in made.residue
            )
            for (rule, _), count in made.hits.items():
                _add(hits, rules.rules[rule].key, RuleHit(path, count))
        return left, hits

    left: list[LeftWord] = []
    hits: dict[str, RuleHit] = {}
    for some, counted in share_out(len(pieces), work, jobs):
        left += some
        for key, hit in counted.items():
            _add(hits, key, hit)
    return PortedTree(tuple(paths), tuple(sorted(left, key=lambda one: one[1:4])), hits)


def _add(hits: dict[str, RuleHit], key: str, hit: RuleHit) -> None:
    known = hits.get(key)
    first = min(known.path, hit.path) if known else hit.path
    hits[key] = RuleHit(first, hit.hits + (known.hits if known else 0))
