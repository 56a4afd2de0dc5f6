"""Report of regenerated ports: lines for a terminal, plain data, and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porter.base.errors import Problem
from porter.inspect.mapping_findings import CheckedMappings
from porter.report import diff
from porter.report.diff_text import markdown_body
from porter.vendor_repository.regenerate import LockState, Regenerated

_REPORTED = 200
"""Largest number of rows in a Markdown table: GitHub limits the summary of a job to 1 MiB."""
_HEADLINES = {
    LockState.AS_LOCKED: ("as locked", "as locked"),
    LockState.DRIFT: (
        "differs from its lock",
        "differs from its lock; the lock file was rewritten",
    ),
    LockState.NO_LOCK: ("has no lock", "had no lock file; porter wrote one"),
    LockState.LAYOUT: (
        "equals its lock file, whose layout is outdated",
        "equals its lock file, whose layout was outdated; the lock file was rewritten",
    ),
    LockState.FAILED: ("could not be ported", "could not be ported"),
}
"""Maps a state to two headlines: one for a comparison only, and one after the lock file was updated."""


def headline(result: Regenerated) -> str:
    """Short description of the port's state, such as `differs from its lock`."""
    return _HEADLINES[result.state][result.updated]


def document(checked: dict[str, CheckedMappings], results: Sequence[Regenerated]) -> dict[str, Any]:
    """Document that `--json` prints: findings of the mappings by target, and every port."""
    return {
        "mapping_check": {
            target: {
                "errors": [problem._asdict() for problem in found.errors],
                "warnings": [problem._asdict() for problem in found.warnings],
            }
            for target, found in checked.items()
        },
        "ports": [_port(result) for result in results],
    }


def _port(result: Regenerated) -> dict[str, Any]:
    lock = result.made.lock if result.made else None
    return {
        "target": result.target,
        "release": result.release,
        "state": str(result.state),
        "lock": str(result.lock),
        "updated": result.updated,
        "files": len(lock.files) if lock else None,
        "edits": lock.edits if lock else None,
        "seconds": round(result.seconds, 2),
        "problems": [problem._asdict() for problem in result.problems],
        "drift": diff.as_json(result.drift) if result.drift else None,
    }


def markdown(warnings: Sequence[Problem], results: Sequence[Regenerated]) -> str:
    """Page with a table of all ports, the warnings about mappings, and the drift and findings of each port."""
    out = ["# Ports and their lock files", ""]
    out += ["| target | PyTorch | files | edits | result |", "|---|---|---:|---:|---|"]
    for result in results:
        lock = result.made.lock if result.made else None
        figures = f"{len(lock.files)} | {lock.edits}" if lock else "|"
        out.append(f"| {result.target} | {result.release} | {figures} | {headline(result)} |")
    if warnings:
        out += ["", "## Mappings", "", *_fenced(warnings)]
    for result in results:
        if result.drift is None and not result.problems:
            continue
        out += ["", f"## {result.target} {result.release}", "", *_fenced(result.problems)]
        if result.drift:
            out += [f"a is `{result.lock.name}`, b is the new port.", ""]
            out += markdown_body(result.drift, _REPORTED, level=3)
    return "\n".join(out) + "\n"


def _fenced(problems: Sequence[Problem]) -> list[str]:
    return [line for problem in problems for line in ("```", str(problem), "```")]
