"""One module and one line in `ORDER` add a rule kind; nothing else in porter knows the kinds by name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from repository import SUPPORT
from rule_sets import rule_set

from porter.base.errors import MappingError
from porter.mapping.schema import ENTRIES
from porter.rewrite import kinds
from porter.rewrite.kinds import order

PROGRAM = SUPPORT / "added_kind.py"
SHARED = {"__init__", "order"}


def test_every_module_is_listed_once() -> None:
    modules = {path.stem for path in Path(kinds.__file__).parent.glob("*.py")} - SHARED
    assert sorted(kind.name for kind in order.ORDER) == sorted(modules)


def test_the_first_field_names_the_kind() -> None:
    assert all(kind.fields[0].name == kind.name for kind in order.ORDER)
    assert set(ENTRIES) == {kind.name for kind in order.ORDER}


def test_a_kind_that_is_added(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, str(PROGRAM), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {
        "text": "int a;\n#pragma new\n",
        "hits": 1,
        "explained": ["edit pragma"],
        "mistakes": ["pragma 'old' means nothing"],
        "refused": "key 'replace' is missing in rule 'old'",
        "rewritten": ["with.cpp"],
        "in schema": True,
    }


def test_without_the_line_the_kind_is_unknown() -> None:
    with pytest.raises(MappingError, match="no kind"):
        rule_set({"toy": [{"pragma": "old", "replace": "new"}]})
