"""Effect of a changed declaration on the code that uses the declared name.

>>> effect_on_calls(["void f(int device)"], ["void f(DeviceIndex device, bool force = false)"], "f")
<Effect.CHECK: 'check'>
>>> effect_on_calls(["int f(int device = 0)"], ["int f()"], "f", {0})
<Effect.INFORMS: 'informs'>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from porter.cpp.signatures import (
    function_signature,
    least_parameters,
    parameters,
    split_arguments,
)
from porter.model.upgrade import Effect

_SAME = (
    (re.compile(r"(?<![\w:])(?:c10::)?(optional|nullopt|in_place)\b"), r"std::\1"),
    (re.compile(r"\(void\)"), "()"),
    (re.compile(r"(?<=\w)(?:\{\}|\[\])$"), ""),
    (re.compile(r"decltype\(auto\)"), "auto"),
)
"""Pairs (pattern, replacement) that give texts with the same meaning one spelling.

From release 2.2 on, c10::optional is std::optional (c10/util/Optional.h).
"""
_MARKS = re.compile(
    r"\[\[[^\]]*\]\]|\bC10_(?:HOST_)?CONSTEXPR\w*\b|\bC10_NODISCARD\b|\bC10_DEPRECATED\w*(?:\([^()]*\))?"
    r"|\b(?:constexpr|static|inline|virtual|override|mutable|explicit)\b|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_API\b"
)
"""Attributes, specifiers and export macros that do not affect calls."""
_NUMBERS = frozenset(
    {
        *("bool", "char", "short", "int", "long", "long long", "unsigned", "unsigned int"),
        *("unsigned long", "size_t", "std::size_t", "ptrdiff_t", "float", "double"),
        *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
        *("DeviceIndex", "c10::DeviceIndex", "StreamId", "c10::StreamId"),
    }
)
_TEXTS = frozenset({"std::string", "std::string_view", "c10::string_view", "constchar*"})
_CONST = re.compile(r"\bconst\b")


class _Function(NamedTuple):
    returned: str
    types: tuple[str, ...]
    least: int
    """Number of parameters without a default argument."""
    tail: str
    """Text after the parameters, such as `const`."""


def normal(text: str) -> str:
    """Normalized declaration: two declarations with the same effect on callers have the same result.

    Attributes, specifiers and export macros are removed, and texts with the same meaning are spelled in one way.
    """
    text = " ".join(_MARKS.sub(" ", text).replace("::std::", "std::").split())
    for pattern, same in _SAME:
        text = pattern.sub(same, text)
    return text


def effect_on_calls(
    old: Iterable[str], new: Iterable[str], name: str, counts: AbstractSet[int] | None = None
) -> Effect:
    """Effect on callers of the function `name` if the overloads `new` replace the overloads `old`.

    `counts` are the numbers of arguments in all calls; None if they are unknown.

    INFORMS: each call compiles with the same types. CHECK: each call compiles, but types, the result or a qualifier
    differ. BREAKS: there is a call for which no new overload is certain to fit.
    """
    after = list(_functions(new, name))
    effects = [_best(one, after, counts) for one in _functions(old, name)]
    order = [Effect.INFORMS, Effect.CHECK, Effect.BREAKS]
    return max(effects, key=order.index, default=Effect.BREAKS)


def are_adapted(old: Iterable[str], new: Iterable[str], name: str, counts: Iterable[int]) -> bool:
    """Test whether a source is already adapted to the new overloads of a function.

    `counts` are the numbers of arguments in the source's calls. The source is adapted if the new overloads accept all
    these numbers, and the old overloads accept none of them.
    """
    before, after = list(_functions(old, name)), list(_functions(new, name))
    taken = [(_takes(before, count), _takes(after, count)) for count in counts]
    return bool(taken) and all(fits and not fitted for fitted, fits in taken)


def _takes(functions: Iterable[_Function], count: int) -> bool:
    return any(one.least <= count <= len(one.types) for one in functions)


def _functions(texts: Iterable[str], name: str) -> Iterator[_Function]:
    for text in map(normal, texts):
        found = parameters(text)
        if found is None:
            continue
        returned, _, rest = function_signature(text, name).partition("(")
        inside, _, tail = rest.rpartition(")")
        types = tuple(split_arguments(inside))
        yield _Function(returned, types, len(least_parameters(text)), tail.replace("noexcept", ""))


def _best(old: _Function, new: list[_Function], counts: AbstractSet[int] | None) -> Effect:
    """Effect on calls of the overload `old`, with these numbers of arguments, if the overloads `new` replace it."""
    same = converted = True
    for count in range(old.least, len(old.types) + 1):
        if counts is not None and count not in counts:
            continue
        fitting = [one for one in new if one.least <= count <= len(one.types)]
        given = old.types[:count]
        same &= any(
            one.types[:count] == given and (one.returned, one.tail) == (old.returned, old.tail)
            for one in fitting
        )
        converted &= any(all(map(_converts, given, one.types[:count])) for one in fitting)
    if same:
        return Effect.INFORMS
    return Effect.CHECK if converted else Effect.BREAKS


def _converts(old: str, new: str) -> bool:
    """Test whether each argument that fits a parameter of type `old` also fits one of type `new`."""
    if old == new:
        return True
    was, now = (_CONST.sub("", one).replace(" ", "") for one in (old, new))
    takes_value = not now.endswith("&") or "const" in new
    was, now = was.rstrip("&"), now.rstrip("&")
    if now.endswith("*"):
        return was == now and ("const" in new or "const" not in old)
    alike = was == now or {was, now} <= _NUMBERS or now == f"std::optional<{was}>"
    return takes_value and (alike or (was in _TEXTS and now.endswith("string_view")))
