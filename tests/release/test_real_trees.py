"""Properties of every port of a real PyTorch tree, for every target."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from rule_sets import TARGETS, target_rules

from porter.cpp.lex import Kind, decode, encode, opaque
from porter.model.rewrite_result import Reason, Rewrite
from porter.model.rules import Rule, RuleSet, Status
from porter.port.select import release_of, select
from porter.rewrite.kinds.path import INCLUDE_ROOTS, renamed, spellings
from porter.rewrite.rewriter import Rewriter
from porter.rewrite.source import WORD

pytestmark = pytest.mark.release


@dataclass(frozen=True)
class File:
    """One file, before and after."""

    path: str
    to: str
    text: str
    made: Rewrite


@dataclass(frozen=True)
class Port:
    """A tree ported to a target."""

    rules: RuleSet
    rewriter: Rewriter
    moves: Mapping[str, str]
    files: tuple[File, ...]

    def hits(self, file: File, kind: str) -> Iterator[tuple[Rule, str, int]]:
        """Hits of a kind's rules in a file, by name."""
        for (index, name), count in file.made.hits.items():
            if self.rules.rules[index].kind == kind:
                yield self.rules.rules[index], name, count


@pytest.fixture(scope="module", params=TARGETS)
def port(request: pytest.FixtureRequest, release_tree: Path) -> Port:
    rules = target_rules(request.param, release_of(release_tree))
    paths = [file.path for file in select(release_tree, rules.selection)]
    moves = {path: renamed(path, rules)[0] for path in paths}
    rewriter = Rewriter(rules, {**spellings(moves.items()), **moves})
    files = []
    for path in paths:
        raw = (release_tree / path).read_bytes()
        files.append(File(path, moves[path], decode(raw), rewriter.rewrite(path, raw)))
    assert len(files) > 400
    return Port(rules, rewriter, moves, tuple(files))


# Not by the lexer: comments and literals as the simplest expression finds them.
_SILENT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'""", re.DOTALL
)


def test_every_launch_is_ported_or_reported(port: Port) -> None:
    total = 0
    for file in port.files:
        written = len(re.findall(r"<<<", _SILENT.sub(" ", file.text)))
        ported = sum(count for _, _, count in port.hits(file, "launch"))
        left = sum(r.places for r in file.made.residue if r.name == "<<<>>>")
        assert written == ported + left, file.path
        total += ported
    assert total > 250


def test_every_dynamic_shared_memory_is_ported_or_reported(port: Port) -> None:
    total = 0
    for file in port.files:
        code = _SILENT.sub(" ", file.text)
        written = len(re.findall(r"\bextern\s[^;{}]*?\b__shared__\b", code))
        ported = sum(count for _, _, count in port.hits(file, "dynamic_shared"))
        left = sum(r.places for r in file.made.residue if r.name == "extern __shared__")
        assert written == ported + left, file.path
        total += ported
    assert total > 20


def test_every_vendor_word_that_stays_is_reported(port: Port) -> None:
    for file in port.files:
        reported = {word for left in file.made.residue for word in WORD.findall(left.name)}
        new = {
            word
            for edit in file.made.edits
            for part in edit.parts
            if isinstance(part, str)
            for word in WORD.findall(part)
        }
        for word in code_words(file.made.text):
            if port.rules.vendor.search(word):
                assert word in reported or word in new, file.path


def code_words(text: str) -> set[str]:
    """Words in code and in conditions."""
    words: set[str] = set()
    at = 0
    for token in opaque(text):
        words.update(WORD.findall(text[at : token.start]))
        if token.kind is Kind.CONDITION:
            words.update(WORD.findall(token.text))
        at = token.end
    words.update(WORD.findall(text[at:]))
    return words


def test_comments_and_literals_are_kept(port: Port) -> None:
    for file in port.files:
        if not any(port.hits(file, "patch")):
            assert silent(file.made.text, Kind.COMMENT) == silent(file.text, Kind.COMMENT), (
                file.path
            )
            if not any(port.hits(file, "string")):
                kinds = (Kind.STRING, Kind.CHAR, Kind.MESSAGE)
                written = literals_of_calls(port, file, *kinds)
                assert silent(file.made.text, *kinds) == sorted(
                    silent(file.text, *kinds) + written
                ), file.path


