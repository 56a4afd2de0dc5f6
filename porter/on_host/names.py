"""Names and headers of a target's SDK, and the names and headers of `simt` that implement them."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from porter.mapping.resolve_name import Decider
from porter.model.rules import Layer, Rule, RuleSet, Status
from porter.on_host.calls import ReorderedCall, reordered

_SHARED_NAMESPACES = frozenset({"std", "thrust"})
"""Namespaces of replacements that the host has as well: `cooperative_groups::plus` becomes `std::plus`."""
_FIRST = ("runtime", "driver")
"""API areas whose names precede those of all other areas.

If several names of simt have the same name in the port, that name becomes an alias of the first of them.
"""

_EMPTY = re.compile(r"^#define (\w+)$", re.M)
_TYPE_OF_CPP = re.compile(
    r"void|bool|char(8|16|32)?(_t)?|wchar_t|short|int|long|signed|unsigned|float|double|auto"
    r"|u?int(_fast|_least)?(8|16|32|64)_t|u?int(max|ptr)_t|s?size_t|ptrdiff_t|nullptr_t"
)
"""Types of C++ and of the host's standard headers. A macro with such a name breaks every header that follows."""


class SdkNames(NamedTuple):
    """Names and headers of a target's SDK."""

    aliases: Mapping[str, str]
    """Maps a name in the port to the name of simt, for names that differ."""
    lacking: tuple[str, ...]
    """CUDA's names that simt has and the target lacks. The port contains these names unchanged."""
    without_alias: Mapping[str, str]
    """Maps CUDA's name to the name of simt, for names that no alias in the facade can implement.

    Examples: HIP's mappings replace both `cudaSuccess` and `CUDA_SUCCESS` by `hipSuccess`, which can be an alias of
    only one name of simt; they replace `CUDART_CB` by `__attribute__(())`, which is not an identifier, and
    `cusolver_int_t` by `int`, a type of C++.
    """
    headers: Mapping[str, tuple[str, ...]]
    """Maps a path in an include directive of the port to the headers of simt that the facade's header includes."""
    calls: tuple[str, ...] = ()
    """Macros for functions that take CUDA's arguments in a different order."""
    markers: Mapping[str, tuple[str, ...]] = {}
    """Maps a header of the facade to the aliases that only this header defines.

    The aliases are those of empty macros in the header of simt: a program tests `#ifdef CUSPARSEAPI` to find out
    whether `cusparse.h` is included.
    """


class Facade(NamedTuple):
    """Facade of a target's SDK, and the parts of the vendor's mappings that a build on the host does not test."""

    names: SdkNames
    from_host: tuple[str, ...]
    """CUDA's names that become names of simt in the port: the names of `SdkNames.without_alias`."""
    unused: tuple[str, ...]
    """Rules of the vendor's mappings that a build on the host does not use."""


def sdk_names(host: RuleSet, port: RuleSet, include: Path, given: frozenset[str]) -> SdkNames:
    """Names and headers of an SDK that a port to this SDK uses.

    Args:
        host: rules of simt.
        port: rules of the port.
        include: folder of simt's headers.
        given: macros in the port that compiler flags define.
    """
    decider = Decider(port)
    # simt's runtime defines the macros of guards.
    given |= {guard.macro for guard in port.profile.guards.values()}
    aliases: dict[str, str] = {}
    lacking: list[str] = []
    without_alias: dict[str, str] = {}
    for cuda, simt in _supported_names(host):
        new = decider.decide(cuda).replace
        name = new or cuda
        if new is None:
            lacking.append(cuda)
        if name == simt or "::" in name or name in given:
            continue
        if not name.isidentifier() or _TYPE_OF_CPP.fullmatch(name):
            without_alias[cuda] = simt
            continue
        if aliases.setdefault(name, simt) != simt:
            without_alias[cuda] = simt
    for namespace, simt in _namespaces(port, Decider(host)):
        if namespace != simt and namespace not in given:
            aliases.setdefault(namespace, simt)
    headers: dict[str, dict[str, None]] = {}
    for cuda, simt in _headers(host, include):
        path = decider.decide(cuda).replace or cuda
        if path != simt and not (include / path).exists():
            headers.setdefault(path, {})[simt] = None
    # The port includes the main header although no rule may write its name.
    main = port.profile.main_header
    if main and not (include / main).exists():
        headers.setdefault(main, {})[host.profile.main_header] = None
    # On the host, the header of a shim becomes a header of the facade, like any other header of the SDK.
    for rule in port.rules:
        if rule.shim and rule.layer is Layer.TARGET and not (include / rule.shim).exists():
            headers.setdefault(rule.shim, {})[host.profile.main_header] = None
    ordered = {path: tuple(found) for path, found in sorted(headers.items())}
    macros = {}
    for call, simt in _calls(port, Decider(host)):
        macros[call.name] = call.macro(simt)
        # A name cannot be both a function-like and an object-like macro.
        aliases.pop(call.name, None)
    macros_in_order = tuple(macros[name] for name in sorted(macros))
    return SdkNames(
        dict(sorted(aliases.items())),
        tuple(lacking),
        without_alias,
        ordered,
        macros_in_order,
        _markers(ordered, aliases, include),
    )


