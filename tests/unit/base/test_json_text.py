"""Indented JSON equals that of the standard library."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_examples import examples

from porter.base.json_text import indented
from porter.model.rewrite_result import Reason

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
KEYS = st.text(max_size=4)
DATA = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.lists(st.dictionaries(KEYS, SCALARS, max_size=3), max_size=4)
    ),
    max_leaves=20,
)


@settings(max_examples=examples(500))
@given(DATA)
def test_it_is_what_json_writes(data: Any) -> None:
    assert indented(data) == json.dumps(data, indent=1)


@pytest.mark.parametrize(
    "data",
    [
        # What looks like the end of a record, in a string.
        [{"a": "},\n  {"}, {"b": "}, {"}],
        [{"a": 1}, {}],
        {"tuple": (1, (2, 3)), "none": ()},
        {Reason.UNMAPPED: Reason.INTENDED},
        [{"reason": Reason.UNMAPPED}],
        {"surrogate": "\udcff"},
    ],
    ids=repr,
)
def test_odd_data(data: Any) -> None:
    assert indented(data) == json.dumps(data, indent=1)
