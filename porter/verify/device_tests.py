"""Run of PyTorch's device-generic tests on an installed backend.

    done = device_tests(BackendLocation(python, "torch_simt", "simt"), tree, folder, DeviceTestSelection())

Steps: choose test files, list the tests that each file has for the device, choose tests, run the tests that have no
stored result, and append their results to the journal.
"""

from __future__ import annotations

import hashlib
import math
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from porter.base.errors import SourceError, UsageError, did_you_mean
from porter.base.fs import lock
from porter.model.verify import (
    FAIL,
    Case,
    CheckResult,
    CheckUnit,
    Setting,
    SuitePart,
    VerificationResult,
)
from porter.port.select import release_of
from porter.verify.scheduler import (
    Progress,
    VerificationWork,
    carry_out,
    no_progress,
    part_of,
    program_digest,
)
from porter.verify.worker_process import (
    BEGUN,
    BackendLocation,
    Checker,
    NoAnswer,
    SuiteProcess,
    begin,
)

PROGRAM = "device_tests"
"""Name of the suite program, a subfolder of `suite`. The program runs in the backend's Python environment."""
FILES = (
    *("test_torch.py", "test_autograd.py", "test_indexing.py", "test_type_promotion.py"),
    *("test_tensor_creation_ops.py", "test_shape_ops.py", "test_view_ops.py"),
    *("test_unary_ufuncs.py", "test_binary_ufuncs.py", "test_reductions.py", "test_complex.py"),
    *("test_sort_and_select.py", "test_scatter_gather_ops.py", "test_segment_reductions.py"),
    *("test_linalg.py", "test_spectral_ops.py", "test_sparse.py", "test_sparse_csr.py"),
    *("test_foreach.py", "test_optim.py", "test_masked.py", "test_nestedtensor.py"),
    *("test_nn.py", "test_modules.py", "test_native_mha.py", "test_expanded_weights.py"),
    *("nn/test_convolution.py", "nn/test_dropout.py", "nn/test_embedding.py"),
    *("nn/test_multihead_attention.py", "nn/test_pooling.py"),
    *("test_dlpack.py", "test_numpy_interop.py", "test_serialization.py", "test_content_store.py"),
    *("quantization/core/experimental/test_bits.py",),
    *("quantization/core/experimental/test_float8.py",),
)
"""Test files under `test/` that test a device and support out-of-tree devices.

The list does not contain test_ops*.py, because `porter verify` checks the operators, nor the tests of compilers,
exporters and distributed training.
"""
CUDA_FILES = ("test_cuda.py", "test_cuda_*.py")
"""Globs of test files under `test/` that test `torch.cuda`."""
DISTRIBUTED_FILES = (
    *("distributed/test_c10d_nccl.py", "distributed/test_c10d_common.py"),
    *("distributed/test_c10d_ops_nccl.py", "distributed/test_c10d_spawn_nccl.py"),
    *("distributed/test_c10d_object_collectives.py", "distributed/test_collective_utils.py"),
    *("distributed/test_nccl.py", "distributed/test_pg_wrapper.py", "distributed/test_store.py"),
    *("distributed/test_data_parallel.py", "distributed/test_device_mesh.py"),
    *("distributed/test_functional_api.py", "distributed/test_c10d_functional_native.py"),
    *("distributed/_composable/*.py", "distributed/_composable/fsdp/*.py"),
    *("distributed/_composable/test_composability/*.py", "distributed/fsdp/*.py"),
    *("distributed/_tensor/*.py", "distributed/tensor/*.py", "distributed/tensor/parallel/*.py"),
    *("distributed/checkpoint/*.py", "distributed/checkpoint/*/*.py"),
    *("distributed/pipelining/*.py", "distributed/_shard/*/*.py"),
    *("distributed/algorithms/*.py", "distributed/algorithms/ddp_comm_hooks/*.py"),
    *("distributed/optim/*.py", "distributed/test_symmetric_memory.py"),
    *("distributed/algorithms/quantization/*.py",),
)
"""Globs of test files under `test/` that test NCCL and distributed training on CUDA."""
IMPORT = "import"
"""Test name in the result for a test file that cannot be imported."""
_MAKES_CLASSES = "instantiate_device_type_tests("
_PIECE = 100
"""Largest number of tests in one unit of work. The tests of one class may form several units."""


