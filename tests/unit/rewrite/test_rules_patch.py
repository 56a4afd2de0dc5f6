"""Patch rules: a patch applies at every place of its text in its files, and counts its hits."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_sets import port, rule_set

from porter.base.errors import MappingError
from porter.rewrite import applied_patch
from porter.rewrite.kinds import patch

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


PATCHES = st.lists(
    st.tuples(st.text("abc", min_size=1, max_size=3), st.text("xyz", max_size=4)),
    min_size=1,
    max_size=4,
    unique_by=lambda texts: texts[0],
)


@settings(max_examples=50, deadline=None)
@given(st.text("abc", max_size=12), PATCHES)
def test_whatever_no_patch_wrote_is_where_it_was_upstream(
    text: str, patches: list[tuple[str, str]]
) -> None:
    rules = rule_set({"toy": [{"patch": "a.cpp", "before": b, "after": a} for b, a in patches]})
    patched, applied = patch.apply("a.cpp", text, rules)
    assert patched == reduce(lambda left, texts: left.replace(*texts), patches, text)
    # Patches write other letters than there are, so that what is upstream's can be told.
    kept = [offset for offset, letter in enumerate(patched) if letter in "abc"]
    places = [applied_patch.undone(applied, offset) for offset in kept]
    assert [text[place] for place in places] == [patched[offset] for offset in kept]
    assert places == sorted(set(places))
    assert [applied_patch.done(applied, place) for place in places] == kept


@pytest.mark.parametrize("field", ["before", "after"])
def test_a_patch_has_both_texts(field: str) -> None:
    with pytest.raises(MappingError, match=f"'{field}' is missing"):
        rule_set({"toy": [{key: value for key, value in PATCH.items() if key != field}]})
