"""Check of a target's mappings against the headers of the vendor's SDK: `porter mapping check --sdk`.

A name counts as declared if it occurs in the code of a header, or in the preprocessed text of a header, because macros
of an SDK may paste names together. A function of the SDK is compared with CUDA's function by the number of parameters
and, if libclang is installed, by the kinds of parameters. CUDA's own headers are not needed: a table has the numbers
of parameters, and the corresponding functions in the headers of the `simt` runtime have the kinds.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from porter.inspect import sdk_call_rules, sdk_headers, sdk_inventory
from porter.inspect.sdk_functions import accepted_counts, accepts, parameters_of, signatures
from porter.mapping import argument_counts, inventory, sdk
from porter.mapping.api_coverage import measure
from porter.mapping.argument_counts import ArgumentCounts, shown
from porter.mapping.checks import Finding, error, warning
from porter.mapping.inventory import Inventory
from porter.mapping.library import MappingLibrary
from porter.mapping.resolve_name import Decider, ResolvedName
from porter.mapping.rule_cache import rule_set
from porter.mapping.sdk import Sdk
from porter.mapping.source_locations import NameLocations
from porter.model.evidence import Evidence
from porter.model.rules import Layer, RuleSet
from porter.model.sdk_inventory import SdkName
from porter.simt.sources import include_dir
from porter.toolchain import libclang, vendor_sdk
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
    arguments: ArgumentCounts


def check(library: MappingLibrary, target: str, folders: Sequence[Path]) -> list[Finding]:
    """Findings about names and functions that the SDK in `folders` lacks or declares differently.

    It is an error if the target's rules rename a name of CUDA to a name that no header contains. It is also an error if
    they rename a function to one whose parameters differ, and no `call` rule adapts the arguments. There is a warning
    if names that the rules keep are in no header, if names that a family proposes are in no header, or if the SDK lacks
    the headers of an API area.

    A folder may be an SDK or the SDK's `include`. Raises UsageError for a folder without headers, SourceError for an
    unreadable header, BuildError for an SDK whose version the profile does not accept, and MappingError for mappings
    that do not load.
    """
    rules = rule_set(library, target, _ALL_RELEASES)
    folders = vendor_sdk.include_folders(rules.profile, folders)
    vendor_sdk.check_versions(rules.profile, folders)
    names = inventory.read(library.special("cuda", "inventory.json"))
    texts = _texts(rules, [folder.absolute() for folder in folders])
    found = sdk.read(folders)
    words = found.words.union(*(_WORD.findall(text) for text in texts))
    found = dataclasses.replace(found, words=words)
    places, arguments = NameLocations(library, target), argument_counts.read(library)
    mappings = _Mappings(rules, names, Decider(rules, found), places, arguments)
    simt = rule_set(library, "simt", _ALL_RELEASES)
    host = Decider(simt)
    ours, theirs = accepted_counts(_texts(simt, [include_dir()])), accepted_counts(texts)
    findings = [
        *_unread(target, texts),
        *_absent(mappings, found),
        *_other_parameters(mappings, host, ours, theirs),
        *sdk_call_rules.wrong_counts(rules, theirs),
    ]
    if libclang.is_installed():
        findings += _findings_about_kinds(mappings, simt, host, folders)
    return findings


def _findings_about_kinds(
    mappings: _Mappings, simt: RuleSet, host: Decider, folders: Sequence[Path]
) -> Iterator[Finding]:
    """Findings about the kinds of parameters, from declarations that libclang reads."""
    areas = mappings.inventory.areas.values()
    types = [name for names in areas for name in names.get("types", ())]
    renamed = {
        host.decide(name).replace or name: mappings.decider.decide(name).replace or name
        for name in types
    }
    known = signatures(sdk_inventory.of_rules(simt, [include_dir()]))
    functions = (name for names in areas for name in names.get("functions", ()))
    ours = {name: known.get(host.decide(name).replace or "", []) for name in functions}
    theirs = signatures(sdk_inventory.of_rules(mappings.rules, folders))
    yield from _other_kinds(mappings, ours, theirs, renamed)
    yield from sdk_call_rules.wrong_kinds(mappings.rules, ours, theirs, renamed)


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
    own = rules.profile.flag_macros | {guard.macro for guard in rules.profile.guards.values()}
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


def _is_porters(name: str, own: frozenset[str], rules: RuleSet) -> bool:
    """Test whether porter defines a name: one of `own`, or a macro `<TARGET>_COMPAT_...`."""
    return name in own or name.startswith(f"{rules.profile.upper}_COMPAT_")


def _other_parameters(
    mappings: _Mappings,
    host: Decider,
    ours: Mapping[str, frozenset[int]],
    theirs: Mapping[str, frozenset[int]],
) -> Iterator[Finding]:
    """Errors about functions of the SDK that accept other numbers of arguments than CUDA's functions.

    `ours` and `theirs` map functions of `simt` and of the SDK to the numbers of arguments that they accept. `ours` is
    used for functions that the table of CUDA's argument counts lacks.
    """
    for name, decision in _renamed_functions(mappings):
        new, rule = decision.replace or "", decision.rule
        expected = mappings.arguments.functions.get(name)
        expected = expected or ours.get(host.decide(name).replace or "")
        counts = theirs.get(new)
        if not rule or not expected or not counts or counts & expected:
            continue
        text = (
            f"'{name}' has {shown(expected)} parameters, and '{new}' of the SDK has {shown(counts)}"
        )
        help = f"write a rule `call: {name}(...)` with the arguments of '{new}'"
        yield error("sdk", mappings.places.of(rule, name), text, help)


def _other_kinds(
    mappings: _Mappings,
    ours: Mapping[str, Sequence[SdkName]],
    theirs: Mapping[str, Sequence[SdkName]],
    renamed: Mapping[str, str],
) -> Iterator[Finding]:
    """Errors about functions of the SDK that take, for example, a pointer where CUDA's function takes an integer.

    `ours` maps a function of CUDA to the declarations of the corresponding function of `simt`. `theirs` maps a function
    of the SDK to its declarations. `renamed` maps a type of `simt` to the target's type, for `accepts`.
    """
    for name, decision in _renamed_functions(mappings):
        new, rule = decision.replace or "", decision.rule
        expected, given = ours.get(name, ()), theirs.get(new, ())
        if not rule or not expected or not given:
            continue
        if any(_agree(one, other, renamed) for one in expected for other in given):
            continue
        if all(len(one.types) != len(other.types) for one in expected for other in given):
            continue  # `_other_parameters` reports this function.
        before, after = (", ".join(one[0].types) for one in (expected, given))
        text = f"'{name}' has the parameters ({before}), and '{new}' of the SDK has ({after})"
        help = f"write a rule `call: {name}(...)` with the arguments of '{new}'"
        yield error("sdk", mappings.places.of(rule, name), text, help)


def _renamed_functions(mappings: _Mappings) -> Iterator[tuple[str, ResolvedName]]:
    """Yield CUDA's functions without `call` rules, each with the decision about its name."""
    rules = mappings.rules
    called = {rules.rules[index].match.partition("(")[0] for index in rules.of_kind("call")}
    for names in mappings.inventory.areas.values():
        for name in names.get("functions", ()):
            if name not in called:
                yield name, mappings.decider.decide(name)


def _agree(one: SdkName, other: SdkName, renamed: Mapping[str, str]) -> bool:
    """Test whether the functions `one` of `simt` and `other` of the SDK accept the same arguments."""
    if len(one.types) != len(other.types):
        return False
    return all(map(accepts, parameters_of(other), parameters_of(one), repeat(renamed)))
