"""Operators and device tests under the runtime's checks, with instrumented kernels.

Steps of `porter verify --check`: find the sources of the kernels that the operators launch, by a run with a library
whose map is known; compile these sources with instrumentation; link a library; run the operators with that library
under the checks. `porter device-tests --check` compiles all sources. The folder `check` of the port contains the
libraries and the results.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from porter.base import regular_files
from porter.base.errors import UsageError
from porter.base.fs import lock
from porter.checks import findings
from porter.checks.findings import Finding, Frame
from porter.checks.kernel_library import KernelLibrary
from porter.model.verify import CRASH, HANG, Case, CheckUnit, Setting, VerificationResult
from porter.port.select import release_of
from porter.verify import device_tests as tests
from porter.verify.device_tests import DeviceTestSelection
from porter.verify.operators import PROGRAM, OperatorSelection, choose, listed
from porter.verify.scheduler import (
    Progress,
    VerificationWork,
    carry_out,
    no_progress,
    program_digest,
)
from porter.verify.worker_process import BackendLocation, Checker, SuiteProcess, begin

RECORDING = "recording"
"""Name of the library without instrumentation. A run with this library tells which sources the operators need."""
INSTRUMENTED = "instrumented"


class CaseFinding(NamedTuple):
    """Finding, and the cases (`sum float32 forward`) in which it occurs."""

    finding: Finding
    cases: tuple[str, ...]


class CheckedCases(NamedTuple):
    """Result of `verify` and of `device_tests`."""

    findings: tuple[CaseFinding, ...]
    sources: tuple[str, ...]
    """Upstream paths of the instrumented sources."""
    launched: tuple[str, ...]
    """Instrumented sources whose kernels the cases have launched."""
    statuses: Mapping[Case, str]

    @property
    def ended(self) -> dict[str, int]:
        """Maps CRASH and HANG to the number of such cases, whose findings are unknown."""
        ended = Counter(self.statuses.values())
        return {status: ended[status] for status in (CRASH, HANG) if ended[status]}


class _Run(NamedTuple):
    """Installed backend, chosen units, and options of a run."""

    where: BackendLocation
    setting: Setting
    units: Sequence[CheckUnit]
    asked: OperatorSelection
    progress: Progress


def verify(
    where: BackendLocation,
    out: Path,
    asked: OperatorSelection,
    kinds: Sequence[str],
    globs: Sequence[str] = (),
    progress: Progress = no_progress,
) -> CheckedCases:
    """Run the selected operators under the checks `kinds`. `globs`: sources to instrument; empty: all that are needed.

    `out` contains a built port for each version of PyTorch. Raises the errors of `operators.verify`, SourceError if the
    port is not built, and BuildError if the instrumented kernels cannot be built.
    """
    with _begun(where, out, asked, progress) as (run, port):
        library = KernelLibrary.of(port, INSTRUMENTED)
        chosen = library.matching(globs) if globs else None
        with lock(library.folder):
            if chosen is None:
                launched = _launched(run, port)
                chosen = sorted({source for sources in launched.values() for source in sources})
            if not chosen:
                raise UsageError("the operators launch no kernel of the port")
            library.make(chosen, asked.jobs, progress)
            place, done = _carry_out(run, library, kinds, chosen)
    return _result(place, done, library, chosen)


def device_tests(
    where: BackendLocation,
    tree: Path,
    out: Path,
    asked: DeviceTestSelection,
    kinds: Sequence[str],
    globs: Sequence[str] = (),
    progress: Progress = no_progress,
) -> CheckedCases:
    """Run the selected device tests of the source tree under the checks `kinds`.

    `globs`: sources to instrument; empty: all. Raises the errors of `verify` and of
    `porter.verify.device_tests.device_tests`.
    """
    library = KernelLibrary.of(out / release_of(tree), INSTRUMENTED)
    chosen = library.matching(globs or ("*",))
    with lock(library.folder):
        library.make(chosen, asked.jobs, progress)
        digest, place, options = _observed(library, kinds, chosen, tests.PROGRAM)
        observation = tests.Observation(options, library.folder / digest[:12], digest)
        done = tests.device_tests(where, tree, out, asked, progress, observation)
    return _result(place, done, library, chosen)


def launched_sources(
    where: BackendLocation, out: Path, asked: OperatorSelection, progress: Progress = no_progress
) -> dict[str, frozenset[str]]:
    """Upstream paths of the sources whose kernels each operator launches. Raises the errors of `verify`."""
    with _begun(where, out, asked, progress) as (run, port):
        return _launched(run, port)


@contextlib.contextmanager
def _begun(
    where: BackendLocation, out: Path, asked: OperatorSelection, progress: Progress
) -> Iterator[tuple[_Run, Path]]:
    """Run over the selected units, and the port of the installed version of PyTorch."""
    process = SuiteProcess(where, PROGRAM, "--list")
    told = begin(process, where)
    try:
        setting = Setting(where.package, told["torch"], told["build"], "", asked.samples)
        run = _Run(where, setting, choose(listed(process, where), asked), asked, progress)
    finally:
        process.kill()
    yield run, out / told["torch"].partition("+")[0]


def _launched(run: _Run, port: Path) -> dict[str, frozenset[str]]:
    """Sources of the kernels that each operator launches."""
    library = KernelLibrary.of(port, RECORDING)
    with lock(library.folder):
        library.make((), run.asked.jobs, run.progress)
        place, done = _carry_out(run, library, ("sync",), ())
        lines = list(_lines(place, set(done.results)))
    offsets: dict[str, set[int]] = {unit.op: set() for unit in run.units}
    for line in lines:
        offsets[line["op"]].update(_offsets(line, library))
    sources_at = library.sources_at()
    return {op: frozenset(sources_at(found)) for op, found in offsets.items()}


def _offsets(line: dict[str, Any], library: KernelLibrary) -> Iterator[int]:
    """Offsets in the library at which a case has launched kernels."""
    return (at for module, at in line["launches"] if module == str(library.path))


def _carry_out(
    run: _Run, library: KernelLibrary, kinds: Sequence[str], sources: Sequence[str]
) -> tuple[Path, VerificationResult]:
    """Run the units with a library. Returns the file with their findings, and their results."""
    digest, place, options = _observed(library, kinds, sources, PROGRAM)
    samples = ("--samples", str(run.asked.samples))

    def checker() -> Checker:
        return Checker(run.where, (PROGRAM, *samples, *options), run.asked.limit)

    setting = run.setting._replace(suite=digest)
    folder = library.folder / digest[:12]
    work = VerificationWork(setting, folder, checker, run.asked.again, run.asked.jobs)
    return place, carry_out(run.units, work, run.progress)


def _observed(
    library: KernelLibrary, kinds: Sequence[str], sources: Sequence[str], program: str
) -> tuple[str, Path, tuple[str, ...]]:
    """Digest of a run under checks, the file for its findings, and the options of the suite program."""
    conditions = [program_digest(program), *kinds, *sources]
    digest = hashlib.sha256("\n".join(conditions).encode()).hexdigest()
    place = library.folder / f"findings-{digest[:12]}.jsonl"
    options = ("--kinds", ",".join(kinds), "--findings", str(place), "--kernels", str(library.path))
    return digest, place, options


def _result(
    place: Path, done: VerificationResult, library: KernelLibrary, sources: Sequence[str]
) -> CheckedCases:
    lines = list(_lines(place, set(done.results)))
    statuses = {case: result.status for case, result in done.results.items()}
    offsets = {at for line in lines for at in _offsets(line, library)}
    launched = sorted(set(library.sources_at()(offsets)) & set(sources))
    return CheckedCases(
        _merged(_findings(lines, library)), tuple(sources), tuple(launched), statuses
    )


def _lines(place: Path, cases: set[Case]) -> Iterator[dict[str, Any]]:
    """Last line of each case in a file of findings."""
    latest: dict[Case, dict[str, Any]] = {}
    if place.exists():
        for line in regular_files.read_text(place).splitlines():
            with contextlib.suppress(ValueError, KeyError):
                data = json.loads(line)
                latest[Case(data["op"], data["dtype"], data["check"])] = data
    return (data for case, data in latest.items() if case in cases)


def _findings(
    lines: Sequence[dict[str, Any]], library: KernelLibrary
) -> Iterator[tuple[Finding, str]]:
    """Findings with upstream's paths, and the case of each."""
    upstream = library.upstream_paths()

    def moved(frame: Frame) -> Frame:
        return frame._replace(file=upstream(frame.file))

    for line in lines:
        for data in line["findings"]:
            finding = findings.from_json(data)
            places = tuple(
                one._replace(frames=tuple(map(moved, one.frames))) for one in finding.places
            )
            case = " ".join(filter(None, (line["op"], line["dtype"], line["check"])))
            yield finding._replace(places=places), case


def _merged(found: Iterator[tuple[Finding, str]]) -> tuple[CaseFinding, ...]:
    """Findings at equal lines as one: the instances of a template have the same fault."""
    by_lines: dict[object, list[tuple[Finding, str]]] = {}
    for finding, case in found:
        sides = sorted(
            (place.what.partition(" ")[0], place.frames[0][:2] if place.frames else ())
            for place in finding.places
        )
        text = "" if finding.places else finding.object
        by_lines.setdefault((finding.kind, finding.type, text, str(sides)), []).append(
            (finding, case)
        )
    merged = []
    for group in by_lines.values():
        times = sum(finding.times for finding, _ in group)
        cases = dict.fromkeys(case for _, case in group)
        merged.append(CaseFinding(group[0][0]._replace(times=times), tuple(cases)))
    return tuple(merged)
