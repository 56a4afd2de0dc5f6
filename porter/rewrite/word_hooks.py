"""Hooks of the kinds that are decided word by word, in one pass of `porter.rewrite.identifiers`.

A rule either names words and their replacements (`Names`: `name`, `names`, `family`, `macro`), or concerns certain uses
of a word (`Uses`: `value`, `qualified`, `call`). Uses are asked first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from porter.model.rules import Resolution, Rule, RuleSet, TokenClass
from porter.rewrite.source import Source, WordSite

Fill = Callable[[str], str]
"""Fills the placeholders of a text."""
Span = tuple[int, int]
RulesAbout = Mapping[str, Sequence[int]]
"""Word or chain of names that rules of one kind are about -> their indexes, strongest first."""


class Listed(NamedTuple):
    """Words of a bulk rule, as a mapping file lists them."""

    match: str = ""
    names: Mapping[str, str | None] = {}
    mistake: str = ""
    """Reason why the list cannot be read; empty if it can."""


class Passed(NamedTuple):
    """A rule about a word that does not concern the use of the word at a place."""

    rule: int
    note: str
    """Reason, for the report of a place that no other rule decides."""


Outcome = int | Passed | None
"""Result at a place: the offset up to which nothing more is to be done (0: behind the word), a rule that was passed
over, or None if no rule of the kind applies to the file."""


def one_name(rule: Rule) -> Iterator[tuple[str, str | None]]:
    """Yield the match of a rule and the replacement."""
    yield rule.match, None if rule.is_identity else rule.replace


def all_names(rule: Rule) -> Iterable[tuple[str, str | None]]:
    """Return the names of a bulk rule and their replacements."""
    return rule.names.items()


def _claim_nothing(rule: Rule, names: Sequence[str], vendor: re.Pattern[str]) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Names:
    """Hooks of a kind whose rules name words."""

    resolutions: Callable[[Rule], Iterable[tuple[str, str | None]]] = one_name
    """Words that a rule lists, and the replacement of each; None: the word stays."""
    is_bulk: bool = False
    """A rule concerns many words: hits are counted for each word."""
    is_listed: Callable[[Rule], bool] = lambda rule: True
    """True if the mapping spells out each word of a rule. Such a rule decides in place of a rule about uses."""
    by_pattern: bool = False
    """The match of a rule that lists no words is a regular expression for whole words."""
    classes_of_cuda: frozenset[TokenClass] | None = None
    """Token classes of a rule of the CUDA layer that names none; None: as in other layers."""
    read: Callable[[Mapping[str, Any], Fill], Listed] | None = None
    """Read the words of a bulk rule from its fields. None: the field of the kind is the match."""
    claim: Callable[[Rule, Sequence[str], re.Pattern[str]], dict[str, str | None] | None] = (
        _claim_nothing
    )
    """(rule, names of its area that no earlier rule has claimed, vendor words) -> names that the rule decides about.
    None: the inventory does not bound the rule."""


def _whole_match(rule: Rule) -> str:
    return rule.match


def _no_doubt(source: Source, site: WordSite, chosen: Resolution, index: int) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Uses:
    """Hooks of a kind whose rules concern certain uses of a word."""

    apply: Callable[[Source, WordSite, RulesAbout], Outcome]
    """Edit a place of a word, given the rules of the kind about the word and about chains that begin with it."""
    where: Callable[[Rule], str]
    """Uses that a rule concerns, for `porter explain`: `where its number is compared`."""
    about: Callable[[Rule], str] = _whole_match
    """Word, or chain of names joined by `::`, that a rule is about."""
    doubt: Callable[[Source, WordSite, Resolution, int], str] = _no_doubt
    """(source, place, decision by name, rule that was passed over) -> reason why the place is ambiguous, or empty."""
    hold: Callable[[RuleSet], Callable[[Source], list[Span]]] | None = None
    """Make a function that reports the spans of a file in which no word is a name of its own, and returns them."""
    comes_before: Callable[[Rule], bool] | None = None
    """True for the rules by name that precede all others where a rule of this kind is about the same word."""
