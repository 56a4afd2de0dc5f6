"""`qualified` rules replace a qualified name.

    c10::cuda::impl::state  ->  c10::acme::state

A name that begins with an alias or a macro of the file is replaced as a whole, if the file gives the alias one meaning:

    namespace impl = c10::cuda::impl;
    impl::state  ->  c10::acme::state

Any other use of an abbreviated name is reported: as unsupported if the rule says so, as ambiguous if the rule replaces
the name, unless rules about the parts of the name write the same text. A name can be abbreviated after
`using namespace` and inside one of its namespaces.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from porter.cpp.lex import Kind
from porter.model.rewrite_result import Reason
from porter.model.rules import STRENGTH, Resolution, Rule, RuleSet, Status, TokenClass
from porter.rewrite.brackets import lost_lines
from porter.rewrite.kind import RuleKind, preview_replacement, replacements
from porter.rewrite.kind_schema import IDENTIFIER, REPLACE, SHIM, Field, TextOf
from porter.rewrite.source import Scopes, Source, WordSite
from porter.rewrite.word_hooks import Outcome, RulesAbout, Span, Uses

_BLANKS = r"(?>(?:\s|\\[ \t]*\r?\n|/\*(?>(?:[^*]|\*(?!/))*)\*/|//[^\n]*\n)*)"
"""Text that can be between the parts of a qualified name: blanks, line splices, comments."""
_JOINT = rf"{_BLANKS}::{_BLANKS}"
_CHAIN = re.compile(rf"\w+(?:{_JOINT}[A-Za-z_]\w*)+", re.ASCII)
_INSIDE = re.compile(r"[\w>)\]]\s*::\s*\Z", re.ASCII)
_GLOBAL = re.compile(r"::\s*\Z")
_NAMES = rf"(?P<chain>[A-Za-z_]\w*(?:{_JOINT}[A-Za-z_]\w*)*)"
# A pattern that begins with characters, not with `\b`, is searched several times faster. The look-behind after the word
# has the meaning of `\b` before it.
_ALIAS = re.compile(
    r"(?:namespace(?<!\wnamespace)\s+(?P<space>[A-Za-z_]\w*)\s*=\s*|using(?<!\wusing)\s+(?P<name>[A-Za-z_]\w*)\s*=\s*"
    r"|\#[ \t]*define[ \t]+(?P<macro>[A-Za-z_]\w*)[ \t]+)"
    rf"(?:::\s*)?{_NAMES}\s*(?:;|$)",
    re.ASCII | re.MULTILINE,
)
_USING = re.compile(rf"using(?<!\wusing)\s+namespace\s+(?:::\s*)?{_NAMES}", re.ASCII)
_BRACE = re.compile(rf"namespace(?<!\wnamespace)\s+{_NAMES}\s*\{{|[{{}}]", re.ASCII)
_LAST_WORD = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_LONGEST = 256
_NOTE = "the qualified name is abbreviated here; the rule matches only the whole name"
_REACH = 40
"""Largest distance, in characters, between a name and the qualifier before it."""


def _apply(source: Source, site: WordSite, known: RulesAbout) -> Outcome:
    """Apply the rule about the longest qualified name that begins at `site`. Returns the end of this name.

    None if no rule applies. `at::cub::X` is not a use of `cub::X`, but `::cub::X` is.
    """
    written = _CHAIN.match(source.text, site.start)
    if not written or _INSIDE.search(source.text, max(0, site.start - _REACH), site.start):
        return None
    names = re.split(_JOINT, written[0])
    for length in range(len(names), 1, -1):
        for index in known.get("::".join(names[:length]), ()):
            rule = source.rules.rules[index]
            if not source.applies(rule, site.where):
                continue
            if _is_about_calls(rule) and (
                length < len(names) or not _is_called(source, written.end())
            ):
                continue
            return _decide(source, site.start, index, length)
    return None


def _is_about_calls(rule: Rule) -> bool:
    """Test whether a rule is about calls of a function only."""
    return bool(rule.option("only_calls"))


def _is_called(source: Source, end: int) -> bool:
    """Test whether the name that ends at an offset is called there."""
    return source.text.startswith("(", source.after(end))


def _hold(rules: RuleSet) -> Callable[[Source], list[Span]]:
    ends: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for chain, indexes in rules.uses.get("qualified", {}).items():
        names = tuple(chain.split("::"))
        undecided = [one for one in indexes if not _agrees_with_name(rules, names, one)]
        if undecided:
            ends.setdefault(names[-1], []).extend((names, one) for one in undecided)
    return functools.partial(_uncovered, ends)


def _agrees_with_name(rules: RuleSet, names: tuple[str, ...], index: int) -> bool:
    """Test whether rules about the parts of a qualified name write what the rule about the whole name writes.

    An abbreviated name then has the right replacement: the last part has a rule of its own, which writes the last part
    of the replacement, and the namespace has a rule too, which also changes the declaration that abbreviates the name.
    """
    qualified = rules.rules[index]
    if qualified.status is not Status.SUPPORTED or not qualified.replace:
        return False
    *spaces, word = names
    namespace, _, last = qualified.replace.removeprefix("::").rpartition("::")
    if not _becomes(rules, spaces, namespace):
        return False
    for found in rules.exact.get(word, ()):
        alone = rules.rules[found.rule]
        if alone.status is Status.SUPPORTED and not (alone.only_in or alone.not_in):
            is_as_strong = STRENGTH[alone.layer] <= STRENGTH[qualified.layer]
            return is_as_strong and (found.replace or word) == last
    return False


def _becomes(rules: RuleSet, spaces: Sequence[str], new: str) -> bool:
    """Test whether rules replace the namespace `spaces` by `new`. An empty `new` matches any replacement."""
    if len(spaces) == 1:
        made = {found.replace or spaces[0] for found in rules.exact.get(spaces[0], ())}
    else:
        known = rules.uses["qualified"].get("::".join(spaces), ())
        made = {rules.rules[index].replace or "::".join(spaces) for index in known}
    return any(new in ("", one.removeprefix("::")) for one in made)


def _uncovered(
    ends: Mapping[str, Sequence[tuple[tuple[str, ...], int]]], source: Source
) -> list[Span]:
    """Report the words that abbreviate a qualified name, and return their spans.

    `ends` maps the last part of a qualified name to a list of (parts of the name, index of the rule).
    """
    found: list[Span] = []
    aliased: dict[int, tuple[int, int]] = {}
    """Maps the offset of a name that begins with an alias to (number of its parts, index of the rule)."""
    for word in ends.keys() & source.runs:
        chains = [
            (names, index)
            for names, index in ends[word]
            # The text contains at least the last qualifier, in the use or in a declaration that the use abbreviates.
            if names[-2] in source.runs
            and source.applies(source.rules.rules[index], TokenClass.CODE)
        ]
        for start in source.places(word) if chains else ():
            if source.at(start) is not None or (chain := qualifiers_from(source, start)) is None:
                continue
            whole, before = chain
            for names, index in chains:
                if not _abbreviates(source, start, before, names):
                    continue
                rule = source.rules.rules[index]
                if _is_about_calls(rule) and not _is_called(source, start + len(word)):
                    continue
                if _is_sure(source, before, names) and _replaces(rule):
                    length = len(before) + 1
                    aliased[whole] = max(aliased.get(whole, (0, 0)), (length, index))
                else:
                    _report(source, start, word, index)
                    found.append((start, start + len(word)))
                break
    for whole, (length, index) in aliased.items():
        found.append((whole, _decide(source, whole, index, length)))
    return found


def _report(source: Source, start: int, word: str, index: int) -> None:
    """Report a word that abbreviates the qualified name of a rule."""
    rule = source.rules.rules[index]
    if rule.status is Status.UNSUPPORTED and rule.replace is None:
        source.leave(start, Reason.UNSUPPORTED, word, index, rule.note)
    elif not _keeps(rule):
        source.leave(start, Reason.AMBIGUOUS, word, index, _NOTE)


def _keeps(rule: Rule) -> bool:
    """Test whether a rule leaves a supported name unchanged. An abbreviated use of this name is correct."""
    return rule.status is Status.SUPPORTED and rule.replace in (None, rule.match)


def _replaces(rule: Rule) -> bool:
    """Test whether a rule replaces its name by another text."""
    return rule.status is Status.SUPPORTED and not _keeps(rule)


def _is_sure(source: Source, before: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Test whether the qualifiers `before` begin with an alias that has one meaning in the file.

    The caller has tested that `before` may abbreviate the qualifiers in `names`.
    """
    if not before or before == names[-1 - len(before) : -1]:
        return False
    return len(set(scopes_of(source).aliases.get(before[0], ()))) == 1


