"""Reader of YAML and JSON files that keeps the line number of each value.

Every YAML scalar is text (`since: 2.0` stays "2.0", `no` stays "no"); the schema converts numbers. Null is an error in
any spelling, because no key of a mapping takes null.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import yaml

from porter.base import regular_files
from porter.base.errors import MappingError, Problem
from porter.mapping.empty_values import empty_places, wanted

Path_ = Sequence[str | int]

_MOST = 16 << 20
"""Size limit of a mapping file in bytes. The largest file, the inventory of CUDA's headers, has one million bytes."""
_DEEPEST = 32
"""Limit on the nesting of lists and tables. A mapping needs 5 levels; thousands of levels exhaust the stack."""
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_STRING = r'"((?>(?:[^"\\]|\\.)*))"'
# A key and its string value are one token, because tables consist mainly of such pairs.
_TOKEN = re.compile(rf'{_STRING}(\s*:(?:\s*{_STRING})?)?|[{{}}\[\]]|[^\s"{{}}\[\],:]+')


class Position(NamedTuple):
    """Line of a value in a file, and the positions of the values inside it."""

    line: int
    """Line number, from 1, of the value's key; of the value itself in a list and at the top of the file."""
    inside: dict[str | int, Position]
    """Maps each key of a table, or index of a list, to the position of its value."""


@dataclass(frozen=True)
class Document:
    """Data of one file, with the line number of the value at each path of keys."""

    file: str
    data: Any
    text: str
    places: Position = field(repr=False, compare=False)

    def line(self, path: Path_) -> int:
        """Line number, from 1, of the key or list item at `path`; if there is none, of its nearest parent."""
        place = self.places
        for step in path:
            if step not in place.inside:
                break
            place = place.inside[step]
        return place.line

    def lines_of_rules(self) -> list[int]:
        """Line numbers, from 1, of the items in the top-level list `rules`."""
        rules = self.places.inside.get("rules")
        return [place.line for place in rules.inside.values()] if rules else []

    def lines_of_names(self, rule: int) -> dict[str, int]:
        """Maps each name in a `names` rule to its line number. `rule` is the index of the rule in the file."""
        names = self.data["rules"][rule].get("names")
        inside = self.places.inside["rules"].inside[rule].inside["names"].inside
        if isinstance(names, dict):
            return {str(name): place.line for name, place in inside.items()}
        return {names[index]: place.line for index, place in inside.items()}


def read(path: Path, name: str) -> Document:
    """Read the document in the file `path`. Messages call the file `name`.

    Raises MappingError when the file is unreadable, not UTF-8, or malformed. The error states the line of malformed
    text.
    """
    try:
        raw = regular_files.read_bytes(path, _MOST)
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", name) from None
    if wide := regular_files.wide_encoding(raw):
        help = f"write it as UTF-8: iconv -f {wide} -t UTF-8"
        raise MappingError(f"is {wide}, not UTF-8", name, help)
    try:
        text = regular_files.text_of(raw)
    except UnicodeDecodeError as error:
        raise MappingError(f"is not UTF-8: byte {error.start}", name, "write it as UTF-8") from None
    return parse(text, name)


def parse(text: str, name: str) -> Document:
    """Document of a text in JSON (if `name` ends in `.json`) or YAML. Raises MappingError for malformed text."""
    problems: list[Problem] = []
    if name.endswith(".json"):
        data = _json_data(text, name)
        places = _JsonPlaces(text, name, problems).top
    else:
        data, places = _Yaml(text, name, problems).top()
    document = Document(name, data, text, places)
    for path in empty_places(data):
        key = path[-1]
        what = f"'{key}' has no value" if isinstance(key, str) else "a list item has no value"
        problems.append(Problem(what, f"{name}:{document.line(path)}", wanted(path)))
    if problems:
        raise MappingError(problems)
    return document


def _too_deep(name: str, line: int) -> NoReturn:
    raise MappingError(f"more than {_DEEPEST} nested lists and tables", f"{name}:{line}")


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _scalar(event: Any) -> str | None:
    """Text of a YAML scalar; None if the scalar is null, in any spelling."""
    return None if event.implicit[0] and event.value in _NULLS else str(event.value)


