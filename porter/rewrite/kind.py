"""Record of a rule kind: its fields in the schema, and functions that apply, preview and check rules of the kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from porter.model.rules import Resolution, Rule, RuleSet, TokenClass
from porter.rewrite.applied_patch import AppliedPatch
from porter.rewrite.kind_schema import Field
from porter.rewrite.source import Source
from porter.rewrite.word_hooks import Names, Uses

CODE = frozenset({TokenClass.CODE})
CODE_AND_CONDITION = frozenset({TokenClass.CODE, TokenClass.CONDITION})


class OnHost(StrEnum):
    """Origin of the rules of a kind in a build on the host (`porter run --on-host`)."""

    VENDOR = "vendor"
    """The vendor's mappings."""
    SIMT = "simt"
    """The mappings of `simt`: rules of the kind concern the compiler and the machine."""
    SIMT_FIRST = "simt first"
    """Rules of `simt` about macros that `simt` itself defines, and the vendor's rules about all other macros."""
    UNUSED = "unused"
    """No mappings, except rules of the vendor that the facade of the vendor's SDK can reverse."""


Key = tuple[str, ...]
Resolve = Callable[[str], str | None]
"""Function from a word to its replacement by the `family` rule that is previewed. It returns None if the rule does not
decide about the word."""


class VendorWords(Protocol):
    """Interface that tests for vendor words; `porter.rewrite.resolver.Resolver` implements it."""

    def is_vendor(self, word: str) -> bool:
        """Test whether a word matches the pattern of vendor names."""
        ...

    def may_hold_vendor(self, text: str) -> bool:
        """Test whether a text can contain a vendor word. False is certain."""
        ...


class Reports(Protocol):
    """Interface that finds the offsets at which rules report a hazard."""

    def learn(self, words: set[str]) -> None:
        """Record the words of a file that were in no earlier file. Call it before you call `places` for the file."""
        ...

    def places(self, source: Source, index: int) -> list[int]:
        """Return the offsets in a file at which the rule with index `index` reports a hazard, in ascending order."""
        ...


class Preview(NamedTuple):
    """Result of applying a rule to a text that the rule matches."""

    name: str
    """Matched name, if the rule is about several names; empty otherwise."""
    before: str
    after: str


class Mistake(NamedTuple):
    """Error or warning about a rule of a mapping file."""

    text: str
    help: str = ""
    is_warning: bool = False


