"""`porter verify --check` and `porter device-tests --check`: options, and output of the findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from porter.base.errors import UsageError
from porter.checks.findings import KINDS
from porter.cli import console, options

if TYPE_CHECKING:
    from porter.verify.checked import CheckedCases
    from porter.verify.scheduler import Progress


class Given(NamedTuple):
    """Options of the checks."""

    kinds: tuple[str, ...]
    sources: tuple[str, ...]
    suppressions: Path | None

    def refuse_misuse(self, *reports: Path | None) -> None:
        """Raises UsageError for options that need --check, or for files that --check does not write."""
        if (self.sources or self.suppressions) and not self.kinds:
            raise UsageError("--sources and --suppressions need --check", help="give --check race")
        if self.kinds and any(reports):
            raise UsageError("--check writes neither --junit nor --markdown", help="use --json")


def check_options(default: str) -> Callable[[Any], Any]:
    """Decorator with the options --check, --sources and --suppressions. `default`: sources without --sources."""
    decorators: Sequence[Callable[[Any], Any]] = (
        click.option(
            "--check",
            "kinds",
            type=options.Words(KINDS),
            default=(),
            metavar="KIND,...",
            help=f"Check the kernels instead of the results, with instrumented kernels: {', '.join(KINDS)}.",
        ),
        click.option(
            "--sources",
            type=options.Words(),
            default=(),
            metavar="GLOB,...",
            help=f"With --check: upstream paths of the kernels to instrument; default: {default}.",
        ),
        click.option(
            "--suppressions",
            type=options.PathArgument(dir_okay=False),
            metavar="FILE",
            help="With --check: YAML file with accepted findings, each with a reason.",
        ),
    )

    def decorate(command: Any) -> Any:
        for one in reversed(decorators):
            command = one(command)
        return command

    return decorate


def run(
    given: Given, target: str, work: Callable[[Progress], CheckedCases], *, as_json: bool
) -> int:
    """Do the work under the checks, and print the findings. Returns 1 if something is found, else 0."""
    from porter.checks import findings
    from porter.checks import suppressions as accepted

    known = accepted.read(given.suppressions) if given.suppressions else ()
    with console.progress(f"checking {target}", patient=True) as progress:
        done = work(progress)
    left = [one for one in done.findings if accepted.split((one.finding,), known)[0]]
    hidden = len(done.findings) - len(left)
    if as_json:
        data = [{**findings.as_json((one.finding,))[0], "cases": list(one.cases)} for one in left]
        counts = {
            "sources": list(done.sources),
            "launched": list(done.launched),
            "cases": len(done.statuses),
            "ended": done.ended,
        }
        console.print_json({"findings": data, "suppressed": hidden, **counts})
    else:
        for one in left:
            console.print_text(f"{findings.text(one.finding)}\n")
            more = f" and {len(one.cases) - 1} more" if len(one.cases) > 1 else ""
            console.print_text(f"  in {one.cases[0]}{more}\n")
        count = findings.count_text(len(left), hidden)
        console.print_text(
            f"{count} in {len(done.statuses)} cases, which launched kernels of {len(done.launched)} of "
            f"{len(done.sources)} instrumented sources\n"
        )
        for status, number in done.ended.items():
            console.print_text(f"  {number} cases ended with {status}\n")
    return 1 if left else 0
