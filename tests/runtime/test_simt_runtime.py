"""The runtime's own tests (runtime/simt/tests), built and run in several configurations: released flags,
sanitizers, and warps of 64 lanes. Each C++ case is a test; the program of a configuration is built and run once.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from dataclasses import dataclass

import pytest
from doctest_cases import RanCase, WrittenCase, ran_cases, written_cases
from repository import ROOT

from porter.base.errors import BuildError
from porter.simt import sources
from porter.simt.build import Options, Sanitizer, build

pytestmark = pytest.mark.slow

VALUES = frozenset(
    f"test_{name}.cpp"
    for name in (
        "cub_namespace",
        "cub_values",
        "division",
        "driver_arrays",
        "driver_textures",
        "fft_values",
        "float_to_integer",
        "fp16",
        "fp8",
        "intrinsics",
        "math",
        "mma",
        "ptx",
        "rand_device",
        "short_float_names",
        "solver_eigen",
        "solver_factor",
        "solver_qr",
        "solver_svd",
        "sparse_products",
        "sparse_solves",
        "textures",
        "thrust_iterators",
        "thrust_namespace",
        "thrust_values",
        "types",
        "vector_types",
    )
)
"""Test sources that check values. Their kernels share no memory between threads except through the API, which other
sources test, so the build for ThreadSanitizer leaves them out; they would take half of its time.
"""


@dataclass(frozen=True)
class Configuration:
    """Build of the runtime and its test program."""

    sanitizer: Sanitizer | None = None
    warp_size: int = 32
    without: frozenset[str] = frozenset()

    @property
    def cases(self) -> list[WrittenCase]:
        """Cases of the test program."""
        return [case for case in WRITTEN if case.file not in self.without]


WRITTEN = written_cases(sources.test_sources())
CONFIGURATIONS = {
    "as shipped": Configuration(),
    "address, warps of 64 lanes": Configuration("address", 64),
    "thread": Configuration("thread", without=VALUES),
}
DOCTEST = "doctest/doctest.h is not installed (Debian: doctest-dev); build_scripts/test does it"

SETTINGS = {
    "SIMT_DEVICE_COUNT": "2",
    # Threads of OpenBLAS are not compiled for a sanitizer, and are not what is tested.
    "OPENBLAS_NUM_THREADS": "1",
    # The handler of signals is the runtime's: faults of kernels are what it is for.
    "ASAN_OPTIONS": "detect_stack_use_after_return=0:allow_user_segv_handler=1",
    "TSAN_OPTIONS": "halt_on_error=0:exitcode=66:handle_segv=0",
}


def has_doctest() -> bool:
    """Test whether the C++ compiler finds doctest."""
    probe = [
        "g++",
        "-x",
        "c++",
        "-E",
        "-include",
        "doctest/doctest.h",
        os.devnull,
        "-o",
        os.devnull,
    ]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


@dataclass(frozen=True)
class Run:
    """Run of the test program: exit status, reported cases, and reports of the sanitizer."""

    code: int
    cases: list[RanCase]
    said: str
    reports: str


def run_of(configuration: str) -> Run:
    """Run of a configuration's test program, which is built and run when a test first needs it."""
    run = _run_or_error(configuration)
    if isinstance(run, BuildError):
        raise run
    return run


@functools.cache
def _run_or_error(configuration: str) -> Run | BuildError:
    """Run of a configuration's test program. A build that fails is not repeated: hundreds of tests need its result."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    if not has_doctest():
        pytest.skip(DOCTEST)
    chosen = CONFIGURATIONS[configuration]
    width = ["64"] if chosen.warp_size == 64 else []
    name = "-".join(["simt", *([chosen.sanitizer] if chosen.sanitizer else []), *width])
    options = Options(
        out=ROOT / "build" / name,
        tests=True,
        without_tests=chosen.without,
        sanitizer=chosen.sanitizer,
        warp_size=chosen.warp_size,
    )
    try:
        build(options)
    except BuildError as error:
        return error
    # Tests capture stderr, so reports go to files.
    log, report = options.out / "sanitizer.log", options.out / "doctest.xml"
    for old in [*options.out.glob("sanitizer.log*"), report]:
        old.unlink(missing_ok=True)
    settings = {
        name: f"{value}:log_path={log}" if name.endswith("SAN_OPTIONS") else value
        for name, value in SETTINGS.items()
    }
    done = subprocess.run(
        [options.test_program, "--no-colors", "--reporters=xml", f"--out={report}"],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=1500,
        check=False,
    )
    found = sorted(options.out.glob("sanitizer.log*"))
    return Run(
        done.returncode,
        ran_cases(report.read_text(errors="replace") if report.is_file() else ""),
        done.stdout[-6000:] + done.stderr[-2000:],
        "".join(path.read_text(errors="replace")[:4000] for path in found),
    )


def test_the_sources_left_out_exist() -> None:
    assert {path.name for path in sources.test_sources()} >= VALUES


@pytest.fixture(scope="module", params=CONFIGURATIONS, ids=str)
def run(request: pytest.FixtureRequest) -> Run:
    return run_of(request.param)


def test_the_program_reports_every_case_and_ends_well(run: Run) -> None:
    incomplete = [case.name for case in run.cases if not case.complete]
    assert not incomplete, f"the program ended in this case\n{run.said}{run.reports}"
    assert run.code == 0, run.said + run.reports
    strangers = [c.name for c in run.cases if not any(c.is_of(written) for written in WRITTEN)]
    assert WRITTEN and not strangers


def test_a_sanitizer_finds_nothing(run: Run) -> None:
    assert run.reports == "" and "Sanitizer" not in run.said, run.said + run.reports


@pytest.mark.parametrize(
    ("configuration", "written"),
    [(name, case) for name, chosen in CONFIGURATIONS.items() for case in chosen.cases],
    ids=lambda value: value.id if isinstance(value, WrittenCase) else value,
)
def test_case(configuration: str, written: WrittenCase) -> None:
    run = run_of(configuration)
    ran = [case for case in run.cases if case.is_of(written)]
    assert ran, "the program ended before this case, or left it out"
    for case in ran:
        assert case.complete, f"the program ended in this case\n{run.said}{run.reports}"
        if not case.passed:
            pytest.fail("\n".join([f"{case.file}: {case.name}", *case.failures]), pytrace=False)
