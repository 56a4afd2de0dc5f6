"""PyTorch's tests run in processes that may die; no result is lost."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from repository import TEST_DATA, TEST_MAPPINGS
from workshop import write_files

from porter.base import fs
from porter.base.errors import SourceError, UsageError
from porter.cli.main import call
from porter.mapping import expected_failures
from porter.model.verify import Case, CheckResult, CheckUnit, SuitePart, VerificationResult
from porter.report import device_tests as report
from porter.verify import device_tests as verify_device_tests
from porter.verify import worker_process
from porter.verify.device_tests import (
    FILES,
    DeviceTestSelection,
    choose,
    choose_files,
    device_tests,
)
from porter.verify.worker_process import BackendLocation

WHERE = BackendLocation(sys.executable, "torch_toy", "toy")
LANDMARKS = ("c10/cuda/CUDAStream.h", "aten/src/ATen/native/native_functions.yaml")
MAKES_CLASSES = "instantiate_device_type_tests(TestAny, globals())\n"
Run = Callable[..., VerificationResult]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-in for PyTorch's source tree, whose test files the stub program knows."""
    monkeypatch.setattr(worker_process, "SUITE", TEST_DATA / "suite_stub")
    tree = tmp_path / "pytorch"
    files = ("test_good.py", "nn/test_odd.py", "test_wrong.py", "test_lacking.py")
    write_files(tree, dict.fromkeys(LANDMARKS, "") | {"version.txt": "9.9.9\n"})
    write_files(tree / "test", dict.fromkeys(files, MAKES_CLASSES) | {"test_jit.py": "import os\n"})
    return tree


@pytest.fixture
def run(tree: Path, tmp_path: Path) -> Run:
    def go(*files: str, **asked: object) -> VerificationResult:
        options = {"files": files, "jobs": 2, "limit": 2.0, **asked}
        return device_tests(WHERE, tree, tmp_path / "out", DeviceTestSelection(**options))  # type: ignore[arg-type]

    return go


def of(done: VerificationResult, op: str) -> dict[str, CheckResult]:
    """Test -> result, for one class."""
    return {result.case.check: result for result in done.results.values() if result.case.op == op}


def test_after_a_crash_a_hang_or_a_broken_device_the_rest_runs_in_a_new_process(run: Run) -> None:
    found = of(run("nn/*.py"), "nn/test_odd.py::TestOdd")
    statuses = [result.status for result in found.values()]
    assert statuses == ["pass", "crash", "pass", "pass", "pass", "hang"]
    assert found["test_2_crash"].note == "SIGABRT: fault: address 0x0"
    first, third, fourth, fifth = (
        found[name].note for name in ("test_1", "test_3", "test_4_over", "test_5")
    )
    assert third == fourth and len({first, third, fifth}) == 3


def test_another_run_is_told_before_tests_are_listed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No process of the suite can start.
    monkeypatch.setattr(worker_process, "SUITE", tmp_path / "nowhere")
    with (
        fs.lock(tmp_path / "out" / "9.9.9" / "device-tests"),
        pytest.raises(SourceError, match="another run is writing here"),
    ):
        run("test_good.py")


def test_a_process_runs_the_tests_of_one_file(run: Run) -> None:
    done = run("test_good.py")
    pids = {result.note for result in done.results.values()}
    assert len(done.results) == 3 and 1 <= len(pids) <= 2
    assert {
        result.note for result in run("test_good.py", jobs=1, again=("pass",)).results.values()
    }.isdisjoint(pids)


def test_a_file_that_cannot_be_imported_is_a_result(run: Run) -> None:
    done = run("test_lacking.py", "test_good.py")
    result = done.results[Case("test_lacking.py", "", "import")]
    assert (result.status, result.note) == ("fail", "ModuleNotFoundError: No module named 'absent'")
    assert len(done.results) == 4
    assert set(run("test_lacking.py").results) == {result.case}


def test_a_file_whose_import_ends_the_process_is_a_result(run: Run, tree: Path) -> None:
    write_files(tree / "test", {"test_dying.py": MAKES_CLASSES})
    done = run("test_dying.py", "test_good.py", jobs=1)
    result = done.results[Case("test_dying.py", "", "import")]
    assert (result.status, result.note) == ("fail", "fault: address 0x0")
    assert len(done.results) == 4


