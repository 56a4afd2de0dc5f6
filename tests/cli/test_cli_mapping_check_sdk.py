"""`porter mapping check --sdk`, with the headers of simt's runtime in the place of a vendor's SDK."""

from __future__ import annotations

from pathlib import Path

import pytest
from mapping_files import Ran

from porter.simt.sources import include_dir

pytestmark = pytest.mark.slow

PROFILE = """target: acme
summary: a made-up vendor whose SDK is that of simt
names: {lower: acme, UPPER: ACME, Camel: Acme}
device: acme
libraries: {runtime: {lower: simt, listed: true}, solver: {lower: simtsolver, listed: true}}
"""
RULES = """area: runtime
rules:
  - {include: cuda_runtime.h, replace: simt_runtime.h}
  - names:
      cudaMalloc: simtMalloc
      cudaFree: simtFreee
      cudaMemset: simtMalloc
      cudaError_t: simtError_t
"""
CALL = "  - {call: 'cudaMemset(p, v, n)', replace: 'simtMalloc(p, n)'}\n"


def checked(
    capsys: pytest.CaptureFixture[str], folder: Path, files: dict[str, str], *more: object
) -> Ran:
    for name, text in files.items():
        place = folder / "acme" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    words = ("check", "--target", "acme", "--mappings", folder, "--sdk", include_dir())
    return Ran(capsys, *words, *more)


def test_wrong_names_and_functions_with_other_parameters_are_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = checked(capsys, tmp_path, {"target.yaml": PROFILE, "runtime.yaml": RULES})
    assert ran.code == 3
    errors = [line for line in ran.err.splitlines() if line.startswith("error:")]
    assert [line.partition("acme/")[2] for line in errors] == [
        "runtime.yaml:6: 'cudaFree' becomes 'simtFreee', which is in no header of the SDK",
        "runtime.yaml:7: 'cudaMemset' has 3 parameters, and 'simtMalloc' of the SDK has 2",
    ]
    assert "write a rule `call: cudaMemset(...)`" in ran.err


def test_a_call_rule_accounts_for_other_parameters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = RULES.replace("simtFreee", "simtFree") + CALL
    ran = checked(capsys, tmp_path, {"target.yaml": PROFILE, "runtime.yaml": rules})
    assert "error" not in ran.err and "cudaMemset" not in ran.err
    assert ran.code == 1  # warnings: names that only families propose


def test_names_that_macros_of_the_sdk_paste_are_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pasted = "cusolverDnZpotrf_bufferSize: simtsolverDnZpotrf_bufferSize"
    assert "simtsolverDnZpotrf_bufferSize" not in (include_dir() / "simtsolver.h").read_text()
    solver = (
        "area: solver\nrules:\n  - {include: cusolverDn.h, replace: simtsolver.h}\n"
        f"  - names: {{{pasted}}}\n"
    )
    rules = RULES.replace("simtFreee", "simtFree") + CALL
    files = {"target.yaml": PROFILE, "runtime.yaml": rules, "solver.yaml": solver}
    assert "Zpotrf" not in checked(capsys, tmp_path, files).err


def test_the_mappings_of_simt_fit_its_own_headers(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "check", "--target", "simt", "--sdk", include_dir())
    assert "error" not in ran.err
    assert ran.code == 1  # libraries that the host lacks


def test_an_sdk_belongs_to_one_target(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "check", "--sdk", include_dir())
    assert ran.code == 2 and "--sdk concerns one target" in ran.err


def test_a_folder_without_headers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "check", "--target", "simt", "--sdk", tmp_path)
    assert ran.code == 2 and "contains no header" in ran.err
