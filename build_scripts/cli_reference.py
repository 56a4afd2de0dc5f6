#!/usr/bin/env python3
"""Writes the output of `--help` for each command into docs/cli.md, without changing the other text.

    .venv/bin/python build_scripts/cli_reference.py

A test compares docs/cli.md with the help texts, and reports commands that the page lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from porter.cli.main import cli

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
WIDTH = 88
"""Width of help texts in columns, independent of the terminal."""

_BLOCK = re.compile(r"(<!-- (porter[^>\n]*) --help -->\n)```text\n.*?```\n", re.S)


def commands(
    command: click.Command = cli, name: str = "porter", parent: click.Context | None = None
) -> Iterator[tuple[str, str]]:
    """Yield (name, help text) for each command, for example (`porter target new`, its help).

    A group of commands precedes the commands of the group.
    """
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield context.command_path, command.get_help(context).rstrip()
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            if found and not found.hidden:
                yield from commands(found, child, context)


def rendered(document: str) -> str:
    """Text of the document, with the current help texts. Raises KeyError for an unknown command in the document."""
    helps = dict(commands())
    return _BLOCK.sub(lambda block: f"{block[1]}```text\n{helps[block[2]]}\n```\n", document)


def documented(document: str) -> set[str]:
    """Commands whose help text the document contains."""
    return {block[2] for block in _BLOCK.finditer(document)}


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
