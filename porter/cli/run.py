"""`porter run`: port, build and package PyTorch."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from porter.base.errors import Findings, UsageError
from porter.cli import console, options
from porter.cli import on_host as on_host_option
from porter.cli.release_checks import release_to_port
from porter.cli.run_page import RunPage
from porter.cli.stage_timer import Clock
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.evidence import Evidence
from porter.model.ported import Ported
from porter.model.rewrite_result import Reason
from porter.model.summary import Summary
from porter.pipeline import stages
from porter.pipeline.stages import PipelineInputs
from porter.port import header_tree, outdated_patches, own_names
from porter.port.stage import PortSettings, ReportInputs
from porter.release import header_history, known
from porter.report import moved_headers, run_summary
from porter.report.evidence import below
from porter.report.findings import expired, findings, without_budget
from porter.report.summary import as_json, summarise

# The later stages are imported when they run, because a port alone does not need them.
if TYPE_CHECKING:
    from porter.model.pipeline import PipelineResult


@click.command()
@options.pytorch_src("PyTorch source tree; never modified.", required=True)
@options.release("PyTorch release of the tree; X.Y must agree with the tree's version.txt.")
@options.target
@options.out("Output folder; a port goes to DIR/<target>/<release>.")
@click.option(
    "--until",
    type=click.Choice(stages.UNTIL),
    default=stages.UNTIL[-1],
    show_default=True,
    help="Last stage to run.",
)
@click.option(
    "--kernels",
    default="all",
    show_default=True,
    metavar="WHICH",
    help="Kernels to build, separated by commas: all, core (for dense tensors only; takes half of the build time), or"
    " globs of upstream paths.",
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Continue after findings of the port; the command still ends with exit code 1. Leave out sources that do not"
    " compile, with their operators, and list them.",
)
@click.option(
    "--launcher",
    metavar="CMD",
    help="Program that runs the compiler; default: ccache if it is installed.",
)
@click.option(
    "--compiler",
    metavar="CXX",
    help="C++ compiler; default: the compiler of --sdk, else $CXX, else the compiler in the target's profile.",
)
@click.option(
    "--python",
    metavar="EXE",
    help="Python interpreter with an installed PyTorch; the backend is built against this PyTorch. Default: porter's"
    " own interpreter.",
)
@on_host_option.option
@options.sdk
@options.require
@options.jobs
@options.dry_run
@options.force
@click.option(
    "--no-page", is_flag=True, help="Do not write the page report.html and the history of runs."
)
@options.mappings
@options.as_json
def run(
    tree: Path,
    release: str | None,
    target: str,
    out: Path,
    until: str,
    kernels: str,
    keep_going: bool,
    launcher: str | None,
    compiler: str | None,
    python: str | None,
    on_host: bool,
    sdk_dirs: tuple[Path, ...],
    require: str | None,
    jobs: int,
    dry_run: bool,
    force: bool,
    no_page: bool,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Port PyTorch's CUDA sources to a target, register its operators, build the libraries and package them.

    Each stage ends with a summary of its results, omissions and hazards. A later run repeats only the work whose inputs
    changed.

    \b
    porter run --pytorch-src ../pytorch
    porter run --pytorch-src ../pytorch --target musa --until port --json
    porter run --pytorch-src ../pytorch --target musa --on-host
    porter run --pytorch-src ../pytorch --kernels 'core,aten/src/ATen/native/cuda/Spectral*'
    """
    if dry_run and until != "port":
        raise UsageError(
            "--dry-run works with --until port only: later stages need the written files",
            help="add --until port",
        )
    if on_host:
        on_host_option.check(sdk_dirs, dry_run=dry_run)
    clock = Clock()
    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    release = release_to_port(tree, release)
    if until == "package":
        header_tree.require_sources(tree)
        # The last stage needs this program: its absence is reported before an hour of compilation.
        from porter.package.libraries import patchelf

        patchelf()
    if on_host:
        out /= "on-host"
        sdk_folder = out / target / f"{release}-sdk"
        library = on_host_option.make(library, target, release, sdk_folder, silent=as_json)
    rules = header_tree.fitted(rule_cache.checked_rule_set(library, target, release), tree)
    sdk = options.read_sdk(sdk_dirs, require)
    report_inputs = ReportInputs(
        sdk, moved=lambda manifest: header_history.moved(tree, release, manifest.files)
    )
    overlays = options.read_overlays(library, target)
    folder = out / target / header_tree.named(tree, release)
    clock.lap("mapping")
    with console.progress(f"porting {release} to {target}") as progress:
        settings = PortSettings(jobs, dry_run, force, progress)
        ported = stages.port(
            tree, rules, library.digest(target), folder, settings, report_inputs, overlays
        )
    clock.lap("port")
    summary = ported.summary
    if summary is None and sdk and not dry_run:
        # The port is unchanged, but the evidence for its names may have changed.
        summary = report_inputs.write(ported.folder, ported.manifest, rules)
    summary = summary or summarise(ported.manifest, rules, sdk)
    clock.lap("report")
    if not as_json:
        console.print_lines(run_summary.lines(summary, ported, clock.seconds, dry_run))
    for text in moved_headers.warnings(summary.moved, header_history.read().former(release)):
        console.warn(text)
    unmapped = [word.name for word in summary.residue.get(Reason.UNMAPPED, ())]
    for name, place in own_names.declared(tree, ported.manifest.files, unmapped).items():
        console.warn(
            f"{name} is unmapped, but PyTorch itself declares this name ({place}): add a rule to pytorch/names.yaml"
        )
    for unbudgeted in without_budget(summary, library):
        console.warn(f"{unbudgeted.text}: porter regenerate will fail\n  help: {unbudgeted.help}")
    proven = known.read().proven("port")[-1]
    outdated = outdated_patches.reasons(tree, rules, (use.key for use in summary.broken), proven)
    problems = findings(summary, library, outdated) + expired(
        summary.overlays, datetime.date.today()
    )
    if require:
        problems += below(summary.names, Evidence(require), str(folder))
    page = None
    if not (dry_run or no_page):
        page = RunPage(ported, rules, tree, library, summary, jobs)
        page.after_port(clock.seconds)
        clock.lap("page")
    made = None
    if until != "port" and (keep_going or not problems):
        # Imported late: a port alone does not need the build's code.
        from porter.builder.build_context import BuildSettings

        headers = tree.absolute() if header_tree.read(tree) else None
        if sdk_dirs and rules.profile.sdk.compiler and until != "register":
            from porter.toolchain import vendor_sdk

            rules = rules._replace(profile=vendor_sdk.apply(rules.profile, sdk_dirs[0], compiler))
            # The flags are for the SDK's compiler. Therefore, $CXX does not replace this compiler.
            compiler = rules.profile.compiler
        build = BuildSettings(
            kernels, jobs, launcher, compiler, python or sys.executable, keep_going, headers
        )
        with console.progress(f"building for {target}", patient=True) as building:
            inputs = PipelineInputs(tree, folder, rules, library, settings, build, building)
            made = stages.run(inputs, until)
        for warning in made.built.warnings if made.built else ():
            console.warn(warning)
        clock.lap("later stages")
        if page:
            page.after_build(clock.seconds, made.built)
    if as_json:
        console.print_json(document(ported, summary, made, clock.seconds, dry_run))
    elif made:
        from porter.report import build_results

        console.print_lines(build_results.lines(made, folder))
    if page and not as_json:
        console.print_text(f"page    {page.place}\n")
    if problems:
        raise Findings(problems)
    return 0


def document(
    ported: Ported,
    summary: Summary,
    made: PipelineResult | None,
    seconds: dict[str, float],
    dry_run: bool,
) -> dict[str, object]:
    """Document that `--json` prints.

    It contains target, release, files, edits, residue by reason, hazards, seconds by stage, and results of the later
    stages.
    """
    data = as_json(summary)
    data["files"] = {
        "selected": summary.selected,
        "written": 0 if dry_run else ported.written,
        "unchanged": ported.unchanged,
    }
    if made:
        from porter.report import build_results

        data |= build_results.document(made)
    return {**data, "out": str(ported.folder), "dry_run": dry_run, "seconds": seconds}
