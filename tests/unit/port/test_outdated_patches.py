"""The error for a patch that no longer applies states the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from port_tree import write

from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.port.outdated_patches import reasons

PATH = "aten/src/ATen/jit_macros.h"


def reason(tree: Path, proven: str = "2.6.0") -> str:
    """Help for the shipped patch of jit_macros.h, which turns `AT_USE_JITERATOR() true` into `false`."""
    rules = rule_cache.checked_rule_set(MappingLibrary.find(()), "simt", "2.6.0")
    patches = [rules.rules[index] for index in rules.of_kind("patch")]
    keys = [rule.key for rule in patches if rule.match == PATH or "*" in rule.match]
    found = reasons(tree, rules, keys, proven)
    assert all(PATH in key for key in found)
    return next(iter(found.values()), "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#pragma once\n#define AT_USE_JITERATOR() false\n", "upstream made this change itself"),
        ("#pragma once\n#define USE_JITERATOR 0\n", ""),
        ("#define AT_USE_JITERATOR() true\n#define AT_USE_JITERATOR() false\n", ""),
    ],
)
def test_a_change_that_upstream_made_is_told(text: str, said: str, tmp_path: Path) -> None:
    write(tmp_path / PATH, text)
    found = reason(tmp_path)
    assert found.startswith(f"{said} ({PATH}:2)") if said else not found


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    assert reason(tmp_path) == f"{PATH} is not in the tree"


def test_a_text_that_a_newer_release_changed_is_shown(tmp_path: Path) -> None:
    write(tmp_path / PATH, "#pragma once\n#define AT_USE_JITERATOR() (1 == 1)\n")
    found = reason(tmp_path, proven="2.5.1")
    assert found.startswith(
        f"upstream changed the text; the most similar text, at {PATH}:2, is '#define AT_USE_JITERATOR() (1 == 1)'"
    )
    assert "since: '2.6'" in found
    assert not reason(tmp_path, proven="2.6.0")
