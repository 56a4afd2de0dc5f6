"""Functions of the rule kinds that are applied word by word, in one pass of `porter.rewrite.identifiers`.

A rule names words and their replacements (`Names`: `name`, `names`, `family`, `macro`), or it concerns certain uses of
a word (`Uses`: `value`, `qualified`, `call`). Rules about uses have precedence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from porter.model.rules import Resolution, Rule, RuleSet, TokenClass
from porter.rewrite.source import Source, WordSite

Fill = Callable[[str], str]
"""Function that fills in the placeholders of a text."""
Span = tuple[int, int]
RulesAbout = Mapping[str, Sequence[int]]
"""Maps a word or qualified name to the indexes of the rules of one kind about it, strongest first."""


class Listed(NamedTuple):
    """Words of a rule about several names, as listed in the mapping file."""

    match: str = ""
    names: Mapping[str, str | None] = {}
    mistake: str = ""
    """Reason why the list is invalid; empty if it is valid."""


class Passed(NamedTuple):
    """Rule about a word that does not apply to one use of the word."""

    rule: int
    note: str
    """Reason why the rule does not apply, for the report of a use about which no other rule decides."""


Outcome = int | Passed | None
"""Result for one use of a word: the end of the edited text (0: only the word was edited); or a rule that does not apply
to this use; or None if no rule of the kind applies to the file."""


def one_name(rule: Rule) -> Iterator[tuple[str, str | None]]:
    """Yield the match of a rule and its replacement."""
    yield rule.match, None if rule.is_identity else rule.replace


def all_names(rule: Rule) -> Iterable[tuple[str, str | None]]:
    """Return all names of a rule about several names, with their replacements."""
    return rule.names.items()


def _claim_nothing(rule: Rule, names: Sequence[str], vendor: re.Pattern[str]) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Names:
    """Functions of a rule kind whose rules name words."""

    resolutions: Callable[[Rule], Iterable[tuple[str, str | None]]] = one_name
    """Function that yields (word, replacement) for each word that a rule lists. A word with replacement None stays
    unchanged."""
    is_bulk: bool = False
    """True if a rule is about several names; hits are then counted for each name."""
    is_listed: Callable[[Rule], bool] = lambda rule: True
    """Function that tests whether the mapping lists every word of a rule. Such a rule overrides rules about uses."""
    by_pattern: bool = False
    """True if the match of a rule without listed words is a regular expression for whole words."""
    classes_of_cuda: frozenset[TokenClass] | None = None
    """Token classes for rules of the layer CUDA that state none; None if they are the same as in other layers."""
    read: Callable[[Mapping[str, Any], Fill], Listed] | None = None
    """Function that reads the words of a rule about several names from its fields. None: the rule's match is its only
    word."""
    claim: Callable[[Rule, Sequence[str], re.Pattern[str]], dict[str, str | None] | None] = (
        _claim_nothing
    )
    """Function from (rule, names of its API area that no earlier rule decides, pattern of vendor names) to the names
    that the rule decides, with replacements. It returns None if the rule is not limited to names of CUDA's headers."""


def _whole_match(rule: Rule) -> str:
    return rule.match


def _no_doubt(source: Source, site: WordSite, chosen: Resolution, index: int) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Uses:
    """Functions of a rule kind whose rules concern certain uses of a word."""

    apply: Callable[[Source, WordSite, RulesAbout], Outcome]
    """Function that edits one use of a word. Arguments: the file, the use, and the rules of the kind about the word and
    about qualified names that begin with the word."""
    where: Callable[[Rule], str]
    """Function that describes the uses that a rule concerns, for `porter explain`: `where its number is compared`."""
    about: Callable[[Rule], str] = _whole_match
    """Function that returns the word, or the qualified name, that a rule concerns."""
    doubt: Callable[[Source, WordSite, Resolution, int], str] = _no_doubt
    """Function from (file, use, decision by the rule about the name, index of a rule that does not apply) to the reason
    why the use is ambiguous; empty if it is not."""
    hold: Callable[[RuleSet], Callable[[Source], list[Span]]] | None = None
    """Function that creates, for a rule set, a function from a file to spans in which words are not looked up on their
    own. The created function also reports these spans."""
    comes_before: Callable[[Rule], bool] | None = None
    """Function that tests a rule about names. If true, the rule precedes all others for a word with a rule of this
    kind."""
