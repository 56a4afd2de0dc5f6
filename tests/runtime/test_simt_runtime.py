"""The runtime's own tests (runtime/simt/tests), built and run: as it ships, and under the sanitizers, once with warps
of 64 lanes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest
from repository import ROOT

from porter.simt import sources
from porter.simt.build import Options, Sanitizer, build

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
    """Whether the C++ compiler finds doctest."""
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


def written_cases() -> int:
    """How many cases the sources hold; none of them stands under a condition of the preprocessor."""
    return sum(
        len(re.findall(r"^TEST_CASE(?:_TEMPLATE)?\(", path.read_text("utf-8"), re.MULTILINE))
        for path in sources.test_sources()
    )


def run_tests(sanitizer: Sanitizer | None, warp_size: int = 32) -> str:
    """Builds and runs them, and checks that every case ran and passed; the end of what was said."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    if not has_doctest():
        pytest.skip(DOCTEST)
    name = "-".join(
        ["simt", *([sanitizer] if sanitizer else []), *(["64"] if warp_size == 64 else [])]
    )
    options = Options(
        out=ROOT / "build" / name, tests=True, sanitizer=sanitizer, warp_size=warp_size
    )
    build(options)
    # Tests capture stderr, so reports go to files.
    log = options.out / "sanitizer.log"
    for old in options.out.glob("sanitizer.log*"):
        old.unlink()
    settings = {
        name: f"{value}:log_path={log}" if name.endswith("SAN_OPTIONS") else value
        for name, value in SETTINGS.items()
    }
    done = subprocess.run(
        [options.test_program, "--no-colors"],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=1500,
        check=False,
    )
    reports = "".join(found.read_text()[:4000] for found in options.out.glob("sanitizer.log*"))
    said = done.stdout[-6000:] + done.stderr[-2000:] + reports
    assert done.returncode == 0, said
    summary = re.search(
        r"test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed \|\s*(\d+) skipped", done.stdout
    )
    assert summary is not None, said
    cases, passed, failed, skipped = map(int, summary.groups())
    assert (passed, failed, skipped) == (cases, 0, 0), said
    assert cases >= written_cases() > 0, "of a template there is a case for each type"
    return said


def test_the_runtime_passes_its_tests() -> None:
    run_tests(None)


@pytest.mark.parametrize(
    ("sanitizer", "warp_size"),
    [("address", 64), ("thread", 32)],
    ids=["address, warps of 64 lanes", "thread"],
)
def test_a_sanitizer_finds_nothing(sanitizer: Sanitizer, warp_size: int) -> None:
    assert "Sanitizer" not in run_tests(sanitizer, warp_size)