class _Yaml:
    """Reader of YAML events. It limits the depth of nesting, and records the line of each value."""

    def __init__(self, text: str, name: str, problems: list[Problem]) -> None:
        self.text = text
        self.name = name
        self.problems = problems
        self.anchors: dict[str, str | None] = {}
        """Maps an anchor to the text of its scalar; to None if the anchor belongs to a list or a table."""

    def top(self) -> tuple[Any, Position]:
        """Data of the document (None if the document is empty), and the positions of the values."""
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        data, place, documents = None, Position(1, {}), 0
        try:
            events = iter(yaml.parse(self.text, Loader=loader))
            for event in events:
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    if documents > 1:
                        text = "a second YAML document begins here; a mapping must be one document"
                        self.problem(text, _line(event))
                elif isinstance(event, yaml.NodeEvent):
                    data, inside = self.value(event, events, 0)
                    place = Position(1, inside)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            where = f"{self.name}:{mark.line + 1}" if mark else self.name
            raise MappingError(error.problem or "malformed YAML", where) from None
        except yaml.YAMLError as error:
            text = str(error).splitlines()[0]
            raise MappingError(f"malformed YAML: {text}", self.name) from None
        except UnicodeEncodeError:
            raise MappingError("malformed YAML: half of a surrogate pair", self.name) from None
        return data, place

    def problem(self, text: str, line: int, help: str = "") -> None:
        self.problems.append(Problem(text, f"{self.name}:{line}", help))

    def value(
        self, event: Any, events: Iterator[Any], depth: int
    ) -> tuple[Any, dict[str | int, Position]]:
        """Value that begins with the event, and the positions of the values inside it."""
        line = _line(event)
        if depth > _DEEPEST:
            _too_deep(self.name, line)
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event, line), {}
        is_scalar = isinstance(event, yaml.ScalarEvent)
        if event.anchor:
            self.anchors[event.anchor] = _scalar(event) or "" if is_scalar else None
        if is_scalar:
            return _scalar(event), {}
        if isinstance(event, yaml.SequenceStartEvent):
            return self.items(events, depth)
        return self.pairs(events, depth)

    def alias(self, event: Any, line: int) -> str:
        if event.anchor not in self.anchors:
            self.problem(f"no anchor '&{event.anchor}' before this line", line)
        elif self.anchors[event.anchor] is None:
            self.problem(f"'*{event.anchor}' repeats a list or a table", line, "write it in full")
        return self.anchors.get(event.anchor) or ""

    def items(self, events: Iterator[Any], depth: int) -> tuple[Any, dict[str | int, Position]]:
        items: list[Any] = []
        places: dict[str | int, Position] = {}
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            item, inside = self.value(event, events, depth + 1)
            places[len(items)] = Position(_line(event), inside)
            items.append(item)
        return items, places

    def pairs(self, events: Iterator[Any], depth: int) -> tuple[Any, dict[str | int, Position]]:
        pairs: dict[str, Any] = {}
        places: dict[str | int, Position] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            line = _line(event)
            key, _ = self.value(event, events, depth + 1)
            value, inside = self.value(next(events), events, depth + 1)
            if not isinstance(key, str):
                self.problem("a key must be a word", line)
            elif key in pairs:
                help = f"remove one of the two; the first is in line {places[key].line}"
                self.problem(f"duplicate key '{key}'", line, help)
            else:
                pairs[key] = value
                places[key] = Position(line, inside)
        return pairs, places


def _json_data(text: str, name: str) -> Any:
    try:
        data = json.loads(text, parse_constant=_no_constant)
        if "\\u" in text:
            # Half of a surrogate pair can neither be written to a file nor printed.
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise MappingError(f"malformed JSON: {error.msg}", f"{name}:{error.lineno}") from None
    except UnicodeEncodeError:
        raise MappingError("malformed JSON: half of a surrogate pair", name) from None
    except ValueError as error:
        raise MappingError(f"malformed JSON: {error}", name) from None
    except RecursionError:
        raise MappingError("malformed JSON: nested too deeply", name) from None
    return data


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


class _JsonPlaces:
    """Finds the positions of values in a text that is known to be valid JSON."""

    def __init__(self, text: str, name: str, problems: list[Problem]) -> None:
        self.top = Position(1, {})
        stack: list[tuple[dict[str | int, Position], bool]] = []
        """For each list or table around the current one: the positions of its values, and True for a list."""
        key: str | None = None
        inside: dict[str | int, Position] = self.top.inside
        is_list = False
        line, last = 1, 0
        for match in _TOKEN.finditer(text):
            line += text.count("\n", last, match.start())
            last = match.start()
            token = match[0]
            if token in "}]":
                inside, is_list = stack.pop()
                continue
            if match[2] is not None:
                key = json.loads(f'"{match[1]}"') if "\\" in match[1] else match[1]
                if key in inside:
                    help = f"remove one of the two; the first is in line {inside[key].line}"
                    problems.append(Problem(f"duplicate key '{key}'", f"{name}:{line}", help))
                inside.setdefault(key, Position(line, {}))
                continue
            if is_list:
                place = inside[len(inside)] = Position(line, {})
            else:
                place = inside[key] if key is not None else self.top
            if token in "{[":
                if len(stack) >= _DEEPEST:
                    _too_deep(name, line)
                stack.append((inside, is_list))
                inside, is_list = place.inside, token == "["