def literals_of_calls(port: Port, file: File, *kinds: Kind) -> list[str]:
    """Literals in the replacements of rules for calls and functions: a memory scope of HIP's fences, for example."""
    return [
        literal
        for kind in ("call", "function")
        for rule, _, count in port.hits(file, kind)
        for literal in silent(rule.replace or "", *kinds) * count
    ]


def silent(text: str, *kinds: Kind) -> list[str]:
    """The texts of some kinds of tokens, sorted: arguments of calls may change places."""
    return sorted(token.text for token in opaque(text) if token.kind in kinds)


def test_brackets_keep_their_balance(port: Port) -> None:
    for file in port.files:
        if any(port.hits(file, "patch")):
            continue
        before, after = brackets(file.text), brackets(file.made.text)
        for opening, closing in ("()", "[]", "{}"):
            assert before[opening] - before[closing] == after[opening] - after[closing], file.path
        # A declaration of shared memory loses what its alignment held, so its count is not known here.
        if not any(port.hits(file, "dynamic_shared")):
            before.update(added_brackets(port, file))
            assert {**before} == {key: after[key] for key in before}, file.path


def brackets(text: str) -> Counter[str]:
    """Number of each bracket in code, conditions included."""
    code = []
    at = 0
    for token in opaque(text):
        code += [text[at : token.start], token.text if token.kind is Kind.CONDITION else ""]
        at = token.end
    all_code = "".join([*code, text[at:]])
    return Counter({bracket: all_code.count(bracket) for bracket in "()[]{}"})


def added_brackets(port: Port, file: File) -> Counter[str]:
    """Brackets that rules have added to a file, minus those that they have removed."""
    added: Counter[str] = Counter()
    for (index, name), count in file.made.hits.items():
        rule = port.rules.rules[index]
        if rule.status is not Status.SUPPORTED or rule.kind in ("string", "include"):
            continue
        new = rule.names.get(name) or rule.replace or ""
        old = ""
        if rule.kind == "launch" and rule.match != "keep":
            new, old = re.sub(r"\{,?\w+\}", "", rule.match), "()"
        elif rule.kind == "call":
            old = rule.match if new else ""
        elif rule.kind == "family":
            new = re.sub(r"\\\d", "", new)
        for text, sign in ((new, count), (old, -count)):
            for bracket in text:
                if bracket in "()[]{}":
                    added[bracket] += sign
    return added


def test_a_port_has_as_many_lines_as_upstream(port: Port) -> None:
    for file in port.files:
        more = file.made.text.count("\n") - file.text.count("\n")
        # One more where no blank line makes up for a header.
        assert more == 0 or (more == 1 and "\n\n" not in file.made.text), file.path


def test_porting_the_port_makes_no_edits(port: Port) -> None:
    for file in port.files:
        again = port.rewriter.rewrite(file.to, encode(file.made.text))
        changed = [(file.made.text[edit.start : edit.end], edit.parts) for edit in again.edits]
        assert not changed, file.path


def test_includes_name_the_new_places(port: Port) -> None:
    gone = {old for old, new in port.moves.items() if new != old}
    for file in port.files:
        for path in included(file.made.text):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(file.to), path))
            assert not {beside, *(root + path for root in INCLUDE_ROOTS)} & gone, file.path


def included(text: str) -> list[str]:
    """Include paths of a text."""
    return [re.split(r"[<\">]", t.text)[1] for t in opaque(text) if t.kind is Kind.INCLUDE]


def test_no_name_is_unmapped_and_no_place_ambiguous(port: Port) -> None:
    left = Counter(
        (str(item.reason), item.name)
        for file in port.files
        for item in file.made.residue
        if item.reason in (Reason.UNMAPPED, Reason.AMBIGUOUS)
    )
    assert not left
