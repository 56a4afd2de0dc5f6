"""Findings in programs that were compiled without instrumentation: guard pages, and pages closed to the host."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import ground_truth
import pytest
from simt_programs import libsimt

pytestmark = pytest.mark.slow

CHOSEN = (
    *("memory/global_far", "memory/global_rows", "memory/global_pitch", "memory/freed_after_use"),
    *("host/device_memory", "host/device_memory_loop", "host/device_memory_memcpy"),
    *("host/copy", "host/managed", "host/pinned"),
)
"""Programs with and without a fault. The memory that they access lies more than 512 bytes behind an allocation."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ground_truth.Result]:
    """Findings of all chosen programs, which are compiled as one binary."""
    folder = tmp_path_factory.mktemp("plain")
    programs = {program.name: program for program in ground_truth.programs()}
    chosen = [programs[name] for name in CHOSEN]
    source, binary = folder / "unit.cu", folder / "unit"
    source.write_text(ground_truth.unit(chosen), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTER_SIMT_RUNTIME", str(libsimt().parent))
        compiler = Path(sys.executable).with_name("simtcc")
        subprocess.run([compiler, "-g", "-O1", source, "-o", binary], check=True)
    return {one.program.name: one for one in ground_truth.results(binary, chosen, folder)}


@pytest.mark.parametrize("name", CHOSEN)
def test_a_fault_is_found_where_it_is(name: str, results: dict[str, ground_truth.Result]) -> None:
    result = results[name]
    assert not result.error
    if result.program.kind:
        assert result.found, result.findings
    else:
        assert result.findings == ()


def test_a_finding_names_the_thread_and_the_nearest_allocation(
    results: dict[str, ground_truth.Result],
) -> None:
    (finding,) = (one for one in results["memory/global_far"].findings if one.kind == "memory")
    assert finding.type == "illegal-address"
    assert "behind the end of device memory of 512 bytes" in finding.object
    assert finding.places[0].who.startswith("kernel kernel, block (0,0,0), thread (")
    assert finding.places[0].what == "write"
    assert finding.places[1].what == "allocated"
