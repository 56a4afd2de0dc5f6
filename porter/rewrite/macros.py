"""Macros that a file defines: their parameters and bodies, and the arguments of their uses in the same file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import NamedTuple

from porter.cpp.lex import Kind, Token, tokens
from porter.cpp.region import SILENT, Region
from porter.rewrite.brackets import arguments
from porter.rewrite.source import Source

_DEFINE = re.compile(r"[ \t]*#[ \t]*define\b")
_MOST = 2000
"""Largest number of uses of one macro that are examined."""


class ArgumentToken(NamedTuple):
    """Token of a macro argument, with its offset."""

    text: str
    start: int


class MacroArgument(NamedTuple):
    """First and last token of a macro argument: `##` pastes only these. They are equal in an argument of one token."""

    first: ArgumentToken
    last: ArgumentToken


MacroArguments = Mapping[str, MacroArgument]
"""Maps a macro's parameter to its argument in one use. An empty argument has no entry."""


class MacroDefinition(NamedTuple):
    """Definition of a macro. An object-like macro has no parameters."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Token, ...]
    """Tokens of the replacement, without blanks and comments."""
    end: int


class Macros:
    """All macros that a file defines."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.all = [
            macro for token in source.of_kind(Kind.DIRECTIVE) for macro in self._read(token)
        ]
        self._by_name = {macro.name: macro for macro in self.all}
        self._bindings: dict[str, list[MacroArguments]] = {}
        self._given = self._macros_as_arguments()

    def bindings(self, macro: MacroDefinition) -> list[MacroArguments]:
        """Arguments of each use of a macro in the file, one mapping for each use."""
        if macro.name not in self._bindings:
            self._bindings[
                macro.name
            ] = []  # Ends the recursion for a macro whose body uses the macro itself.
            found: list[MacroArguments] = []
            for start in self._expansions(macro):
                found += self._bound(macro, start)
                if len(found) > _MOST:
                    break
            self._bindings[macro.name] = found
        return self._bindings[macro.name]

    def _read(self, directive: Token) -> Iterator[MacroDefinition]:
        if not directive.text.endswith("define"):
            return
        end = self._source.line_end(directive.start)
        line = takewhile(lambda token: token.start < end, tokens(self._source.text, directive.end))
        loud = [token for token in line if token.kind not in SILENT]
        if len(loud) < 2 or loud[0].kind is not Kind.IDENT:
            return
        if loud[1].text != "(" or loud[1].start != loud[0].end:
            yield MacroDefinition(loud[0].text, (), tuple(loud[1:]), end)
            return
        close = next((at for at, token in enumerate(loud) if token.text == ")"), len(loud))
        names = tuple(token.text for token in loud[2:close] if token.kind is Kind.IDENT)
        yield MacroDefinition(loud[0].text, names, tuple(loud[close + 1 :]), end)

    def _expansions(self, macro: MacroDefinition) -> Iterator[int]:
        """Yield the offset of the `(` in each use of a macro, also in macros to which the macro is passed."""
        for start in self._source.places(macro.name):
            if self._source.at(start) is None:
                after = self._source.after(start + len(macro.name))
                if self._source.text.startswith("(", after) and after != self._opening(start):
                    yield after
        yield from self._given.get(macro.name, ())

    def _opening(self, start: int) -> int:
        """Offset of the `(` before a macro's parameters, if a `#define` defines the name at `start`; else -1."""
        directive = self._source.directive(start)
        is_name = directive and self._source.after(directive.end) == start
        return self._source.text.find("(", start) if is_name else -1

    def _bound(self, macro: MacroDefinition, opening: int) -> Iterator[MacroArguments]:
        region = Region(self._source.text, opening)
        found = arguments(region, opening)
        if found is None:
            return
        words: dict[str, MacroArgument] = {}
        for name, (start, end) in zip(macro.parameters, found[0], strict=False):
            inside = [one for one in region.between(start, end) if one.kind not in SILENT]
            ends = [ArgumentToken(one.text, one.start) for one in (inside[:1] + inside[-1:])]
            if ends:
                words[name] = MacroArgument(*ends)
        outer = self._around(opening)
        pasted = {token.text for word in words.values() for token in word}
        if outer is None or pasted.isdisjoint(outer.parameters):
            yield words
            return
        for binding in self.bindings(outer) or [{}]:
            passed = {name: _passed(outer, binding, word) for name, word in words.items()}
            yield {name: word for name, word in passed.items() if word}

    def _around(self, offset: int) -> MacroDefinition | None:
        """Macro whose body contains an offset; None if there is none."""
        for macro in self.all:
            if macro.body and macro.body[0].start <= offset < macro.end:
                return macro
        return None

    def _macros_as_arguments(self) -> dict[str, list[int]]:
        """Maps each macro that is passed to a second macro to its uses in the body of the second macro.

        A use is given as the offset of its `(`.
        """
        given: dict[str, list[int]] = {}
        self._given = given
        for macro in self.all:
            calls = [
                (token.text, after.start)
                for token, after in zip(macro.body, macro.body[1:], strict=False)
                if token.text in macro.parameters and after.text == "("
            ]
            if not calls:
                continue
            for binding in self.bindings(macro):
                for parameter, opening in calls:
                    word = binding.get(parameter)
                    if word and word.last.text in self._by_name:
                        given.setdefault(word.last.text, []).append(opening)
        self._bindings.clear()
        return given


def _passed(
    outer: MacroDefinition, binding: MacroArguments, word: MacroArgument
) -> MacroArgument | None:
    """Argument in the body of `outer` in one use of `outer`; None if an argument of `outer` is unknown."""
    ends: list[ArgumentToken] = []
    for place, token in enumerate(word):
        if token.text in outer.parameters:
            given = binding.get(token.text)
            if given is None:
                return None
            ends.append(given[place])
        else:
            ends.append(token)
    return MacroArgument(*ends)


def in_macro(text: str, at: int) -> bool:
    """Test whether an offset is in the definition of a macro, which may have continued lines."""
    line = text.rfind("\n", 0, at)
    while line > 0 and text[:line].endswith(("\\", "\\\r")):
        line = text.rfind("\n", 0, line)
    return bool(_DEFINE.match(text, line + 1))


def breaks_line(blank: str) -> bool:
    """Test whether white space contains an end of line that no backslash continues."""
    return "\n" in re.sub(r"\\[ \t]*\r?\n", "", blank)
