"""Mappings of a target for a build on the host, derived from the target's own mappings and from those of `simt`.

The vendor's mappings decide names, headers, file suffixes and the device. The mappings of `simt` decide everything
about the compiler and the machine: launches, dynamic shared memory, preprocessor macros with their values, selection,
patches and expected failures.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, NamedTuple

from porter.base import fs
from porter.mapping import document
from porter.mapping.library import OWN_OPS, PROFILE, MappingLibrary
from porter.model.rules import Layer, Rule, RuleSet, Status
from porter.on_host.calls import ReversedCalls
from porter.rewrite.kind import OnHost
from porter.rewrite.kinds import order

HOST = "simt"
"""Target whose runtime runs the port on the host."""
WORDS = ("__noinline__",)
"""CUDA's macros whose names the headers of the host's C++ library use: `__attribute__((__noinline__))`.

A macro with such a name breaks these headers. The port therefore contains the name of `simt`.
"""
_OWN_FIELDS = ("summary", "names", "device", "listed", "libraries", "suffixes")
"""Fields that the derived profile takes from the vendor's profile. Most other fields come from `simt`'s profile.

The size of a warp is `simt`'s: PyTorch's code for CUDA, which the build on the host compiles, assumes 32 lanes.
"""
_EXPECTED = "verify.yaml"


class HostSide(NamedTuple):
    """Parts of the derived mappings that do not come from the vendor."""

    rules: RuleSet
    """Rules of `simt`."""
    defines: tuple[str, ...]
    """Macros that a build for `simt` defines in every source."""
    names: Mapping[str, str]
    """Maps CUDA's name to the name of `simt`, for the names that the port takes from `simt`."""
    facade: Path
    """Folder of the generated headers (`headers.write`)."""


def derive(library: MappingLibrary, target: str, host: HostSide, folder: Path) -> tuple[str, ...]:
    """Write the derived mappings of a target into `folder`, a valid argument of `--mappings`.

    Returns the titles of the vendor's rules that a build on the host does not use: `musa/runtime: call f(a, b)`.
    Raises SourceError when a file cannot be written, and the errors of the mapping library.
    """
    place = folder / target
    vendor, simt = library.root_of(target) / target, library.root_of(HOST) / HOST
    about = _about_macros(host.rules)
    decided = frozenset((*(rule.match for rule in about), *host.names))
    calls = ReversedCalls(host.rules, {})
    unused: list[str] = []
    try:
        # Removes the results of rule files that the vendor has deleted since the last run.
        if place.exists():
            shutil.rmtree(place)
        documents = list(_documents(library, target, vendor))
        chains = _kept_chains(host.rules, [_rules(content) for _, content in documents])
        for name, content in documents:
            kept = [(one, _kept(one, decided, chains, calls)) for one in _rules(content)]
            _write(place / f"{name}.json", {**content, "rules": [rule for _, rule in kept if rule]})
            unused += [f"{target}/{name}: {_title(one)}" for one, rule in kept if not rule]
        for name, content in _documents(library, HOST, simt):
            rules = [
                _bare(rule)
                for rule in _rules(content)
                if _origin(_kind(rule)) is OnHost.SIMT and not _is_of_own_file(rule, host.rules)
            ]
            if rules:
                _write(place / f"host_{name}.json", {**content, "rules": rules})
        named = [{"name": cuda, "replace": new} for cuda, new in host.names.items()]
        inner = [{"qualified": chain} for chain in sorted(chains)]
        rules = [*named, *inner, *map(_as_data, about)]
        source = f"names and macros of target {HOST}"
        _write(place / "host.json", {"area": "runtime", "source": source, "rules": rules})
        profile = _profile(_read(vendor / PROFILE), _read(simt / PROFILE), host)
        _write(place / PROFILE, profile)
        expected = (simt / _EXPECTED).read_text(encoding="utf-8")
        device = profile.get("device") or target
        fs.write_if_changed(place / _EXPECTED, expected.replace(f"_{HOST}", f"_{device}"))
        # The custom operators of simt replace kernels that need a library without a counterpart on the host.
        operators = library.own_ops(target) or library.own_ops(HOST)
        if operators:
            shutil.copytree(operators, place / OWN_OPS)
    except OSError as error:
        raise fs.cannot_write(error, place) from None
    return tuple(unused)


def _is_of_own_file(rule: Mapping[str, Any], rules: RuleSet) -> bool:
    """Test whether a rule patches a file that only `simt` ports."""
    return any(folder.holds(rule.get("patch", "")) for folder in rules.profile.folders)


def _about_macros(rules: RuleSet) -> list[Rule]:
    """Rules about macros that the compiler, its flags or the headers of `simt` define."""
    fixed = rules.profile.flag_macros | {guard.macro for guard in rules.profile.guards.values()}
    return [
        rule
        for kind in order.kinds()
        if _origin(kind) is OnHost.SIMT_FIRST
        for rule in map(rules.rules.__getitem__, rules.of_kind(kind))
        if rule.layer is Layer.TARGET or rule.replace in fixed
    ]


