"""Line numbers of residue and hazards are those of the ported file, for every ported file of a real PyTorch tree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rule_sets import target_rules

from porter.cpp.lex import encode
from porter.inspect.explain import Explainer
from porter.model.rules import Origin
from porter.port.select import release_of, select
from porter.port.stage import plan_of
from porter.rewrite.rewriter import Rewriter

pytestmark = pytest.mark.release


@pytest.mark.parametrize("target", ["simt", "musa"])
def test_residue_and_hazards_are_on_their_lines(release_tree: Path, target: str) -> None:
    rules = target_rules(target, release_of(release_tree))
    plan = plan_of(select(release_tree, rules.selection), rules)
    rewriter = Rewriter(rules, plan.moved)
    wrong, total = [], 0
    for job in plan.jobs:
        made = rewriter.rewrite(job.path, (release_tree / job.path).read_bytes())
        lines = made.text.split("\n")
        for left in made.residue:
            if not begins_in(lines[left.line - 1], left.name):
                wrong.append(f"{job.to}:{left.line}: {left.name}")
        marked = marked_lines(rewriter, release_tree, job.path) if made.hazards else {}
        for hazard in made.hazards:
            if marked[hazard.rule] != hazard.line:
                wrong.append(f"{job.to}:{hazard.line}: {hazard.name}")
        total += len(made.residue) + len(made.hazards)
    assert total > 100
    assert not wrong, f"{len(wrong)} of {total}: {wrong[:10]}"


@pytest.mark.parametrize("target", ["simt", "musa"])
def test_explain_states_the_same_lines(release_tree: Path, target: str) -> None:
    rules = target_rules(target, release_of(release_tree))
    plan = plan_of(select(release_tree, rules.selection), rules)
    explainer = Explainer(rules, plan.moved, lambda rule, name: Origin("", 0))
    for job in plan.jobs:
        raw = (release_tree / job.path).read_bytes()
        made = explainer.rewriter.rewrite(job.path, raw)
        explained = explainer.file(job.path, raw).places
        residue = {(one.ported_line, one.before) for one in explained if one.kind == "left"}
        hazards = {one.ported_line for one in explained if one.kind == "hazard"}
        assert {(left.line, left.name) for left in made.residue} <= residue, job.path
        assert {hazard.line for hazard in made.hazards} <= hazards, job.path


def begins_in(line: str, name: str) -> bool:
    """Test whether a line contains the first line of a residue's name, and no letter before it."""
    return bool(re.search(rf"(?<!\w){re.escape(name.partition(chr(10))[0])}", line))


def marked_lines(rewriter: Rewriter, tree: Path, path: str) -> dict[int, int]:
    """Line in the ported file of a comment that is put before the first place of each hazard, by the hazard's rule."""
    source = rewriter.examine(path, (tree / path).read_bytes())
    text = source.text
    first = [(found[0], rule) for rule, found in rewriter.reporter.places(source)]
    for start, rule in sorted(first, reverse=True):
        text = f"{text[:start]}/*hazard {rule}*/{text[start:]}"
    made = rewriter.rewrite(path, encode(text)).text
    return {
        int(mark[1]): made.count("\n", 0, mark.start()) + 1
        for mark in re.finditer(r"/\*hazard (\d+)\*/", made)
    }
