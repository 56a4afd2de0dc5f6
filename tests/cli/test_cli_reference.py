"""docs/cli.md contains every command, with the text of its `--help`."""

from __future__ import annotations

import re

import click
import pytest
from repository import TEST_MAPPINGS

import cli_reference
from porter.cli import main
from porter.cli.main import call
from porter.model.cuda_project import SOURCE_SUFFIXES, is_source

DOCUMENT = cli_reference.DOCUMENT.read_text(encoding="utf-8")


def test_every_command_has_its_place() -> None:
    commands = {name for name, _ in cli_reference.commands()}
    assert {f"porter {name}" for name in main._COMMANDS} < commands
    assert cli_reference.documented(DOCUMENT) == commands


def test_help_texts_are_the_present_ones() -> None:
    assert cli_reference.rendered(DOCUMENT) == DOCUMENT, "run build_scripts/cli_reference.py"


def test_a_block_that_is_out_of_date_is_seen() -> None:
    stale = DOCUMENT.replace("Usage: porter run", "Usage: porter ran")
    assert stale != DOCUMENT
    assert cli_reference.rendered(stale) == DOCUMENT


def test_every_command_says_what_it_does() -> None:
    for name, text in cli_reference.commands():
        assert text.startswith(f"Usage: {name}")
        paragraphs = text.split("\n\n")
        assert len(paragraphs[1].split()) >= 3, name


def test_the_overview_has_the_only_summary_of_each_command() -> None:
    """`porter --help` must not import the commands, so that their summaries are in `main`."""
    overview = dict(cli_reference.commands())["porter"]
    for name, entry in main._COMMANDS.items():
        command = main.cli.get_command(click.Context(main.cli), name)
        assert command and command.short_help is None, name
        assert re.search(rf"^  {name} +{re.escape(entry.summary.split()[0])}", overview, re.M)
        assert entry.summary in re.sub(r"\s+", " ", overview)


def test_the_suffixes_of_sources_are_all_named() -> None:
    row = re.search(r"C, C\+\+, CUDA \(`([^`]*)`", DOCUMENT)
    assert row
    named = [word for word in row[1].split() if word.startswith(".")]
    assert {word.removeprefix(".") for word in named} == SOURCE_SUFFIXES
    assert is_source("config.h.in") and not is_source("setup.py") and not is_source(".h")


def test_the_example_of_explain(capsys: pytest.CaptureFixture[str]) -> None:
    block = re.search(r"```\n\$ porter (explain CUDA_VERSION[^\n]*)\n(.*?)```\n", DOCUMENT, re.S)
    assert block
    more = block[1].replace("tests/mappings", str(TEST_MAPPINGS)).split()
    assert call([*more, "--out", "none"]) == 0
    assert _without_line_numbers(capsys.readouterr().out) == _without_line_numbers(block[2])


def _without_line_numbers(text: str) -> list[list[str]]:
    """Words of each line without line numbers, which change when mappings grow."""
    return [re.sub(r"(\.yaml):\d+", r"\1", line).split() for line in text.splitlines()]
