"""Include guards of CUDA's headers: every target decides about each, and the headers of `simt` define theirs."""

from __future__ import annotations

import re

import pytest
from repository import ROOT

from porter.mapping import document
from porter.mapping.library import MappingLibrary
from porter.mapping.resolve_name import Decider
from porter.mapping.rule_cache import checked_rule_set
from porter.model.rules import Status

LIBRARY = MappingLibrary.find(())
FILE = LIBRARY.root_of("simt") / "cuda" / "include_guards.yaml"
GUARDS = document.read(FILE, FILE.name).data["rules"][0]["names"]


@pytest.mark.parametrize("target", ["simt", "hip", "musa", "maca"])
def test_each_target_decides_about_every_guard(target: str) -> None:
    decider = Decider(checked_rule_set(LIBRARY, target, "2.6.0"))
    for guard in GUARDS:
        decided = decider.decide(guard)
        assert decided.replace or decided.status is Status.UNSUPPORTED, guard


def test_headers_of_simt_define_the_macros_that_replace_guards() -> None:
    decider = Decider(checked_rule_set(LIBRARY, "simt", "2.6.0"))
    headers = (ROOT / "runtime" / "simt" / "include").glob("*.h")
    defined = {
        name for path in headers for name in re.findall(r"^#define (\w+)", path.read_text(), re.M)
    }
    replaced = {decider.decide(guard).replace for guard in GUARDS} - {None}
    assert len(replaced) > 10
    assert replaced <= defined
