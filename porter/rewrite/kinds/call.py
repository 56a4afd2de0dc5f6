"""`call` rules replace a call with a given name and number of arguments.

    t.is_cuda()                                  ->  t.is_privateuseone()
    t.type().is_cuda()                           ->  t.is_privateuseone()
    cudaMemcpyAsync(dst, src, n, kind, stream)   ->  suMemcpyAsync(dst, src, n, stream, kind)
    at::autocast::cached_cast(type, t)           ->  at::autocast::cached_cast(type, t, at::kPrivateUse1)

A rule can name the function's namespaces. The call may then have all of these qualifiers, the last of them or none, and
keeps them: the replacement contains the name without qualifiers. A rule about a method can begin with calls without
arguments (`.type().is_cuda()`), which the replacement replaces, too; it precedes the rule about the method.

Every other use of the name is reported as ambiguous: the function's address, a declaration, a member of another
class, a call with template arguments, and a call whose arguments come from a macro or a parameter pack.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, auto

from porter.base.errors import did_you_mean
from porter.cpp.lex import Kind, Token, lex
from porter.cpp.region import Region
from porter.model.rewrite_result import Edit, Reason
from porter.model.rules import Resolution, Rule, RuleSet, Status
from porter.rewrite.brackets import Span, arguments, lost_lines
from porter.rewrite.declarations import is_declared, names_variable
from porter.rewrite.kind import Key, Mistake, OnHost, RuleKind, preview_replacement, replacements
from porter.rewrite.kind_schema import IDENTIFIER, SHIM, WRITTEN, Field, TextOf
from porter.rewrite.kinds.qualified import qualifiers_from
from porter.rewrite.source import Source, WordSite
from porter.rewrite.word_hooks import Outcome, Passed, RulesAbout, Uses

_MEMBER = (".", "->", "::")
_PACKS = frozenset(["__VA_ARGS__", "__VA_OPT__"])
_PACK = re.compile(r"\b__VA_(?:ARGS|OPT)__\b")
_CALLED = re.compile(r"(\.?)\b([A-Za-z_]\w*)\s*\(", re.ASCII)
_OTHER_SHAPE = "the call has another form than the rule requires"
_LONGEST_CHAIN = 200
"""Largest number of characters of the calls before a rule's method."""
_EFFECT = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=")


class CallMatch(Enum):
    """Result of comparing a use of a name with a `call` rule."""

    MATCHES = auto()
    OTHER_CALL = auto()
    """The use is a call with other arguments, a declaration, or not a call."""
    NO_CALL = auto()
    """The use is a variable that has the name of the rule's method."""


@functools.cache
def _chain(match: str) -> re.Pattern[str] | None:
    """Expression for the calls before a rule's method, which the text before its `.` ends with; None without calls."""
    *calls, _ = match[: match.rindex("(")].split("()")
    if not calls:
        return None
    written = (name.lstrip(".") + r"\s*\(\s*\)\s*" for name in calls)
    return re.compile(r"\b" + r"(?:\.|->)\s*".join(written) + r"\Z")


@functools.cache
def parameters(match: str) -> tuple[str, ...]:
    """Names of the arguments in a rule's match: `a` and `b` for `f(a, b)`."""
    inner = match[match.rindex("(") + 1 : -1]
    return tuple(name.strip() for name in inner.split(",") if name.strip())


def _apply(source: Source, site: WordSite, known: RulesAbout) -> Outcome:
    """Apply the first rule that matches the call, and return 0.

    If no rule matches, return `Passed` with the last rule about the name; None if no rule is about this use.
    """
    other: int | None = None
    for index in known[site.word]:
        rule = source.rules.rules[index]
        if not source.applies(rule):
            continue
        if site.where not in rule.classes:
            other = index
            continue
        compared = _one(source, site, index)
        if compared is CallMatch.MATCHES:
            return 0
        if compared is CallMatch.OTHER_CALL:
            other = index
    return None if other is None else Passed(other, _OTHER_SHAPE)


def _one(source: Source, site: WordSite, index: int) -> CallMatch:
    """Apply one rule to a call, if the rule matches. Returns the result of comparing the call with the rule."""
    rule = source.rules.rules[index]
    start = site.start
    method = rule.match.startswith(".")
    before = source.before(start)
    member = source.text.endswith((".", "->"), 0, before) and not _is_number(source.text, before)
    if method and not member:
        return _not_a_method(source, site, before)
    if method and (chain := _chain(rule.match)):
        first = _start_of_chain(source, chain, before)
        if first is None:
            return CallMatch.NO_CALL
        start = first
    if member and not method:
        return CallMatch.OTHER_CALL
    if source.text.endswith("::", 0, before):
        start = before - 2
        if _is_qualified(source, start):
            found = _start_in_namespaces(source, site.start, rule)
            if found is None:
                return CallMatch.OTHER_CALL
            start = found
        elif not _takes_global(rule):
            return CallMatch.OTHER_CALL
    call = _arguments(source, site, len(parameters(rule.match)))
    if call is None or (not method and is_declared(source, start, call[1])):
        return CallMatch.OTHER_CALL
    spans = dict(zip(parameters(rule.match), call[0], strict=True))
    if not _keeps_effects(source, rule, spans):
        return CallMatch.OTHER_CALL
    _decide(source, site, index, spans, (start if method else site.start, call[1]))
    return CallMatch.MATCHES


