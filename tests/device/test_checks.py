"""Checks of parts of a program (`torch.simt.check`), with the kernels of the wheel, which have no instrumentation."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from process import finished

from porter.model.verify import CheckUnit
from porter.verify.operators import PROGRAM
from porter.verify.worker_process import BackendLocation, Checker

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
simt = pytest.importorskip("torch_simt", reason="the wheel is not installed")


def unordered_copies() -> None:
    """Two copies to one tensor, on two streams without an order."""
    x, y = torch.zeros(1000, device="simt"), torch.ones(1000, device="simt")
    torch.simt.synchronize()
    x.copy_(y)
    with torch.simt.stream(torch.simt.Stream()):
        x.copy_(y)


def ordered_copies() -> None:
    """The same copies on one stream."""
    x, y = torch.zeros(1000, device="simt"), torch.ones(1000, device="simt")
    x.copy_(y)
    x.copy_(y)


def test_a_race_names_the_operator_and_the_python_lines(capsys: Any) -> None:
    with torch.simt.check("race") as checked:
        unordered_copies()
    (finding,) = checked.findings
    assert (finding.kind, finding.type) == ("race", "streams")
    assert [place.operator for place in finding.places] == ["aten::copy_", "aten::copy_"]
    lines = [place.stack[0] for place in finding.places]
    assert {line.function for line in lines} == {"unordered_copies"}
    assert abs(lines[0].line - lines[1].line) == 2
    assert "launched by aten::copy_" in capsys.readouterr().err


class CopiesInBackward(torch.autograd.Function):  # type: ignore[misc]
    """Identity whose gradient makes the unordered copies."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        unordered_copies()
        return gradient


def loss_of(x: Any) -> Any:
    """Sum of the result of the function."""
    return CopiesInBackward.apply(x).sum()


@pytest.mark.skipif(torch.__version__ < "2", reason="PyTorch 1 does not tell the running node")
def test_a_finding_in_backward_names_the_node_and_the_lines_of_the_forward_operator() -> None:
    with torch.simt.check("race", report="none") as checked:
        loss_of(torch.ones(3, device="simt", requires_grad=True)).backward()
    (finding,) = checked.findings
    for place in finding.places:
        functions = [line.function for line in place.stack]
        assert functions.index("unordered_copies") < functions.index("loss_of")
        assert place.node == "CopiesInBackwardBackward"
    assert "launched by aten::copy_ in backward (CopiesInBackwardBackward)" in str(finding)
    assert not torch.is_anomaly_enabled()


def test_a_correct_program_has_no_finding_and_a_block_ends_its_checks() -> None:
    unordered_copies()
    with torch.simt.check() as checked:
        ordered_copies()
        (torch.randn(30, 40, device="simt") @ torch.randn(40, 5, device="simt")).softmax(
            1
        ).sum().item()
    assert checked.findings == ()
    unordered_copies()
    with torch.simt.check() as checked:
        ordered_copies()
    assert checked.findings == ()


def test_findings_can_be_raised() -> None:
    error = pytest.raises(torch.simt.checks.CheckError, match="race")
    with error as raised, torch.simt.check("race", report="raise"):
        unordered_copies()
    assert len(raised.value.findings) == 1


def test_an_exception_of_the_block_is_passed_on_and_the_checks_end() -> None:
    with pytest.raises(KeyError), torch.simt.check(report="none"):
        raise KeyError
    with torch.simt.check(report="none") as checked:
        ordered_copies()
    assert checked.findings == ()


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown kind 'speed'"), torch.simt.check("speed"):
        pass
    with pytest.raises(ValueError, match="unknown report"), torch.simt.check(report="log"):
        pass
    with pytest.raises(RuntimeError, match="already begun"), torch.simt.check(), torch.simt.check():
        pass
    with pytest.raises(ValueError, match="neither reverse"), torch.simt.checks.schedule("up"):
        pass


def test_results_of_correct_kernels_do_not_depend_on_the_order_of_threads() -> None:
    x = torch.arange(5000.0, device="simt").reshape(50, 100)
    assert torch.simt.check_schedule(lambda: (x.sum(1), x.cumsum(0), x.sort(1))) == ""


def test_checks_of_the_whole_process_exclude_those_of_a_part() -> None:
    done = finished("import torch\nwith torch.simt.check(): pass", SIMT_CHECK="sync")
    assert "SIMT_CHECK is set" in done.stderr


def test_the_operator_suite_writes_findings_and_launches_of_each_check(tmp_path: Path) -> None:
    place = tmp_path / "findings.jsonl"
    options = ("--samples", "1", "--kinds", "race,sync,schedule", "--findings", str(place))
    where = BackendLocation(sys.executable, "torch_simt", "simt")
    checker = Checker(where, (PROGRAM, *options), 120)
    try:
        results = list(checker.check(CheckUnit("neg", "float32", ("forward", "out"))))
    finally:
        checker.close()
    assert [result.status for result in results] == ["pass", "pass"]
    lines = [json.loads(line) for line in place.read_text("utf-8").splitlines()]
    assert [(line["op"], line["check"], line["findings"]) for line in lines] == [
        ("neg", "forward", []),
        ("neg", "out", []),
    ]
    libraries = {Path(library).name for library, _ in lines[0]["launches"]}
    assert libraries == {"libtorch_simt_kernels.so"}


@pytest.mark.parametrize("device", ["cpu", "simt"])
def test_gradients_without_memory_are_computed_with(device: str) -> None:
    leaf = torch.ones(20, 20, device=device, requires_grad=True)
    with torch.simt.check("sync"):
        (gradient,) = torch.autograd.grad(leaf.sgn().sum(), leaf)
        doubled = torch.ops.aten.mul.Scalar(gradient, 2.0)
    assert doubled.abs().max() == 0


def test_operators_take_the_same_way_under_checks() -> None:
    # Below a dispatch mode, PyTorch's ctc_loss does not copy the lengths to the host, which its CUDA kernel requires.
    scores = torch.randn(5, 3, 4).log_softmax(2)
    targets = torch.randint(1, 4, (3, 3))
    lengths = torch.full((3,), 5), torch.full((3,), 3)
    expected = torch.nn.functional.ctc_loss(scores, targets, *lengths)
    with torch.simt.check("sync"):
        found = torch.nn.functional.ctc_loss(scores.to("simt"), targets.to("simt"), *lengths)
    torch.testing.assert_close(found.cpu(), expected)


def test_operators_of_other_threads_are_named() -> None:
    with torch.simt.check("race", report="none") as checked:
        thread = threading.Thread(target=unordered_copies)
        thread.start()
        thread.join()
    (finding,) = checked.findings
    assert [place.operator for place in finding.places] == ["aten::copy_", "aten::copy_"]
    assert {place.stack[0].function for place in finding.places} == {"unordered_copies"}