def _profile(vendor: Mapping[str, Any], simt: Mapping[str, Any], host: HostSide) -> dict[str, Any]:
    header = dict(simt["main_header"])
    header["include"] = vendor.get("main_header", {}).get("include") or header["include"]
    build = {**simt["build"], "include": [str(host.facade)], "defines": list(host.defines)}
    # Sources of simt alone, and the switches of PyTorch for them, need names that the vendor's mappings lack.
    build["flags"] = [
        entry
        for entry in build["flags"]
        if not any("-DPYTORCH_" in flag for flag in entry["flags"])
    ]
    selection = {**simt["selection"], "folders": []}
    kept = {field: vendor[field] for field in _OWN_FIELDS if field in vendor}
    missing = {
        name: spec
        for name, spec in simt["libraries"].items()
        if isinstance(spec, Mapping) and "unsupported" in spec
    }
    kept["libraries"] = {**vendor.get("libraries", {}), **missing}
    others = {field: value for field, value in simt.items() if field not in _OWN_FIELDS}
    own = {"target": vendor["target"], "main_header": header, "build": build}
    return {**others, "selection": selection, **kept, **own}


def _kept(
    rule: Mapping[str, Any],
    decided: frozenset[str],
    chains: AbstractSet[str],
    calls: ReversedCalls,
) -> dict[str, Any] | None:
    """Copy of a vendor's rule without its example and without the names in `decided`, which `simt` decides.

    None for a rule that a build on the host does not use: a rule about a qualified name in `chains`, for example.
    `calls` tests whether a `call` rule can be reversed.
    """
    kind, kept = _kind(rule), _bare(rule)
    if calls.accepts(rule):
        return kept
    if _origin(kind) in (OnHost.SIMT, OnHost.UNUSED):
        return None
    if (kind == "name" or _origin(kind) is OnHost.SIMT_FIRST) and rule[kind] in decided:
        return None
    if kind == "qualified" and rule[kind] in chains:
        return None
    names = kept.get("names")
    if isinstance(names, Mapping):
        kept["names"] = {name: new for name, new in names.items() if name not in decided}
    elif names:
        kept["names"] = [name for name in names if name not in decided]
    return kept if kept[kind] else None


def _kept_chains(rules: RuleSet, vendor: Iterable[Iterable[Mapping[str, Any]]]) -> set[str]:
    """Qualified names that the port on the host keeps unchanged: the headers of `simt` declare these names.

    `rules` are the rules of `simt`, and `vendor` contains the rules of each file of the vendor. Examples: `simt` keeps
    `thrust::cuda::par`, although a rule renames `cuda`; and a vendor renames `thrust::cuda` to `thrust::acme`.
    """
    own = {
        rule.match
        for rule in map(rules.rules.__getitem__, rules.of_kind("qualified"))
        if rule.replace is None
        and rule.status is Status.SUPPORTED
        and any(one.replace for word in rule.match.split("::") for one in rules.exact.get(word, ()))
    }
    renamed = (one["qualified"] for file in vendor for one in file if _renames_inner(one, rules))
    return own.union(renamed)


def _renames_inner(rule: Mapping[str, Any], rules: RuleSet) -> bool:
    """Test whether a rule renames a part of CUDA's qualified name other than the first: `thrust::cuda::par` to
    `thrust::acme::par`.

    The facade consists of macros, and a macro cannot rename a name inside a namespace. PyTorch's own names, such as
    `at::cuda::cub`, do not concern the facade: the port declares them.
    """
    new = rule.get("replace") if _kind(rule) == "qualified" else None
    if new is None:
        return False
    first, *inner = rule["qualified"].split("::")
    return first in rules.exact and new.removeprefix("::").split("::")[1:] != inner


def _as_data(rule: Rule) -> dict[str, Any]:
    data: dict[str, Any] = {rule.kind: rule.match, "status": rule.status.value}
    data |= {"replace": rule.replace} if rule.replace else {}
    for field, files in (("only_in", rule.only_in), ("not_in", rule.not_in)):
        data |= {field: list(files)} if files else {}
    return data | ({"note": rule.note} if rule.note else {})


def _origin(kind: str) -> OnHost:
    return order.kind(kind).on_host


def _kind(rule: Mapping[str, Any]) -> str:
    return next(iter(rule))


def _rules(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    return list(content.get("rules") or [])


def _title(rule: Mapping[str, Any]) -> str:
    kind = _kind(rule)
    return f"{kind} {rule[kind]}" if isinstance(rule[kind], str) else kind


def _bare(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Copy of a rule without its example: the example is valid only with all rules of the target."""
    return {field: value for field, value in rule.items() if field != "example"}


def _documents(
    library: MappingLibrary, target: str, folder: Path
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (path, content) for each rule file of a target; the path is relative to `folder` and has no suffix."""
    for layer, path in library.rule_files(target):
        if layer == target:
            yield path.relative_to(folder).with_suffix("").as_posix(), _read(path)


def _read(path: Path) -> dict[str, Any]:
    # This reader returns `since: 2.10` as text; a number would become 2.1.
    data = document.read(path, str(path)).data
    assert isinstance(data, dict), "the library has checked the file"
    return data


def _write(path: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fs.write_if_changed(path, json.dumps(content, indent=1) + "\n")
