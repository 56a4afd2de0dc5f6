"""`porter verify --check`: findings of the runtime's checks over PyTorch's operators."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porter.cli import console

if TYPE_CHECKING:
    from porter.verify.operators import OperatorSelection
    from porter.verify.worker_process import BackendLocation


class Given(NamedTuple):
    """Arguments of the command."""

    where: BackendLocation
    out: Path
    """Folder of the target's ports."""
    asked: OperatorSelection
    kinds: tuple[str, ...]
    sources: tuple[str, ...]
    suppressions: Path | None


def run(given: Given, target: str, *, as_json: bool) -> int:
    """Run the operators under the checks, and print the findings. Returns 1 if something is found, else 0."""
    from porter.checks import findings
    from porter.checks import suppressions as accepted
    from porter.verify import checked

    known = accepted.read(given.suppressions) if given.suppressions else ()
    with console.progress(f"checking {target}", patient=True) as progress:
        done = checked.verify(
            given.where, given.out, given.asked, given.kinds, given.sources, progress
        )
    left = [one for one in done.findings if accepted.split((one.finding,), known)[0]]
    hidden = len(done.findings) - len(left)
    if as_json:
        data = [{**findings.as_json((one.finding,))[0], "cases": list(one.cases)} for one in left]
        counts = {"sources": list(done.sources), "cases": len(done.statuses), "ended": done.ended}
        console.print_json({"findings": data, "suppressed": hidden, **counts})
    else:
        for one in left:
            console.print_text(f"{findings.text(one.finding)}\n")
            more = f" and {len(one.cases) - 1} more" if len(one.cases) > 1 else ""
            console.print_text(f"  in {one.cases[0]}{more}\n")
        count = findings.count_text(len(left), hidden)
        console.print_text(
            f"{count} in {len(done.statuses)} cases, {len(done.sources)} instrumented sources\n"
        )
        for status, number in done.ended.items():
            console.print_text(f"  {number} cases ended with {status}\n")
    return 1 if left else 0
