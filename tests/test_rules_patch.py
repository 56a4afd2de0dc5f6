"""Patch rules: a patch applies wherever its text stands in its files, and says how often."""

from __future__ import annotations

import pytest
from support import port, rule_set

from porter.errors import MappingError

PATCH = {"patch": "c10/cuda/a.cpp", "before": "old();\n", "after": "now();\n"}


def hits(text: str, path: str) -> int:
    rules = rule_set({"toy": [PATCH]})
    return sum(port(text, rules, path).hits.values())


def test_a_patch_counts_what_it_changed() -> None:
    assert hits("old();\n", "c10/cuda/a.cpp") == 1
    assert hits("old();\nx();\nold();\n", "c10/cuda/a.cpp") == 2
    assert hits("older();\n", "c10/cuda/a.cpp") == 0
    assert hits("old();\n", "c10/cuda/b.cpp") == 0


def test_a_patch_must_apply_unless_it_says_otherwise() -> None:
    (rule,) = (rule for rule in rule_set({"toy": [PATCH]}).rules if rule.kind == "patch")
    assert rule.min_hits == 1
    relaxed = {**PATCH, "expect": {"min_hits": 0}}
    (rule,) = (rule for rule in rule_set({"toy": [relaxed]}).rules if rule.kind == "patch")
    assert rule.min_hits == 0


def test_patches_are_made_one_after_another_and_before_other_rules() -> None:
    rules = rule_set(
        {
            "toy": [
                {"patch": "a.cpp", "before": "one", "after": "two"},
                {"patch": "a.cpp", "before": "two", "after": "cudaThree"},
                {"name": "cudaThree", "replace": "toyThree"},
            ]
        }
    )

    made = port("one two", rules, "a.cpp")

    assert made.text == "toyThree toyThree"
    assert sorted(made.hits.values()) == [1, 2, 2]


@pytest.mark.parametrize("field", ["before", "after"])
def test_a_patch_has_both_texts(field: str) -> None:
    with pytest.raises(MappingError, match=f"'{field}' is missing"):
        rule_set({"toy": [{key: value for key, value in PATCH.items() if key != field}]})
