"""Results of `porter mapping inventory` as a table and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from porter.model.sdk_inventory import SdkInventory, SdkName
from porter.report.tables import Line, Table, aligned

_KINDS = ("function", "type", "enumerator", "variable", "macro")


def document(found: SdkInventory) -> dict[str, Any]:
    """Plain data for `--json`: all declarations, and the headers with errors."""
    return {
        "target": found.target,
        "sdk": list(found.folders),
        "headers": list(found.headers),
        "incomplete": dict(found.incomplete),
        "names": [_plain(name) for name in found.names],
    }


def _plain(name: SdkName) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "name": name.name,
        "kind": name.kind,
        "place": f"{name.header}:{name.line}",
    }
    if name.namespace:
        plain["namespace"] = name.namespace
    if name.parameters is not None:
        plain |= {"parameters": list(name.parameters), "required": name.required}
    return plain


def lines(found: SdkInventory) -> Iterator[Line]:
    """Table with the number of names, by folder of the SDK and by kind; then totals and the headers with errors."""
    groups = sorted({_group(name) for name in found.names})
    counted = Counter(
        (group, kind) for group, kind, _ in {(_group(n), n.kind, n.name) for n in found.names}
    )
    cells = [(group, *(str(counted[group, kind]) for kind in _KINDS)) for group in groups]
    columns = ("headers", *(f"{kind}s" for kind in _KINDS))
    yield from aligned(Table("", columns, tuple(cells), frozenset(range(1, len(columns)))))
    yield Line("")
    names = len({name.name for name in found.names})
    yield Line(f"{names} names; headers read: {len(found.headers)}, and those that they include")
    for header, error in found.incomplete.items():
        yield Line(f"incomplete: {header}: {error}", "yellow")


def _group(name: SdkName) -> str:
    """First folder in the path of the header; the header's name if the path has no folder."""
    return name.header.partition("/")[0]
