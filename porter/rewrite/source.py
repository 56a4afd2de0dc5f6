"""One upstream file as rules see it: text, offsets of words, and tokens other than code (comments, literals)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from porter.base.globs import is_within
from porter.cpp.lex import Kind, Token, encode, opaque
from porter.cpp.region import DIRECTIVES, Region
from porter.model.rewrite_result import Edit, Reason
from porter.model.rules import Rule, RuleSet, TokenClass
from porter.rewrite.applied_patch import AppliedPatch
from porter.rewrite.include_lookup import IncludeRules

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_IDENT_CHARS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_RUNS = bytes(c if chr(c) in _IDENT_CHARS else 32 for c in range(256))
"""Table for `bytes.translate` that maps all bytes outside identifiers to blanks."""
_CLASS_OF = {
    Kind.COMMENT: TokenClass.COMMENT,
    Kind.STRING: TokenClass.STRING,
    Kind.CHAR: TokenClass.STRING,
    Kind.MESSAGE: TokenClass.STRING,
    Kind.CONDITION: TokenClass.CONDITION,
}


_JOINED = re.compile(r"\\[ \t]*\r?\n\Z")
_SPLICE = re.compile(r"\\[ \t]*\r?\n")


def _is_splice(text: str, at: int) -> bool:
    """Test whether the backslash at an offset joins two lines."""
    return text[at] == "\\" and bool(_SPLICE.match(text, at))


class WordSite(NamedTuple):
    """An identifier, its offset, and its token class."""

    start: int
    word: str
    where: TokenClass


class Scopes(NamedTuple):
    """Declarations by which a file can abbreviate qualified names."""

    aliases: Mapping[str, Sequence[tuple[str, ...]]]
    """Maps N to the parts of each qualified name in `namespace N = a::b;`, `using N = a::b;`, `#define N a::b`."""
    opened: Mapping[tuple[str, ...], Sequence[tuple[int, int]]]
    """Maps the parts of a full name to (start, end) of each scope of `namespace a::b {` and `using namespace a::b;`."""


class ResidueSite(NamedTuple):
    """Occurrence of vendor text that stays in the port, with the reason."""

    start: int
    reason: Reason
    name: str
    rule: int
    note: str


class Source:
    """File during rewriting. Rules add entries to `edits`, `hits` and `left`."""

    def __init__(
        self,
        path: str,
        text: str,
        rules: RuleSet,
        moved: Mapping[str, str],
        include_rules: IncludeRules | None = None,
        patches: Sequence[AppliedPatch] = (),
    ) -> None:
        self.path = path
        """Upstream path from the root of the tree, with forward slashes."""
        self.text = text
        """Upstream text after the `patch` rules."""
        self.patches = patches
        self.rules = rules
        self.moved = moved
        """Maps the include path of a ported file to its include path in the port."""
        self.include_rules = include_rules or IncludeRules(rules)
        self.of_project = False
        """True for a file of a project other than PyTorch: an unknown header need not belong to CUDA or PyTorch."""
        self.included: set[str] = set()
        """Include paths of the ported file, collected by `include` rules."""
        self.edits: list[Edit] = []
        self.hits: Counter[tuple[int, str]] = Counter(
            {(patch.rule, ""): len(patch.starts) for patch in patches}
        )
        self.left: list[ResidueSite] = []
        """Occurrences of vendor text that stay in the port."""
        self.held: list[tuple[int, int]] = []
        """Spans in which words are not looked up on their own: include paths, and abbreviated qualified names."""
        self.scopes: Scopes | None = None
        """Abbreviations of qualified names; None until a `qualified` rule needs them."""
        self._region: Region | None = None
        self.decided: set[int] = set()
        """Offsets of the words in literals and comments that a rule about names has edited or reported."""

    @cached_property
    def opaque(self) -> list[Token]:
        """Tokens other than plain code, in order: comments, literals, directives and launches."""
        return opaque(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [token.start for token in self.opaque]

    @cached_property
    def _by_kind(self) -> dict[Kind, list[Token]]:
        found: dict[Kind, list[Token]] = defaultdict(list)
        for token in self.opaque:
            found[token.kind].append(token)
        return found

    def of_kind(self, kind: Kind) -> list[Token]:
        """Opaque tokens of one kind, in order."""
        return self._by_kind.get(kind, [])

    @cached_property
    def runs(self) -> set[str]:
        """All maximal sequences of letters, digits and underscores in the file: its words and its numbers."""
        return set(self._blanked.split())

    @cached_property
    def _blanked(self) -> str:
        """Text in which all characters outside identifiers are blanks, with an additional blank at each end."""
        return f" {encode(self.text).translate(_RUNS).decode('ascii')} "

    @cached_property
    def folded(self) -> str:
        """Text in lower case; the offsets stay the same."""
        return self.text.lower()

    @cached_property
    def words(self) -> set[str]:
        """All matches of `WORD` in the file, also in comments and literals; computed in half the time of a search."""
        odd = [run for run in self.runs if run[0] <= "9"]
        return self.runs.difference(odd).union([run.lstrip("0123456789") for run in odd]) - {""}

    def at(self, offset: int) -> Token | None:
        """Opaque token (comment, literal, directive or launch) that covers an offset; None if there is none."""
        index = bisect_right(self._starts, offset) - 1
        if index >= 0:
            token = self.opaque[index]
            if offset < token.start + len(token.text):
                return token
        return None

    def before(self, offset: int) -> int:
        """Offset after the last character of code before an offset. Blanks, line splices and comments are skipped."""
        text = self.text
        while True:
            while offset and (text[offset - 1].isspace() or _is_splice(text, offset - 1)):
                offset -= 1
            token = self.at(offset - 1) if offset else None
            if token is None or token.kind is not Kind.COMMENT:
                return offset
            offset = token.start

    def after(self, offset: int) -> int:
        """Offset of the next character of code at or after an offset. Blanks, line splices and comments are skipped."""
        text, size = self.text, len(self.text)
        while True:
            while offset < size and (text[offset].isspace() or _is_splice(text, offset)):
                offset += 1
            token = self.at(offset) if text[offset : offset + 1] == "/" else None
            if token is None or token.kind is not Kind.COMMENT:
                return offset
            offset = token.end

    @cached_property
    def _breaks(self) -> list[int]:
        """Offsets of all line feeds."""
        return [match.start() for match in re.finditer("\n", self.text)]

    @cached_property
    def _lines(self) -> list[int]:
        """Offsets at which logical lines begin."""
        joined = {match.end() for match in self._splices}
        return [0, *(end + 1 for end in self._breaks if end + 1 not in joined)]

    @cached_property
    def _splices(self) -> list[re.Match[str]]:
        """Backslashes that join two lines, each with its line break."""
        return list(_SPLICE.finditer(self.text))

    def lines_in(self, start: int, end: int) -> int:
        """Number of line breaks in a span."""
        return bisect_left(self._breaks, end) - bisect_left(self._breaks, start)

    def line_break(self, start: int, end: int) -> str:
        """Line break to write in place of a span: the span's first line splice, with the blanks before the backslash.

        Without a line splice, the result is the span's first line break.
        """
        index = bisect_left(self._splices, start, key=lambda match: match.start())
        if index < len(self._splices) and self._splices[index].end() <= end:
            splice = self._splices[index]
            before = len(self.text[max(start, splice.start() - 40) : splice.start()])
            blanks = self.text[splice.start() - before : splice.start()]
            return blanks[len(blanks.rstrip(" \t")) :] + splice[0]
        first = self._breaks[bisect_left(self._breaks, start)]
        return "\r\n" if self.text[max(start, first - 1) : first] == "\r" else "\n"

    def region(self, offset: int) -> Region:
        """Region of tokens that contains the token at an offset. Regions are reused."""
        known = self._region
        if known is None or not known.begin <= offset <= known.read_to:
            known = self._region = Region(self.text, offset)
        return known

    def line_start(self, offset: int) -> int:
        """Start of the logical line that contains an offset. Backslashes join lines to one logical line."""
        return self._lines[bisect_right(self._lines, offset) - 1]

    def line_end(self, offset: int) -> int:
        """End of the logical line that contains an offset, without its line break."""
        after = bisect_right(self._lines, offset)
        return self._lines[after] - 1 if after < len(self._lines) else len(self.text)

    def directive(self, offset: int) -> Token | None:
        """Directive whose logical line contains an offset; None if there is none."""
        first = self.after(self.line_start(offset))
        token = self.at(first) if first <= offset else None
        return token if token and token.kind in DIRECTIVES else None

    def places(self, word: str) -> list[int]:
        """Offsets of a word in the file, including comments and literals."""
        found: list[int] = []
        blanked, size = self._blanked, len(word)
        start = blanked.find(word)
        while start >= 0:
            if blanked[start - 1] == " " and blanked[start + size] == " ":
                found.append(start - 1)
            start = blanked.find(word, start + size)
        return found

    def all_places(self, words: set[str], common: str) -> dict[str, list[int]]:
        """Maps each of the words to its offsets in the file, including comments and literals.

        `common` is a lower-case text that most of the words contain. A single search for this text finds these words.
        """
        if not words:
            return {}
        blanked = self._blanked
        folded = blanked.lower()
        found: dict[str, list[int]] = {word: [] for word in words}
        at = folded.find(common) if common else -1
        while at >= 0:
            before = blanked.rfind(" ", 0, at)
            after = blanked.find(" ", at)
            word = blanked[before + 1 : after]
            if word in words:
                found[word].append(before)
            at = folded.find(common, after)
        return {
            word: places or ([] if common and common in word.lower() else self.places(word))
            for word, places in found.items()
        }

    def sites(self, words: Iterable[str]) -> Iterator[WordSite]:
        """Yield the sites of the words, sorted by offset. Include paths and names of directives are skipped."""
        return self.sites_at((start, word) for word in words for start in self.places(word))

    def sites_at(self, places: Iterable[tuple[int, str]]) -> Iterator[WordSite]:
        """Yield the sites of (offset, word) pairs, sorted. Include paths and names of directives are skipped."""
        for start, word in sorted(places):
            token = self.at(start)
            if token is None:
                yield WordSite(start, word, self._plain_class(start))
            elif where := _CLASS_OF.get(token.kind):
                yield WordSite(start, word, where)

    def parted(self, word: str, places: list[int]) -> tuple[list[int], list[WordSite]]:
        """Divide the offsets `places` of a word into (offsets in code, sites in conditions, literals and comments)."""
        code: list[int] = []
        others: list[WordSite] = []
        starts, opaque = self._starts, self.opaque
        for start in places:
            index = bisect_right(starts, start) - 1
            if index < 0 or start >= starts[index] + len(opaque[index].text):
                if self._plain_class(start) is TokenClass.CODE:
                    code.append(start)
                else:
                    others.append(WordSite(start, word, TokenClass.CONDITION))
            elif where := _CLASS_OF.get(opaque[index].kind):
                others.append(WordSite(start, word, where))
        return code, others

    def _plain_class(self, offset: int) -> TokenClass:
        """Token class of an offset outside opaque tokens: condition after the first comment of an `#if`, else code."""
        if self._condition_ends:
            index = bisect_right(self._condition_ends, (offset, len(self.text))) - 1
            if index >= 0 and offset < self._condition_ends[index][1]:
                return TokenClass.CONDITION
        return TokenClass.CODE

    @cached_property
    def _condition_ends(self) -> list[tuple[int, int]]:
        """Spans from a comment inside a preprocessor condition to the end of the condition's logical line."""
        found = []
        for token in self.of_kind(Kind.CONDITION):
            if self.text.startswith("/*", token.end):
                found.append((token.end, self._logical_end(token.end)))
        return found

    def _logical_end(self, offset: int) -> int:
        """End of the logical line that contains an offset. A comment with line breaks does not end the line."""
        while (end := self.text.find("\n", offset)) >= 0:
            inside = self.at(end)
            if inside and inside.kind is Kind.COMMENT and inside.end > end:
                offset = inside.end
            elif _JOINED.search(self.text, max(0, end - 40), end + 1):
                offset = end + 1
            else:
                return end
        return len(self.text)

    def applies(self, rule: Rule, where: TokenClass | None = None) -> bool:
        """Test whether a rule applies to this file and, if `where` is given, to that token class."""
        if where is not None and where not in rule.classes:
            return False
        return is_within(self.path, rule.only_in, rule.not_in)

    def first_of(self, rules: Iterable[int]) -> int | None:
        """Index of the first of the given rules that applies to this file; None if no rule applies."""
        return next((index for index in rules if self.applies(self.rules.rules[index])), None)

    def edit(self, start: int, end: int, new: str, rule: int, name: str = "") -> None:
        """Record the replacement of a span by the text `new`. The caller counts the hit of the rule."""
        self.edits.append(Edit(start, end, (new,), rule, name))

    def hit(self, rule: int, name: str = "") -> None:
        """Count a hit of a rule."""
        self.hits[rule, name] += 1

    def leave(self, start: int, reason: Reason, name: str, rule: int = -1, note: str = "") -> None:
        """Record vendor text that stays in the port, with the reason."""
        self.left.append(ResidueSite(start, reason, name, rule, note))