def test_one_process_lists_the_tests_of_several_files(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []

    class Counted(worker_process.SuiteProcess):
        def __init__(self, where: BackendLocation, *command: str) -> None:
            started.append(command)
            super().__init__(where, *command)

    for module in (worker_process, verify_device_tests):
        monkeypatch.setattr(module, "SuiteProcess", Counted)
    run("test_good.py", "test_wrong.py", "test_lacking.py", jobs=1)
    # One process lists, one runs.
    assert len(started) == 2


def test_what_has_a_result_is_not_run_again_but_where_asked_or_the_tests_are_others(
    run: Run, tree: Path
) -> None:
    assert run("test_good.py", "test_wrong.py").done == 6
    assert run("test_good.py", "test_wrong.py").done == 0
    assert run("test_good.py", "test_wrong.py", again=("fail",)).done == 2
    (tree / "test/test_jit.py").write_text("import sys\n")
    assert run("test_good.py").done == 3


def test_the_tree_must_be_of_what_is_installed(run: Run, tree: Path) -> None:
    (tree / "version.txt").write_text("2.6.0\n")
    with pytest.raises(SourceError, match=r"PyTorch 2\.6\.0, but PyTorch 9\.9\.9 is"):
        run("test_good.py")


def test_files_are_those_that_make_tests_for_devices(tree: Path) -> None:
    every = ["nn/test_odd.py", "test_good.py", "test_lacking.py", "test_wrong.py"]
    assert choose_files(tree / "test", ["*"]) == every
    with pytest.raises(UsageError, match=r"matches 'test_jit\.py'"):
        choose_files(tree / "test", ["test_jit.py"])
    with pytest.raises(UsageError, match=r"did you mean 'test_good\.py'"):
        choose_files(tree / "test", ["test_god.py"])
    (tree / "test/test_nn.py").write_text(MAKES_CLASSES)
    assert choose_files(tree / "test", FILES) == ["test_nn.py"]


TWO = [
    CheckUnit("a.py::TestA", "", ("test_x", "test_y")),
    CheckUnit("nn/b.py::TestB", "", ("test_x",)),
]


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("test_x", ["a.py::TestA::test_x", "nn/b.py::TestB::test_x"]),
        ("TestA::*", ["a.py::TestA::test_x", "a.py::TestA::test_y"]),
        ("nn/b.py::*_x", ["nn/b.py::TestB::test_x"]),
    ],
)
def test_tests_are_named_with_or_without_class_and_file(glob: str, left: list[str]) -> None:
    chosen = choose(TWO, DeviceTestSelection(tests=(glob,)))
    assert [f"{unit.op}::{test}" for unit in chosen for test in unit.checks] == left


def test_a_test_that_is_none() -> None:
    with pytest.raises(UsageError, match="no test matches 'test_z'\n  help: did you mean 'test_"):
        choose(TWO, DeviceTestSelection(tests=("test_x", "test_z")))


def test_parts_are_everything_once() -> None:
    unit = CheckUnit("a.py::TestA", "", tuple(f"test_{number}" for number in range(100)))
    parts = [choose([unit], DeviceTestSelection(shard=(part, 3))) for part in (1, 2, 3)]
    tests = [test for chosen in parts for unit in chosen for test in unit.checks]
    assert sorted(tests) == sorted(unit.checks)
    assert all(20 < len(chosen[0].checks) < 50 for chosen in parts)


def test_the_report_tells_of_each_file_and_what_is_wrong(run: Run) -> None:
    done = run("test_good.py", "test_wrong.py", "test_lacking.py")
    explained = expected_failures.explain(done.results.values(), ())
    text = "\n".join(line.text for line in report.lines(done, explained, lambda result: "AGAIN"))
    assert "  test_wrong.py       0     2        1      3    0.0 %" in text
    assert "  total               3     3        1      7   50.0 %" in text
    assert "  test_wrong.py::TestWrong  test_w  2      fail  1 instead of 2" in text
    assert "      1  Only runs on cuda" in text
    page = report.page(done, explained, "toy")
    assert r"| test\_wrong.py | 0 | 2 | 1 | 3 | 0.0 % |" in page
    assert r"| test\_wrong.py::TestWrong | test\_w | 2 | fail | 1 instead of 2 |" in page


def test_operators_that_ran_on_the_cpu_and_skips_without_a_reason_are_named(run: Run) -> None:
    done = run("test_good.py")
    fell, skipped, _ = done.results.values()
    changed = (
        fell._replace(status="fallback", note="aten::a"),
        skipped._replace(status="skipped", note=""),
    )
    done = done._replace(results=done.results | {result.case: result for result in changed})
    explained = expected_failures.explain(done.results.values(), ())
    text = "\n".join(line.text for line in report.lines(done, explained, lambda result: "AGAIN"))
    assert "  aten::a       1  test_good.py::TestGood" in text
    assert "      1  (no reason is given)" in text
    page = report.page(done, explained, "toy")
    assert r"| aten::a | 1 | test\_good.py::TestGood |" in page
    assert "| 1 | (no reason is given) |" in page


def test_what_is_known_of_tests_is_told_apart(tmp_path: Path) -> None:
    place = tmp_path / "verify.yaml"
    place.write_text(
        "tests:\n  - {tests: ['test_nn.py::TestNN*::test_a*'], why: test, reason: names CUDA}\n"
    )
    wrong = [
        CheckResult(Case("test_nn.py::TestNNDeviceType", "", name), "fail", "", 0.0)
        for name in ("test_a_toy", "test_b_toy")
    ]
    (entry,) = expected_failures.read(place).tests
    found = expected_failures.explain(wrong, [entry])
    assert (found.known, found.unknown) == ({entry: (wrong[0],)}, (wrong[1],))
    assert entry.place.endswith("verify.yaml:2")


