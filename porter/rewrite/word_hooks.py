"""Hooks of the rule kinds that are applied word by word, in one pass of `porter.rewrite.identifiers`.

A rule either names words and their replacements (`Names`: `name`, `names`, `family`, `macro`), or concerns certain uses
of a word (`Uses`: `value`, `qualified`, `call`). Uses have precedence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from porter.model.rules import Resolution, Rule, RuleSet, TokenClass
from porter.rewrite.source import Source, WordSite

Fill = Callable[[str], str]
"""Function that fills the placeholders of a text."""
Span = tuple[int, int]
RulesAbout = Mapping[str, Sequence[int]]
"""Word or chain of names -> indexes of the rules of one kind about it, strongest first."""


class Listed(NamedTuple):
    """Words in a bulk rule, as the mapping file lists them."""

    match: str = ""
    names: Mapping[str, str | None] = {}
    mistake: str = ""
    """Reason why the list cannot be read; empty if it can."""


class Passed(NamedTuple):
    """Rule about a word that does not apply to the use of the word at a place."""

    rule: int
    note: str
    """Reason, for the report of a place that no other rule decides."""


Outcome = int | Passed | None
"""Result at a place: end of the text that the edit covers (0: the word only); or a rule that did not apply to this use;
or None if no rule of the kind applies to the file."""


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
    """(word, replacement) for the words that a rule lists; None: the word stays."""
    is_bulk: bool = False
    """True if a rule concerns many words; hits are then counted for each word."""
    is_listed: Callable[[Rule], bool] = lambda rule: True
    """Test whether the mapping lists each word of a rule. Such a rule overrides rules about uses."""
    by_pattern: bool = False
    """True if the match of a rule without listed words is a regular expression for whole words."""
    classes_of_cuda: frozenset[TokenClass] | None = None
    """Token classes for a rule of the CUDA layer that states none; None: the same as in other layers."""
    read: Callable[[Mapping[str, Any], Fill], Listed] | None = None
    """Read the words of a bulk rule from its fields. None: the match is the kind's field."""
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
    """Edit a place of a word. Arguments: the file, the place, and the rules of the kind about the word and about chains
    that begin with it."""
    where: Callable[[Rule], str]
    """Description, for `porter explain`, of the uses that a rule concerns: `where its number is compared`."""
    about: Callable[[Rule], str] = _whole_match
    """Word, or chain of names joined by `::`, that a rule concerns."""
    doubt: Callable[[Source, WordSite, Resolution, int], str] = _no_doubt
    """(source, place, decision by name, rule that did not apply) -> reason why the place is ambiguous, or empty."""
    hold: Callable[[RuleSet], Callable[[Source], list[Span]]] | None = None
    """Create a function that returns the spans of a file in which words have no meaning of their own, and reports
    them."""
    comes_before: Callable[[Rule], bool] | None = None
    """Test whether a rule about names precedes all others for a word that also has a rule of this kind."""
