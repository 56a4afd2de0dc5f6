"""`porter verify`: checks of the operators of an installed backend."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from porter.base.errors import UsageError
from porter.cli import console, options, verification_options, verify_checked
from porter.model.verify import CHECKS

if TYPE_CHECKING:
    from porter.verify import checked
    from porter.verify.scheduler import Progress


@click.command()
@options.target
@click.option(
    "--ops",
    type=options.Words(),
    default=("*",),
    metavar="GLOB,...",
    help="Globs of operator names in PyTorch's operator database; default: all operators.",
)
@click.option(
    "--dtypes",
    type=options.Words(),
    default=(),
    metavar="NAME,...",
    help="Dtypes to check; default: for each operator, all dtypes that CUDA supports.",
)
@click.option(
    "--checks",
    type=options.Words(CHECKS),
    default=CHECKS,
    metavar="NAME,...",
    help=f"Checks to run: {', '.join(CHECKS)}; default: all.",
)
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    metavar="N",
    help="Number of samples for each check, selected evenly from the samples of the database.",
)
@verify_checked.check_options("those that the operators launch")
@options.shard
@options.again
@click.option(
    "--timeout",
    type=options.Seconds(),
    default=120,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for one check; a check that takes longer is recorded as `hang`.",
)
@options.python
@options.out("Output folder; the results go to DIR/<target>/<version of PyTorch>/verify.")
@options.junit
@options.markdown
@options.jobs
@options.mappings
@options.as_json
def verify(
    target: str,
    ops: tuple[str, ...],
    dtypes: tuple[str, ...],
    checks: tuple[str, ...],
    samples: int,
    kinds: tuple[str, ...],
    sources: tuple[str, ...],
    suppressions: Path | None,
    shard: tuple[int, int],
    again: tuple[str, ...],
    timeout: float,
    python: str,
    out: Path,
    junit: Path | None,
    markdown: Path | None,
    jobs: int,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Check the operators of an installed backend against the CPU, with PyTorch's own operator database.

    The checks are: forward, out=, in-place, backward, non-contiguous inputs, empty inputs, and errors. They run for
    every operator and every dtype that CUDA supports. A check that crashes or hangs is recorded as `crash` or `hang`,
    and the remaining checks continue. Results are stored; a check that has a result from the same build is not run
    again.

    \b
    porter verify
    porter verify --ops 'linalg.*,fft.*' --dtypes float32,complex64
    porter verify --again fail,crash
    porter verify --check race,memory,sync --ops sum,sort --dtypes float32
    """
    # Imported late: `porter verify --help` does not need these modules.
    from porter.mapping import cuda_operators, expected_failures
    from porter.mapping.library import MappingLibrary
    from porter.report import operator_coverage
    from porter.report import verification as report
    from porter.verify.operators import OperatorSelection
    from porter.verify.operators import verify as run

    if not ops or not checks:
        raise UsageError("--ops and --checks each need at least one value")
    given = verify_checked.Given(kinds, sources, suppressions)
    given.refuse_misuse(junit, markdown)
    where, listed = verification_options.backend(target, mapping_dirs, python)
    # Read before the run: an error in the record must not come after it.
    library = MappingLibrary.find(mapping_dirs)
    on_cuda = cuda_operators.read(library.special("cuda", cuda_operators.FILE))
    asked = OperatorSelection(ops, dtypes, checks, samples, shard, again, jobs, timeout)
    if kinds:
        from porter.verify import checked

        def work(progress: Progress) -> checked.CheckedCases:
            return checked.verify(where, out / target, asked, kinds, sources, progress)

        return verify_checked.run(given, target, work, as_json=as_json)
    with console.progress(f"verifying {target}", patient=True) as progress:
        done = run(where, out / target, asked, progress)
    results = done.results.values()
    explained = expected_failures.explain(results, listed.operators, everything=asked.everything())
    again_by = partial(report.reproducer, target=target)
    output = verification_options.CommandOutput(
        "porter verify",
        report.counts(results),
        again_by,
        partial(operator_coverage.page, done, explained, target, on_cuda),
        partial(report.lines, done, explained, target),
    )
    return verification_options.write_results(
        output, done, explained, junit=junit, markdown=markdown, as_json=as_json
    )
