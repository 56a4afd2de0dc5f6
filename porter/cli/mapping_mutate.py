"""`porter mapping mutate`: deletes or misspells rules one by one, and counts the wrong rules that porter notices."""

from __future__ import annotations

from pathlib import Path

import click

from porter.base.errors import UsageError
from porter.cli import console, options
from porter.cli.release_checks import release_to_port
from porter.mapping.library import MappingLibrary


@click.command(short_help="Measure how many wrong rules porter notices.")
@options.target
@options.pytorch_src("PyTorch's source tree or a header tree.", required=True)
@options.release("PyTorch release of the tree; X.Y must agree with the tree's version.txt.")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of mutants to test, chosen at random, but the same in every run; default: all.",
)
@click.option(
    "--min-score",
    type=click.FloatRange(0, 100),
    default=0,
    metavar="PERCENT",
    help="Exit with code 1 if the mutation score is below PERCENT; default: 0.",
)
@options.markdown
@options.sdk
@click.option(
    "--on-host",
    "build",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Folder of a build on the host (made by porter run --on-host --until compile); sources that a mutant changes"
    " are compiled there.",
)
@options.jobs
@options.mappings
@options.as_json
def mutate(
    target: str,
    tree: Path,
    release: str | None,
    sample: int | None,
    min_score: float,
    markdown: Path | None,
    sdk_dirs: tuple[Path, ...],
    build: Path | None,
    jobs: int,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Measure how many wrong rules porter notices (mutation score).

    A mutant is the mappings with one wrong rule: the rule, or one name in its list of names, is deleted or misspelt.
    Only rules and names with hits in the port of a source tree are changed. A mutant is noticed if `porter mapping
    check` has a new finding, or if the port has new undecided text or fewer hits than expected. With --sdk, a mutant is
    also noticed if the port has a name that the SDK lacks; with --on-host, if a changed source does not compile.
    Mutants that change no meaning are equivalent and do not count; nor do changed texts of patches without --on-host,
    because only a compiler can notice these. All remaining mutants survive; they are listed with the reason.

    \b
    porter mapping mutate --target musa --pytorch-src ../pytorch
    porter mapping mutate --target hip --pytorch-src ../pytorch --sdk /opt/rocm/include --sample 100
    porter mapping mutate --target musa --pytorch-src ../pytorch --on-host generated/on-host/musa/2.6.0
    """
    # Imported late: `porter mapping --help` does not need these modules.
    from porter.base import fs
    from porter.mutation import baseline as baselines
    from porter.mutation.host_build import host_build_of
    from porter.mutation.run import MutationSettings, run
    from porter.report import mutation as report

    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    release = release_to_port(tree, release)
    sdk = options.read_sdk(sdk_dirs)
    baseline = baselines.baseline_of(library, target, tree, release)
    host = host_build_of(library, target, tree, build) if build else None
    with console.progress("testing mutants") as progress:
        score = run(baseline, MutationSettings(sdk, host, sample, jobs, progress))
    if not score.tested:
        raise UsageError(f"no rule of {target} has hits in this source tree", str(tree))
    if markdown:
        fs.write_if_changed(markdown, report.markdown(score))
    if as_json:
        console.print_json(report.document(score))
    else:
        console.print_lines(report.lines(score))
    return int(100 * score.score < min_score)
