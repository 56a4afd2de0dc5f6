"""PyTorch's tests on the device have the expected outcomes: those of a small tree, and those of the release."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from porter.mapping import expected_failures  # noqa: E402
from porter.mapping.library import shipped  # noqa: E402
from porter.model.verify import Case, SuitePart, VerificationResult  # noqa: E402
from porter.verify.device_tests import (  # noqa: E402
    PROGRAM,
    DeviceTestSelection,
    Observation,
    device_tests,
)
from porter.verify.worker_process import SUITE, BackendLocation  # noqa: E402

WHERE = BackendLocation(sys.executable, "torch_simt", "simt")
TREE = Path(__file__).with_name("device_tests_tree")
LANDMARKS = ("c10/cuda/CUDAStream.h", "aten/src/ATen/native/native_functions.yaml")


def small_tree(folder: Path) -> Path:
    """Copy of the small tree in `folder`, which porter accepts as a source tree of the installed release."""
    shutil.copytree(TREE, folder, dirs_exist_ok=True)
    for name in LANDMARKS:
        (folder / name).parent.mkdir(parents=True)
        (folder / name).touch()
    (folder / "version.txt").write_text(torch.__version__.partition("+")[0])
    return folder


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> VerificationResult:
    """Result of a run of the small tree's tests."""
    tree = small_tree(tmp_path_factory.mktemp("tree"))
    found = device_tests(WHERE, tree, tree / "out", DeviceTestSelection(files=("*",), limit=30.0))
    assert not list(tree.rglob("left_behind"))
    return found


def ended(done: VerificationResult, test: str) -> tuple[str, str]:
    """Status and note of a test of the small tree."""
    (result,) = [result for case, result in done.results.items() if case.check.startswith(test)]
    return result.status, result.note


@pytest.mark.parametrize(
    ("test", "status", "says"),
    [
        ("test_a_", "pass", ""),
        ("test_b_", "fail", "device-side assert triggered"),
        ("test_c_", "pass", ""),
        ("test_d_", "crash", "SIGABRT"),
        ("test_e_", "hang", "no answer in 30 s"),
        ("test_f_", "fail", "Expected 4.0 but got 3.0"),
        ("test_g_", "fail", "Expected 4.0 but got 3.0"),
        ("test_h_", "skipped", "Only runs on cuda"),
        ("test_i_", "skipped", "PyTorch expects this test to fail"),
        ("test_l_", "pass", ""),
        ("test_m_", "pass", ""),
    ],
)
def test_each_test_ends_as_it_should(
    done: VerificationResult, test: str, status: str, says: str
) -> None:
    found, note = ended(done, test)
    assert found == status
    assert says in note if says else not note


def test_observed_tests_record_their_findings(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "tree")
    place = tmp_path / "findings"
    options = ("--kinds", "memory,sync", "--findings", str(place))
    asked = DeviceTestSelection(files=("test_tiny.py",), tests=("test_a_*", "test_f_*"), limit=60.0)
    observation = Observation(options, tmp_path / "observed", "digest")
    done = device_tests(WHERE, tree, tmp_path / "out", asked, observation=observation)
    lines = [json.loads(line) for line in place.read_text().splitlines()]
    assert {line["op"] for line in lines} == {"test_tiny.py::TestTiny"}
    assert {line["check"] for line in lines} == {case.check for case in done.results}
    assert all(line["launches"] for line in lines)
    assert [line["findings"] for line in lines] == [[]] * len(lines)
    assert (tmp_path / "observed").is_dir()
    assert not (tmp_path / "out").exists()


def test_dtypes_are_those_of_cuda(done: VerificationResult) -> None:
    """Only CUDA has histc for 8-bit numbers; the CPU's dtypes are floating point (op_db of torch.testing)."""
    tests = {case.check for case in done.results}
    assert {test for test in tests if "_j_" in test} == {"test_j_has_dtypes_simt_float64"}
    of_histc = {test.rpartition("simt_")[2] for test in tests if "_k_" in test}
    assert of_histc == {"float32", "float64", "int8", "int16", "int32", "int64", "uint8"}
    assert {ended(done, "test_k_has_the_dtypes_of_an_operator_histc_simt_int8")[0]} == {"pass"}