def _markers(
    headers: Mapping[str, Iterable[str]], aliases: Mapping[str, str], include: Path
) -> dict[str, tuple[str, ...]]:
    """Maps a header of the facade to the aliases of empty macros that its header of simt defines."""
    names: dict[str, list[str]] = {}
    for name, simt in sorted(aliases.items()):
        names.setdefault(simt, []).append(name)
    found = {}
    for path, included in headers.items():
        places = [include / header for header in included if (include / header).is_file()]
        empty = [macro for place in places for macro in _EMPTY.findall(place.read_text())]
        if here := [name for macro in empty for name in names.get(macro, ())]:
            found[path] = tuple(here)
    return found


def _calls(port: RuleSet, host: Decider) -> Iterator[tuple[ReorderedCall, str]]:
    """Yield (reordered call of the SDK, name of simt's function) for each `call` rule that can be reversed."""
    for index in port.of_kind("call"):
        rule = port.rules[index]
        call = reordered(rule.match, rule.replace) if rule.layer is Layer.TARGET else None
        if call and rule.status is Status.SUPPORTED:
            yield call, host.decide(call.cuda).replace or call.cuda


def _namespaces(port: RuleSet, host: Decider) -> Iterator[tuple[str, str]]:
    """Yield (namespace of the SDK, namespace of simt) for each rule that renames the first part of a qualified name.

    Example: `cub::Sum` becomes `acmecub::Sum`. PyTorch's own namespaces are not included: the port declares them. Nor
    are namespaces that are not the SDK's alone, and replacements that are no qualified names.
    """
    for index in port.of_kind("qualified"):
        rule = port.rules[index]
        old, new = (
            text.removeprefix("::").split("::")[0] for text in (rule.match, rule.replace or "")
        )
        if not new.isidentifier() or new in _SHARED_NAMESPACES or new == old:
            continue
        if rule.layer is Layer.TARGET and old in host.rules.exact:
            yield new, host.decide(old).replace or old


def _supported_names(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Yield (CUDA's name, name of simt) for every name that simt supports."""
    defined = rules.profile.flag_macros
    chosen = [
        rule
        for rule in rules.rules
        if rule.layer is Layer.TARGET and rule.status is Status.SUPPORTED and not rule.only_in
    ]
    found = [
        (_FIRST.index(rule.area) if rule.area in _FIRST else len(_FIRST), cuda, simt)
        for rule in chosen
        for cuda, simt in _names_of(rule)
        if simt not in defined and "::" not in cuda
    ]
    # A type's name precedes that of its enumeration: `cudaError_t`, `cudaError`.
    found.sort(key=lambda one: (one[0], not one[1].endswith("_t")))
    yield from ((cuda, simt) for _, cuda, simt in found)


def _names_of(rule: Rule) -> Iterator[tuple[str, str]]:
    if rule.kind == "names":
        yield from ((cuda, new or cuda) for cuda, new in rule.names.items())
    elif rule.kind == "name":
        yield rule.match, rule.replace or rule.match


def _headers(rules: RuleSet, include: Path) -> Iterator[tuple[str, str]]:
    """Yield (path in CUDA, path in simt) for every header of simt that replaces one of CUDA's headers."""
    files = [path.relative_to(include).as_posix() for path in include.rglob("*") if path.is_file()]
    for index in rules.of_kind("include"):
        rule = rules.rules[index]
        if rule.layer is not Layer.TARGET or rule.status is not Status.SUPPORTED:
            continue
        simt = rule.replace or rule.match
        if "*" not in rule.match:
            yield rule.match, simt
            continue
        before, _, after = simt.partition("*")
        for path in fnmatch.filter(files, simt):
            part = path.removeprefix(before).removesuffix(after)
            yield rule.match.replace("*", part, 1), path
