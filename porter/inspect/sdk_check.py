"""Check of a target's mappings against the headers of the vendor's SDK: `porter mapping check --sdk`.

A name counts as declared if it occurs in the code of a header, or in the preprocessed text of a header, because macros
of an SDK may paste names together. A function of the SDK is compared with CUDA's function by the number of parameters
and, if libclang is installed, by the kinds of parameters. CUDA's own headers are not needed: the
parameters of CUDA's functions are taken from the corresponding functions in the headers of the `simt` runtime.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.cpp.header_declarations import DeclarationKind, header_declarations
from porter.cpp.signatures import least_parameters, parameters, split_arguments
from porter.inspect import sdk_headers, sdk_inventory
from porter.mapping import inventory, sdk
from porter.mapping.api_coverage import measure
from porter.mapping.checks import Finding, error, warning
from porter.mapping.inventory import Inventory
from porter.mapping.library import MappingLibrary
from porter.mapping.resolve_name import Decider
from porter.mapping.rule_cache import rule_set
from porter.mapping.sdk import Sdk
from porter.mapping.source_locations import NameLocations
from porter.model.evidence import Evidence
from porter.model.rules import Layer, RuleSet
from porter.model.sdk_inventory import SdkInventory, SdkName
from porter.simt.sources import include_dir
from porter.toolchain import libclang
from porter.toolchain.preprocess import preprocessed

_ALL_RELEASES = ""
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SHOWN = 3
"""Number of names in a finding about many names."""


class _Mappings(NamedTuple):
    rules: RuleSet
    inventory: Inventory
    decider: Decider
    places: NameLocations


def check(library: MappingLibrary, target: str, folders: Sequence[Path]) -> list[Finding]:
    """Findings about names and functions that the SDK in `folders` lacks or declares differently.

    It is an error if the target's rules rename a name of CUDA to a name that no header contains. It is also an error if
    they rename a function to one whose parameters differ, and no `call` rule adapts the arguments. There is a warning
    if names that the rules keep are in no header, if names that a family proposes are in no header, or if the SDK lacks
    the headers of an API area.

    Raises UsageError for a folder without headers, SourceError for an unreadable header, and MappingError for mappings
    that do not load.
    """
    rules = rule_set(library, target, _ALL_RELEASES)
    names = inventory.read(library.special("cuda", "inventory.json"))
    texts = _texts(rules, [folder.absolute() for folder in folders])
    found = sdk.read(folders)
    words = found.words.union(*(_WORD.findall(text) for text in texts))
    found = dataclasses.replace(found, words=words)
    mappings = _Mappings(rules, names, Decider(rules, found), NameLocations(library, target))
    simt = rule_set(library, "simt", _ALL_RELEASES)
    ours = _functions(_texts(simt, [include_dir()]))
    findings = [
        *_unread(target, texts),
        *_absent(mappings, found),
        *_other_parameters(mappings, Decider(simt), ours, _functions(texts)),
    ]
    if not libclang.is_installed():
        return findings
    host = sdk_inventory.of_rules(simt, [include_dir()])
    return [
        *findings,
        *_other_kinds(mappings, Decider(simt), host, sdk_inventory.of_rules(rules, folders)),
    ]


def _unread(target: str, texts: Sequence[str]) -> Iterator[Finding]:
    lost = sum(not text for text in texts)
    if lost or not texts:
        text = f"{lost} of {len(texts)} headers are empty after preprocessing: functions and pasted names are unchecked"
        help = "install g++ or set CXX; give --sdk the folder from which the port includes headers"
        yield warning("sdk", f"{target}/target.yaml", text, help)


def _texts(rules: RuleSet, folders: Sequence[Path]) -> list[str]:
    """Preprocessed texts of the SDK's headers that `include` rules write; empty texts for unreadable headers."""
    command = shlex.split(os.environ.get("CXX") or "g++")
    flags = sdk_headers.macro_flags(rules)
    there = sdk_headers.included(rules, folders)
    return [preprocessed(command, header, folders, flags) for header in there]


def _absent(mappings: _Mappings, found: Sdk) -> Iterator[Finding]:
    rules = mappings.rules
    own = {guard.macro for guard in rules.profile.guards.values()}
    profile = f"{rules.target}/target.yaml"
    for area in measure(rules, mappings.inventory, found).areas:
        if not area.mapped:
            continue
        if Evidence.SEEN not in area.mapped.values():
            text = (
                f"the SDK has no name of area {area.area}: {len(area.mapped)} names are unchecked"
            )
            help = "give --sdk the folder of this library too, or state that it is unsupported"
            yield warning("sdk", profile, text, help)
            continue
        kept, guessed = [], []
        for name, grade in area.mapped.items():
            decision = mappings.decider.decide(name)
            rule, new = decision.rule, decision.replace
            if grade is Evidence.SEEN or not rule or not new or _is_porters(new, own, rules):
                continue
            if grade is Evidence.GUESSED:
                guessed.append(new)
            elif new == name:
                kept.append(name)
            elif rule.layer is Layer.TARGET:
                place = mappings.places.of(rule, name)
                text = f"'{name}' becomes '{new}', which is in no header of the SDK"
                yield error("sdk", place, text, "correct the name, or write `status: unsupported`")
        if kept:
            text = f"{len(kept)} names of area {area.area} are kept, but are in no header: "
            yield warning("sdk", profile, text + _some(kept))
        if guessed:
            text = f"{len(guessed)} proposed names of area {area.area} are in no header: "
            help = "list the names that the SDK has (porter mapping import), and set `listed: true`"
            yield warning("sdk", profile, text + _some(guessed), help)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")


