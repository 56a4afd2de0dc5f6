"""`porter scan`: contents of CUDA sources before they are ported."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from porter.base import regular_files
from porter.base.errors import SourceError, UsageError
from porter.cli import console, options
from porter.cli.release_checks import KNOWN_RELEASES, check_release
from porter.inspect.cuda_usage import ApiDetector
from porter.inspect.scan import scan as scan_stage
from porter.mapping import inventory, pytorch_names, rule_cache
from porter.mapping.library import LAYERS, MappingLibrary
from porter.model.cuda_project import PathNaming
from porter.model.rules import RuleSet, Selection
from porter.port import cuda_project as project_port
from porter.port import project_names
from porter.port.file import check_text
from porter.port.select import release_of, select
from porter.port.source_tree import gather
from porter.port.stage import Progress, plan_of
from porter.report import scan_report as report


@click.command()
@options.sources
@options.any_target("Also list the outcomes of a port to this target.")
@options.release(
    "PyTorch release that the source is written for; default: the release of a PyTorch source tree, else"
    f" {KNOWN_RELEASES[-1]}."
)
@options.exclude
@click.option("--names", is_flag=True, help="List every name, not only the most frequent names.")
@options.mappings
@options.as_json
def scan(
    given: tuple[Path, ...],
    target: str | None,
    release: str | None,
    exclude: tuple[str, ...],
    names: bool,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """List the contents of CUDA sources: APIs by area, headers, launches, hazards.

    In a PyTorch source tree, porter reads the files that `porter run` would port; in any other folder, porter reads all
    C, C++ and CUDA files. The areas are the API areas of CUDA's headers. The area `other` contains words that look like
    names of CUDA but that CUDA's headers do not declare, for example names of PyTorch or of the project.

    \b
    porter scan ../pytorch
    porter scan my_extension --target musa --names
    """
    library = MappingLibrary.find(mapping_dirs)
    if release is not None:
        check_release(release)
    tree = pytorch_tree(given)
    if tree and exclude:
        raise UsageError("--exclude has no effect on a PyTorch source tree")
    release = release or (release_of(tree) if tree else KNOWN_RELEASES[-1])
    rules = _rules(library, target, release)
    if tree:
        plan = plan_of(select(tree, rules.selection), rules)
        root, paths, moved = tree, [job.path for job in plan.jobs], plan.moved
        own = None
    else:
        project = gather(given, exclude, skip_unreadable=True)
        for skipped in project.skipped:
            if skipped.is_unreadable:
                console.warn(f"{skipped.path} is not scanned: {skipped.reason}")
        for file in project.files:
            if file.is_unread_source:
                console.warn(f"{file.path} is not scanned: {file.why_copied}")
        moved = project_port.plan_of(project, rules, PathNaming.SUFFIX).moved
        root, paths = project.root, project.sources
        table = pytorch_names.read(library.special("pytorch", pytorch_names.FILE))
        own = project_names.collect(project, rules, table) if target else None
    apis = ApiDetector(inventory.read(library.special("cuda", "inventory.json")), rules.vendor)
    with console.progress("scanning") as progress:
        found = scan_stage(
            _read(root, paths, progress), apis, rules, moved, own, with_outcomes=target is not None
        )
    if as_json:
        head = {"target": target, "release": release, "pytorch": tree is not None}
        console.print_json({**head, "root": str(root), **report.document(found)})
    else:
        what = f"PyTorch {release}" if tree else str(root)
        title = f"{what} for {target}" if target else what
        console.print_lines(report.lines(found, title, names=names))
    return 0


def pytorch_tree(given: tuple[Path, ...]) -> Path | None:
    """Root of a PyTorch source tree, if it is the only given path; else None."""
    try:
        release_of(given[0])
    except SourceError:
        return None
    return given[0] if len(given) == 1 else None


def _rules(library: MappingLibrary, target: str | None, release: str) -> RuleSet:
    """Rule set of a target; if `target` is None, the rule set of an arbitrary target.

    The rules for CUDA and PyTorch are the same for all targets, and so is the selection without what the arbitrary
    target adds and excludes.
    """
    if target:
        library.root_of(target)
        return rule_cache.rule_set(library, target, release)
    known = library.targets()
    rules = rule_cache.rule_set(library, "simt" if "simt" in known else known[0], release)
    folders, excluded = rules.selection
    common = Selection(
        tuple(one for one in folders if one.origin.file.split("/")[0] in LAYERS),
        tuple(one for one in excluded if one.origin.file.split("/")[0] in LAYERS),
    )
    return rules._replace(selection=common)


def _read(root: Path, paths: list[str], progress: Progress) -> Iterator[tuple[str, bytes]]:
    for done, path in enumerate(paths):
        progress(done, len(paths))
        try:
            raw = regular_files.read_bytes(root / path)
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", str(root / path)) from None
        check_text(raw, path)
        yield path, raw
