"""Tests every command with a sample of invalid inputs; `build_scripts/bad_inputs` runs all of them."""

from __future__ import annotations

import subprocess
import sys

from repository import ROOT

from badinput import groups

SCRIPT = ROOT / "build_scripts" / "bad_inputs"
_SAMPLE = 150
"""Number of cases, which take 20 s."""


def test_a_sample_of_bad_inputs_is_answered_rightly() -> None:
    command = [sys.executable, str(SCRIPT), "--sample", str(_SAMPLE), "-j", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{_SAMPLE} cases, 0 wrong" in done.stdout


def test_every_command_has_bad_inputs() -> None:
    from porter.cli.main import _COMMANDS

    cases = groups.chosen()
    assert len(cases) > 600
    assert {str(case.args[0]) for case in cases if case.args} >= set(_COMMANDS)
    names = [case.name for case in cases]
    assert len(names) == len(set(names))


def test_a_wrong_answer_is_seen() -> None:
    """The checks reject a wrong answer."""
    from badinput.case import Case
    from badinput.runner import _wrong

    case = Case("", ("run",), frozenset({2}))
    right = b"error: x\n  help: y\n"
    assert list(_wrong(case, 2, b"", right)) == []
    for code, said in (
        (None, right),
        (1, right),
        (70, right),
        (2, b""),
        (2, b"x\n" + right),
        (2, b"error: x\n"),
        (2, right + b"Traceback (most recent call last):\n"),
        (2, right + b"\x1b[31m"),
    ):
        assert list(_wrong(case, code, b"", said)), (code, said)