def qualifiers(source: Source, start: int) -> tuple[str, ...] | None:
    """Qualifiers of the name at `start`: (`a`, `b`) for `a::b::name`.

    None if the name is a member, or if the text before its `::` is not a plain name.
    """
    found = qualifiers_from(source, start)
    return None if found is None else found[1]


def qualifiers_from(source: Source, start: int) -> tuple[int, tuple[str, ...]] | None:
    """Offset of the whole qualified name whose last part is at `start`, and its qualifiers.

    None if the name is a member, or if the text before its `::` is not a plain name.
    """
    text, end = source.text, source.before(start)
    names: list[str] = []
    while text.endswith("::", 0, end):
        end = source.before(end - 2)
        word = _LAST_WORD.search(text, max(0, end - _LONGEST), end)
        if word is None:
            if text[end - 1 : end] in (">", ")", "]"):
                return None
            break
        names.append(word[0])
        start = word.start()
        end = source.before(start)
    if not names and text.endswith((".", "->"), 0, end):
        return None
    return start, tuple(reversed(names))


def _abbreviates(
    source: Source, start: int, before: tuple[str, ...], names: tuple[str, ...]
) -> bool:
    """Test whether a name at `start` with the qualifiers `before` may abbreviate the qualified name `names`."""
    wanted = names[:-1]
    if before == wanted or before[-len(wanted) :] == wanted:
        return False
    if before and before == wanted[-len(before) :]:
        return True
    if not source.runs.issuperset(wanted):
        return False  # A declaration that the name abbreviates would contain all of `wanted`.
    scopes = scopes_of(source)
    if before and before[0] in scopes.aliases:
        return any((*alias, *before[1:]) == wanted for alias in scopes.aliases[before[0]])
    # A name with qualifiers is no abbreviation here: `wanted` does not end with its qualifiers, as tested above.
    return not before and any(
        first <= start < last for first, last in scopes.opened.get(wanted, ())
    )


