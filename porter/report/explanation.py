"""Results of `porter explain` as text and as plain data."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.cpp.lex import encode
from porter.model.explanation import Candidate, ExplainedPlace, FileExplained, RuleRef
from porter.report.tables import Line, Table, aligned

_SHOWN = 70
"""Largest number of characters of an edit on a terminal."""


@dataclass(frozen=True)
class SymbolAnswer:
    """Result of `porter explain NAME`: the rules that match the name, and the effect of each rule."""

    target: str
    release: str
    name: str
    candidates: Sequence[Candidate]
    vendor: bool
    """True if the name matches the pattern of vendor names."""
    help: str

    @property
    def sentence(self) -> str:
        """Text of one line with the effect of the rules on the name."""
        deciding = [item for item in self.candidates if item.decides]
        if not deciding and self.vendor:
            return "no rule matches the name: it stays, and is reported as unmapped"
        if not deciding:
            return "no rule matches the name, and it does not look like a name of CUDA: it stays"
        if "::" in self.name and "::" not in deciding[0].about:
            return f"becomes {'::'.join(map(self._part, self.name.split('::')))}"
        if "::" in self.name:
            return _outcome(deciding[0])
        outcomes = list(dict.fromkeys(map(_outcome, deciding)))
        if len(outcomes) == 1:
            return outcomes[0]
        return "; ".join(f"{_outcome(item)} {item.where}" for item in deciding)

    def _part(self, name: str) -> str:
        """New text of one part of a qualified name (`a` of `a::b`); the same text if no rule replaces the part."""
        about = (item for item in self.candidates if item.decides and item.about == name)
        return next((item.becomes for item in about if item.becomes), name)


def _outcome(candidate: Candidate) -> str:
    if candidate.status != "supported":
        return str(candidate.status)
    return f"becomes {candidate.becomes}" if candidate.becomes is not None else "stays"


def symbol_document(answer: SymbolAnswer) -> dict[str, Any]:
    """Result as plain data. The candidate rules are in order of precedence."""
    return {
        "target": answer.target,
        "release": answer.release,
        "symbol": answer.name,
        "vendor": answer.vendor,
        "answer": answer.sentence,
        "candidates": [
            {
                **_rule(item.rule),
                "status": str(item.status),
                "becomes": item.becomes,
                "where": item.where,
                "decides": item.decides,
            }
            for item in answer.candidates
        ],
        "help": answer.help,
    }


def symbol_lines(answer: SymbolAnswer) -> Iterator[Line]:
    """Lines with the result in one sentence, then a table of the candidate rules in order of precedence.

    `*` marks the rules that decide.
    """
    head = f"{answer.name} for {answer.target} (PyTorch {answer.release}): {answer.sentence}"
    yield Line(head, "bold")
    if answer.help:
        yield Line(f"  help: {answer.help}")
    if answer.candidates:
        yield Line("")
        rows = [
            (
                "*" if item.decides else "-",
                _short(f"{item.rule.kind} {item.rule.match}"),
                _outcome(item),
                item.where,
                item.rule.origin,
                item.rule.note if item.decides else "the rules above take precedence",
            )
            for item in answer.candidates
        ]
        columns = ("", "rule", "result", "where", "from", "note")
        yield from aligned(Table("", columns, tuple(rows)))


@dataclass(frozen=True)
class FileAnswer:
    """Result of `porter explain FILE[:LINE]`: edits, residue and hazards in the file or on the line."""

    target: str
    release: str
    root: Path
    """Root folder of upstream paths."""
    path: str
    """Upstream path."""
    named_ported: bool
    """True if the user named the ported file: line numbers then refer to the ported file. False: the upstream file."""
    to: str
    """Ported path."""
    made: FileExplained
    line: int | None
    """Requested line of the file that the user named; None for the whole file."""

    @property
    def named(self) -> str:
        """Path of the file to which line numbers refer."""
        return self.to if self.named_ported else self.path

    @property
    def last_line(self) -> int:
        """Number of lines of the file that the user named."""
        return len(_lines(self.made.ported if self.named_ported else self.made.upstream))

    @property
    def places(self) -> list[ExplainedPlace]:
        """Edits, residue and hazards on the requested line; in the whole file if no line is requested."""
        if self.line is None:
            return list(self.made.places)
        return [place for place in self.made.places if self._holds(place, self.line)]

    def _holds(self, place: ExplainedPlace, line: int) -> bool:
        if not self.named_ported:
            return place.line <= line < place.line + place.lines
        # Inserted text, for example an include of the main header, may be on lines that only the ported file has.
        lines = max(place.lines, place.after.count("\n") + (not place.after.endswith("\n")))
        return place.ported_line <= line < place.ported_line + lines

    def both_lines(self) -> tuple[str, str]:
        """Upstream text and ported text of the requested line. A text is empty if its file lacks the line."""
        assert self.line is not None
        old, new = self.line, self.line
        if self.named_ported:
            old = next((was for was, now in self.made.lines if now == self.line), 0)
        else:
            new = next((now for was, now in self.made.lines if was == self.line), 0)
        return _line(self.made.upstream, old), _line(self.made.ported, new)


def _line(text: str, number: int) -> str:
    """Line with the given number, from 1; empty for 0 and for a number beyond the last line."""
    lines = _lines(text)
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _lines(text: str) -> list[str]:
    lines = _readable(text).split("\n")
    return lines if lines[-1] else lines[:-1]


def _readable(text: str) -> str:
    """Text of a source, decoded as UTF-8. Each character of the parameter `text` represents one byte."""
    return encode(text).decode("utf-8", "replace")


def file_document(answer: FileAnswer) -> dict[str, Any]:
    """Result as plain data: paths, text of the requested line, edits, residue and hazards."""
    data: dict[str, Any] = {
        "target": answer.target,
        "release": answer.release,
        "file": {
            "root": str(answer.root),
            "upstream": answer.path,
            "ported": answer.to,
        },
        "line": answer.line,
        "line_of": "ported" if answer.named_ported else "upstream",
    }
    if answer.line is not None:
        data["text"] = dict(zip(("upstream", "ported"), answer.both_lines(), strict=True))
    for kind, name in (
        ("patch", "patches"),
        ("edit", "edits"),
        ("left", "residue"),
        ("hazard", "hazards"),
    ):
        data[name] = [_place(place) for place in answer.places if place.kind == kind]
    return data


def _place(place: ExplainedPlace) -> dict[str, Any]:
    data = dataclasses.asdict(place)
    del data["kind"], data["rules"]
    data |= {name: _readable(data[name]) for name in ("before", "after")}
    return {**data, "rules": [_rule(rule) for rule in place.rules]}


def _rule(rule: RuleRef) -> dict[str, str]:
    fields = dataclasses.asdict(rule)
    del fields["key"]
    return {name: str(value) for name, value in fields.items()}


def file_lines(answer: FileAnswer) -> Iterator[Line]:
    """Lines with the upstream and ported text of the requested line, if any; then edits, residue and hazards."""
    head = f"{answer.path} -> {answer.to}  ({answer.target}, PyTorch {answer.release})"
    yield Line(head, "bold")
    if answer.line is not None:
        upstream, ported = answer.both_lines()
        yield Line(f"- {upstream}", "red")
        yield Line(f"+ {ported}", "green")
    if not answer.places:
        where = "in this file" if answer.line is None else "on this line"
        yield Line(f"no edits and no residue {where}")
        return
    yield Line("")
    rows = []
    for place in answer.places:
        line = place.ported_line if answer.named_ported else place.line
        rule = place.rules[0] if place.rules else None
        named = _short(f"{rule.kind} {rule.match}") if rule else ""
        origins = ", ".join(item.origin for item in place.rules)
        rows.append((str(line), _what(place), named, origins, place.why))
    columns = ("line", "what", "rule", "from", "why")
    yield from aligned(Table("", columns, tuple(rows), frozenset({0})))


def _what(place: ExplainedPlace) -> str:
    if place.kind in ("edit", "patch"):
        before = _short(_readable(place.before)) if place.before else "(nothing)"
        return f"{before} -> {_short(_readable(place.after))}"
    return (
        f"{'left' if place.kind == 'left' else 'may be wrong'}: {_short(_readable(place.before))}"
    )


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else flat[: _SHOWN - 3] + "..."
