"""Preparation of a target for a build on the host: derived mappings, and a facade of the vendor's SDK."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from porter.base import fs
from porter.base.errors import MappingError, Problem, UsageError
from porter.mapping import build_sets, rule_cache
from porter.mapping.library import MappingLibrary
from porter.mapping.resolve_name import Decider
from porter.model.rules import RuleSet
from porter.on_host import headers, summary
from porter.on_host.derive import HOST, WORDS, HostSide, derive
from porter.on_host.names import Facade, SdkNames, sdk_names
from porter.simt.sources import include_dir


class HostTarget(NamedTuple):
    """Target that is built on the host."""

    library: MappingLibrary
    """Mapping library in which the derived mappings take precedence over the vendor's mappings."""
    facade: Facade


def make(library: MappingLibrary, target: str, release: str, folder: Path) -> HostTarget:
    """Write derived mappings and the facade of the SDK into `folder`, and return both.

    Raises UsageError for target simt, MappingError for errors in the target's mappings, and SourceError when a file
    cannot be written.
    """
    if target == HOST:
        raise UsageError(f"target {HOST} always runs on the host", help="leave out --on-host")
    rule_cache.checked_rule_set(library, target, release)
    simt = rule_cache.checked_rule_set(library, HOST, release)
    folder = folder.absolute()
    include, mappings = folder / "include", folder / "mappings"
    words = {word: Decider(simt).decide(word).replace or word for word in WORDS}
    defines = build_sets.read(library, simt.profile).defines
    side = HostSide(simt, defines, words, include)
    unused = derive(library, target, side, mappings)
    derived = MappingLibrary((mappings, *library.roots))
    names = _names(derived, target, simt)
    others = names.without_alias
    if others:
        unused = derive(library, target, side._replace(names={**words, **others}), mappings)
        names = _names(derived, target, simt)
    headers.write(names, include)
    facade = Facade(names, tuple(others), unused)
    try:
        fs.write_if_changed(
            folder / summary.FILE, json.dumps(summary.document(facade), indent=1) + "\n"
        )
    except OSError as error:
        raise fs.cannot_write(error, folder) from None
    return HostTarget(derived, facade)


def _names(library: MappingLibrary, target: str, simt: RuleSet) -> SdkNames:
    try:
        rules = rule_cache.checked_rule_set(library, target, simt.release)
    except MappingError as error:
        raise _in_derived_files(error, library, target) from None
    given = build_sets.read(library, rules.profile).defines
    return sdk_names(simt, rules, include_dir(), frozenset(given))


def _in_derived_files(error: MappingError, library: MappingLibrary, target: str) -> MappingError:
    """Error with the same problems. The places are paths of derived files, and the advice names the vendor's files."""
    derived, vendor, *_ = (root for root in library.roots if (root / target).is_dir())
    help = (
        f"porter derived this file from {vendor / target} and from the mappings of {HOST}, which contradict each other "
        f"here; change the rule in {vendor / target}, or run without --on-host"
    )
    head = f"{target}/"
    return MappingError(
        Problem(f"derived mappings: {one.text}", str(derived / one.place), help)
        if one.place.startswith(head)
        else one
        for one in error.problems
    )