def _start_of_chain(source: Source, chain: re.Pattern[str], before: int) -> int | None:
    """Offset of the first of a rule's calls before the `.` or `->` that ends at `before`; None without these calls."""
    end = before - (2 if source.text.endswith("->", 0, before) else 1)
    found = chain.search(source.text, max(end - _LONGEST_CHAIN, 0), end)
    if found is None or not source.text.endswith((".", "->"), 0, source.before(found.start())):
        return None
    return found.start()


def _not_a_method(source: Source, site: WordSite, before: int) -> CallMatch:
    """Result for a method's name that no `.` or `->` precedes.

    `NO_CALL` for a variable or qualifier with this name, else `OTHER_CALL`. `before` is the end of the preceding code.
    """
    text, after = source.text, source.after(site.start + len(site.word))
    if text.startswith("(", after) or text.endswith("::", 0, before):
        return CallMatch.NO_CALL if text.startswith("::", after) else CallMatch.OTHER_CALL
    if text.startswith("::", after) or names_variable(source, site.word):
        return CallMatch.NO_CALL
    return CallMatch.OTHER_CALL


def _is_number(text: str, before: int) -> bool:
    """Test whether the `.` before offset `before` is the end of `..` or `...`, and so no member access."""
    return text[before - 1] == "." and text[before - 2 : before - 1] == "."


def _is_qualified(source: Source, joint: int) -> bool:
    """Test whether a name precedes the `::` at an offset. A `::` without a name denotes the global namespace."""
    end = source.before(joint)
    last = source.text[end - 1 : end]
    if not last or not (last.isalnum() or last in "_>)]"):
        return False
    return not re.search(r"\b(?:return|else|case|throw|do|co_return)\Z", source.text[:end][-12:])


def _start_in_namespaces(source: Source, start: int, rule: Rule) -> int | None:
    """Offset of the first qualifier of the name at `start`. None unless the rule's name ends with these qualifiers."""
    *namespaces, _ = rule.match.partition("(")[0].split("::")
    found = qualifiers_from(source, start)
    if not found or not found[1] or tuple(namespaces[-len(found[1]) :]) != found[1]:
        return None
    return found[0]


def _takes_global(rule: Rule) -> bool:
    """Test whether the replacement of the call may be written with a `::` before it."""
    return rule.replace is None or bool(re.match(r"[A-Za-z_]", rule.replace))


def _arguments(source: Source, site: WordSite, wanted: int) -> tuple[list[Span], int] | None:
    """Spans of a call's arguments, and offset of the `)`. None unless there are certainly `wanted` arguments."""
    after = source.after(site.start + len(site.word))
    if not source.text.startswith("(", after):
        return None
    found = arguments(source.region(after), after)
    if not found or len(found[0]) != wanted:
        return None
    if any(_is_pack(source, *span) for span in found[0]):
        return None
    return found


def _is_pack(source: Source, start: int, end: int) -> bool:
    """Test whether an argument can expand to several arguments or to none."""
    if source.text.endswith("...", start, end):
        return True
    return not _PACKS.isdisjoint(source.runs) and bool(_PACK.search(source.text, start, end))


def _keeps_effects(source: Source, rule: Rule, spans: Mapping[str, Span]) -> bool:
    """Test whether the replacement evaluates each argument with side effects exactly once."""
    if rule.is_identity or rule.status is not Status.SUPPORTED:
        return True
    uses = Counter(part for part in _template(rule.replace or "") if part[1])
    return all(
        uses[name, True] == 1 or not _EFFECT.search(source.text, *span)
        for name, span in spans.items()
    )


def _decide(
    source: Source, site: WordSite, index: int, spans: Mapping[str, Span], whole: Span
) -> None:
    rule = source.rules.rules[index]
    source.hit(index)
    if rule.status is not Status.SUPPORTED:
        source.leave(site.start, Reason.UNSUPPORTED, site.word, index, rule.note)
    elif rule.is_identity:
        if source.rules.vendor.search(site.word):
            source.leave(site.start, Reason.INTENDED, site.word, index, rule.note)
    else:
        template = (rule.replace or "").removeprefix("." if rule.match.startswith(".") else "")
        parts = tuple(
            spans[text] if is_name and text in spans else text
            for text, is_name in _template(template)
        )
        start, close = whole
        lines = lost_lines(source, start, close + 1, parts)
        source.edits.append(Edit(start, close + 1, (*parts, lines), index))


@functools.cache
def _template(text: str) -> tuple[tuple[str, bool], ...]:
    """Tokens of a replacement, each with True if it is an identifier that is no member: a possible argument name."""
    found = lex(text)
    parts = []
    before = ""
    for token in found:
        is_name = token.kind is Kind.IDENT and not before.endswith(_MEMBER)
        parts.append((token.text, is_name))
        if token.kind is not Kind.BLANK:
            before += token.text
    return tuple(parts)


