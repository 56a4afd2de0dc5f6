"""`porter doctor`: check of this machine for everything that porter needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from porter.cli import console, options
from porter.cli.release_checks import KNOWN_RELEASES
from porter.inspect import doctor as examination
from porter.inspect.doctor import MachineCheck, State
from porter.mapping.library import MappingLibrary
from porter.report.tables import Line

_STYLES = {State.OK: "green", State.WARN: "yellow", State.FAIL: "red"}


@click.command()
@options.any_target("Target to check; default: the targets of porter.toml, else all targets.")
@options.pytorch_src("PyTorch source tree to check.")
@options.out("Output folder to check.")
@options.mappings
@options.as_json
def doctor(
    target: str | None,
    tree: Path | None,
    out: Path,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Check that this machine has everything that porter needs, and print advice about missing parts.

    Each line of the result begins with a state: `ok`; `warn` if a later stage fails or porter is slower; `fail` if
    `porter run` cannot work. The last line counts the problems. The exit code is 1 if a line has the state `fail`.
    """
    library = MappingLibrary.find(mapping_dirs)
    if target:
        library.root_of(target)
    targets = options.targets((target,) if target else (), mapping_dirs) or library.targets()
    checks = list(examination.examine(library, targets, KNOWN_RELEASES, out=out, tree=tree))
    failed = any(check.state is State.FAIL for check in checks)
    if as_json:
        rows = [
            {"name": c.name, "state": str(c.state), "text": c.text, "help": c.help} for c in checks
        ]
        problems = {str(state): _count(checks, state) for state in (State.FAIL, State.WARN)}
        console.print_json({"ok": not failed, "problems": problems, "checks": rows})
    else:
        console.print_lines(_lines(checks))
    return 1 if failed else 0


def _lines(checks: Sequence[MachineCheck]) -> Iterator[Line]:
    width = max(len(check.name) for check in checks)
    for check in checks:
        text = f"{check.state:<4}  {check.name:<{width}}  {check.text}"
        yield Line(text, _STYLES[check.state])
        if check.help:
            yield Line(f"{'':<{width + 8}}help: {check.help}")
    fails, warns = _count(checks, State.FAIL), _count(checks, State.WARN)
    shown = (
        f"{fails + warns} problem{'' if fails + warns == 1 else 's'}: {fails} fail, {warns} warn"
        if fails + warns
        else "no problems"
    )
    yield Line(f"{len(checks)} checks, {shown}")


def _count(checks: Sequence[MachineCheck], state: State) -> int:
    return sum(check.state is state for check in checks)
