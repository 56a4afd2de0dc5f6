"""Ports of real PyTorch trees are reproducible, have upstream's line counts, and are unchanged by a second port."""

from __future__ import annotations

import functools
import re
from collections import Counter
from pathlib import Path

import pytest
from port_tree import files
from repository import TEST_MAPPINGS
from rule_sets import TARGETS, target_rules

from porter.cpp.lex import decode
from porter.mapping.library import MappingLibrary
from porter.model.plan import PortPlan
from porter.model.rules import RuleSet
from porter.port.select import release_of, select
from porter.port.stage import PortSettings, plan_of, port
from porter.rewrite.rewriter import Rewriter

pytestmark = pytest.mark.release


@functools.cache
def planned(tree: Path, target: str) -> tuple[RuleSet, PortPlan]:
    """Rules for a tree and a target, and the plan of the port."""
    rules = target_rules(target, release_of(tree))
    return rules, plan_of(select(tree, rules.selection), rules)


@pytest.mark.parametrize("target", TARGETS)
def test_a_port_has_the_lines_of_upstream_and_the_headers_it_gets(
    release_tree: Path, target: str
) -> None:
    rules, plan = planned(release_tree, target)
    rewriter = Rewriter(rules, plan.moved)
    headers = {rules.profile.main_header, *(rule.shim for rule in rules.rules)} - {""}
    wrong = []
    for job in plan.jobs:
        raw = (release_tree / job.path).read_bytes()
        made = rewriter.rewrite(job.path, raw)
        inserted = [edit for edit in made.edits if edit.start == edit.end and edit.rule == -1]
        lines = "".join(str(part) for edit in inserted for part in edit.parts).split("\n")
        given = [line for line in lines if line]
        assert all(line in {f"#include <{header}>" for header in headers} for line in given)
        # What they take in lines, blank lines give.
        text = decode(raw)
        if more := made.text.count("\n") - text.count("\n"):
            behind = made.text[made.text.rindex(given[-1]) :]
            if more > len(given) or re.search(r"\n\r?\n", behind):
                wrong.append(job.path)
    assert wrong == []


@pytest.mark.parametrize("target", TARGETS)
def test_porting_a_port_makes_no_edits(release_tree: Path, target: str) -> None:
    rules, plan = planned(release_tree, target)
    rewriter = Rewriter(rules, plan.moved)
    edits: Counter[str] = Counter()
    for job in plan.jobs:
        ported = rewriter.rewrite(job.path, (release_tree / job.path).read_bytes()).text
        again = rewriter.rewrite(job.path, ported.encode("latin-1"))
        for edit in again.edits:
            rule = rules.rules[edit.rule].key if edit.rule >= 0 else "an include"
            edits[f"{rule}: {ported[edit.start : edit.end]} -> {edit.parts} in {job.path}"] += 1
    assert edits == Counter()


def test_the_same_bytes_whatever_the_jobs_and_the_places(
    release_tree: Path, tmp_path: Path
) -> None:
    rules, _ = planned(release_tree, "simt")
    mappings = MappingLibrary.find((TEST_MAPPINGS,)).digest("simt")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "link").symlink_to(release_tree)
    made = []
    for number, tree in enumerate((release_tree, release_tree, tmp_path / "deep" / "link")):
        out = tmp_path / f"out{number}"
        port(tree, rules, mappings, out, PortSettings(jobs=(1, 2, 4)[number]))
        made.append(files(out))
    assert made[0] == made[1] == made[2]
    assert len(made[0]) > 400
