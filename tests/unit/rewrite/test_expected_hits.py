"""Expected hits: each rule is counted separately, and a rule below its expected hits has advice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rule_sets import TARGETS, port, rule_set, target_rules
from workshop import Workshop

from porter.model.rules import RuleSet

MEMORY = "c10/cuda/CUDAMemory.cpp"
THERE = {"patch": MEMORY, "before": "void* p = nullptr;", "after": "void* p = 0;"}
STALE = {"patch": MEMORY, "before": "void* q = nullptr;", "after": "void* q = 0;"}


def shop_with(tmp_path: Path, rules: Sequence[dict[str, Any]]) -> Workshop:
    shop = Workshop(tmp_path)
    text = json.dumps({"area": "pytorch", "rules": list(rules)})
    (shop.mappings / "toy" / "more.json").write_text(text)
    return shop


@pytest.mark.parametrize("rules", [[STALE], [THERE, STALE], [STALE, THERE]])
def test_a_stale_patch_is_found_beside_one_that_applies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rules: list[dict[str, Any]]
) -> None:
    assert shop_with(tmp_path, rules).run("out") == 1
    told = capsys.readouterr().err
    assert "expected at least 1 hit on PyTorch 2.6.0, found 0: " in told
    assert "void* q" in told and "void* p" not in told


def test_a_patch_that_applies_is_enough_alone(tmp_path: Path) -> None:
    assert shop_with(tmp_path, [THERE]).run("out") == 0


ONE_EACH = [
    {"include": "cuda_runtime_api.h", "replace": "a.h", "only_in": ["c10/**"]},
    {"name": "nullptr", "replace": "0", "only_in": ["c10/**"]},
    {"names": ["cudaMalloc"], "rename": {"cuda": "toy"}},
    {"macro": "NEVER", "replace": "ALWAYS", "only_in": ["c10/**"]},
    {"call": "cudaFree(p)", "replace": "toyGive(p)", "only_in": ["c10/cuda/CUDAMemory.cpp"]},
    {"hazard": "take", "pattern": r"\btake\b", "note": "looks"},
]
"""Rules that match, except for the macro; each occurs twice in the test, once where it cannot match."""


@pytest.mark.parametrize("rule", ONE_EACH, ids=lambda rule: next(iter(rule)))
def test_expectations_hold_for_each_rule_of_every_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: dict[str, Any]
) -> None:
    nowhere = {**rule, "only_in": ["aten/**/Nowhere.cu"], "expect": {"min_hits": 1}}
    assert shop_with(tmp_path, [rule, nowhere]).run("out") == 1
    assert capsys.readouterr().err.count("expected at least 1 hit ") == 1


def test_every_kind_of_rule_meets_what_it_expects(tmp_path: Path) -> None:
    wanted = [{**rule, "expect": {"min_hits": 1}} for rule in ONE_EACH if "macro" not in rule]
    assert shop_with(tmp_path, wanted).run("out") == 0


def test_lists_of_names_of_one_file_are_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = [
        {"names": {"cudaMalloc": "toyTake"}, "expect": {"min_hits": 1}},
        {"names": {"cudaOlder": "toyOlder"}, "expect": {"min_hits": 1}},
    ]
    assert shop_with(tmp_path, lists).run("out") == 1
    assert "toy/more.json: names (2)" in capsys.readouterr().err


def keys(rules: RuleSet) -> list[str]:
    return [rule.key for rule in rules.rules]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("release", ["2.6.0", "1.13.1", ""])
def test_no_two_shipped_rules_share_a_key(target: str, release: str) -> None:
    listed = keys(target_rules(target, release))
    assert len(listed) == len(set(listed))


def test_equal_rules_have_keys_of_their_own() -> None:
    twice = [{"name": "a", "replace": "b", "only_in": [glob]} for glob in ("x", "y", "z")]
    long = "f(" + "x, " * 40
    patches = [{"patch": "p", "before": long + end, "after": ""} for end in ("1", "2")]
    listed = keys(rule_set({"toy": [*twice, *patches, {"names": ["u"]}, {"names": ["v"]}]}))
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ({}, "has neither since nor until"),
        ({"since": "2.0"}, "has since: '2.0'"),
        ({"since": "1.13", "until": "2.6"}, "has since: '1.13' and until: '2.6'"),
    ],
)
def test_the_error_says_what_to_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bounds: dict[str, str], said: str
) -> None:
    assert shop_with(tmp_path, [{**STALE, **bounds}]).run("out") == 1
    told = " ".join(capsys.readouterr().err.split())
    assert "the source tree is PyTorch 2.6.0" in told
    assert said in told
    assert "since: '2.7'" in told and "--keep-going" in told


def test_only_in_and_not_in_bound_a_patch() -> None:
    patch = {"patch": "c10/**", "before": "old", "after": "new"}
    only = rule_set({"toy": [{**patch, "only_in": ["c10/cuda/a.cpp"]}]})
    but = rule_set({"toy": [{**patch, "not_in": ["c10/cuda/a.cpp"]}]})
    for path, by_only, by_not in (
        ("c10/cuda/a.cpp", "new", "old"),
        ("c10/cuda/b.cpp", "old", "new"),
        ("aten/a.cpp", "old", "old"),
    ):
        assert port("old", only, path).text == by_only
        assert port("old", but, path).text == by_not
