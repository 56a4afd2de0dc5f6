"""Code shared by `porter verify` and `porter device-tests`: search for the backend, and output of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porter.base.fs import write_if_changed
from porter.cli import console
from porter.cli.release_checks import KNOWN_RELEASES
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.port.state import PAGE

# These modules are imported late at run time, because `--help` does not need them.
if TYPE_CHECKING:
    from porter.mapping.expected_failures import Explained, File
    from porter.model.verify import CheckResult, VerificationResult
    from porter.report.tables import Line
    from porter.verify.worker_process import BackendLocation


class CommandOutput(NamedTuple):
    """Output of a command: its counts, and functions that make its texts."""

    command: str
    """Command whose output this is: `porter verify` or `porter device-tests`."""
    counts: Mapping[str, Mapping[str, int]]
    """Maps a check (`porter verify`) or a test file (`porter device-tests`) to a map from status to number."""
    again: Callable[[CheckResult], str]
    """Function that returns the command line that repeats a check or test."""
    page: Callable[[], str]
    """Function that returns the text of the Markdown page."""
    lines: Callable[[], Iterator[Line]]
    """Function that returns the lines for a terminal."""


def backend(
    target: str, mapping_dirs: tuple[Path, ...], python: str
) -> tuple[BackendLocation, File]:
    """Location of a target's installed backend, and the target's expected failures."""
    from porter.mapping import expected_failures
    from porter.verify.worker_process import BackendLocation

    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    profile = rule_cache.rule_set(library, target, KNOWN_RELEASES[-1]).profile
    where = BackendLocation(python, f"torch_{profile.lower}", profile.device)
    return where, expected_failures.read(library.special(target, expected_failures.FILE))


def write_results(
    output: CommandOutput,
    done: VerificationResult,
    explained: Explained,
    *,
    junit: Path | None,
    markdown: Path | None,
    as_json: bool,
) -> int:
    """Print the results, and write the requested files. Returns exit code 1 for unexplained failures, else 0."""
    from porter.report import verification as report

    if junit is not None:
        write_if_changed(junit, report.junit(done, output.command))
    if markdown is not None:
        write_if_changed(markdown, output.page())
    from porter.report.pages import verification_page

    title = f"{output.command}: {done.setting.package} with PyTorch {done.setting.torch}"
    place = done.folder / PAGE
    made = verification_page.render(title, done, explained, output.counts, output.again)
    write_if_changed(place, made)
    if as_json:
        console.print_json(report.document(done, explained, output.counts, output.again))
    else:
        console.print_lines(output.lines())
        console.print_text(f"{'page':10} {place}\n")
    return 1 if explained.unknown else 0
