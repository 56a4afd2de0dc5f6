"""`porter compare`: the ports of PyTorch to two targets, token by token."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from release_trees import named_releases

from porter.base.errors import UsageError
from porter.cli.exit_codes import report_error
from porter.cli.main import cli
from porter.cpp.lex import Kind, lex
from porter.inspect.port_comparison import compare
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.comparison import PortComparison
from porter.model.rules import RuleSet
from porter.port.select import select
from porter.port.stage import plan_of
from porter.rewrite.rendering import render
from porter.rewrite.rewriter import Rewriter, outermost

TEXTS = (Kind.BLANK, Kind.COMMENT, Kind.STRING, Kind.CHAR, Kind.INCLUDE, Kind.MESSAGE)


@pytest.fixture(scope="module")
def tree() -> Path:
    """Source tree of 2.6.0."""
    found = named_releases().get("2.6.0")
    return found or pytest.skip(
        "PORTER_TEST_RELEASES names no tree of 2.6.0; build_scripts/test does"
    )


def rules_of(target: str) -> RuleSet:
    return rule_cache.checked_rule_set(MappingLibrary.find(), target, "2.6.0")


@functools.cache
def compared(tree: Path, a: str, b: str) -> PortComparison:
    return compare(tree, rules_of(a), rules_of(b))


def ported(tree: Path, target: str, paths: frozenset[str]) -> dict[str, list[str]]:
    """Upstream path -> tokens of the port's code, without comments, literals and include paths."""
    rules = rules_of(target)
    rewriter = Rewriter(rules, plan_of(select(tree, rules.selection), rules).moved)
    found = {}
    for path in sorted(paths):
        source = rewriter.examine(path, (tree / path).read_bytes())
        text = render(source.text, outermost(source))
        found[path] = [
            word
            for token in lex(text)
            if token.kind not in TEXTS
            for word in (
                re.findall(r"\w+|\W", token.text) if token.kind is Kind.CONDITION else [token.text]
            )
        ]
    return found


def test_simt_and_musa_differ_by_names_launches_shared_memory_and_a_patch(tree: Path) -> None:
    found = compared(tree, "simt", "musa")
    patches = [one for one in found.differences if any(": patch" in key for key in one.rules_a)]
    kinds = {
        key.partition(": ")[2].split(" ")[0]
        for one in found.differences
        if one not in patches
        for key in (*one.rules_a, *one.rules_b)
    }
    assert kinds == {"launch", "dynamic_shared", "main_header", "names", "call", "family"}
    simt = rules_of("simt")
    patched = {
        simt.rules[index].match
        for index in simt.of_kind("patch")
        if simt.rules[index].origin.file
        in ("simt/launches.yaml", "simt/loops.yaml", "simt/patches.yaml")
    }
    own = {job.path for job in plan_of(select(tree, simt.selection), simt).jobs} - {
        job.path for job in plan_of(select(tree, rules_of("musa").selection), rules_of("musa")).jobs
    }
    assert {one.path for one in patches} == patched - own
    # A patch is one difference; the other lines of its file are compared token by token.
    reduce = [one for one in found.differences if one.path.endswith("cuda/Reduce.cuh")]
    assert len(reduce) > len([one for one in patches if one.path.endswith("cuda/Reduce.cuh")]) > 5
    assert all(one.a.count("\n") < 20 for one in patches)
    calls = [one for one in found.differences if any(": call" in key for key in one.rules_b)]
    assert {one.path for one in calls} == {"aten/src/ATen/cuda/CUDAGraph.cpp"}
    assert found.names["simtMalloc"] == {"musaMalloc"}
    assert found.one_to_one > 0.99 * len(found.names) > 800
    assert set(found.only_a) == own


@pytest.mark.slow
@pytest.mark.parametrize("other", ["musa", "hip", "maca"])
def test_files_without_a_difference_are_equal_after_renaming(tree: Path, other: str) -> None:
    """Compares whole ported texts, which the comparison itself never lexes."""
    found = compared(tree, "simt", other)
    a, b = rules_of("simt"), rules_of(other)
    chosen = [{job.path for job in plan_of(select(tree, r.selection), r).jobs} for r in (a, b)]
    paths = frozenset(chosen[0] & chosen[1]) - {one.path for one in found.differences}
    assert len(paths) > 150
    first, second = ported(tree, "simt", paths), ported(tree, other, paths)
    for path in paths:
        assert len(first[path]) == len(second[path]), path
        for x, y in zip(first[path], second[path], strict=True):
            assert x == y or y in found.names.get(x, ()), (path, x, y)


def test_names_that_merge_and_names_that_divide_are_listed(tree: Path) -> None:
    found = compared(tree, "simt", "hip")
    assert found.merged["hipSuccess"] == {"simtSuccess", "SIMT_DRV_SUCCESS"}
    assert found.several["simtGraphInstantiate"] == {
        "hipGraphInstantiate",
        "hipGraphInstantiateWithFlags",
    }
    back = compared(tree, "hip", "simt")
    assert back.merged.keys() == found.several.keys()
    assert back.one_to_one == found.one_to_one
    assert len(back.differences) == len(found.differences)


def test_the_number_of_processes_makes_no_difference(tree: Path) -> None:
    assert compare(tree, rules_of("simt"), rules_of("musa"), jobs=3) == compared(
        tree, "simt", "musa"
    )


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["compare", *words])


def test_the_document_has_all_names_and_differences(tree: Path) -> None:
    done = run("simt", "musa", "--pytorch-src", str(tree), "--json")
    document = json.loads(done.stdout)
    found = compared(tree, "simt", "musa")
    assert (done.exit_code, document["schema"], document["release"]) == (0, 1, "2.6.0")
    assert document["names"]["pairs"]["simtMalloc"] == ["musaMalloc"]
    assert document["names"]["one_to_one"] == found.one_to_one
    assert [one["line"] for one in document["differences"]] == [d.line for d in found.differences]


def test_the_text_groups_differences_and_lists_each_on_request(tree: Path) -> None:
    words = ("simt", "musa", "--pytorch-src", str(tree))
    grouped, every = run(*words).stdout, run(*words, "--all").stdout
    assert "dynamic_shared" in grouped
    assert len(every.splitlines()) > len(compared(tree, "simt", "musa").differences)


@pytest.mark.parametrize(
    ("words", "told"),
    [(("simt", "simt"), "target simt is given twice"), (("simt", "nope"), "nope")],
)
def test_targets_that_cannot_be_compared(words: tuple[str, str], told: str, tree: Path) -> None:
    error = run(*words, "--pytorch-src", str(tree)).exception
    assert isinstance(error, UsageError) and report_error(error) == 2
    assert told in str(error)
