"""Data of the side-by-side view: the upstream text, the ported text and the places can be restored from it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porter.cpp.lex import decode
from porter.model.explanation import ExplainedPlace, FileExplained, RuleRef
from porter.model.manifest import FileHazard, FileResidue, PortedFile
from porter.report.pages import source_text

FILE = PortedFile("c10/cuda/A.cpp", "c10/toy/A.cpp", "why", "0" * 64, "1" * 64, 1)


def restored(data: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Upstream and ported lines, as the page's script restores them."""
    upstream = data["u"].split("\n")
    changed = dict(zip(data["c"][::2], data["c"][1::2], strict=True))
    old: dict[int, str] = {}
    new: dict[int, str] = {}
    index = 0
    for was, now, count in data["r"]:
        for step in range(count):
            left = upstream[was + step - 1] if was else ""
            if was:
                old[was + step] = left
            if now:
                new[now + step] = changed.get(index, left)
            index += 1
    assert sorted(old) == list(range(1, len(old) + 1)) and sorted(new) == list(
        range(1, len(new) + 1)
    )
    return [old[line] for line in sorted(old)], [new[line] for line in sorted(new)]


def made(
    upstream: str, ported: str, pairs: list[tuple[int, int]], *places: ExplainedPlace
) -> FileExplained:
    return FileExplained(upstream, ported, places, tuple(pairs))


def test_equal_lines_are_stored_once() -> None:
    explained = made("a\ncuda\nb\n", "a\ntoy\nb\n", [(1, 1), (2, 2), (3, 3), (4, 4)])
    data = source_text.explained(FILE, explained, explained.ported, {})
    assert data["r"] == [[1, 1, 3]] and data["c"] == [1, "toy"]
    assert restored(data) == (["a", "cuda", "b"], ["a", "toy", "b"])


def test_lines_of_one_side_only() -> None:
    # The port adds an include after line 1 and removes the blank line 3.
    explained = made("a\nb\n\nc\n", "a\n#include\nb\nc\n", [(1, 1), (2, 3), (3, 0), (4, 4)])
    data = source_text.explained(FILE, explained, explained.ported, {})
    assert restored(data) == (["a", "b", "", "c"], ["a", "#include", "b", "c"])


@pytest.mark.parametrize(
    "ported", ["", "x\n", "a\nb\nc\n", "a\nx\ny\nc\n", "a\nc\n", "0\na\nb\nc\n9\n", "q"]
)
def test_a_port_changed_by_hand_keeps_its_lines(ported: str) -> None:
    explained = made("a\nB\nc\n", "a\nb\nc\n", [(1, 1), (2, 2), (3, 3)])
    data = source_text.explained(FILE, explained, ported, {})
    assert restored(data) == (["a", "B", "c"], source_text.lines_of(ported))


@given(
    st.lists(st.sampled_from("ab"), max_size=8),
    st.lists(st.sampled_from("ab"), max_size=8),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=8),
)
def test_any_pairs_give_both_texts(
    old: list[str], new: list[str], pairs: list[tuple[int, int]]
) -> None:
    rows = source_text.aligned(pairs, len(old), len(new))
    assert [line for line, _ in rows if line] == list(range(1, len(old) + 1))
    assert [line for _, line in rows if line] == list(range(1, len(new) + 1))


def test_places_have_columns_of_characters_and_numbers_of_rules() -> None:
    # Sources are read as one character for each byte.
    upstream = decode("/* ä */ cudaFree(p);\n".encode())
    rule = RuleRef("name", "cudaFree", "cuda/runtime.yaml:3", "cuda", "runtime", "", "key")
    edit = ExplainedPlace("edit", 1, 1, 1, 10, "cudaFree", "toyFree", (rule,), "note")
    explained = made(upstream, upstream.replace("cuda", "toy"), [(1, 1)], edit)
    data = source_text.explained(FILE, explained, explained.ported, {"key": 7})
    assert data["u"] == "/* ä */ cudaFree(p);"
    assert data["e"] == [[0, 1, 1, 1, 9, 8, "toyFree", [[7, "cuda/runtime.yaml:3"]], "note"]]


def test_without_edits_the_places_come_from_the_manifest() -> None:
    file = FILE._replace(
        residue=(FileResidue("unmapped", "cudaOdd", 2, 3),),
        hazards=(FileHazard("warp", 1, 1, "key"),),
    )
    data = source_text.unexplained(file, None, "a\ncudaOdd\n", {"key": 4}, "why not")
    assert data["n"] == "why not" and restored(data) == ([], ["a", "cudaOdd"])
    assert list(source_text.places_of(data)) == [
        ("hazard", "warp", 4, 1, ""),
        ("left", "cudaOdd", -1, 2, "unmapped"),
    ]


def test_a_long_file_takes_linear_time() -> None:
    lines = [f"int v{n} = cudaOdd({n});" for n in range(100_000)]
    upstream, ported = "\n".join(lines), "\n".join(lines).replace("v5", "w5")
    explained = made(upstream, ported, [(n, n) for n in range(1, len(lines) + 1)])
    data = source_text.explained(FILE, explained, ported, {})
    assert restored(data)[1] == ported.split("\n")