class DeviceTestSelection(NamedTuple):
    """Selection of device tests, and options of their run."""

    files: tuple[str, ...] = FILES
    """Globs of paths under `test/`."""
    tests: tuple[str, ...] = ("*",)
    """Globs of test names, with or without class and file: `TestIndexing::test_index*`."""
    shard: tuple[int, int] = (1, 1)
    """(i, n): run the i-th of n parts of the selected tests."""
    again: tuple[str, ...] = ()
    """Statuses of stored results. A test with such a result is repeated."""
    jobs: int = 1
    limit: float = 300.0
    """Time limit of one test in seconds."""
    suite: SuitePart = SuitePart.DEVICE

    def everything(self) -> bool:
        """True if all device-generic tests are selected."""
        chosen = (self.suite, self.files, self.tests, self.shard)
        return chosen == (SuitePart.DEVICE, FILES, ("*",), (1, 1))


class DeviceTestFile(NamedTuple):
    """Tests that one file contains for the device."""

    units: tuple[CheckUnit, ...] = ()
    """One unit for each test class."""
    unusable: CheckResult | None = None
    """Result with the reason why the file cannot be imported; None for a usable file."""


class Observation(NamedTuple):
    """Checks of the runtime under which tests run."""

    options: tuple[str, ...]
    """Options of the suite program (suite/watch.py)."""
    folder: Path
    """Folder for the results, in place of `device-tests`."""
    digest: str
    """Digest of the kernels and of the checks: a stored result with another one does not count."""


def device_tests(
    where: BackendLocation,
    tree: Path,
    out: Path,
    asked: DeviceTestSelection,
    progress: Progress = no_progress,
    observation: Observation | None = None,
) -> VerificationResult:
    """Run the selected tests, and store results in `<out>/<version of PyTorch>/<suite>`.

    A file that cannot be imported gives one result with the reason. Raises SourceError when the release of `tree`
    differs from the installed release, and the errors of `porter.verify.operators.verify`.
    """
    release, folder = release_of(tree), Path(os.path.realpath(tree / "test"))
    files = choose_files(folder, asked.files, asked.suite)
    results = out / release / asked.suite
    suite = program_digest(PROGRAM)
    if observation is not None:
        results, suite = observation.folder, f"{suite} {observation.digest}"
    with lock(results), tempfile.TemporaryDirectory(prefix="porter-") as scratch:
        listing = _command(folder, scratch, asked)
        command = (*listing, *(observation.options if observation else ()))
        lister = _Lister(where, listing, asked.jobs)
        try:
            installed = lister.begin()
            _check_version(installed["torch"], tree, release, where)
            listed = lister.list(files, progress)
        finally:
            lister.close()
        setting = Setting(
            *(where.package, installed["torch"], installed["build"], suite, 0),
            _digest(folder),
        )
        unusable = [one.unusable for one in listed if one.unusable]
        chosen = choose([unit for one in listed for unit in one.units], asked, bool(unusable))

        def checker() -> Checker:
            return Checker(where, command, asked.limit)

        work = VerificationWork(setting, results, checker, asked.again, asked.jobs)
        return carry_out(list(_pieces(chosen)), work, progress, unusable)


def choose_files(
    folder: Path, globs: Sequence[str], suite: SuitePart = SuitePart.DEVICE
) -> list[str]:
    """Selected test files, as paths under `test/`. Entries of `FILES` that the release lacks are left out.

    With the device's name `cuda`, the files also include `CUDA_FILES`. The files of distributed training are those that
    match `DISTRIBUTED_FILES`.

    Raises UsageError for a glob without a match, SourceError if the folder contains no tests for devices.
    """
    own = tuple(globs) == FILES
    if suite is SuitePart.DISTRIBUTED:
        every = _matching(folder, DISTRIBUTED_FILES)
    else:
        every = _listed(folder) if own else _candidates(folder)
        if suite is SuitePart.AS_CUDA:
            # Some of these files also contain classes that PyTorch creates for devices.
            every = list(dict.fromkeys([*every, *_matching(folder, CUDA_FILES)]))
    for glob in () if own else globs:
        if not any(fnmatchcase(file, glob) for file in every):
            help = (
                did_you_mean(glob, every)
                or f"give test files below {folder} that contain tests for devices"
            )
            raise UsageError(f"--files: no test file matches '{glob}'", help=help)
    if not every:
        raise SourceError("the folder contains no tests for devices", str(folder))
    if own:
        return every
    return [file for file in every if any(fnmatchcase(file, glob) for glob in globs)]


def choose(
    every: Sequence[CheckUnit], asked: DeviceTestSelection, empty: bool = False
) -> list[CheckUnit]:
    """Units with the selected tests of the units `every`. Raises UsageError for a glob without a match.

    With `empty`, there is no error if `every` is empty, for example because no file can be imported.
    """
    part, parts = asked.shard
    used: set[str] = set()
    chosen = []
    for unit in every:
        tests = []
        for test in unit.checks:
            matching = [glob for glob in asked.tests if _named(unit, test, glob)]
            used.update(matching)
            if matching and part_of(f"{unit.op}::{test}", parts) == part:
                tests.append(test)
        if tests:
            chosen.append(CheckUnit(unit.op, unit.dtype, tuple(tests)))
    for glob in () if empty and not every else asked.tests:
        if glob not in used:
            help = did_you_mean(glob, {test for unit in every for test in unit.checks})
            raise UsageError(f"--tests: no test matches '{glob}'", help=help)
    return chosen


