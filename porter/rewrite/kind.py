"""Record of a rule kind: schema, application, preview, effect of changes, and checks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from porter.model.rules import Resolution, Rule, RuleSet, TokenClass
from porter.rewrite.applied_patch import AppliedPatch
from porter.rewrite.kind_schema import Field
from porter.rewrite.source import Source
from porter.rewrite.word_hooks import Names, Uses

CODE = frozenset({TokenClass.CODE})
CODE_AND_CONDITION = frozenset({TokenClass.CODE, TokenClass.CONDITION})

Key = tuple[str, ...]
Resolve = Callable[[str], str | None]
"""Word -> replacement by the family of the rule; None when another rule decides about the word."""


class VendorWords(Protocol):
    """Test for vendor words; `porter.rewrite.identifiers.Resolver` implements it."""

    def is_vendor(self, word: str) -> bool:
        """Test whether a word is a vendor word."""
        ...

    def may_hold_vendor(self, text: str) -> bool:
        """Test whether a text may contain a vendor word; False is certain."""
        ...


class Reports(Protocol):
    """Interface: finds the places that rules report."""

    def learn(self, words: set[str]) -> None:
        """Examine the words of a file that no earlier file contained."""
        ...

    def places(self, source: Source, index: int) -> list[int]:
        """Return the offsets in a file that the rule with that index reports, in order."""
        ...


class Preview(NamedTuple):
    """Result of a rule on a text that the rule matches."""

    name: str
    """Name in a bulk rule; empty for other rules."""
    before: str
    after: str


class Mistake(NamedTuple):
    """Mistake in one rule."""

    text: str
    help: str = ""
    is_warning: bool = False


def no_preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    """Yield nothing."""
    yield from ()


def preview_replacement(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    """Yield the match and the replacement of a rule about one name."""
    if rule.replace:
        yield Preview("", rule.match, rule.replace)


def preview_template(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    """Yield the template of a rule, each field filled with `x`."""
    if rule.match != "keep":
        yield Preview("", "", re.sub(r"\{,?[a-z]+\}", "x", rule.match))


def key_of_match(rule: Rule) -> Iterator[Key]:
    """Yield the kind and the match of a rule."""
    yield rule.kind, rule.match


def key_of_kind(rule: Rule) -> Iterator[Key]:
    """Yield the kind of a rule: all rules of the kind compete."""
    yield (rule.kind,)


def key_of_name(rule: Rule) -> Iterator[Key]:
    """Yield the name that a rule replaces; `name`, `macro` and `names` rules compete for names."""
    yield "name", rule.match


def no_code(rule: Rule) -> list[str]:
    """Return no text: the kind writes no code."""
    return []


def replacements(rule: Rule) -> list[str]:
    """Return the replacements of a rule, of all its names, sorted."""
    return sorted({new for new in (rule.replace, *rule.names.values()) if new})


def template(rule: Rule) -> list[str]:
    """Return the template of a rule, if the rule has one."""
    return [rule.match] if rule.match != "keep" else []


def _no_mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    yield from ()


def _no_rivals(rules: RuleSet, rule: Rule) -> Iterable[int]:
    return ()


def rivals_by_name(rules: RuleSet, rule: Rule) -> Iterator[int]:
    """Yield the indexes of the rules about the name of a rule, strongest first."""
    return (found.rule for found in rules.exact.get(rule.match, ()))


def _any_file(rule: Rule, path: str, text: str) -> bool:
    return True


def _not_in_code(rules: RuleSet, text: str) -> Resolution | None:
    return None


@dataclass(frozen=True, kw_only=True)
class RuleKind:
    """One rule kind. Functions take rules of this kind only."""

    name: str
    """Key of the kind in mapping files, and `Rule.kind`."""
    summary: str
    """One sentence about a rule of the kind, for the JSON Schema."""
    fields: tuple[Field, ...]
    """Fields of a rule, besides the fields that all kinds share; the first field has the name of the kind."""
    listed: int = 100
    """Rank of the kind in lists for readers: in the JSON Schema and in messages."""
    apply: Callable[[Source, VendorWords], None] | None = None
    """Edit a file. None for kinds that are applied elsewhere: word by word (`names`, `uses`), before a file becomes a
    `Source` (`prepare`), after all edits (`reports`), or to the path of a file (`path`)."""
    prepare: Callable[[str, str, RuleSet], tuple[str, tuple[AppliedPatch, ...]]] | None = None
    """(upstream path, text, rule set) -> the text that all other kinds see, and the applied changes."""
    reports: Callable[[RuleSet], Reports] | None = None
    """Create the object that finds the places to report. Rules of the kind change no text."""
    names: Names | None = None
    """Hooks of a kind whose rules name words."""
    uses: Uses | None = None
    """Hooks of a kind whose rules concern certain uses of a word."""
    classes: frozenset[TokenClass] = CODE
    """Token classes for a rule that states none."""
    template_fields: frozenset[str] = frozenset()
    """Fields in braces that are filled for each file, not when the mapping is read."""
    key_field: str = ""
    """Field that distinguishes rules with the same match: a hash of its text is part of `Rule.key`."""
    min_hits: int = 0
    """Expected hits of a rule that states no number."""
    is_construct: bool = False
    """The rule rewrites a construct of the language (for example a launch); its match is the template of the new
    text."""
    match_is_regex: bool = False
    match_is_verbatim: bool = False
    """The match may contain braces: placeholders are not filled in it."""
    is_graded: bool = False
    """Rules of the kind replace names of CUDA; a port lists the evidence for the new names."""
    names_headers: bool = False
    """Replacements are paths of headers."""
    matches_upstream_text: bool = False
    """A rule is about a text of PyTorch's, not about a name of CUDA's: a new release may lack it."""
    is_pattern: Callable[[Rule], bool] = lambda rule: False
    """Test whether a rule computes its replacements, so that the target may lack some of them."""
    first_rule: str = ""
    """Comment over the rule of the kind in the first mappings of a target; `{UPPER}` is the target's name. The rule is
    `keep`, or the rule of a similar target. Empty: the first mappings have no rule of the kind."""
    edits_in_pieces: bool = False
    """Several adjacent edits of one rule form one change."""

    affects_all: bool = False
    """A change of such a rule may change the port of every file, whatever the rule's globs are."""
    can_affect: Callable[[Rule, str, str], bool] = _any_file
    """(rule, upstream path, text) -> True if a change of the rule may change the port of the file. Unused for kinds
    that are applied word by word: their look-up tables are compared instead."""

    preview: Callable[[Rule, Resolve], Iterator[Preview]] = no_preview
    """Results on the rule's own match. The check of chains applies the rule set to these."""
    again: Callable[[RuleSet, Rule, str], Resolution | None] | None = None
    """(rule set, rule, text) -> rule that replaces the text, a replacement of the rule, again. None: the replacement is
    code, and any rule about code may replace it."""
    in_code: Callable[[RuleSet, str], Resolution | None] = _not_in_code
    """(rule set, code) -> a rule of the kind that would replace a part of the code, and the result."""
    own_names: Callable[[Rule], Iterable[str]] = lambda rule: ()
    """Names in a replacement that the rule itself defines, for example names of a call's arguments."""
    rivals: Callable[[RuleSet, Rule], Iterable[int]] = _no_rivals
    """Indexes of rules that compete with a rule, strongest first."""

    keys: Callable[[Rule], Iterator[Key]] = key_of_match
    """Two rules of one layer with an equal key compete for the same text."""
    mistakes: Callable[[Rule, str], Iterator[Mistake]] = _no_mistakes
    """(rule, title for messages) -> mistakes in the replacement."""
    code: Callable[[Rule], list[str]] = no_code
    """Texts that a rule writes as code; each must form one expression."""
    writes: Callable[[Rule], str] = lambda rule: ""
    """Text that a rule writes in addition to its `replace`."""
    header: Callable[[Rule], str] = lambda rule: ""
    """Header whose include the rule writes, in addition to its shim."""
    globs: Callable[[Rule], tuple[str, ...]] = lambda rule: ()
    """Globs of upstream paths in the rule's match."""
    example: Callable[[str, RuleSet], str] | None = None
    """Run an example that is no code. None: the example is code, and a rewriter runs it."""

    @property
    def by_word(self) -> bool:
        """True if `porter.rewrite.identifiers` applies the kind, in one pass for all such kinds."""
        return self.names is not None or self.uses is not None

    @property
    def names_by_pattern(self) -> bool:
        """True if a regular expression selects the words that a rule names."""
        return self.names is not None and self.names.by_pattern
