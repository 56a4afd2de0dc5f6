"""Check of the replacements of `call` rules against the functions that an SDK declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from porter.cpp.region import Region
from porter.inspect.sdk_functions import Parameter, accepts, parameters_of
from porter.mapping.argument_counts import shown
from porter.mapping.checks import Finding, error
from porter.model.rules import Layer, Rule, RuleSet, Status
from porter.model.sdk_inventory import SdkName
from porter.rewrite.brackets import arguments
from porter.rewrite.kinds import call

_CALLED = re.compile(r"(\.|->|\w\s*::)?\s*\b([A-Za-z_]\w*)\s*\(", re.ASCII)
_INTEGER = re.compile(r"0*[1-9][0-9']*[uUlL]*|0[xX][0-9a-fA-F]+[uUlL]*|true|false", re.ASCII)
_REAL = re.compile(r"[0-9]*\.[0-9]+[fF]?|[0-9]+\.[fF]?", re.ASCII)


class WrittenCall(NamedTuple):
    """Call of a global function in a replacement."""

    name: str
    arguments: tuple[str, ...]


def written_calls(text: str) -> Iterator[WrittenCall]:
    """Yield the calls of global functions in a replacement, outer calls before inner calls."""
    for found in _CALLED.finditer(text):
        start = found.end() - 1
        inner = None if found[1] else arguments(Region(text, start), start)
        if inner:
            yield WrittenCall(found[2], tuple(text[begin:end] for begin, end in inner[0]))


def wrong_counts(rules: RuleSet, theirs: Mapping[str, frozenset[int]]) -> Iterator[Finding]:
    """Errors about replacements that call a function of the SDK with a number of arguments that it does not accept.

    `theirs` maps a function of the SDK to the numbers of arguments that it accepts.
    """
    for rule, one in _replacements(rules):
        counts = theirs.get(one.name)
        if counts and len(one.arguments) not in counts:
            text = (
                f"call '{rule.match}' writes {len(one.arguments)} arguments, "
                f"and '{one.name}' of the SDK has {shown(counts)} parameters"
            )
            yield error("sdk", rule.origin, text, f"write the arguments of '{one.name}'")


def wrong_kinds(
    rules: RuleSet,
    ours: Mapping[str, Sequence[SdkName]],
    theirs: Mapping[str, Sequence[SdkName]],
    renamed: Mapping[str, str],
) -> Iterator[Finding]:
    """Errors about replacements that give a function of the SDK, for example, a pointer where it takes an integer.

    `ours` maps a function of CUDA to the declarations of the corresponding function of `simt`. `theirs` maps a function
    of the SDK to its declarations. `renamed` maps a type of `simt` to the target's type.
    """
    for rule, one in _replacements(rules):
        given = len(one.arguments)
        takes = [f for f in theirs.get(one.name, ()) if f.required <= given <= len(f.types)]
        if not takes or any(
            all(map(accepts, parameters_of(function), arguments, [renamed] * given))
            for arguments in _kinds(rule, one, ours)
            for function in takes
        ):
            continue
        written, types = ", ".join(one.arguments), ", ".join(takes[0].types)
        text = f"call '{rule.match}' writes {one.name}({written}), and '{one.name}' of the SDK has ({types})"
        help = f"write the arguments in the order of the parameters of '{one.name}'"
        yield error("sdk", rule.origin, text, help)


def _replacements(rules: RuleSet) -> Iterator[tuple[Rule, WrittenCall]]:
    """Yield the target's `call` rules, each with the calls in its replacement.

    Rules with a shim are omitted: a header of porter declares their functions, not the SDK.
    """
    for index in rules.of_kind("call"):
        rule = rules.rules[index]
        is_own = rule.layer is Layer.TARGET and rule.status is Status.SUPPORTED and not rule.shim
        if is_own and rule.replace and not rule.match.startswith("."):
            yield from ((rule, one) for one in written_calls(rule.replace))


def _kinds(
    rule: Rule, one: WrittenCall, ours: Mapping[str, Sequence[SdkName]]
) -> Iterator[list[Parameter]]:
    """Yield the kinds of a written call's arguments, once for each declaration of the replaced function."""
    names = call.parameters(rule.match)
    functions = [
        function
        for function in ours.get(rule.match.partition("(")[0], ())
        if function.required <= len(names) <= len(function.types)
    ]
    for parameters in [parameters_of(function) for function in functions] or [[]]:
        known = dict(zip(names, parameters, strict=False))
        yield [_argument(text, known) for text in one.arguments]


def _argument(text: str, known: Mapping[str, Parameter]) -> Parameter:
    """Kind of an argument of a replacement. `known` maps an argument name in the rule's match to its parameter."""
    while text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        text = text[1:-1].strip()
    if text in known:
        return known[text]
    if text.startswith("&") or text in ("nullptr", "NULL"):
        return Parameter("pointer")
    if _REAL.fullmatch(text):
        return Parameter("real")
    return Parameter("integer" if _INTEGER.fullmatch(text) else "other")
