"""One module and one line in `ORDER` add a rule kind; nothing else in porter knows the kinds by name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from repository import SUPPORT
from rule_sets import rule_set

from porter.base.errors import MappingError
from porter.mapping.schema import ENTRIES
from porter.rewrite import kinds
from porter.rewrite.kinds import order

ONE_KIND = SUPPORT / "added_kind.py"
WORD_KINDS = SUPPORT / "added_word_kinds.py"
SHARED = {"__init__", "order"}


def _run(program: Path, folder: Path) -> Any:
    command = [sys.executable, str(program), str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_every_module_is_listed_once() -> None:
    modules = {path.stem for path in Path(kinds.__file__).parent.glob("*.py")} - SHARED
    assert sorted(kind.name for kind in order.ORDER) == sorted(modules)


def test_the_first_field_names_the_kind() -> None:
    assert all(kind.fields[0].name == kind.name for kind in order.ORDER)
    assert set(ENTRIES) == {kind.name for kind in order.ORDER}


def test_a_kind_that_is_added(tmp_path: Path) -> None:
    assert _run(ONE_KIND, tmp_path) == {
        "text": "int a;\n#pragma new\n",
        "hits": 1,
        "explained": ["edit pragma"],
        "mistakes": ["pragma 'old' means nothing"],
        "refused": "key 'replace' is missing in rule 'old'",
        "rewritten": ["with.cpp"],
        "in schema": True,
    }


def test_kinds_that_are_decided_word_by_word_are_added(tmp_path: Path) -> None:
    assert _run(WORD_KINDS, tmp_path) == {
        "text": "auto p = (void*)&toyCall;\ncudaCall();\ntoy_cudaOne(); toy_cudaTwo();\n",
        "left": [["cudaCall", 2, "its address is not taken here"]],
        "mapping show": {"cudaCall": "toyCall", "cudaOne": "toy_cudaOne"},
        "explain symbol": [
            ["address", "toyCall", "where its address is taken"],
            ["prefixed", "toy_cudaOne", "in code"],
        ],
        "explain file": [
            ["edit", "address", "(void*)&toyCall"],
            ["left", "address", "cudaCall"],
            ["edit", "prefixed", "toy_cudaOne"],
            ["edit", "prefixed", "toy_cudaTwo"],
        ],
        "rewritten for a cast": ["call.cpp"],
        "rewritten for a prefix": ["one.cpp"],
        "rewritten for nothing": [],
        "mistakes": ["address 'cudaCall': a cast begins with '('"],
        "refused": "'replace' of rule 'cudaCall' must not be empty",
        "listed and never met": [[5, 2]],
        "replaced": [
            ["cudaCall", "toyCall", 1],
            ["cudaOne", "toy_cudaOne", 1],
            ["cudaTwo", "toy_cudaTwo", 1],
        ],
        "in schema": True,
    }


@pytest.mark.parametrize("key", ["address", "prefixed", "pragma"])
def test_without_the_line_the_kind_is_unknown(key: str) -> None:
    with pytest.raises(MappingError, match="no kind"):
        rule_set({"toy": [{key: "old", "replace": "new"}]})