def test_classes_that_are_not_for_devices_are_left_alone(done: VerificationResult) -> None:
    assert {case.op for case in done.results} == {"test_tiny.py::TestTiny", "test_lacking.py"}


def test_a_file_that_needs_what_is_not_installed_says_so(done: VerificationResult) -> None:
    result = done.results[Case("test_lacking.py", "", "import")]
    assert result.status == "fail"
    assert result.note == "ModuleNotFoundError: No module named 'a_module_that_nobody_has'"


def test_the_program_ends_with_its_input(tmp_path: Path) -> None:
    """Porter may be killed; the program, and its process for a test file, then end."""
    command = [sys.executable, "-P", "-m", PROGRAM, "--device", "simt", "--package", "torch_simt"]
    ended = subprocess.run(
        [*command, "--tests", str(TREE / "test"), "--folder", str(tmp_path)],
        input=json.dumps({"op": "test_tiny.py", "list": True}) + "\n",
        env={**os.environ, "PYTHONPATH": str(SUITE)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=300,
        check=True,
    )
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert answers[-2]["op"] == "test_tiny.py::TestTiny"
    assert answers[-1] == {"end": True}


@pytest.mark.release
def test_upstreams_tests_of_indexing_hold(releases: dict[str, Path], tmp_path: Path) -> None:
    asked = DeviceTestSelection(files=("test_indexing.py",), jobs=2)
    done = device_tests(WHERE, releases["2.6.0"], tmp_path, asked)
    listed = expected_failures.read(shipped() / "simt" / expected_failures.FILE).tests
    explained = expected_failures.explain(done.results.values(), listed)
    assert not explained.unknown, "\n".join(
        f"{result.case.op}::{result.case.check} {result.status}: {result.note}"
        for result in explained.unknown
    )
    assert sum(result.status == "pass" for result in done.results.values()) > 75


def test_tests_for_cuda_run_with_the_name_cuda(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    (tree / "test/test_cuda_counts.py").write_text(
        "import unittest, torch\n"
        "class TestCounts(unittest.TestCase):\n"
        "    def test_devices(self):\n"
        "        self.assertEqual(torch.cuda.device_count(), 2)\n"
    )
    files = ("test_tiny.py", "test_cuda_counts.py")
    tests = ("test_a_*", "test_h_*", "test_devices")
    asked = DeviceTestSelection(files, tests, limit=60.0, suite=SuitePart.AS_CUDA)
    found = device_tests(WHERE, tree, tree / "out", asked)
    ended = {(case.op, case.check): result.status for case, result in found.results.items()}
    assert ended == {
        ("test_tiny.py::TestTiny", "test_a_adds_cuda"): "pass",
        ("test_tiny.py::TestTiny", "test_h_is_for_cuda_cuda"): "pass",
        ("test_cuda_counts.py::TestCounts", "test_devices"): "pass",
    }
    assert found.folder.name == "cuda-tests"


def test_tests_of_distributed_training_run_with_the_name_cuda(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    asked = DeviceTestSelection(limit=340.0, suite=SuitePart.DISTRIBUTED)
    found = device_tests(WHERE, tree, tree / "out", asked)
    ended = {case.check: (result.status, result.note) for case, result in found.results.items()}
    skipped, wrong = ended.pop("test_b_needs_more_devices"), ended.pop("test_f_is_wrong")
    assert skipped == ("skipped", "Need at least 4 CUDA devices")
    assert wrong[0] == "fail" and wrong[1].startswith("AssertionError")
    assert ended.pop("test_d_fails_in_one_rank") == ("fail", "ValueError: of rank 1")
    aborted = ended.pop("test_i_aborts_in_one_rank")
    assert aborted == ("fail", "rank 1 has ended by SIGABRT: what(): of rank 1")
    passed = (
        *("a_reduces", "c_reads_the_environment", "e_reduces", "g_has_the_name_cuda_cuda"),
        *("h_reduces_values_of_another_stream", "j_may_take_as_long_as_porter_allows"),
    )
    assert ended == {f"test_{name}": ("pass", "") for name in passed}
