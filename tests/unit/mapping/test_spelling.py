"""Check of the spelling: a replacement with a part that no other name has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mapping_files import rules, write

from porter.mapping.check import check

NAMES = [f"cudaName{chr(65 + at // 26)}x{chr(97 + at % 26)}" for at in range(60)]
THEIRS = ("cudaDeviceSynchronize", "cudaStreamCreate", "CUDAAPI", *NAMES)
INVENTORY = {"cuda": "12.4", "areas": {"runtime": {"functions": THEIRS}}}
PROFILE = """\
target: acme
summary: a made-up vendor
names: {lower: acme, UPPER: ACME, Camel: Acme}
device: acme
libraries: {runtime: acme}
"""


def found(
    root: Path, last: str, name: str = "cudaDeviceSynchronize", profile: str = ""
) -> list[str]:
    pairs = [f"{one}: {one.replace('cuda', 'acme')}" for one in NAMES]
    files = {
        "acme/runtime.yaml": rules("- names: {" + ", ".join([*pairs, f"{name}: {last}"]) + "}"),
        "acme/target.yaml": PROFILE + profile,
        "cuda/inventory.json": json.dumps(INVENTORY),
    }
    findings = check(write(root, files), "acme").findings
    return [str(one.problem) for one in findings if one.check == "spelling"]


def test_misspelt_name(tmp_path: Path) -> None:
    (problem,) = found(tmp_path, "acmeDeviceSynchronise")
    assert "'cudaDeviceSynchronize' becomes 'acmeDeviceSynchronise': 'synchronise'" in problem
    assert "did you mean 'synchronize'?" in problem


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("cudaDeviceSynchronize", "acmeDeviceSynchronize"),
        ("cudaDeviceSynchronize", "acmeSynchronizeDevice"),  # the same parts
        ("cudaDeviceSynchronize", "acmeStreamSynchronize"),  # a part of CUDA's other names
        ("CUDAAPI", "ACMEAPI"),  # the target's word before the end of CUDA's part
        ("cudaDeviceSynchronize", "acmeNameDevice"),  # parts of other names
    ],
)
def test_parts_that_other_names_have(name: str, new: str, tmp_path: Path) -> None:
    assert not found(tmp_path, new, name)


def test_part_that_the_profile_lists(tmp_path: Path) -> None:
    assert found(tmp_path / "a", "acmeDeviceFinis")
    assert not found(tmp_path / "b", "acmeDeviceFinis", profile="spelling: [finis]\n")
