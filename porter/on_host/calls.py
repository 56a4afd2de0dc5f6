"""Functions of a target's SDK whose arguments are those of CUDA's function in a different order.

A `call` rule states the order: `cudaMemcpyAsync(dst, src, n, kind, stream)` becomes
`acmeMemcpyAsync(dst, src, n, stream, kind)`. The facade reverses the rule: a macro `acmeMemcpyAsync` calls the function
of `simt` with the arguments in CUDA's order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from porter.model.rules import RuleSet

_CALL = re.compile(r"(\w+)\(([^()]*)\)")
_WORD = re.compile(r"[A-Za-z_]\w*")


class ReorderedCall(NamedTuple):
    """Function of the SDK that replaces a function of CUDA and takes its arguments in a different order."""

    name: str
    """Name of the SDK's function."""
    parameters: tuple[str, ...]
    """Parameters of the SDK's function, in order. A constant in the rule becomes an unused parameter."""
    cuda: str
    """Name of CUDA's function."""
    arguments: tuple[str, ...]
    """Arguments of CUDA's function, in CUDA's order. Each is the name of a parameter."""

    def macro(self, simt: str) -> str:
        """Definition of a macro that calls the function `simt` of the runtime."""
        head = f"{self.name}({', '.join(self.parameters)})"
        return f"#define {head} {simt}({', '.join(self.arguments)})"


def reordered(match: str, replace: str | None) -> ReorderedCall | None:
    """Reordered call of the `call` rule with the texts `match` and `replace`; None if the rule cannot be reversed.

    A rule can be reversed if its replacement is a single call that contains each argument of CUDA's call once and
    unchanged.
    """
    old, new = _CALL.fullmatch(match), _CALL.fullmatch(replace or "")
    if not old or not new:
        return None
    arguments, given = _split(old[2]), _split(new[2])
    if sorted(one for one in given if one in arguments) != sorted(arguments):
        return None
    unused = {one for one in given if one not in arguments}
    if any(set(_WORD.findall(one)) & set(arguments) for one in unused):
        return None
    parameters = tuple(
        one if one in arguments else f"unused{place}" for place, one in enumerate(given)
    )
    return ReorderedCall(new[1], parameters, old[1], tuple(arguments))


class ReversedCalls(NamedTuple):
    """Tests whether the facade can reverse `call` rules, and records the calls of the accepted rules."""

    host: RuleSet
    """Rules of `simt`."""
    known: dict[str, ReorderedCall]
    """Maps the name of a function of the SDK to its recorded call."""

    def accepts(self, entry: Mapping[str, object]) -> bool:
        """Test whether the facade can reverse the rule `entry`, and record its call.

        A function of the SDK has only one order of arguments: the first rule for the function decides, and rules with
        a different order are refused. A name that the runtime or the compiler declares cannot become a macro:
        `__ballot(1)` for `__activemask()`.
        """
        match, replace = entry.get("call"), entry.get("replace")
        if not isinstance(match, str) or not isinstance(replace, str):
            return False
        call = reordered(match, replace)
        if not call or call.cuda not in self.host.exact or self._is_declared(call.name):
            return False
        return self.known.setdefault(call.name, call) == call

    def _is_declared(self, name: str) -> bool:
        """Test whether simt's runtime or the host's compiler declares a function with this name."""
        of_runtime = any((one.replace or name) == name for one in self.host.exact.get(name, ()))
        return of_runtime or name.startswith("__builtin_")


def _split(text: str) -> list[str]:
    return [one.strip() for one in text.split(",")] if text.strip() else []