def names_in(text: str) -> tuple[str, ...]:
    """Words of a replacement that can be names of arguments."""
    return tuple(word for word, is_name in _template(text) if is_name)


_LOWER = re.compile(r"[a-z_][a-z0-9_]*", re.ASCII)
_WORDS = """
alignof auto bool char class const const_cast constexpr decltype delete double dynamic_cast enum false float int long
new noexcept nullptr operator reinterpret_cast return short signed sizeof static_cast struct template this true
typename union unsigned void volatile size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
intptr_t uintptr_t char16_t char32_t wchar_t errno stdin stdout stderr
"""
_CPP = frozenset(_WORDS.split())
"""Lower-case words of C++ and of its library."""


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    names = parameters(rule.match)
    for name in sorted({name for name in names if names.count(name) > 1}):
        text = f"{title}: duplicate argument '{name}'"
        yield Mistake(text, "give each argument a unique name")
    if rule.replace is not None:
        yield from _strangers(rule, title, names)
        yield from _bare(rule, title, names)


def _strangers(rule: Rule, title: str, names: Sequence[str]) -> Iterator[Mistake]:
    """Report words in the replacement that look like argument names, but are not arguments of the call."""
    loud = _loud(rule.replace or "")
    used = names_in(rule.replace or "")
    unused = [name for name in names if name not in used]
    for at, token in enumerate(loud):
        if token.kind is not Kind.IDENT or token.text not in used or token.text in names:
            continue
        after = loud[at + 1].text if at + 1 < len(loud) else ""
        if after in ("(", "<", ":", "{") or token.text in _CPP:
            continue
        near = did_you_mean(token.text, unused)
        if near or _LOWER.fullmatch(token.text):
            listed = f"arguments: {', '.join(names)}" if names else "the call has no arguments"
            text = f"{title}: '{token.text}' of the replacement is not an argument of the call"
            help = near or f"{listed}; a global name is written ::{token.text}"
            yield Mistake(text, help)


def _bare(rule: Rule, title: str, names: Sequence[str]) -> Iterator[Mistake]:
    """Report an argument without parentheses next to an operator in the replacement.

    Without parentheses, an argument such as `a + b` would give a wrong expression.
    """
    loud = _loud(rule.replace or "")
    written = names_in(rule.replace or "")
    for at, token in enumerate(loud):
        if token.kind is not Kind.IDENT or token.text not in names or token.text not in written:
            continue
        before = loud[at - 1].text if at else ""
        after = loud[at + 1].text if at + 1 < len(loud) else ""
        if before in (".", ":") or (before == ">" and loud[at - 2].text == "-"):
            continue
        if before not in ("(", ",", "{", "[") or after not in (")", ",", "}", "]"):
            text = f"{title}: the argument '{token.text}' of the replacement is next to an operator"
            yield Mistake(text, f"write ({token.text}), because an argument may be any expression")
            return


def _loud(text: str) -> list[Token]:
    return [token for token in lex(text) if token.kind is not Kind.BLANK]


def _about(rule: Rule) -> str:
    return re.split(r"::|\.", rule.match[: rule.match.rindex("(")])[-1]


def _in_code(rules: RuleSet, text: str) -> Resolution | None:
    for found in _CALLED.finditer(text):
        if not (about := rules.about("call", found[2])):
            continue
        start = found.end() - 1
        spans = arguments(Region(text, start), start)
        for index in about:
            rule = rules.rules[index]
            method = rule.match.startswith(".")
            fits = spans is not None and len(spans[0]) == len(parameters(rule.match))
            fits = fits and not (method and _chain(rule.match))
            if fits and (found[1] or not method) and not rule.is_identity and rule.replace:
                return Resolution(index, rule.replace)
    return None


def _keys(rule: Rule) -> Iterator[Key]:
    yield "call", rule.match[: rule.match.rindex("(")], str(len(parameters(rule.match)))


_ARGUMENTS = rf"\s*{IDENTIFIER}\s*(,\s*{IDENTIFIER}\s*)*"
_NAME = rf"((\.{IDENTIFIER}\(\))*\.|({IDENTIFIER}::)*){IDENTIFIER}"
_CALL = TextOf(
    rf"{_NAME}\(({_ARGUMENTS})?\)",
    "a call: 'f(a, b)' or 'space::f(a, b)', or '.f()' or '.g().f()' of a method",
)
KIND = RuleKind(
    name="call",
    summary="Call of a function, by name and number of arguments; `.name()` matches a method.",
    fields=(
        Field("call", _CALL),
        Field("replace", WRITTEN, optional=True),
        SHIM,
    ),
    listed=6,
    uses=Uses(
        apply=_apply,
        where=lambda rule: f"in a call of the shape {rule.match}",
        about=_about,
    ),
    is_graded=True,
    preview=preview_replacement,
    in_code=_in_code,
    own_names=lambda rule: parameters(rule.match),
    keys=_keys,
    mistakes=_mistakes,
    code=replacements,
    matches_upstream_text=True,
    on_host=OnHost.UNUSED,
)
