"""Order of the sweep of checks over PyTorch's operators (`build_scripts/check_sweep`), and its table."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "build_scripts"))
from check_sweep import plan, results
from porter.checks.findings import Finding, Frame, Place
from porter.model.verify import Case
from porter.verify.checked import CaseFinding, CheckedCases

TEXTS = {
    "Sort.cu": "#include <Sort.cuh>\nvoid sort();",
    "Sort.cuh": "#include <Sort.cuh>\n__syncthreads();",
    "Histogram.cu": "atomicAdd(bins, 1);",
    "Add.cu": "out[i] = a[i];",
    "Fill.cu": "out[i] = 0;",
}
LAUNCHED = {
    "add": frozenset({"Add.cu", "Fill.cu"}),
    "empty": frozenset[str](),
    "histc": frozenset({"Histogram.cu", "Fill.cu"}),
    "sort": frozenset({"Sort.cu", "Fill.cu"}),
    "msort": frozenset({"Sort.cu"}),
    "zero": frozenset({"Fill.cu"}),
}


def _rank(source: str) -> int:
    return plan.rank(source, lambda path: TEXTS.get(path, ""))


def test_barriers_in_headers_count_and_atomics_come_before_other_sources() -> None:
    assert [_rank(source) for source in ("Sort.cu", "Histogram.cu", "Add.cu")] == [0, 1, 2]


def test_common_sources_come_first_then_those_with_barriers() -> None:
    assert plan.ordered(LAUNCHED, _rank) == ["Fill.cu", "Sort.cu", "Histogram.cu", "Add.cu"]


def test_an_operator_belongs_to_the_batch_of_its_last_source() -> None:
    batches = plan.batches(plan.ordered(LAUNCHED, _rank), LAUNCHED, 2)
    assert batches == [
        plan.Batch(("Fill.cu", "Sort.cu"), ("msort", "sort", "zero")),
        plan.Batch(("Histogram.cu", "Add.cu"), ("add", "histc")),
    ]


def test_results_keep_findings_and_crashes_of_each_operator(tmp_path: Path) -> None:
    place = Place("write of 4 bytes", "", (Frame("Sort.cuh", 7, "sort"),))
    finding = Finding("race", "shared", "two accesses", "", 3, (place,))
    statuses = {
        Case("sort", "float32", "forward"): "pass",
        Case("sort", "float32", "backward"): "crash",
        Case("add", "float32", "forward"): "pass",
    }
    done = CheckedCases(
        (CaseFinding(finding, ("sort float32 forward",)),), ("Sort.cu",), ("Sort.cu",), statuses
    )
    results.write(tmp_path, done, {"sort": ["Sort.cu"], "add": ["Add.cu"]})
    add, sort = results.read(tmp_path)
    assert (add.findings, add.cases, add.ended) == ([], 1, {})
    assert (len(sort.findings), sort.cases, sort.ended) == (1, 2, {"crash": 1})
    text = results.table([add, sort])
    assert "race (shared): write at Sort.cuh:7: `sort`" in text
    assert "| `Sort.cu` | `sort` | 2 | 1 |" in text
