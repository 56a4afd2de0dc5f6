"""`porter device-tests`: PyTorch's own tests for devices, on an installed backend."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from porter.base.errors import UsageError
from porter.cli import console, options, verification_options, verify_checked

if TYPE_CHECKING:
    from porter.verify import checked
    from porter.verify.scheduler import Progress


@click.command("device-tests")
@options.pytorch_src(
    "Source tree of the installed PyTorch release; it contains the tests.", required=True
)
@options.target
@click.option(
    "--files",
    type=options.Words(),
    default=(),
    metavar="GLOB,...",
    help="Globs of files under test/, such as 'nn/*.py'; default: files with device-generic tests.",
)
@click.option(
    "--tests",
    type=options.Words(),
    default=("*",),
    metavar="GLOB,...",
    help="Globs of test names, such as 'test_sort*', or with the class, 'TestNN::test_*'; default: all tests.",
)
@click.option(
    "--distributed",
    is_flag=True,
    help="Run the tests of NCCL and of distributed training, written for CUDA, with the device's name 'cuda'.",
)
@click.option(
    "--as-cuda",
    is_flag=True,
    help="Run the tests that PyTorch creates for CUDA, and those of torch.cuda, with the device's name 'cuda'.",
)
@verify_checked.check_options("all")
@options.shard
@options.again
@click.option(
    "--timeout",
    type=options.Seconds(),
    default=300,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for one test; a test that takes longer is recorded as `hang`.",
)
@options.python
@options.out(
    "Output folder; the results go to DIR/<target>/<version of PyTorch>: device-tests, cuda-tests or distributed-tests."
)
@options.junit
@options.markdown
@options.jobs
@options.mappings
@options.as_json
def device_tests(
    tree: Path,
    target: str,
    files: tuple[str, ...],
    tests: tuple[str, ...],
    distributed: bool,
    as_cuda: bool,
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
    """Run PyTorch's own device-generic tests on an installed backend.

    The tests come from the source tree of the installed release and use PyTorch's test base for out-of-tree devices. A
    test that crashes or hangs is recorded as `crash` or `hang`, and a new process runs the remaining tests. Results are
    stored; a test that has a result from the same build is not run again.

    \b
    porter device-tests --pytorch-src ../pytorch
    porter device-tests --pytorch-src ../pytorch --files test_indexing.py,'nn/*.py'
    porter device-tests --pytorch-src ../pytorch --again fail,crash
    porter device-tests --pytorch-src ../pytorch --check race,memory --files test_reductions.py
    porter device-tests --pytorch-src ../pytorch --as-cuda --files test_cuda.py
    porter device-tests --pytorch-src ../pytorch --distributed --files 'distributed/test_c10d_*.py'
    """
    # Imported late: `porter device-tests --help` does not need these modules.
    from porter.mapping import expected_failures
    from porter.model.verify import SuitePart
    from porter.report import device_tests as report
    from porter.verify import device_tests as stage

    if not tests:
        raise UsageError("--tests needs at least one value")
    if kinds and distributed:
        raise UsageError("--check does not check distributed tests", help="omit --distributed")
    if as_cuda and (kinds or distributed):
        other = "--check" if kinds else "--distributed"
        raise UsageError(f"--as-cuda and {other} exclude each other", help="give one of them")
    suite = SuitePart.DEVICE
    if as_cuda or distributed:
        suite = SuitePart.AS_CUDA if as_cuda else SuitePart.DISTRIBUTED
    given = verify_checked.Given(kinds, sources, suppressions)
    given.refuse_misuse(junit, markdown)
    where, listed = verification_options.backend(target, mapping_dirs, python)
    asked = stage.DeviceTestSelection(
        files or stage.FILES, tests, shard, again, jobs, timeout, suite
    )
    if kinds:
        from porter.verify import checked

        def work(progress: Progress) -> checked.CheckedCases:
            return checked.device_tests(where, tree, out / target, asked, kinds, sources, progress)

        return verify_checked.run(given, target, work, as_json=as_json)
    with console.progress(f"testing {target}", patient=True) as progress:
        done = stage.device_tests(where, tree, out / target, asked, progress)
    results = done.results.values()
    known = expected_failures.tests_of(suite, listed.tests, where.device)
    explained = expected_failures.explain(results, known, everything=asked.everything())
    again_by = partial(report.reproducer, target=target, tree=tree, suite=suite)
    output = verification_options.CommandOutput(
        "porter device-tests",
        report.counts(results),
        again_by,
        partial(report.page, done, explained, target, shard, suite),
        partial(report.lines, done, explained, again_by),
    )
    return verification_options.write_results(
        output, done, explained, junit=junit, markdown=markdown, as_json=as_json
    )
