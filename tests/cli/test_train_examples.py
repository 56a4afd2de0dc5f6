"""Training examples: they run, and their checks can fail. build_scripts/quickstart runs them on a device."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from types import ModuleType

import pytest
from repository import ROOT

pytestmark = pytest.mark.slow

pytest.importorskip("torch", reason="the examples train with torch")
TRAIN = ROOT / "examples" / "train"


@pytest.mark.parametrize("name", ["mlp", "cnn", "transformer"])
def test_two_runs_on_one_device_are_the_same(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(TRAIN / f"{name}.py"), "--device", "cpu", "--steps", "3"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok    losses differ by at most 0.0e+00" in done.stdout
    assert " addmm" in done.stdout, "the table of ops"


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TRAIN))
    import compare

    return compare


@pytest.mark.parametrize(
    ("losses", "fallbacks", "wrong"),
    [
        ([2.0, 0.1], {}, ""),
        ([2.0, 0.102], {}, "losses differ by at most 2.0e-02"),
        ([2.0, float("nan")], {}, "losses differ by at most nan"),
        ([2.0, 0.1], {"aten::sort": 2}, "{'aten::sort': 2}"),
        ([2.0, 1.0], {}, "losses differ"),
    ],
)
def test_verdict(
    compare: ModuleType,
    losses: list[float],
    fallbacks: dict[str, int],
    wrong: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    task = compare.Task("toy", None, None, None, None, steps=2, learnt=0.5, tolerance=1e-2)
    runs = [
        compare.Run("cpu", [2.0, 0.1], 0.0, Counter()),
        compare.Run("acme", losses, 0.0, Counter()),
    ]
    assert compare._verdict(task, runs, fallbacks, whole=True) == (1 if wrong else 0)
    assert [
        line for line in capsys.readouterr().out.splitlines() if "WRONG" in line and wrong in line
    ] or not wrong


def test_a_model_that_did_not_learn(
    compare: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    task = compare.Task("toy", None, None, None, None, steps=2, learnt=0.5, tolerance=1e-2)
    runs = [compare.Run(device, [2.0, 1.9], 0.0, Counter()) for device in ("cpu", "acme")]
    assert compare._verdict(task, runs, {}, whole=True) == 1
    assert "WRONG the last loss is 1.9000, below 0.5" in capsys.readouterr().out
    assert compare._verdict(task, runs, {}, whole=False) == 0
