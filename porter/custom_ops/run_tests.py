"""Runs the tests of an operator project on the installed backend, and checks the fake kernels in these tests."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import Problem, RegisterError, UsageError, VerifyError
from porter.model.custom_ops import BuiltOps

TESTS = "tests"
_SUITE = Path(__file__).with_name("suite")
_PLUGIN = "porter_op_checks"
_FAILED, _NO_TESTS = 1, 5
"""Exit codes of pytest (pytest.ExitCode)."""


class OpTestResult(NamedTuple):
    """Outcome of an operator project's tests, and the operators that no test called."""

    passed: bool
    uncalled: tuple[str, ...]
    """Names of the operators that no test called."""


def test(project: Path, built: BuiltOps, python: str, more: Sequence[str] = ()) -> OpTestResult:
    """Run the tests of a built project with pytest; `more` are further arguments. pytest writes to the terminal.

    Raises RegisterError, with the lines of the entries, for fake kernels that disagree with the real kernels;
    UsageError for a project without tests, VerifyError when pytest cannot run.
    """
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        code = subprocess.run(
            [python, "-m", "pytest", "-p", _PLUGIN, *(more or [str(project / TESTS)])],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(
                    [str(built.package.parent.resolve()), str(_SUITE), *_python_path()]
                ),
                "PYTHONDONTWRITEBYTECODE": "1",
                "PORTER_DEVICE": built.device,
                "PORTER_OP_NAMESPACE": built.ops.namespace,
                "PORTER_OP_CHECKS": str(found),
            },
            check=False,
        ).returncode
        if code == _NO_TESTS:
            raise UsageError("the project has no tests", str(project / TESTS))
        if code not in (0, _FAILED) or not found.is_file():
            raise VerifyError(f"pytest could not run the tests (exit {code})", str(project / TESTS))
        said = json.loads(found.read_text(encoding="utf-8"))
    ops = {one.signature.full_name: one for one in built.ops.custom}
    if said["wrong"]:
        raise RegisterError(
            Problem(
                f"{built.ops.namespace}::{name}: {text}",
                ops[name].place,
                f"to omit this variant of {ops[name].made_of}, write `forms: false` in its entry"
                if ops[name].made
                else "",
            )
            for name, text in sorted(said["wrong"].items())
        )
    called = set(said["called"])
    replaced = (
        f"aten::{entry.op}"
        for entry in built.ops.override
        if called.isdisjoint(f"aten::{name}" for name in entry.serves)
    )
    return OpTestResult(code == 0, (*sorted(set(ops) - called), *replaced))


def _python_path() -> list[str]:
    return [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
