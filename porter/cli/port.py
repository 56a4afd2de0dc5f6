"""`porter port`: port of any CUDA source that is not part of PyTorch."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import Findings, Problem, UsageError
from porter.cli import console, options
from porter.cli import on_host as on_host_option
from porter.cli.release_checks import KNOWN_RELEASES, check_release
from porter.cli.stage_timer import Clock
from porter.inspect.locate import is_tree
from porter.mapping import pytorch_names as pytorch_table
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.cuda_project import ByHand, PathNaming
from porter.model.evidence import Evidence
from porter.model.rewrite_result import Reason
from porter.model.summary import Summary
from porter.port import cuda_project as project_port
from porter.port import project_names
from porter.port.source_tree import gather
from porter.port.stage import PortSettings, ReportInputs, check_alone
from porter.report import cuda_project_report as report
from porter.report.evidence import below
from porter.toolkit import contract


@click.command()
@options.sources
@options.target
@options.out("Output folder; the port goes to DIR/<target>.", required=True)
@options.release("PyTorch release that the source is written for.", KNOWN_RELEASES[-1])
@options.exclude
@click.option("--keep-names", is_flag=True, help="Rename no files.")
@click.option(
    "--pytorch-names",
    is_flag=True,
    help="Rename folders and files, and not only suffixes, by the rules for PyTorch's own files.",
)
@on_host_option.option
@options.sdk
@options.require
@options.jobs
@click.option(
    "--rename-own",
    is_flag=True,
    help="Also rename names that the project itself declares, at the declaration and at each use.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 if names of CUDA are unmapped, or if places are ambiguous.",
)
@options.dry_run
@options.force
@options.mappings
@options.as_json
def port(
    given: tuple[Path, ...],
    target: str,
    out: Path,
    release: str,
    exclude: tuple[str, ...],
    keep_names: bool,
    pytorch_names: bool,
    on_host: bool,
    sdk_dirs: tuple[Path, ...],
    require: str | None,
    jobs: int,
    rename_own: bool,
    strict: bool,
    dry_run: bool,
    force: bool,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Port any CUDA source: the folder of an extension, a sample, or single files.

    The rules are those of `porter run`. C, C++ and CUDA files are ported. All other files, for example setup.py and
    CMakeLists.txt, are copied unchanged; such a file is listed if it mentions CUDA or a file that the port renames. By
    default, a port changes only the suffixes of file names, as the target's profile states. The folder `contract`
    beside the ported sources states flags, include folders, libraries and renamed macros for build systems.

    Names that headers of CUDA or PyTorch declare are ported. Names that the project itself declares keep their names,
    and so do names of other libraries, such as cv::cuda::GpuMat.

    \b
    porter port my_extension --target musa --out ported
    porter port vector_add.cu --out ported --json
    porter port my_extension --target musa --strict --out ported
    porter port my_extension --target musa --on-host --out ported
    """
    if on_host:
        on_host_option.check(sdk_dirs, dry_run=dry_run)
    clock = Clock()
    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    check_release(release)
    check_alone(out / target)
    if on_host:
        sdk_folder = out / f"{target}-sdk"
        library = on_host_option.make(library, target, release, sdk_folder, silent=as_json)
    for tree in filter(is_tree, given):
        console.warn(
            f"{tree} is PyTorch's source tree: use `porter run`, which ports the files that a backend needs"
        )
    project = gather(given, exclude, skip_unreadable=True)
    for skipped in project.skipped:
        if skipped.is_unreadable:
            console.warn(f"{skipped.path} is not ported: {skipped.reason}")
    for file in project.files:
        if file.is_unread_source:
            console.warn(f"{file.path} is copied: {file.why_copied}")
    rules = rule_cache.checked_rule_set(library, target, release)
    sdk = options.read_sdk(sdk_dirs, require)
    clock.lap("mapping")
    naming = _naming(keep_names, pytorch_names)
    table = pytorch_table.read(library.special("pytorch", pytorch_table.FILE))
    names = project_names.collect(project, rules, table, jobs=jobs, rename=rename_own)
    plan = project_port.plan_of(project, rules, naming)._replace(names=names)
    by_hand = ByHand(tuple(project_port.mentions(project, plan, rules)), project.skipped)
    with console.progress(f"porting to {target}") as progress:
        ported = project_port.port(
            project,
            given,
            plan,
            rules,
            library.digest(target),
            out / target,
            PortSettings(jobs, dry_run, force, progress),
            ReportInputs(sdk, by_hand),
        )
    if not dry_run:
        contract.write(ported.folder, ported.manifest, rules, by_hand)
    clock.lap("port")
    summary = report.summary_of(ported.manifest, rules, sdk)
    clock.lap("report")
    if as_json:
        data = report.document(ported.manifest, summary, by_hand)
        data["files"] |= {
            "written": 0 if dry_run else ported.written,
            "unchanged": ported.unchanged,
        }
        run = {"out": str(ported.folder), "dry_run": dry_run, "seconds": clock.seconds}
        console.print_json(data | run)
    else:
        console.print_lines(report.lines(ported, summary, by_hand, clock.seconds, dry_run))
    if strict and (left := _undecided(summary)):
        raise Findings(left)
    if require and (weak := below(summary.names, Evidence(require), str(ported.folder))):
        raise Findings(weak)
    return 0


def _undecided(summary: Summary) -> list[Problem]:
    """Problems of `--strict`: one for each unmapped or ambiguous word."""
    return [
        Problem(f"{reason}: {word.name}", word.first, word.note)
        for reason in (Reason.UNMAPPED, Reason.AMBIGUOUS)
        for word in summary.residue[reason]
    ]


def _naming(keep_names: bool, pytorch_names: bool) -> PathNaming:
    if keep_names and pytorch_names:
        raise UsageError("--keep-names and --pytorch-names contradict each other")
    if keep_names:
        return PathNaming.KEEP
    return PathNaming.PYTORCH if pytorch_names else PathNaming.SUFFIX
