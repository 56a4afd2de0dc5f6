"""Code shared by `porter verify` and `porter device-tests`: finding the backend, and output of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porter.base.fs import write_if_changed
from porter.cli import console
from porter.cli.releases import KNOWN_RELEASES
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary

# Imported when they are needed: --help does not wait for them.
if TYPE_CHECKING:
    from porter.mapping.expected_failures import Explained, File
    from porter.model.verify import CheckResult, VerificationResult
    from porter.report.tables import Line
    from porter.verify.worker_process import BackendLocation


class CommandOutput(NamedTuple):
    """Result of a command in each form of output."""

    command: str
    counts: Mapping[str, Mapping[str, int]]
    again: Callable[[CheckResult], str]
    """Function that returns the command to repeat a case."""
    page: Callable[[], str]
    """Function that returns the Markdown page."""
    lines: Callable[[], Iterator[Line]]


def backend(
    target: str, mapping_dirs: tuple[Path, ...], python: str
) -> tuple[BackendLocation, File]:
    """Location of a target's installed backend, and its expected failures."""
    from porter.mapping import expected_failures
    from porter.verify.worker_process import BackendLocation

    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    profile = rule_cache.rule_set(library, target, KNOWN_RELEASES[-1]).profile
    where = BackendLocation(python, f"torch_{profile.lower}", profile.device)
    return where, expected_failures.read(library.special(target, expected_failures.FILE))


def tell(
    told: CommandOutput,
    done: VerificationResult,
    explained: Explained,
    *,
    junit: Path | None,
    markdown: Path | None,
    as_json: bool,
) -> int:
    """Write and print the result. Returns exit code 1 for unexplained failures, else 0."""
    from porter.report import verification as report

    if junit is not None:
        write_if_changed(junit, report.junit(done, told.command))
    if markdown is not None:
        write_if_changed(markdown, told.page())
    if as_json:
        console.print_json(report.document(done, explained, told.counts, told.again))
    else:
        console.print_lines(told.lines())
    return 1 if explained.unknown else 0
