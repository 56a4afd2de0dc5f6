"""Table of a port's files. The shade of a number shows how large it is in comparison with the other files."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from porter.model.manifest import Manifest, PortedFile
from porter.model.port_page import PortPage
from porter.model.rewrite_result import Reason
from porter.report.pages.markup import Html, fragment, join, table, tag
from porter.report.tables import Table

_COLUMNS = ("file", "edits", "left", "to decide", "hazards", "not built", "operators", "reason")
"""Columns: residue that is correct or has a reason; residue without a decision; operators that are not registered."""
_UNDECIDED = (Reason.UNMAPPED, Reason.AMBIGUOUS)
_SHADES = 5


def body(manifest: Manifest, data: PortPage) -> Html:
    """Table with one row for each file."""
    broken = not_built(data)
    failing = failing_operators(manifest, data)
    counted = [
        (file.to, _numbers(file, path in broken, failing[path]), broken.get(path, file.reason))
        for path, file in sorted(manifest.files.items(), key=lambda item: item[1].to)
    ]
    largest = [max(column) for column in zip(*(numbers for _, numbers, _ in counted), strict=True)]
    rows = tuple((to, *map(str, numbers), reason) for to, numbers, reason in counted)
    cells = ([_name(to), *map(_heat, numbers, largest), reason] for to, numbers, reason in counted)
    shown = Table("Files", _COLUMNS, rows, frozenset(range(1, len(_COLUMNS) - 1)))
    note = tag(
        "p",
        "left: vendor words that stay for a stated reason. to decide: unmapped and ambiguous words. operators: "
        "operators of the file that are not registered.",
    )
    return join([note, table(shown, cells=cells, class_="tree")], "\n")


def _numbers(file: PortedFile, broken: bool, failing: int) -> tuple[int, ...]:
    undecided = sum(left.places for left in file.residue if left.reason in _UNDECIDED)
    left = sum(left.places for left in file.residue) - undecided
    hazards = sum(hazard.places for hazard in file.hazards)
    return (file.edits, left, undecided, hazards, int(broken), failing)


def not_built(data: PortPage) -> dict[str, str]:
    """Maps the upstream path of each source that failed to build, or was left out, to the reason."""
    made = {}
    for name in ("failed", "left_out"):
        for one in tables((data.build or {}).get(name)):
            made[str(one.get("path"))] = str(one.get("reason") or one.get("place") or name)
    return made


def failing_operators(manifest: Manifest, data: PortPage) -> Counter[str]:
    """Number of unregistered operators whose reason names the file, by upstream path."""
    details: defaultdict[str, int] = defaultdict(int)
    for one in tables((data.operators or {}).get("ops")):
        if one.get("reason"):
            details[str(one.get("detail"))] += 1
    found = Counter[str]()
    for detail, count in details.items():
        for word in detail.replace(",", " ").replace(":", " ").split():
            if word in manifest.files:
                found[word] += count
    return found


def tables(value: object) -> Iterable[Mapping[str, object]]:
    """Tables in a list of JSON data; other values, which a damaged file may contain, are left out."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _name(path: str) -> Html:
    folder, slash, name = path.rpartition("/")
    shown = [tag("span", folder + slash, class_="dir"), name] if slash else [name]
    return tag(
        "td", tag("a", *shown, href=f"#file={fragment(path)}"), data_path=path, class_="code"
    )


def _heat(value: int, most: int) -> Html:
    """Cell with a number. Its shade is on a logarithmic scale: a few files have most of the edits."""
    shade = math.ceil(_SHADES * math.log1p(value) / math.log1p(most)) if value else 0
    return tag("td", f"{value:,}" if value else "", class_=f"n h{shade}" if shade else "n")
