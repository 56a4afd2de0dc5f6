"""Table of a port's files. The shade of a number shows how large it is in comparison with the other files."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from porter.model.manifest import Manifest, PortedFile
from porter.model.port_page import PortPage
from porter.model.rewrite_result import Reason
from porter.report.pages.markup import Html, fragment, join, table, tag
from porter.report.tables import Table

_COLUMNS = (
    *("file", "edits", "left", "to decide", "hazards", "not built", "unregistered", "failed"),
    "reason",
)
"""Columns: `left` is residue that is correct or has a reason, `to decide` is residue without a decision. `unregistered`
and `failed` are numbers of operators: not registered, and with a failed check of `porter verify`."""
_FUNCTIONAL = "nn.functional."
_UNDECIDED = (Reason.UNMAPPED, Reason.AMBIGUOUS)
_SHADES = 5


def body(manifest: Manifest, data: PortPage) -> Html:
    """Table with one row for each file."""
    broken = not_built(data)
    left_out, failed = unregistered_operators(manifest, data), failed_operators(data)
    counted = []
    for path, file in sorted(manifest.files.items(), key=lambda item: item[1].to):
        operators = (left_out[path], len(failed.get(path, ())))
        reason = broken.get(path, file.reason)
        if path in failed:
            reason = "; ".join(filter(None, (reason, "failed: " + ", ".join(sorted(failed[path])))))
        counted.append((file.to, _numbers(file, path in broken, operators), reason))
    largest = [max(column) for column in zip(*(numbers for _, numbers, _ in counted), strict=True)]
    rows = tuple((to, *map(str, numbers), reason) for to, numbers, reason in counted)
    cells = ([_name(to), *map(_heat, numbers, largest), reason] for to, numbers, reason in counted)
    shown = Table("Files", _COLUMNS, rows, frozenset(range(1, len(_COLUMNS) - 1)))
    note = tag(
        "p",
        "left: vendor words that stay for a stated reason. to decide: unmapped and ambiguous words. unregistered: "
        "operators of the file that are not registered. failed: operators of the file for which a check of porter "
        "verify failed; the last column names them.",
    )
    checks = tag("p", _checks(data, failed))
    return join([note, checks, table(shown, cells=cells, class_="tree")], "\n")


def _checks(data: PortPage, failed: Mapping[str, AbstractSet[str]]) -> str:
    """Sentence about the results of `porter verify`."""
    if data.failed is None:
        return (
            "There are no results of checks: run porter verify, then porter report DIR --html FILE."
        )
    located = {name for names in failed.values() for name in names}
    elsewhere = sorted(data.failed - located)
    text = f"{len(data.failed):,} operators failed a check of porter verify."
    if elsewhere:
        text += f" No file of the port has the kernel of: {', '.join(elsewhere)}."
    return text


def _numbers(file: PortedFile, broken: bool, operators: tuple[int, ...]) -> tuple[int, ...]:
    undecided = sum(left.places for left in file.residue if left.reason in _UNDECIDED)
    left = sum(left.places for left in file.residue) - undecided
    hazards = sum(hazard.places for hazard in file.hazards)
    return (file.edits, left, undecided, hazards, int(broken), *operators)


def not_built(data: PortPage) -> dict[str, str]:
    """Maps the upstream path of each source that failed to build, or was left out, to the reason."""
    made = {}
    for name in ("failed", "left_out"):
        for one in tables((data.build or {}).get(name)):
            made[str(one.get("path"))] = str(one.get("reason") or one.get("place") or name)
    return made


def unregistered_operators(manifest: Manifest, data: PortPage) -> Counter[str]:
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


def failed_operators(data: PortPage) -> dict[str, set[str]]:
    """Maps upstream paths to the operators whose checks failed and whose kernels are in the file.

    The operators have their names in PyTorch's operator database.
    """
    by_name: defaultdict[str, set[str]] = defaultdict(set)
    for one in tables((data.operators or {}).get("ops")):
        files = one.get("files")
        if isinstance(files, list):
            by_name[str(one.get("op")).partition(".")[0]].update(map(str, files))
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name in data.failed or ():
        # The database writes `linalg.eig` for linalg_eig, and `norm.nuc` for a variant of norm.
        parts = name.removeprefix(_FUNCTIONAL).split(".")
        known = ("_".join(parts[:end]) for end in range(len(parts), 0, -1))
        for path in by_name.get(next((one for one in known if one in by_name), ""), ()):
            found[path].add(name)
    return dict(found)


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
