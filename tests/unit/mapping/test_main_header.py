"""The main header of a profile, and the header that replaces `<cuda_runtime.h>`."""

from __future__ import annotations

from pathlib import Path

import pytest
from mapping_files import rules, write

from porter.mapping import rule_cache
from porter.mapping.check import check
from porter.mapping.library import MappingLibrary
from porter.mapping.resolve_name import Decider

PROFILE = """\
target: acme
summary: a made-up vendor
names: {lower: acme, UPPER: ACME, Camel: Acme}
device: acme
libraries: {runtime: ac, driver: acdrv}
"""
MAIN = "main_header: {include: ac_runtime.h, insert_into: [cu]}\n"


@pytest.mark.parametrize(
    ("text", "main", "expected"),
    [
        ("  - {include: cuda_runtime.h, replace: ac_runtime.h}\n", MAIN, []),
        ("  - {include: 'cuda_*', replace: 'ac_*'}\n", MAIN, []),
        ("  - {include: cuda_runtime.h, replace: acme_runtime.h}\n", "", []),
        ("  - {name: a, replace: b}\n", MAIN, []),
        ("  - {include: cuda_runtime.h, replace: acme_runtime.h}\n", MAIN, ["becomes 'acme_"]),
        ("  - {include: 'cuda_*', status: unsupported, note: none}\n", MAIN, ["no counterpart"]),
    ],
)
def test_a_main_header_that_differs_from_the_header_of_the_runtime_is_a_warning(
    text: str, main: str, expected: list[str], tmp_path: Path
) -> None:
    library = write(
        tmp_path, {"acme/target.yaml": PROFILE + main, "acme/runtime.yaml": rules(text)}
    )
    found = [one for one in check(library, "acme").findings if one.check == "main_header"]
    assert len(found) == len(expected)
    for finding, words in zip(found, expected, strict=True):
        assert finding.severity == "warning" and words in finding.problem.text
        assert finding.problem.place == "acme/target.yaml:6"
        assert "replace: ac_runtime.h" in finding.problem.help


def test_headers_of_the_runtime_have_the_prefix_of_the_runtime_library(tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme/target.yaml").write_text(PROFILE + MAIN)
    library = MappingLibrary.find((tmp_path,))
    decider = Decider(rule_cache.rule_set(library, "acme", "2.6.0"))
    names = ("cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cuda_fp16.h")
    made = [decider.decide(name).replace for name in names]
    assert made == ["ac.h", "ac_runtime.h", "ac_runtime_api.h", "ac_fp16.h"]
    assert not [one for one in check(library, "acme").findings if one.check == "main_header"]
