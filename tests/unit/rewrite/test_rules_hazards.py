"""Hazards: the fast search finds the same places as a plain search."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_examples import examples
from rule_sets import TARGETS, target_rules

from porter.cpp.lex import Kind, decode, lex
from porter.model.rules import RuleSet
from porter.rewrite.kinds.hazard import Hazards
from porter.rewrite.source import Source

SILENT = (Kind.COMMENT, Kind.STRING, Kind.INCLUDE, Kind.MESSAGE)
SOUP = st.lists(
    st.sampled_from(
        [
            *(
                "asm",
                "volatile",
                "0xffffffff",
                "0xFFFFFFFFu",
                "0xfffffffff",
                "warpSize",
                "WARP_SIZE",
            ),
            *(
                "== 32",
                "=32",
                "= 64",
                "threadIdx.x",
                "& 31",
                "% 32",
                "/ 32",
                ">> 5",
                "lane",
                "tid_x",
            ),
            *(
                "CUDA_VERSION",
                "__CUDA_ARCH__",
                ">= 700",
                "<12000",
                " ",
                "\n",
                "//",
                "/*",
                "*/",
                '"',
            ),
            *("#if ", "#include <", ">", "(", ";", "_", "x", "C10_WARP_SIZE", "__shfl_sync", "'"),
        ]
    ),
    max_size=25,
).map("".join)


def plainly(source: Source, pattern: str) -> list[int]:
    """Matches of a pattern outside comments and literals."""
    silent = [(t.start, t.end) for t in lex(source.text) if t.kind in SILENT]
    return [
        match.start()
        for match in re.compile(pattern, re.ASCII).finditer(source.text)
        if not any(start <= match.start() < end for start, end in silent)
    ]


def check(text: str, path: str, rules: RuleSet) -> int:
    source = Source(path, text, rules, {})
    hazards = Hazards(rules)
    hazards.learn(source.runs)
    found = 0
    for index in rules.of_kind("hazard"):
        rule = rules.rules[index]
        if source.applies(rule):
            expected = plainly(source, rule.option("pattern"))
            if rule.option("operand") or rule.option("operand_not") or rule.option("operand_is"):
                # The operand decides as well: tests/data/cases/hazard_casts.case.
                assert set(hazards.places(source, index)) <= set(expected), (path, rule.match)
                continue
            assert hazards.places(source, index) == expected, (path, rule.match)
            found += len(expected)
    return found


@pytest.mark.parametrize("target", TARGETS)
def test_hazards_are_where_their_patterns_match(target: str) -> None:
    rules = target_rules(target, "2.6.0")
    assert rules.of_kind("hazard")

    @settings(max_examples=examples(300))
    @given(SOUP)
    def check_text(text: str) -> None:
        check(text, "a.cu", rules)

    check_text()


@pytest.mark.release
def test_hazards_of_a_release(release_tree: Path) -> None:
    rules = target_rules("toy", "2.6.0")
    found = 0
    for path in sorted((release_tree / "aten/src/ATen/native/cuda").glob("*.cu*")):
        found += check(decode(path.read_bytes()), path.name, rules)
    assert found > 10