def test_entries_are_about_one_part_of_the_tests(
    tmp_path: Path,
) -> None:
    place = tmp_path / "verify.yaml"
    place.write_text(
        "tests:\n"
        "  - {tests: ['distributed/test_c10d_nccl.py::*'], why: test, reason: NCCL}\n"
        "  - {tests: ['test_nn.py::TestNN::test_a_toy_*'], why: test, reason: CUDA}\n"
        "  - {tests: ['test_cuda.py::*', 'test_nn.py::*::*_cuda_*'], why: test, reason: as CUDA}\n"
        "  - {tests: ['test_nn.py::*::*_cuda', 'test_nn.py::*'], why: test, reason: both}\n"
    )
    entries = expected_failures.read(place).tests
    assert [entry.part() for entry in entries] == [
        SuitePart.DISTRIBUTED,
        SuitePart.DEVICE,
        SuitePart.AS_CUDA,
        SuitePart.DEVICE,
    ]
    of_device = expected_failures.tests_of(SuitePart.DEVICE, entries, "toy")
    assert of_device == (entries[1], entries[3])
    as_cuda = expected_failures.tests_of(SuitePart.AS_CUDA, entries, "toy")
    assert [entry.tests[0] for entry in as_cuda] == [
        "test_nn.py::TestNN::test_a_cuda_*",
        "test_cuda.py::*",
        "test_nn.py::*::*_cuda",
    ]


def test_tests_of_distributed_training(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ("test_c10d_nccl.py", "fsdp/test_fsdp_core.py", "fsdp/common.py", "rpc/test_faulty.py")
    write_files(tree / "test/distributed", dict.fromkeys(files, ""))
    chosen = ["distributed/test_c10d_nccl.py", "distributed/fsdp/test_fsdp_core.py"]
    assert choose_files(tree / "test", FILES, SuitePart.DISTRIBUTED) == chosen
    assert choose_files(tree / "test", ("*/fsdp/*",), SuitePart.DISTRIBUTED) == chosen[1:]
    with pytest.raises(UsageError, match="no test file matches"):
        choose_files(tree / "test", ("test_good.py",), SuitePart.DISTRIBUTED)
    command = ["device-tests", "--pytorch-src", str(tree), "--target", "toy", "-j1"]
    command += ["--mappings", str(TEST_MAPPINGS), "--out", str(tmp_path / "out"), "--distributed"]
    page = tmp_path / "page.md"
    assert call([*command, "--files", chosen[0], "--markdown", str(page)]) == 0
    assert "--target toy --distributed --markdown FILE" in page.read_text(encoding="utf-8")
    capsys.readouterr()
    assert (tmp_path / "out/toy/9.9.9/distributed-tests/results.jsonl").is_file()


def test_files_for_cuda(tree: Path) -> None:
    """A file about CUDA is chosen once, although it also contains classes for devices."""
    makes = "instantiate_device_type_tests(TestOptimizers, globals())"
    write_files(tree / "test", {"test_cuda.py": makes, "test_cuda_trace.py": ""})
    ours = ["test_cuda.py", "test_cuda_trace.py"]
    assert choose_files(tree / "test", ("test_cuda*",), SuitePart.AS_CUDA) == ours
    assert choose_files(tree / "test", FILES, SuitePart.AS_CUDA)[-2:] == ours
    assert choose_files(tree / "test", ("test_cuda*",)) == ours[:1]


def test_the_command(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["device-tests", "--pytorch-src", str(tree), "--target", "toy", "-j1"]
    command += ["--mappings", str(TEST_MAPPINGS), "--out", str(tmp_path / "out")]
    junit = tmp_path / "junit.xml"
    assert call([*command, "--files", "test_good.py", "--junit", str(junit)]) == 0
    suites = ElementTree.parse(junit).getroot()
    assert {suite.get("name"): suite.get("tests") for suite in suites} == {
        "test_good.py::TestGood": "2",
        "test_good.py::TestMore": "1",
    }
    capsys.readouterr()
    assert call([*command, "--files", "test_wrong.py", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["counts"]["test_wrong.py"]["fail"] == 2
    again = document["results"][0]["again"].removeprefix("porter ").replace("'", "").split()
    assert call([*again, *command[6:]]) == 1
    out = capsys.readouterr().out
    assert "run        1 tests now, 1 in all" in out
    results = tmp_path / "out/toy/9.9.9/device-tests/results.jsonl"
    assert f"results    {results}" in out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--check", "race", "--distributed"], "--check does not check distributed tests"),
        (["--as-cuda", "--distributed"], "--as-cuda and --distributed exclude each other"),
        (["--as-cuda", "--check", "race"], "--as-cuda and --check exclude each other"),
        (["--check", "race", "--markdown", "page.md"], "--check writes neither"),
        (["--sources", "*"], "--sources and --suppressions need --check"),
    ],
)
def test_options_of_checks_that_do_not_fit(
    options: list[str], says: str, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["device-tests", "--pytorch-src", str(tree), *options]) == 2
    assert says in capsys.readouterr().err
