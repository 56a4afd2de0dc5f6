"""Functions in the headers of an SDK: numbers, kinds and types of their parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from porter.cpp.header_declarations import DeclarationKind, header_declarations
from porter.cpp.signatures import least_parameters, parameters, split_arguments
from porter.model.sdk_inventory import SdkInventory, SdkName

_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Parameter(NamedTuple):
    """Kind and type of a parameter, or of an argument."""

    kind: str
    """`pointer`, `integer`, `real`, `record`, or `other` if the kind is unknown."""
    type: str = ""
    """Type as a header spells it; empty for an argument without a known type."""


def accepted_counts(texts: Sequence[str]) -> dict[str, frozenset[int]]:
    """Maps each function that the texts of headers declare to the numbers of arguments that the function accepts."""
    found: dict[str, set[int]] = {}
    for text in texts:
        for one in header_declarations(text).declarations:
            if one.kind is DeclarationKind.FUNCTION and (counts := _arguments(one.text)):
                found.setdefault(one.name, set()).update(counts)
    return {name: frozenset(counts) for name, counts in found.items()}


def _arguments(text: str) -> range:
    """Numbers of arguments that the function declared by `text` accepts.

    Empty for a variadic function, and for a declaration without a parameter list.
    """
    place = parameters(text)
    if place is None:
        return range(0)
    given = [one for one in split_arguments(text[place[0] + 1 : place[1]]) if one != "void"]
    if any("..." in one for one in given):
        return range(0)
    return range(len(least_parameters(text)) if given else 0, len(given) + 1)


def signatures(found: SdkInventory) -> dict[str, list[SdkName]]:
    """Maps each global function of an SDK to its declarations."""
    known: dict[str, list[SdkName]] = {}
    for one in found.names:
        if one.parameters is not None and not one.namespace:
            known.setdefault(one.name, []).append(one)
    return known


def parameters_of(function: SdkName) -> list[Parameter]:
    """Parameters of a declared function."""
    return [*map(Parameter, function.parameters or (), function.types)]


def accepts(parameter: Parameter, given: Parameter, renamed: Mapping[str, str]) -> bool:
    """Test whether a function of the SDK accepts an argument `given` for its parameter.

    Equal kinds agree, and `other` agrees with every kind. Different kinds agree if both types have a word in common
    after renaming by `renamed`, which maps a type of `simt` to the target's type: `cufftHandle` is an integer, and
    `hipfftHandle` is a pointer.
    """
    if parameter.kind == given.kind or "other" in (parameter.kind, given.kind):
        return True
    words = {renamed.get(word, word) for word in _WORD.findall(given.type)}
    return bool(words & {*_WORD.findall(parameter.type)} - {"const", "struct", "enum"})
