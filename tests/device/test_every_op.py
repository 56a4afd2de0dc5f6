"""No operator of PyTorch's database is wrong on the device: a part of `build_scripts/verify_all`.
test_core_ops.py checks operators of the core set in more detail.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from core_ops import is_core, units

from porter.mapping import expected_failures
from porter.mapping.library import shipped
from porter.model.verify import FALLBACK, PASS
from porter.report.verification import grouped
from porter.verify.operators import OperatorSelection, verify
from porter.verify.worker_process import BackendLocation


def test_no_operator_is_wrong_in_32_bits(tmp_path: Path) -> None:
    """An operator that CUDA lacks runs on the CPU; this is no finding here."""
    where = BackendLocation(sys.executable, "torch_simt", "simt")
    ops = tuple(sorted({unit.op for unit in units(where) if not is_core(unit.op)}))
    jobs = len(os.sched_getaffinity(0))
    done = verify(where, tmp_path, OperatorSelection(ops=ops, dtypes=("float32",), jobs=jobs))
    results = done.results.values()
    assert sum(result.status in (PASS, FALLBACK) for result in results) > 1000
    explained = expected_failures.explain(
        results, expected_failures.read(shipped() / "simt" / expected_failures.FILE).operators
    )
    wrong = explained.unknown
    assert not wrong, "\n".join(
        f"{group[0].case.op} {group[0].case.check} {group[0].status}: {group[0].note}"
        for group in grouped(wrong)
    )
