"""Functions of the rule kinds that are applied word by word, in one pass of `porter.rewrite.identifiers`.

Rules of the kinds `name`, `names`, `family` and `macro` (class `Names`) match a word wherever it occurs. Rules of the
kinds `value`, `qualified` and `call` (class `Uses`) match a word only in certain contexts, the word's *uses*. Rules
about uses have precedence.
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
"""Maps a word or qualified name to the indexes of one kind's rules about this name, strongest first."""


class Listed(NamedTuple):
    """Match of a rule, or the words that a bulk rule lists, from the mapping file."""

    match: str = ""
    names: Mapping[str, str | None] = {}
    mistake: str = ""
    """Reason why the list is invalid; empty for a valid list."""


class Passed(NamedTuple):
    """Rule about a word, and the reason why the rule does not apply to one use of the word."""

    rule: int
    note: str
    """Reason why the rule does not apply. If no rule decides about the use, the report contains this reason."""


Outcome = int | Passed | None
"""Result for one use of a word.

An int is the end of the edited text, or 0 if only the word was edited or reported. `Passed` is a rule that does not
apply to this use. None means that no rule of the kind is about this use.
"""


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
    """Functions of a rule kind whose rules match a word wherever it occurs."""

    resolutions: Callable[[Rule], Iterable[tuple[str, str | None]]] = one_name
    """Function that yields (word, replacement) for each word that a rule lists. A word with replacement None stays
    unchanged."""
    is_bulk: bool = False
    """True if one rule is about several names. Hits of such a rule are counted for each name."""
    is_listed: Callable[[Rule], bool] = lambda rule: True
    """Function that tests whether the mapping lists every word of a rule. Such a rule overrides rules about uses."""
    by_pattern: bool = False
    """True if the match of a rule without listed words is a regular expression for whole words."""
    classes_of_cuda: frozenset[TokenClass] | None = None
    """Default token classes of rules of the layer CUDA; None if `RuleKind.classes` is the default for all layers."""
    read: Callable[[Mapping[str, Any], Fill], Listed] | None = None
    """Function that reads the words of a rule from its fields. None for kinds whose match is the only word."""
    claim: Callable[[Rule, Sequence[str], re.Pattern[str]], dict[str, str | None] | None] = (
        _claim_nothing
    )
    """Function that selects the names of CUDA's headers about which a rule decides.

    Arguments: the rule; the names of its API area about which no earlier rule decides; the pattern of vendor names.
    Result: the selected names with their replacements, or None if the rule is not limited to names of CUDA's
    headers.
    """


def _whole_match(rule: Rule) -> str:
    return rule.match


def _no_doubt(source: Source, site: WordSite, chosen: Resolution, index: int) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Uses:
    """Functions of a rule kind whose rules match a word only in certain contexts, such as calls or comparisons."""

    apply: Callable[[Source, WordSite, RulesAbout], Outcome]
    """Function that edits one use of a word. Arguments: the file, the use, and the rules of the kind about the word and
    about qualified names that begin with the word."""
    where: Callable[[Rule], str]
    """Function that describes the uses that a rule matches, for `porter explain`: `where its number is compared`."""
    about: Callable[[Rule], str] = _whole_match
    """Function that returns the word, or the qualified name, whose uses a rule matches."""
    doubt: Callable[[Source, WordSite, Resolution, int], str] = _no_doubt
    """Function that returns the reason why a use is ambiguous; empty if the use is not ambiguous.

    Arguments: the file, the use, the decision by the rule about the name, the index of a rule that does not apply.
    """
    hold: Callable[[RuleSet], Callable[[Source], list[Span]]] | None = None
    """Function from a rule set to a second function.

    The second function reports, for a file, the spans in which words are not looked up on their own, and returns
    these spans.
    """
    comes_before: Callable[[Rule], bool] | None = None
    """For a name whose uses have a rule of this kind: function that tests whether a rule about the name precedes all
    remaining rules about the name. None if no rule has this precedence."""
