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
        """Test whether a word is a vendor's."""
        ...

    def may_hold_vendor(self, text: str) -> bool:
        """Test whether a text may contain a vendor word; False is certain."""
        ...


class Reports(Protocol):
    """Finds the places that rules report."""

    def learn(self, words: set[str]) -> None:
        """Look at the words of a file that no earlier file has."""
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
    """Fields of a rule, besides those of every rule; the first has the name of the kind."""
    listed: int = 100
    """Rank in lists for readers: the JSON Schema, messages."""
    apply: Callable[[Source, VendorWords], None] | None = None
    """Edit a file. None: the kind is decided word by word (`names`, `uses`), before a file is read as a
    `Source` (`prepare`), after all edits (`reports`), or for the path of a file (path)."""
    prepare: Callable[[str, str, RuleSet], tuple[str, tuple[AppliedPatch, ...]]] | None = None
    """(upstream path, text, rule set) -> the text that all rules see, and the changes that were made."""
    reports: Callable[[RuleSet], Reports] | None = None
    """Make what finds the places that rules report; they change nothing."""
    names: Names | None = None
    """Hooks of a kind whose rules name words."""
    uses: Uses | None = None
    """Hooks of a kind whose rules concern certain uses of a word."""
    classes: frozenset[TokenClass] = CODE
    """Token classes of a rule that names none."""
    template_fields: frozenset[str] = frozenset()
    """Fields in braces that are filled in each file, not when the mapping is read."""
    key_field: str = ""
    """Field that tells two rules of one match apart: a hash of its text is part of `Rule.key`."""
    min_hits: int = 0
    """Expected hits of a rule that names no number."""
    is_construct: bool = False
    """About one construct of the language; the match is the template for it."""
    match_is_regex: bool = False
    match_is_verbatim: bool = False
    """Placeholders are not filled in the match."""
    is_graded: bool = False
    """Replaces names of CUDA, for which a port lists evidence."""
    names_headers: bool = False
    """Replacements are headers."""
    is_pattern: Callable[[Rule], bool] = lambda rule: False
    """True if the rule computes its replacements, so that the target may lack one."""
    edits_in_pieces: bool = False
    """Several edits of one rule, one after another, make one change."""

    affects_all: bool = False
    """True if a change of such a rule may change the port of every file, whatever the globs of the rule."""
    can_affect: Callable[[Rule, str, str], bool] = _any_file
    """(rule, upstream path, text) -> True if a change of the rule may change the port of the file.
    Unused for kinds that are decided word by word: their look-up tables are compared instead.
    """

    preview: Callable[[Rule, Resolve], Iterator[Preview]] = no_preview
    """Results on the rule's own match. The check of chains applies the rule set to these."""
    again: Callable[[RuleSet, Rule, str], Resolution | None] | None = None
    """(rule set, rule, text): the rule that replaces a replacement of this rule again. None: the
    replacement is code, and any rule about code may replace it."""
    in_code: Callable[[RuleSet, str], Resolution | None] = _not_in_code
    """(rule set, code): a rule of the kind that would replace a part of the code, and the result."""
    own_names: Callable[[Rule], Iterable[str]] = lambda rule: ()
    """Names in a replacement that belong to the rule, such as the arguments of a call."""
    rivals: Callable[[RuleSet, Rule], Iterable[int]] = _no_rivals
    """Indexes of the rules, strongest first, of which one decides in place of a weaker one."""

    keys: Callable[[Rule], Iterator[Key]] = key_of_match
    """Two rules of one layer with an equal key compete for the same text."""
    mistakes: Callable[[Rule, str], Iterator[Mistake]] = _no_mistakes
    """(rule, title for messages): mistakes in a replacement."""
    code: Callable[[Rule], list[str]] = no_code
    """Texts written as code, of which each must be one piece."""
    writes: Callable[[Rule], str] = lambda rule: ""
    """Text that a rule writes and that is not its `replace`."""
    header: Callable[[Rule], str] = lambda rule: ""
    """Header that the rule writes into an include, besides its shim."""
    globs: Callable[[Rule], tuple[str, ...]] = lambda rule: ()
    """Globs of upstream paths in the match."""
    example: Callable[[str, RuleSet], str] | None = None
    """Run an example that is no code. None: the example is code, and a rewriter runs it."""

    @property
    def by_word(self) -> bool:
        """True if `porter.rewrite.identifiers` applies the kind, in one pass for all such kinds."""
        return self.names is not None or self.uses is not None

    @property
    def names_by_pattern(self) -> bool:
        """True if a regular expression tells the words that a rule names."""
        return self.names is not None and self.names.by_pattern