def _check_version(installed: str, tree: Path, release: str, where: BackendLocation) -> None:
    version = installed.partition("+")[0]
    if version != release:
        help = f"give the source tree of PyTorch {version}, which is installed for {where.python}"
        text = f"the tree is PyTorch {release}, but PyTorch {version} is installed"
        raise SourceError(text, str(tree), help)


def _listed(folder: Path) -> list[str]:
    return [file for file in FILES if (folder / file).is_file()]


def _candidates(folder: Path) -> list[str]:
    return [
        place.relative_to(folder).as_posix()
        for place in sorted(folder.rglob("test_*.py"))
        if _MAKES_CLASSES in place.read_text(encoding="utf-8", errors="replace")
    ]


def _matching(folder: Path, globs: Sequence[str]) -> list[str]:
    """Test files that match one of the globs, in the order of the globs."""
    found: dict[str, None] = {}
    for glob in globs:
        for place in sorted(folder.glob(glob)):
            if place.name.startswith("test_"):
                found[place.relative_to(folder).as_posix()] = None
    return list(found)


def _command(folder: Path, scratch: str, asked: DeviceTestSelection) -> tuple[str, ...]:
    part = (asked.suite.option,) if asked.suite.option else ()
    limit = ("--limit", str(math.ceil(asked.limit)))
    return (PROGRAM, "--tests", str(folder), "--folder", scratch, *part, *limit)


class _Lister:
    """Suite processes that list the tests of files. Each process lists the tests of many files."""

    def __init__(self, where: BackendLocation, command: Sequence[str], jobs: int) -> None:
        self.where = where
        self.command = command
        self.jobs = jobs
        self.idle: list[SuiteProcess] = []

    def begin(self) -> dict[str, Any]:
        """Start the first process. Returns the versions of PyTorch and of the backend."""
        process = SuiteProcess(self.where, *self.command)
        versions = begin(process, self.where)
        self.idle.append(process)
        return versions

    def list(self, files: Sequence[str], progress: Progress) -> Sequence[DeviceTestFile]:
        """Tests of each file. Raises SourceError if the backend cannot be used."""
        listed = []
        with ThreadPoolExecutor(self.jobs) as pool:
            for one in pool.map(self._list, files):
                listed.append(one)
                progress(len(listed), len(files), f"{files[len(listed) - 1]} read")
        return listed

    def close(self) -> None:
        """End all processes."""
        for process in self.idle:
            process.end()

    def _list(self, file: str) -> DeviceTestFile:
        try:
            process = self.idle.pop()
        except IndexError:
            process = SuiteProcess(self.where, *self.command)
            begin(process, self.where)
        units: list[CheckUnit] = []
        why = ""
        try:
            process.ask({"op": file, "list": True})
            while "end" not in (answer := process.answer()):
                if "error" in answer:
                    process.end()
                    raise SourceError(answer["error"], self.where.python)
                if "unusable" in answer:
                    why = answer["unusable"]
                    break
                if "op" in answer:
                    units.append(CheckUnit(answer["op"], answer["dtype"], tuple(answer["checks"])))
        except NoAnswer:
            said = process.end().rpartition(BEGUN)[2].splitlines()
            # The last line of the program's output is the reason.
            why = (said or ["the process ended or hung without output"])[-1]
        else:
            self.idle.append(process)
        if why:
            return DeviceTestFile(unusable=CheckResult(Case(file, "", IMPORT), FAIL, why, 0.0))
        return DeviceTestFile(tuple(units))


def _named(unit: CheckUnit, test: str, glob: str) -> bool:
    file, _, name = unit.op.partition("::")
    return any(fnmatchcase(id, glob) for id in (test, f"{name}::{test}", f"{file}::{name}::{test}"))


def _pieces(units: Iterable[CheckUnit]) -> Iterator[CheckUnit]:
    """Units with at most `_PIECE` tests of a class, so that several processes can run the tests of one class."""
    for unit in units:
        for start in range(0, len(unit.checks), _PIECE):
            yield CheckUnit(unit.op, unit.dtype, unit.checks[start : start + _PIECE])


def _digest(folder: Path) -> str:
    """Digest of all Python files in a folder. All of them count, because tests import each other."""
    total = hashlib.sha256()
    for place in sorted(folder.rglob("*.py")):
        total.update(place.relative_to(folder).as_posix().encode())
        total.update(place.read_bytes())
    return total.hexdigest()