def no_preview(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    """Yield nothing: rules of the kind have no preview."""
    yield from ()


def preview_replacement(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    """Yield the match and the replacement of a rule about a single name."""
    if rule.replace:
        yield Preview("", rule.match, rule.replace)


def preview_template(rule: Rule, resolve: Resolve) -> Iterator[Preview]:
    """Yield the template of a rule, with `x` in place of each field in braces."""
    if rule.match != "keep":
        yield Preview("", "", re.sub(r"\{,?[a-z]+\}", "x", rule.match))


def key_of_match(rule: Rule) -> Iterator[Key]:
    """Yield the key (kind, match) of a rule: rules of the kind with the same match compete."""
    yield rule.kind, rule.match


def key_of_kind(rule: Rule) -> Iterator[Key]:
    """Yield the key (kind,) of a rule: all rules of the kind compete with each other."""
    yield (rule.kind,)


def key_of_name(rule: Rule) -> Iterator[Key]:
    """Yield the key ("name", replaced name): `name`, `macro` and `names` rules about the same name compete."""
    yield "name", rule.match


def no_code(rule: Rule) -> list[str]:
    """Return no text, because rules of the kind write no code."""
    return []


def replacements(rule: Rule) -> list[str]:
    """Return all replacements of a rule, sorted; a rule about several names has one for each name."""
    return sorted({new for new in (rule.replace, *rule.names.values()) if new})


def template(rule: Rule) -> list[str]:
    """Return the template of a rule in a list, or an empty list for a rule without a template."""
    return [rule.match] if rule.match != "keep" else []


def _no_mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    yield from ()


def _no_rivals(rules: RuleSet, rule: Rule) -> Iterable[int]:
    return ()


def rivals_by_name(rules: RuleSet, rule: Rule) -> Iterator[int]:
    """Yield the indexes of all rules about the name that a rule replaces, strongest first."""
    return (found.rule for found in rules.exact.get(rule.match, ()))


def _any_file(rule: Rule, path: str, text: str) -> bool:
    return True


def _not_in_code(rules: RuleSet, text: str) -> Resolution | None:
    return None


@dataclass(frozen=True, kw_only=True)
class RuleKind:
    """Description of a rule kind by its fields, its flags, and functions that accept only rules of this kind."""

    name: str
    """Key of the kind in mapping files; also the value of `Rule.kind`."""
    summary: str
    """One sentence that describes rules of the kind in the JSON Schema."""
    fields: tuple[Field, ...]
    """Fields of a rule in addition to the fields that all kinds share. The first field has the name of the kind."""
    listed: int = 100
    """Sort key for lists of rule kinds in the JSON Schema and in messages."""
    apply: Callable[[Source, VendorWords], None] | None = None
    """Function that edits a file by the rules of the kind.

    None for kinds that are applied elsewhere: word by word (`names`, `uses`), before a file becomes a `Source`
    (`prepare`), after all edits (`reports`), or to the path of a file (`path`).
    """
    prepare: Callable[[str, str, RuleSet], tuple[str, tuple[AppliedPatch, ...]]] | None = None
    """Function from (upstream path, text, rule set) to (text that all other kinds see, applied patches)."""
    reports: Callable[[RuleSet], Reports] | None = None
    """Function that creates the finder of the hazards to report. None for kinds whose rules change text."""
    names: Names | None = None
    """Functions of a kind whose rules match a word wherever it occurs; None for other kinds."""
    uses: Uses | None = None
    """Functions of a kind whose rules match a word only in certain contexts, such as calls; None for other kinds."""
    classes: frozenset[TokenClass] = CODE
    """Token classes in which a rule applies if the rule states none."""
    template_fields: frozenset[str] = frozenset()
    """Names of the fields in a template, such as `kernel` for `{kernel}`.

    Each edit fills in the fields. Placeholders are filled in earlier, when the mappings are compiled.
    """
    key_field: str = ""
    """Field that distinguishes rules with the same match. `Rule.key` contains a hash of the field's text."""
    min_hits: int = 0
    """Least expected number of hits of a rule without `expect`."""
    is_construct: bool = False
    """True if rules rewrite a construct of the language, for example a launch. The match of such a rule is a template
    for the new text."""
    match_is_regex: bool = False
    match_is_verbatim: bool = False
    """True if braces in the match are ordinary text, not placeholders."""
    is_graded: bool = False
    """True if rules replace CUDA names; reports list the evidence for the new names."""
    names_headers: bool = False
    """True if the replacements are paths of headers."""
    matches_upstream_text: bool = False
    """True if rules match text of PyTorch, which a new release may lack, and not a name of CUDA."""
    is_pattern: Callable[[Rule], bool] = lambda rule: False
    """Function that tests whether a rule computes its replacements. The target may lack some of the computed names."""
    first_rule: str = ""
    """Comment that `porter target new` writes above a rule of this kind; `{UPPER}` is replaced by the target's name.

    The rule itself is `keep`, or the rule of a similar target. If the comment is empty, `porter target new` writes no
    rule of the kind.
    """
    written_field: str = "replace"
    """Field with the text that a rule writes into a port."""
    on_host: OnHost = OnHost.VENDOR
    """Origin of the rules of the kind in a build on the host."""
    edits_in_pieces: bool = False
    """True if an application of a rule consists of several adjacent edits."""

    affects_all: bool = False
    """True if a change of a rule can change the port of any file, even of a file that the rule's globs exclude."""
    can_affect: Callable[[Rule, str, str], bool] = _any_file
    """Function from (rule, upstream path, text) to True if a change of the rule can change the port of the file.

    The function is not used for kinds that are applied word by word; their look-up tables are compared instead.
    """

    preview: Callable[[Rule, Resolve], Iterator[Preview]] = no_preview
    """Function that yields the results of a rule for texts that the rule matches.

    The check `porter.mapping.checks.chains` applies the rule set to these results.
    """
    again: Callable[[RuleSet, Rule, str], Resolution | None] | None = None
    """Function from (rule set, rule, one of the rule's replacements) to the rule that would replace this text again.

    The field is None for kinds whose replacements are code; any rule about code can replace such a text.
    """
    in_code: Callable[[RuleSet, str], Resolution | None] = _not_in_code
    """Function from (rule set, code) to the rule that would edit the code, with the new code; or to None."""
    own_names: Callable[[Rule], Iterable[str]] = lambda rule: ()
    """Function that returns the names in a replacement that the rule itself defines, such as names of a call's
    arguments."""
    rivals: Callable[[RuleSet, Rule], Iterable[int]] = _no_rivals
    """Function that returns the indexes of the rules that compete with a rule, strongest first."""

    keys: Callable[[Rule], Iterator[Key]] = key_of_match
    """Function that yields the keys of a rule. Two rules of one layer with a common key match the same text."""
    mistakes: Callable[[Rule, str], Iterator[Mistake]] = _no_mistakes
    """Function from (rule, title of the rule in messages) to the mistakes in the rule's replacement."""
    code: Callable[[Rule], list[str]] = no_code
    """Function that returns the texts that a rule writes as code. Each text must be a single expression."""
    writes: Callable[[Rule], str] = lambda rule: ""
    """Function that returns the text that a rule writes in addition to its `replace`."""
    header: Callable[[Rule], str] = lambda rule: ""
    """Function that returns the header that a rule includes, apart from the header in `shim`."""
    globs: Callable[[Rule], tuple[str, ...]] = lambda rule: ()
    """Function that returns the globs of upstream paths in a rule's match."""
    example: Callable[[str, RuleSet], str] | None = None
    """Function from (example text, rule set) to the result. None for kinds whose examples are code for the rewriter."""

    @property
    def by_word(self) -> bool:
        """True if the pass of `porter.rewrite.identifiers` over the words of a file applies the kind."""
        return self.names is not None or self.uses is not None

    @property
    def names_by_pattern(self) -> bool:
        """True if rules of the kind select words by a regular expression."""
        return self.names is not None and self.names.by_pattern
