"""Budgets: accepted vendor text without a rule."""

from __future__ import annotations

from pathlib import Path

import pytest
from workshop import Workshop

from porter.base.errors import MappingError
from porter.cli.release_checks import KNOWN_RELEASES
from porter.mapping import budget, document
from porter.mapping.library import MappingLibrary
from porter.model.rewrite_result import Reason

STRANGE = "void g() {\n  cudaStrange(1);\n  cudaStrange(2);\n}\n"


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """Tree with two places of a word without a rule."""
    made = Workshop(tmp_path)
    (made.tree / "c10/cuda/Strange.cpp").write_text(STRANGE)
    return made


def budgeted(shop: Workshop, text: str) -> None:
    (shop.mappings / "budget.yaml").write_text(text)


def test_without_a_budget_residue_is_a_warning(
    shop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shop.run("out") == 0
    assert capsys.readouterr().err == (
        "warning: unmapped: 2 places left in the port of PyTorch 2.6.0, which has no budget: porter regenerate will "
        "fail\n"
        "  help: cudaStrange (2, first c10/toy/Strange.cpp:2); map them, mark them unsupported, or accept them: "
        "toy: {2.6.0: {unmapped: 2, ambiguous: 0}}\n"
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("toy:\n  2.6.0: {unmapped: 2}\n", 0),
        ("toy:\n  2.6.0: {unmapped: 1}\n", 1),
        ("toy:\n  2.6.0: {}\n", 1),
        ("toy:\n  2.6.0: {ambiguous: 5}\n", 1),
        ("toy:\n  1.13.1: {unmapped: 0}\n", 0),
        ("toy: {}\n", 0),
    ],
)
def test_residue_over_the_budget_is_a_finding(shop: Workshop, text: str, code: int) -> None:
    budgeted(shop, text)
    assert shop.run("out") == code
    # An unchanged re-run finds the same.
    assert shop.run("out") == code


def test_the_finding_says_where_and_what(
    shop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    budgeted(shop, "\ntoy:\n  2.6.0: {unmapped: 1}\n")
    assert shop.run("out", "--json") == 1
    assert capsys.readouterr().err == (
        f"error: {shop.mappings}/budget.yaml:3: unmapped: 2 places left in the port of PyTorch 2.6.0, 1 accepted\n"
        "  help: cudaStrange (2, first c10/toy/Strange.cpp:2); map them, mark them unsupported, "
        "or raise the budget\n"
    )
    assert (shop.folder / "out/toy/2.6.0/manifest.json").is_file()


def test_every_mistake_of_a_budget_is_told_at_once() -> None:
    text = """\
toy:
  2.6.0: {unmaped: 0}
  1.13.1: {unmapped: -1, ambiguous: many}
  1.12.0: 3
toys:
  2.6.0: {in_string: 5}
"""
    with pytest.raises(MappingError) as caught:
        budget.parse(document.parse(text, "budget.yaml"), ["simt", "toy"])
    assert [str(problem) for problem in caught.value.problems] == [
        "error: budget.yaml:2: 'unmaped' has no budget\n  help: did you mean 'unmapped'?",
        "error: budget.yaml:3: 'unmapped' must be a number of places\n"
        "  help: for example 2.6.0: {unmapped: 0, ambiguous: 0}",
        "error: budget.yaml:3: 'ambiguous' must be a number of places\n"
        "  help: for example 2.6.0: {unmapped: 0, ambiguous: 0}",
        "error: budget.yaml:4: 1.12.0 must be a table\n  help: for example 2.6.0: {unmapped: 0, ambiguous: 0}",
        "error: budget.yaml:5: unknown target 'toys'\n  help: did you mean 'toy'?",
        "error: budget.yaml:6: 'in_string' has no budget\n  help: reasons: unmapped, ambiguous",
    ]


def test_a_malformed_budget_is_a_mapping_error(
    shop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    budgeted(shop, "- toy\n")
    assert shop.run("out") == 3
    assert (
        f"error: {shop.mappings}/budget.yaml:1: a budget file must be a table"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("target", ["simt", "musa", "hip", "maca"])
def test_ports_of_the_known_releases_may_leave_nothing(target: str) -> None:
    budgets = budget.read(MappingLibrary.find(), target)
    assert {release: dict(made.places) for release, made in budgets.items()} == {
        release: {Reason.UNMAPPED: 0, Reason.AMBIGUOUS: 0} for release in KNOWN_RELEASES
    }
