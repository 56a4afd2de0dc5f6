"""Runs the tests of one class in sequence, and records their outcomes."""

from __future__ import annotations

import importlib
import time
import unittest
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import torch
from answers import Answers, outcome
from watch import Watch


class RecordedResult(unittest.TestResult):
    """Status and note of one test. Of several failures, for example of subtests, the first one is recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.status, self.note = "pass", ""

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self._skipped(reason)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self._wrong(err[1])

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self._wrong(err[1])

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._wrong(err[1])

    def addExpectedFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addExpectedFailure(test, err)
        self._skipped("PyTorch expects this test to fail")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self.status, self.note = "fail", "PyTorch expects this test to fail, but it passes"

    def _skipped(self, reason: str) -> None:
        # A skipped subtest does not hide the failure of another subtest.
        if self.status == "pass":
            self.status, self.note = "skipped", reason

    def _wrong(self, error: BaseException) -> None:
        if self.status not in ("fail", "unsupported"):
            self.status, self.note = outcome(error)


class Device:
    """Device under test, and the checks under which its tests run."""

    def __init__(self, name: str, package: str, watch: Watch) -> None:
        self.name = name
        self.watch = watch
        # Not torch.get_device_module: with the name 'cuda', that is torch.cuda.
        self.module = importlib.import_module(package)

    def prepare(self) -> None:
        """Initialise the device and load PyTorch's compiler, so that the first test's time limit covers neither.

        PyTorch's TestCase sets an option of the compiler before each test, and this loads the compiler.
        """
        importlib.import_module("torch._dynamo.config")
        self.works()

    def works(self) -> bool:
        """Test whether the device still computes.

        After a failed assertion in a kernel, every later call fails, as on CUDA.
        """
        try:
            ones = torch.ones(2, device=self.name)
            self.module.synchronize()
            return float(ones.sum()) == 2.0
        except Exception:
            return False

    def fallen_back(self) -> str:
        """Names of the operators that ran on the CPU since the last call of this function."""
        names = " ".join(sorted(self.module.metrics()))
        self.module.reset_metrics()
        return names


def work(answers: Answers, case: Any, op: str, tests: list[str], device: Device) -> bool:
    """Run tests, and report the beginning and the end of each. Returns True if the device still works afterwards.

    `op` is the name of the class in findings: file and class.

    The run stops when the device fails, because the remaining tests then need a new process.
    """
    with fixtures(case) as failed:
        for name in tests:
            answers.begin(name)
            began = time.perf_counter()
            device.fallen_back()
            with device.watch.over(op, "", name, partial(passes, case(name))):
                status, note = failed or run(case(name))
            fell_back = device.fallen_back()
            if status == "pass" and fell_back:
                status, note = "fallback", fell_back
            works = device.works()
            seconds = round(time.perf_counter() - began, 3)
            answers.tell(check=name, status=status, note=note, seconds=seconds, over=not works)
            if not works:
                return False
    return True


def passes(test: unittest.TestCase) -> None:
    """Run one test. Raises AssertionError if it fails."""
    status, note = run(test)
    if status == "fail":
        raise AssertionError(note)


def run(test: unittest.TestCase) -> tuple[str, str]:
    """Run one test and return its status and note."""
    told = RecordedResult()
    with warnings.catch_warnings():
        # The filter of unittest's own runner. Some tests check which warnings are emitted.
        warnings.simplefilter("default")
        test.run(told)
    return told.status, told.note


@contextmanager
def fixtures(case: Any) -> Iterator[tuple[str, str] | None]:
    """Context that sets a test class up at the beginning and tears the class down at the end.

    Yields None if the set-up succeeds. If the set-up fails, yields the status and note of all tests of the class.
    """
    if getattr(case, "__unittest_skip__", False):
        # The tests of a skipped class report the skip themselves. The set-up of the class could fail and is not run.
        yield None
        return
    try:
        case.setUpClass()
    except unittest.SkipTest as why:
        yield "skipped", str(why)
    except Exception as error:
        yield outcome(error)
    else:
        yield None
        with suppress(Exception):
            # Errors of the tear-down are ignored: after a failure of the device, no class can be torn down.
            case.tearDownClass()
    with suppress(Exception):
        case.doClassCleanups()