def scopes_of(source: Source) -> Scopes:
    """Declarations of a file by which it can abbreviate qualified names."""
    if source.scopes is None:
        aliases: dict[str, list[tuple[str, ...]]] = {}
        for match in _matches(source, _ALIAS):
            name = match["space"] or match["name"] or match["macro"]
            aliases.setdefault(name, []).append(_split(match["chain"]))
        opened: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for match in _matches(source, _USING):
            opened.setdefault(_split(match["chain"]), []).append((match.end(), len(source.text)))
        for first, last, names in _namespaces(source):
            opened.setdefault(names, []).append((first, last))
        source.scopes = Scopes(aliases, opened)
    return source.scopes


def _namespaces(source: Source) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield (start, end, parts of the full qualified name) for each namespace block of a file."""
    open_: list[tuple[int, tuple[str, ...]]] = []
    for brace in _BRACE.finditer(source.text):
        if source.at(brace.start()) is not None:
            continue
        if brace[0] != "}":
            around = open_[-1][1] if open_ else ()
            inside = _split(brace["chain"]) if brace["chain"] else ()
            open_.append((brace.end(), (*around, *inside)))
        elif open_:
            start, names = open_.pop()
            yield start, brace.start(), names


def _split(chain: str) -> tuple[str, ...]:
    return tuple(re.split(_JOINT, chain))


def _matches(source: Source, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that are code or begin with a directive."""
    for match in pattern.finditer(source.text):
        inside = source.at(match.start())
        if inside is None or inside.kind is Kind.DIRECTIVE:
            yield match


def _decide(source: Source, start: int, index: int, length: int) -> int:
    """Apply a rule to the qualified name of `length` parts at an offset. Returns the end of the name."""
    rule = source.rules.rules[index]
    chain = re.compile(r"\w+" + rf"{_JOINT}\w+" * (length - 1)).match(source.text, start)
    assert chain
    source.hit(index)
    if rule.status is not Status.SUPPORTED:
        source.leave(start, Reason.UNSUPPORTED, rule.match, index, rule.note)
    elif rule.is_identity:
        if any(map(source.rules.vendor.search, rule.match.split("::"))):
            source.leave(start, Reason.INTENDED, rule.match, index, rule.note)
    else:
        new = rule.replace or ""
        if _GLOBAL.search(source.text, max(0, start - _REACH), start):
            new = new.removeprefix("::")
        if new != chain[0]:
            lines = lost_lines(source, start, chain.end(), [new])
            source.edit(start, chain.end(), new + lines, index)
    return chain.end()


_WRITTEN_CHAIN = re.compile(r"(?<![\w:])\w+(?:::\w+)+", re.ASCII)
_END_OF_NAME = re.compile(r"(?=::)|$")


def _in_code(rules: RuleSet, text: str) -> Resolution | None:
    if "::" not in text:
        return None
    written = {
        match[0][: end.start()]
        for match in _WRITTEN_CHAIN.finditer(text)
        for end in _END_OF_NAME.finditer(match[0])
    }
    known = rules.uses.get("qualified", {})
    for chain in sorted(written & known.keys()):
        for index in known[chain]:
            called = r"\s*\(" if _is_about_calls(rules.rules[index]) else ""
            if re.search(rf"(?<![\w:]){re.escape(chain)}(?!\w){called}", text):
                new = rules.rules[index].replace
                if new not in (None, chain):
                    return Resolution(index, text.replace(chain, new or ""))
    return None


_CHAIN_OF_NAMES = TextOf(rf"{IDENTIFIER}(::{IDENTIFIER})+", "a qualified name: 'c10::cuda::X'")
KIND = RuleKind(
    name="qualified",
    summary="Qualified name: names joined by `::`.",
    fields=(
        Field("qualified", _CHAIN_OF_NAMES),
        REPLACE,
        SHIM,
        Field(
            "only_calls",
            bool,
            default=False,
            description="true: the rule is about calls of a function, not about other uses of its name",
        ),
    ),
    listed=5,
    uses=Uses(apply=_apply, where=lambda rule: "in that qualified name", hold=_hold),
    is_graded=True,
    preview=preview_replacement,
    in_code=_in_code,
    code=replacements,
    matches_upstream_text=True,
)
