"""Operators are checked in processes that may die; no result is lost."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from repository import TEST_DATA

from porter.base import fs
from porter.base.errors import MappingError, SourceError, UsageError, VerifyError
from porter.mapping import cuda_operators, expected_failures
from porter.model.verify import CHECKS, Case, CheckResult, CheckUnit, VerificationResult
from porter.report import operator_coverage, verification_diff
from porter.report import verification as report
from porter.verify import results, worker_process
from porter.verify.operators import OperatorSelection, choose, verify
from porter.verify.worker_process import BackendLocation

WHERE = BackendLocation(sys.executable, "torch_acme", "acme")
Verify = Callable[..., VerificationResult]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Verify:
    """Run a verification with the stand-in suite."""
    monkeypatch.setattr(worker_process, "SUITE", TEST_DATA / "suite_stub")

    def go(**asked: object) -> VerificationResult:
        options = {"jobs": 2, "limit": 2.0, **asked}
        return verify(WHERE, tmp_path, OperatorSelection(**options))  # type: ignore[arg-type]

    return go


def statuses(done: VerificationResult) -> dict[str, str]:
    return {" ".join(case): result.status for case, result in done.results.items()}


def test_a_crash_and_a_hang_are_results_and_the_rest_goes_on(run: Verify) -> None:
    done = run()
    found = statuses(done)
    assert found["linalg.crash float32 forward"] == "crash"
    assert found["linalg.crash float32 backward"] == "pass"
    assert found["linalg.hang float64 backward"] == "hang"
    assert found["wrong.twice float32 forward"] == "fail"
    assert len(found) == done.done == 16
    assert list(found.values()).count("pass") == 9
    crash = done.results[Case("linalg.crash", "float32", "forward")]
    assert crash.note == "SIGABRT: fault: address 0x0"


def test_what_has_a_result_is_not_done_again_but_where_asked(run: Verify) -> None:
    first = run(ops=("good", "wrong*"))
    assert first.done == 8
    assert run(ops=("good", "wrong*")).done == 0
    again = run(ops=("good", "wrong*"), again=("fail",))
    assert (again.done, again.results.keys()) == (4, first.results.keys())


def test_another_build_begins_anew_and_keeps_what_was(
    run: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(ops=("good",))
    monkeypatch.setenv("STUB_BUILD", "two")
    second = run(ops=("good",))
    assert second.done == first.done == 4
    setting, before = results.read(second.folder / results.BEFORE)
    assert (setting, before) == (first.setting, first.results)


def test_a_killed_run_loses_the_line_it_was_writing_and_no_more(run: Verify) -> None:
    done = run(ops=("good",))
    place = done.folder / results.FILE
    text = place.read_text()
    place.write_text(text[: -len(text.splitlines()[-1]) + 5])
    again = run(ops=("good",))
    assert (again.done, again.results) == (1, done.results)


def test_parts_are_everything_once() -> None:
    every = [CheckUnit(f"op{number}", "float32", CHECKS) for number in range(100)]
    parts = [choose(every, OperatorSelection(shard=(part, 3))) for part in (1, 2, 3)]
    assert sorted(unit for part in parts for unit in part) == sorted(every)
    assert all(20 < len(part) < 50 for part in parts)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (
            OperatorSelection(ops=("god",)),
            "no operator matches 'god'\n  help: did you mean 'good'?",
        ),
        (OperatorSelection(ops=("linalg*",)), "no operator matches 'linalg*'"),
        (
            OperatorSelection(dtypes=("float23",)),
            "no operator has the dtype 'float23'\n  help: choose from float32",
        ),
        (OperatorSelection(checks=("errors",)), "together select no check"),
    ],
)
def test_names_that_match_nothing(asked: OperatorSelection, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose([CheckUnit("good", "float32", ("forward",))], asked)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("package", "says"),
    [
        ("torch_absent", "torch_absent is not installed\n  help: install its wheel"),
        (
            "torch_broken",
            "cannot be checked: ImportError: for torch 2.5.0\n  help: pip install torch==2.5.0",
        ),
        ("torch_alone", " -m pip install torch; or choose an interpreter with --python"),
    ],
)
def test_no_backend(
    package: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(worker_process, "SUITE", TEST_DATA / "suite_stub")
    with pytest.raises(SourceError) as caught:
        verify(WHERE._replace(package=package), tmp_path, OperatorSelection())
    assert says in str(caught.value)


def test_a_database_of_operators_that_cannot_be_imported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(worker_process, "SUITE", TEST_DATA / "suite_stub")
    with pytest.raises(VerifyError) as caught:
        verify(WHERE._replace(package="torch_bare"), tmp_path, OperatorSelection())
    (problem,) = caught.value.problems
    assert problem.text == (
        "PyTorch's operator database cannot be read: "
        "ModuleNotFoundError: No module named 'expecttest'"
    )
    assert problem.place == sys.executable
    assert problem.help == (
        f"install it: {sys.executable} -m pip install expecttest; or choose an interpreter with --python"
    )


def test_another_run_is_told_before_operators_are_listed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(worker_process, "SUITE", TEST_DATA / "suite_stub")
    with (
        fs.lock(tmp_path / "9.9.9" / "verify"),
        pytest.raises(SourceError, match="another run is writing here"),
    ):
        # To list the operators of this one would be an error.
        verify(WHERE._replace(package="torch_bare"), tmp_path, OperatorSelection())


def test_the_report_tells_what_is_wrong_and_how_to_see_it_again(run: Verify) -> None:
    done = run(ops=("good", "wrong*"))
    explained = expected_failures.explain(done.results.values(), ())
    text = "\n".join(line.text for line in report.lines(done, explained, "acme"))
    assert "wrong.twice  forward   float32 float64  fail  1 instead of 2" in text
    assert (
        "porter verify --target acme --ops 'wrong.twice' --dtypes float32 --checks forward" in text
    )
    counts = report.counts(done.results.values())
    data = report.document(done, explained, counts, partial(report.reproducer, target="acme"))
    assert data["counts"]["forward"]["fail"] == 2
    assert json.loads(json.dumps(data)) == data
    suites = ElementTree.fromstring(report.junit(done, "porter verify"))
    assert {suite.get("name"): suite.get("failures") for suite in suites} == {
        "good": "0",
        "wrong.twice": "4",
    }


def test_two_runs_do_not_write_the_same_results(run: Verify) -> None:
    done = run(ops=("good",))
    before = (done.folder / results.FILE).read_bytes()
    with fs.lock(done.folder), pytest.raises(SourceError, match="another run is writing here"):
        run(ops=("good", "wrong*"))
    assert (done.folder / results.FILE).read_bytes() == before
    assert run(ops=("good", "wrong*")).done == 4


def test_two_results_are_compared(run: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    run(ops=("good", "wrong*"))
    monkeypatch.setenv("STUB_BUILD", "wrong is right")
    done = run(ops=("good", "wrong*", "linalg.crash"))
    before, after = (done.folder / name for name in (results.BEFORE, results.FILE))
    compared = verification_diff.compare(results.read(before), results.read(after))
    assert len(compared.better) == 4 and not compared.worse and compared.only == (0, 4)
    back = verification_diff.compare(results.read(after), results.read(before))
    text = "\n".join(line.text for line in verification_diff.lines(back, 0))
    assert "wrong.twice  float32  backward  pass    fail   1 instead of 2" in text
    assert verification_diff.compare(results.read(after), results.read(after)).equal


def test_the_page_of_figures(run: Verify) -> None:
    done = run(ops=("good", "wrong*"))
    page = operator_coverage.page(
        done, expected_failures.explain(done.results.values(), ()), "acme"
    )
    assert "2 operators of the operator database, 4 pairs" in page
    assert "| forward | 2 | 0 | 2 | 0 | 0 | 0 | 0 | 50.0 % |" in page
    assert "| wrong.twice | forward | float32 float64 | fail | 1 instead of 2 |" in page


def test_the_page_compares_with_cuda(run: Verify, tmp_path: Path) -> None:
    place = tmp_path / "operators.json"
    assert cuda_operators.read(place) is None
    place.write_text(
        '{"device": "GPU 1", "torch": "2.11", "samples": 4, "counts": {"forward": {"pass": 3, "fail": 1}}, "failures":'
        ' [["wrong.twice", "float32", "forward", "fail", "x"], ["good", "float32", "forward", "fail", "y"]]}'
    )
    done = run(ops=("good", "wrong*"))
    entry = expected_failures.ExpectedFailures(
        ("wrong*",), ("*",), ("forward",), "bug", "is wrong", "verify.yaml:2"
    )
    explained = expected_failures.explain(done.results.values(), [entry])
    page = operator_coverage.page(done, explained, "acme", cuda_operators.read(place))
    assert "2 cases of `wrong.twice`: is wrong (fail on CUDA too: 1)" in page
    assert "| forward | 1 | 75.0 % | 50.0 % |" in page
    assert "Cases that fail on CUDA and pass here: 1, of `good`." in page


@pytest.mark.parametrize("text", ["[]", "{", '{"device": "a"}'])
def test_a_malformed_record_of_cuda_is_an_error(text: str, tmp_path: Path) -> None:
    place = tmp_path / "operators.json"
    place.write_text(text)
    with pytest.raises(MappingError):
        cuda_operators.read(place)


def test_operators_that_ran_on_the_cpu_are_named(run: Verify) -> None:
    done = run(ops=("good",))
    fell = {
        case: result._replace(status="fallback", note="aten::a aten::b.out")
        for case, result in done.results.items()
        if case.check == "forward"
    }
    done = done._replace(results=done.results | fell)
    explained = expected_failures.explain(done.results.values(), ())
    text = "\n".join(line.text for line in report.lines(done, explained, "acme"))
    assert "ran on the CPU (2)\n" in text
    assert "  aten::b.out      2  good" in text
    assert "| aten::b.out | 2 | good |" in operator_coverage.page(done, explained, "acme")


def test_what_is_known_is_told_apart(tmp_path: Path) -> None:
    place = tmp_path / "verify.yaml"
    place.write_text(
        "known:\n"
        "  - {ops: [wrong*], checks: [forward], why: library, reason: no LAPACK}\n"
        "  - {ops: [other], why: bug, reason: none such}\n"
    )
    entries = expected_failures.read(place).operators
    wrong = [
        CheckResult(Case("wrong.twice", "float32", check), "fail", "", 0.0)
        for check in ("forward", "backward")
    ]
    right = CheckResult(Case("wrong.twice", "float64", "forward"), "pass", "", 0.0)
    found = expected_failures.explain([*wrong, right], entries)
    assert found.known == {entries[0]: (wrong[0],), entries[1]: ()}
    assert found.unknown == (wrong[1],)
    assert entries[0].place.endswith("verify.yaml:2")


def test_what_is_known_and_explains_nothing_is_told_of_a_whole_run(
    run: Verify, tmp_path: Path
) -> None:
    entry = expected_failures.ExpectedFailures(
        ("good",), ("*",), ("forward",), "bug", "was wrong once", "verify.yaml:2"
    )
    for asked, idle in (({}, (entry,)), ({"ops": ("good",)}, ())):
        done = run(**asked)
        everything = OperatorSelection(**asked).everything()  # type: ignore[arg-type]
        found = expected_failures.explain(done.results.values(), [entry], everything=everything)
        assert found.idle == idle
        text = "\n".join(line.text for line in report.lines(done, found, "acme"))
        assert ("expected failures that no longer occur" in text) == bool(idle)
        assert ("was wrong once" in operator_coverage.page(done, found, "acme")) == bool(idle)


def test_mistakes_in_what_is_known_are_told_at_once(tmp_path: Path) -> None:
    place = tmp_path / "verify.yaml"
    place.write_text("known:\n  - {ops: [], why: because, reason: x}\n  - {ops: [a], why: bug}\n")
    with pytest.raises(MappingError) as caught:
        expected_failures.read(place)
    assert len(caught.value.problems) == 3


def test_a_file_without_results(tmp_path: Path) -> None:
    place = tmp_path / "results.jsonl"
    for content in ("", "{}\n", "[1, 2]\n", "not json\n"):
        place.write_text(content)
        with pytest.raises(SourceError, match="contains no results"):
            results.read(place)
