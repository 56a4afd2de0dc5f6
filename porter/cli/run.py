"""`porter run`: the main job."""

from __future__ import annotations

from pathlib import Path

import click

from porter import console
from porter.cli import options
from porter.cli.clock import Clock
from porter.cli.releases import KNOWN_RELEASES
from porter.errors import Findings
from porter.mapping import cache
from porter.mapping.library import MappingLibrary
from porter.port import Ported, Settings
from porter.port import port as port_stage
from porter.report import text
from porter.report.findings import findings
from porter.report.summary import Summary, as_json, summarise
from porter.select import release_of


@click.command(short_help="Port PyTorch to a target: the main job.")
@options.pytorch_src("PyTorch source tree; never modified.", required=True)
@options.target
@options.out("The port goes to DIR/<target>/<release>.")
@click.option(
    "--until",
    type=click.Choice(["port"]),
    default="port",
    show_default=True,
    help="Last stage to run.",
)
@options.jobs
@options.dry_run
@options.force
@options.mappings
@options.as_json
def run(
    tree: Path,
    target: str,
    out: Path,
    until: str,
    jobs: int,
    dry_run: bool,
    force: bool,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Port PyTorch's CUDA sources to a target and say what was done, what was left, and what may be wrong.

    \b
    porter run --pytorch-src ../pytorch
    porter run --pytorch-src ../pytorch --target musa --json
    """
    clock = Clock()
    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    release = release_of(tree)
    if release not in KNOWN_RELEASES:
        known = ", ".join(KNOWN_RELEASES)
        console.warn(
            f"PyTorch {release} is not a release porter knows ({known}); using the newest rules"
        )
    rules = cache.rule_set(library, target, release)
    clock.lap("mapping")
    with console.progress(f"porting {release} to {target}") as progress:
        ported = port_stage(
            tree,
            rules,
            library.digest(target),
            out / target / release,
            Settings(jobs, dry_run, force, progress),
        )
    clock.lap("port")
    summary = ported.summary or summarise(ported.manifest, rules)
    clock.lap("report")
    if as_json:
        console.print_json(document(ported, summary, clock.seconds, dry_run))
    else:
        text.show(summary, ported, clock.seconds, dry_run)
    if problems := findings(summary, library):
        raise Findings(problems)
    return 0


def document(
    ported: Ported, summary: Summary, seconds: dict[str, float], dry_run: bool
) -> dict[str, object]:
    """What `--json` prints: target, release, files, edits, residue by reason, hazards, seconds by stage."""
    data = as_json(summary)
    data["files"] = {
        "selected": summary.selected,
        "written": 0 if dry_run else ported.written,
        "unchanged": ported.unchanged,
    }
    return {**data, "out": str(ported.folder), "dry_run": dry_run, "seconds": seconds}