def _is_porters(name: str, guards: set[str], rules: RuleSet) -> bool:
    """Test whether porter itself defines a name: the name is a guard macro or a macro `<TARGET>_COMPAT_...`."""
    return name in guards or name.startswith(f"{rules.profile.upper}_COMPAT_")


def _other_parameters(
    mappings: _Mappings,
    host: Decider,
    ours: Mapping[str, frozenset[int]],
    theirs: Mapping[str, frozenset[int]],
) -> Iterator[Finding]:
    called = {rule.partition("(")[0] for rule in _calls(mappings.rules)}
    for names in mappings.inventory.areas.values():
        for name in names.get("functions", ()):
            decision = mappings.decider.decide(name)
            new, rule = decision.replace, decision.rule
            expected = ours.get(host.decide(name).replace or "")
            counts = theirs.get(new or "")
            if not rule or not expected or not counts or counts & expected or name in called:
                continue
            text = f"'{name}' has {_joined(expected)} parameters, and '{new}' of the SDK has {_joined(counts)}"
            help = f"write a rule `call: {name}(...)` with the arguments of '{new}'"
            yield error("sdk", mappings.places.of(rule, name), text, help)


def _other_kinds(
    mappings: _Mappings, host: Decider, ours: SdkInventory, theirs: SdkInventory
) -> Iterator[Finding]:
    """Errors about functions of the SDK that take, for example, a pointer where CUDA's function takes an integer.

    A parameter whose kind differs is correct if a rule renames its type, as `cufftHandle` (an integer) to
    `hipfftHandle` (a pointer).
    """
    called = {rule.partition("(")[0] for rule in _calls(mappings.rules)}
    types = [name for names in mappings.inventory.areas.values() for name in names.get("types", ())]
    renamed = {
        host.decide(name).replace or name: mappings.decider.decide(name).replace or name
        for name in types
    }
    known, found = _signatures(ours), _signatures(theirs)
    for names in mappings.inventory.areas.values():
        for name in names.get("functions", ()):
            decision = mappings.decider.decide(name)
            new, rule = decision.replace, decision.rule
            expected = known.get(host.decide(name).replace or "", [])
            given = found.get(new or "", [])
            if not rule or name in called or not expected or not given:
                continue
            if any(_agree(one, other, renamed) for one in expected for other in given):
                continue
            if all(len(one.types) != len(other.types) for one in expected for other in given):
                continue  # `_other_parameters` reports this function.
            before, after = (", ".join(one[0].types) for one in (expected, given))
            text = f"'{name}' has the parameters ({before}), and '{new}' of the SDK has ({after})"
            help = f"write a rule `call: {name}(...)` with the arguments of '{new}'"
            yield error("sdk", mappings.places.of(rule, name), text, help)


def _signatures(found: SdkInventory) -> dict[str, list[SdkName]]:
    known: dict[str, list[SdkName]] = {}
    for one in found.names:
        if one.parameters is not None and not one.namespace:
            known.setdefault(one.name, []).append(one)
    return known


def _agree(one: SdkName, other: SdkName, renamed: Mapping[str, str]) -> bool:
    """Test whether the functions `one` and `other` accept the same arguments.

    `renamed` maps a type of `simt` to the type by which the target's rules replace it.
    """
    assert one.parameters is not None and other.parameters is not None
    if len(one.parameters) != len(other.parameters):
        return False
    return all(
        kind == given
        or "other" in (kind, given)
        or {renamed.get(word, word) for word in _WORD.findall(mine)}
        & {*_WORD.findall(theirs)} - {"const", "struct", "enum"}
        for kind, given, mine, theirs in zip(
            one.parameters, other.parameters, one.types, other.types, strict=True
        )
    )


def _calls(rules: RuleSet) -> Iterator[str]:
    return (rules.rules[index].match for index in rules.of_kind("call"))


def _joined(counts: frozenset[int]) -> str:
    return " or ".join(map(str, sorted(counts)))


def _functions(texts: Sequence[str]) -> dict[str, frozenset[int]]:
    """Maps each function that the texts declare to the numbers of arguments that the function accepts."""
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
