r"""Literal texts that every match contains, and expansion of replacements such as `musa\1`."""

from __future__ import annotations

import functools
import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_sets import TARGETS, target_rules

from porter.regex.prefilter import alternatives, any_of, needles, openings
from porter.regex.template_expand import expand


@pytest.mark.parametrize(
    ("pattern", "held"),
    [
        (r"\basm\b", {"asm"}),
        (r"\b0[xX][fF]{8}[uU]?\b", {"0xffffffff"}),
        (r"(\w*)CUDA(\w*)", {"cuda"}),
        (r"a|bc|(?:d|ef)g", {"a", "bc", "d", "ef"}),
        (r"(?i:Warp)_?size", {"warp"}),
        (r"(?:ab)+c?", {"ab"}),
        (r"(?:ab)*cd", {"cd"}),
        (r"(?:ab)?c", {"c"}),
        (r"x{2,3}yyy", {"yyy"}),
        (r"[ab]c[^d]ef", {"ef"}),
        (r"(?>abc)d", {"abc"}),
        (r"ab\.cd", {"ab.cd"}),
        (r"\w+", None),
        (r"a|\w*", None),
        (r"(?:ab)?", None),
        (r"", None),
        (r"[^a]", None),
        ("é+", None),
    ],
)
def test_what_a_match_must_hold(pattern: str, held: set[str] | None) -> None:
    assert needles(pattern) == held


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"\basm\b", {"asm"}),
        (r"(?<!x)(?=Warp)Warp\w*", {"warp"}),
        (r"a|bc|(?:d|ef)g", {"a", "bc", "dg", "efg"}),
        (r"(?i:Warp)_?size|lane", {"warp_size", "warpsize", "lane"}),
        (r"\((?:std::)?u(?:int|long)\)", {"(std::u", "(uint)", "(ulong)"}),
        (r"\([a-z]+t\)|\((?:const )?int", {"("}),
        ("(?:ab|cd)x*", {"ab", "cd"}),
        ("(?:ab|cd)" * 4, {"".join(parts) for parts in itertools.product(("ab", "cd"), repeat=3)}),
        (r"(?:ab)+c?", {"ab"}),
        (r"x{2,3}y", {"x"}),
        (r"(?:ab)?c", {"abc", "c"}),
        (r"(?:ab)?", None),
        (r"\w*cuda", None),
        (r"a|\w", None),
        (r"(a)?\1", None),
        (r"", None),
    ],
)
def test_what_a_match_begins_with(pattern: str, texts: set[str] | None) -> None:
    assert openings(pattern) == texts


@functools.cache
def patterns() -> list[str]:
    """Every regular expression that porter's mappings search for."""
    found = set()
    for target in TARGETS:
        rules = target_rules(target, "2.6.0")
        found |= {family.match for family in rules.families}
        found |= {rules.rules[index].option("pattern") for index in rules.of_kind("hazard")}
        found.add(rules.vendor.pattern)
    return sorted(found)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(data=st.data())
def test_every_match_of_a_shipped_pattern_holds_one(data: st.DataObject) -> None:
    for pattern in patterns():
        text = data.draw(
            st.from_regex(re.compile(pattern, re.ASCII), alphabet=st.characters(codec="latin-1"))
        )
        held = needles(pattern)
        assert held is None or any(one in text.lower() for one in held), (pattern, text)
        begins = openings(pattern)
        # `from_regex` may put something before a match.
        found = re.compile(pattern, re.ASCII).search(text)
        assert found and (begins is None or found[0].lower().startswith(tuple(begins)))


def test_most_shipped_patterns_have_some() -> None:
    without = [pattern for pattern in patterns() if needles(pattern) is None]
    assert len(without) * 10 <= len(patterns()), without


def test_of_several_patterns_the_texts_that_hold_no_other() -> None:
    assert any_of([frozenset({"cuda", "nccl"}), frozenset({"cu"})]) == frozenset({"cu", "nccl"})
    assert any_of([frozenset({"a"}), None]) is None
    assert any_of([]) == frozenset()


@pytest.mark.parametrize(
    ("pattern", "branches"),
    [
        ("a", ["a"]),
        ("a|b", ["a", "b"]),
        (r"a\|b|c", [r"a\|b", "c"]),
        ("(a|b)|c", ["(a|b)", "c"]),
        ("[|]|[]|]|[^]|]", ["[|]", "[]|]", "[^]|]"]),
        (r"[\]|]|b", [r"[\]|]", "b"]),
        ("(?i)a|b", ["(?i)a|b"]),
        ("(?i:a|b)|c", ["(?i:a|b)", "c"]),
        ("", [""]),
    ],
)
def test_the_branches_of_a_pattern(pattern: str, branches: list[str]) -> None:
    assert list(alternatives(pattern)) == branches


def test_the_branches_of_shipped_patterns_make_them_up() -> None:
    for pattern in patterns():
        branches = alternatives(pattern)
        assert "|".join(branches) == pattern
        for branch in branches:
            re.compile(branch)


@pytest.mark.parametrize(
    "template", [r"musa\1", r"\1_\2\1", "plain", r"\2", r"a\g<1>b", r"\\1", r"\101", r"\n\1", ""]
)
def test_a_replacement_is_what_re_makes_of_it(template: str) -> None:
    for text in ("cudaMalloc", "cuda"):
        match = re.fullmatch(r"(cuda)(\w+)?", text)
        assert match
        assert expand(match, template) == match.expand(template)
