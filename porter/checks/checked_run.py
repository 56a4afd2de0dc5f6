"""Build and run of a program under the runtime's checks."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import SourceError
from porter.checks import findings, instrumented, schedule
from porter.checks.findings import Finding


class Outcome(NamedTuple):
    """Result of `check`."""

    findings: tuple[Finding, ...]
    code: int
    """Exit code of the program, 128 + number for a signal."""


def check(
    sources: Sequence[Path],
    arguments: Sequence[str],
    kinds: Sequence[str],
    options: Sequence[str] = (),
    *,
    quiet: bool = False,
) -> Outcome:
    """Build the program, run it with `arguments` under the checks `kinds`, and return what was found.

    If `quiet`, the program's standard output goes to stderr.

    Raises BuildError if the compiler fails, and SourceError if the program ends without a report.
    """
    with tempfile.TemporaryDirectory(prefix="porter-check-") as folder:
        program = instrumented.build(sources, Path(folder) / "program", options)
        report = Path(folder) / "report.json"
        outcome = run(
            program, arguments, [kind for kind in kinds if kind != "schedule"], report, quiet=quiet
        )
        if "schedule" not in kinds:
            return outcome
        return Outcome((*outcome.findings, *schedule.check(program, arguments)), outcome.code)


def run(
    program: Path,
    arguments: Sequence[str],
    kinds: Sequence[str],
    report: Path,
    *,
    quiet: bool = False,
) -> Outcome:
    """Run an instrumented program, and read its report. Raises SourceError as `check` does."""
    report.unlink(missing_ok=True)
    done = instrumented.run(program, arguments, kinds, report, quiet=quiet)
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode
    if not report.exists() and code == 0:
        return Outcome((), 0)  # the program does not use the device
    if not report.exists():
        help = "run it without checks first; a program that calls _exit or abort writes no report"
        raise SourceError(f"the program ended with code {code}, without a report", help=help)
    return Outcome(findings.read(report), code)
