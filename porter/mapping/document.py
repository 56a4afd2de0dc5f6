"""YAML and JSON files as plain data that knows on which line each value stands.

Every YAML scalar is read as text (`since: 2.0` stays "2.0", `no` stays "no"); the schema turns numbers into numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from porter.errors import MappingError, Problem

Path_ = Sequence[str | int]


@dataclass(frozen=True)
class Document:
    """The data of one file; `line(path)` is where the value at that path of keys and indexes stands."""

    file: str
    data: Any
    text: str

    def line(self, path: Path_) -> int:
        """Line (from 1) of the key or item at `path`; of its nearest parent where it has none."""
        node = _compose(self.text)
        line = 1
        for step in path:
            if isinstance(node, yaml.MappingNode):
                for key, value in node.value:
                    if key.value == str(step):
                        line, node = key.start_mark.line + 1, value
                        break
                else:
                    break
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
                if step >= len(node.value):
                    break
                node = node.value[step]
                line = node.start_mark.line + 1
            else:
                break
        return line

    def lines_of_rules(self) -> list[int]:
        """The line of each item of the top-level list `rules`."""
        node = _compose(self.text)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == "rules" and isinstance(value, yaml.SequenceNode):
                    return [item.start_mark.line + 1 for item in value.value]
        return []

    def lines_of_names(self) -> dict[str, int]:
        """Where each quoted or bare word that begins a line stands first: the names of a bulk table."""
        lines: dict[str, int] = {}
        for number, line in enumerate(self.text.split("\n"), 1):
            if match := re.match(r"\s*[\"{\[-]*\s*\"?([A-Za-z_]\w*)", line):
                lines.setdefault(match[1], number)
        return lines


def read(path: Path, name: str) -> Document:
    """The document in the file `path`, called `name` in messages.

    Raises MappingError when it cannot be read, is not UTF-8 or is malformed (with its line).
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise MappingError(f"is not UTF-8: byte {error.start}", name) from None
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", name) from None
    return parse(text, name)


def parse(text: str, name: str) -> Document:
    """As `read`, from text; JSON when `name` ends in `.json`, else YAML."""
    if name.endswith(".json"):
        return Document(name, _parse_json(text, name), text)
    try:
        node = _compose(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"{name}:{mark.line + 1}" if mark else name
        raise MappingError(error.problem or "malformed YAML", place) from None
    except yaml.YAMLError as error:
        raise MappingError(str(error), name) from None
    problems: list[Problem] = []
    data = _plain(node, name, problems) if node else None
    if problems:
        raise MappingError(problems)
    return Document(name, data, text)


_last: tuple[str, yaml.Node | None] = ("", None)


def _compose(text: str) -> yaml.Node | None:
    # Asked for many lines of one document in a row: the last tree is kept.
    global _last
    if _last[0] != text:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        _last = (text, yaml.compose(text, Loader=loader))
    return _last[1]


def _plain(node: yaml.Node, name: str, problems: list[Problem]) -> Any:
    if isinstance(node, yaml.MappingNode):
        data: dict[str, Any] = {}
        for key, value in node.value:
            place = f"{name}:{key.start_mark.line + 1}"
            if not isinstance(key, yaml.ScalarNode):
                problems.append(Problem("a key must be a word", place))
            elif key.value in data:
                problems.append(Problem(f"key '{key.value}' stands twice", place))
            else:
                data[key.value] = _plain(value, name, problems)
        return data
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, name, problems) for item in node.value]
    return node.value


def _parse_json(text: str, name: str) -> Any:
    problems: list[Problem] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(items)
        if len(data) != len(items):
            keys = [key for key, _ in items]
            for key in sorted({key for key in keys if keys.count(key) > 1}):
                last = text.rfind(f'"{key}"')
                place = f"{name}:{text.count(chr(10), 0, last) + 1}"
                problems.append(Problem(f"key '{key}' stands twice", place))
        return data

    try:
        data = json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise MappingError(f"malformed JSON: {error.msg}", f"{name}:{error.lineno}") from None
    except RecursionError:
        raise MappingError("malformed JSON: nested too deeply", name) from None
    if problems:
        raise MappingError(problems)
    return data
