"""Inventory of a vendor's SDK: the declarations in its headers, read by libclang (`porter mapping inventory`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from porter.base import columnar_json, disk_cache, fs
from porter.base.errors import UsageError
from porter.base.fingerprint import Answer
from porter.inspect import sdk_headers
from porter.mapping.library import MappingLibrary
from porter.mapping.rule_cache import rule_set
from porter.mapping.sdk import header_files
from porter.model.rules import RuleSet
from porter.model.sdk_inventory import SdkInventory, SdkName
from porter.toolchain import libclang, vendor_sdk

Progress = Callable[[int, int, str], None]
"""Callback with the number of finished headers, the number of all headers, and the last header."""
_CODE = ("base", "cpp", "inspect", "mapping", "model", "regex", "rewrite", "toolchain")
INVENTORY = Answer("sdk-inventory", _CODE)
_ALL_RELEASES = ""
_STANDARD = ("cstddef", "cstdint")


def read(
    library: MappingLibrary, target: str, folders: Sequence[Path], progress: Progress
) -> SdkInventory:
    """Declarations in the headers that a port to the target includes.

    Raises UsageError if libclang is not installed or if the folders contain no such header, and MappingError if the
    mappings cannot be loaded.
    """
    libclang.require()
    rules = rule_set(library, target, _ALL_RELEASES)
    return of_rules(rules, vendor_sdk.include_folders(rules.profile, folders), progress)


def of_rules(
    rules: RuleSet, folders: Sequence[Path], progress: Progress = lambda *_: None
) -> SdkInventory:
    """Declarations in the headers that a port by the given rules includes. Raises the errors of `read`."""
    places = [folder.absolute() for folder in folders]
    headers = sdk_headers.included(rules, places)
    if not headers:
        shown = ", ".join(map(str, folders))
        help = f"give --sdk the folder from which a port to {rules.target} includes headers"
        raise UsageError("contains no header that a port includes", shown, help)
    files = sorted(path for place in places for path in header_files(place))
    key = disk_cache.key_of(INVENTORY, rules.digest, *map(str, places), fs.stamp(files))
    if kept := _stored(key):
        return kept
    one = partial(
        libclang.header_names,
        folders=places,
        flags=sdk_headers.macro_flags(rules),
        system=libclang.system_folders(),
        # Many headers of SDKs need these headers and do not include them.
        before=(*_STANDARD, *(one for one in headers if one == rules.profile.main_header)),
    )
    names: set[SdkName] = set()
    incomplete: dict[str, str] = {}
    with ProcessPoolExecutor(min(len(headers), len(os.sched_getaffinity(0)))) as pool:
        for done, (header, found) in enumerate(zip(headers, pool.map(one, headers), strict=True)):
            names.update(found.names)
            if found.error:
                incomplete[header] = found.error
            progress(done + 1, len(headers), header)
    made = SdkInventory(
        rules.target,
        tuple(map(str, folders)),
        tuple(headers),
        incomplete,
        tuple(sorted(names, key=lambda name: (name.name, name.header, name.line, str(name)))),
    )
    disk_cache.put(INVENTORY, key, columnar_json.encode(SdkInventory, [made]))
    return made


def _stored(key: str) -> SdkInventory | None:
    try:
        (found,) = columnar_json.decode(SdkInventory, disk_cache.get(INVENTORY, key))
    except ValueError:
        return None
    return found if isinstance(found, SdkInventory) else None
