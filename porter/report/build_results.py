"""Results of the stages `register` to `package`, as tables for a terminal and as plain data for `--json`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porter.model.build import to_json
from porter.report import registration as registration_report
from porter.report.tables import Line, Table, aligned, titled

if TYPE_CHECKING:
    from porter.model.build import BuildResult
    from porter.model.pipeline import PipelineResult

_SHOWN = 10
"""Largest number of rows of a list on a terminal. The files whose paths are printed last have all rows."""


def lines(made: PipelineResult, folder: Path) -> Iterator[Line]:
    """Lines for a terminal: registered operators, built sources, sources left out, and paths of the results."""
    head, *body = registration_report.rows(made.registered.tallies)
    yield Line("")
    yield from aligned(Table("", head, tuple(body), frozenset(range(1, len(head)))))
    if rows := tuple(registration_report.asking(made.registered.decisions)):
        title = "registered, but libtorch_cpu compares the device type with CUDA"
        head = ("key", "operator", "function", "file")
        yield from titled(Table(title, head, rows, bad=True), _SHOWN)
    if made.built:
        yield from _built(made.built)
    yield Line("")
    yield Line(f"operators  {made.registered.report}")
    if made.built:
        yield Line(f"build      {folder / 'build' / 'result.json'}")
    if made.own_ops:
        yield Line(f"own        {made.own_ops.package}")
        yield from (Line(f"note       {note}") for note in made.own_ops.notes)
    if made.packaged:
        yield Line(f"wheel      {made.packaged.wheel}")


def _built(result: BuildResult) -> Iterator[Line]:
    spent = ", ".join(f"{step} {value:.1f}" for step, value in result.seconds.items())
    yield Line("")
    yield Line(
        f"built      {len(result.built)} sources, {result.compiled} objects and libraries by this run"
    )
    yield Line(f"seconds    {spent}")
    if result.failed:
        rows = tuple((failed.place, failed.text.splitlines()[0]) for failed in result.failed)
        yield from titled(Table("fails to compile", ("source", "why"), rows, bad=True), _SHOWN)
    if result.left_out:
        rows = tuple((left.path, left.reason) for left in result.left_out)
        table = Table("compiles, but requires a failed source", ("source", "why"), rows, bad=True)
        yield from titled(table, _SHOWN)


def document(made: PipelineResult) -> dict[str, Any]:
    """Plain data for `--json`: numbers of registrations, result of the build, path of the wheel."""
    data: dict[str, Any] = {
        "registered": [
            tally._asdict() | {"left": dict(tally.left)} for tally in made.registered.tallies
        ],
        "ops": str(made.registered.report),
    }
    if made.built:
        data["build"] = to_json(made.built)
    if made.own_ops:
        data["own_ops"] = {
            "package": str(made.own_ops.package),
            "notes": list(made.own_ops.notes),
        }
    if made.packaged:
        data["wheel"] = str(made.packaged.wheel)
    return data
