"""Regeneration of ports: every port is made again and compared with its lock file.

A lock file, `<target>-<release>.lock.json`, contains the results of a port: hashes, rule hits, residue, hazards. The
port has drifted if it differs from the lock file, because the mappings, porter or upstream changed.
"""

from __future__ import annotations

import contextlib
import datetime
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from porter.base import fs
from porter.base.errors import Interrupted, MappingError, PorterError, Problem, SourceError
from porter.inspect.mapping_findings import CheckedMappings, check_targets
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.drift import Drift
from porter.model.lock import to_text
from porter.model.port_output import Output
from porter.overlay import store
from porter.port import header_tree, outdated_patches, output
from porter.port.select import release_of
from porter.port.stage import PortSettings, port
from porter.release import known
from porter.report import diff
from porter.report.findings import expired, findings, without_budget
from porter.report.summary import summarise
from porter.vendor_repository import release_trees
from porter.vendor_repository.release_trees import ReleaseTrees

_SUFFIX = ".lock.json"
_LOCK = re.compile(rf"(?P<target>.+)-(?P<release>{release_trees.NAME})", re.ASCII)
ShowProgress = Callable[[str], AbstractContextManager[Callable[..., None]]]
"""Function that takes a title and returns a context manager that shows the progress of work under this title."""


class LockState(StrEnum):
    """Result of comparing a port with its lock file."""

    AS_LOCKED = "as locked"
    DRIFT = "drift"
    NO_LOCK = "no lock"
    LAYOUT = "layout"
    """The content is equal, but the lock file has the layout of a different version of porter."""
    FAILED = "failed"
    """The port failed."""


@dataclass(frozen=True)
class Regenerated:
    """One port that was made again: its output, the comparison with its lock file, and its problems."""

    target: str
    release: str
    """Name of the ported tree: `2.6.0`, or `2.14.1-headers` for a header tree."""
    state: LockState
    lock: Path
    made: Output | None = None
    drift: Drift | None = None
    problems: tuple[Problem, ...] = ()
    """Findings of the port, or the reasons for its failure."""
    code: int = 0
    """Exit code that corresponds to the failure; 0 for a successful port."""
    seconds: float = 0
    updated: bool = False
    """True if this run rewrote the lock file."""

    @property
    def fine(self) -> bool:
        """True if the port needs no decision by the user."""
        return (self.state is LockState.AS_LOCKED or self.updated) and not self.problems


@dataclass(frozen=True)
class RegenerateSettings:
    """Ports to make, and the folders of their locks and outputs."""

    library: MappingLibrary
    targets: Sequence[str]
    releases: Sequence[str]
    trees: ReleaseTrees
    locks: Path
    out: Path | None = None
    """Folder in which the ports are kept; None for a temporary folder."""
    update: bool = False
    jobs: int = 1
    progress: ShowProgress = field(
        default=lambda title: contextlib.nullcontext(lambda done, total, last="": None)
    )


def locked_ports(locks: Path) -> tuple[list[str], list[str]]:
    """Targets and releases in the names of the lock files in a folder, as two lists without duplicates.

    Targets are sorted alphabetically, releases numerically.
    """
    targets, releases = set(), set()
    for place in locks.glob(f"*{_SUFFIX}"):
        if match := _LOCK.fullmatch(place.name.removesuffix(_SUFFIX)):
            targets.add(match["target"])
            releases.add(match["release"])
    return sorted(targets), sorted(releases, key=release_trees.sort_key)


def check_mappings(settings: RegenerateSettings) -> dict[str, CheckedMappings]:
    """Maps each target to the results of checking its mappings, as `porter mapping check` does."""
    return {target: check_targets(settings.library, [target]) for target in settings.targets}


def regenerate(
    settings: RegenerateSettings, checked: dict[str, CheckedMappings]
) -> Iterator[Regenerated]:
    """Make the ports one by one, and compare each with its lock file.

    `checked` is the result of `check_mappings`. A failed port does not stop the other ports. For a target whose
    mappings have errors, nothing is ported and the state is FAILED.
    """
    for release in settings.releases:
        for target in settings.targets:
            started = time.perf_counter()
            try:
                if errors := checked[target].errors:
                    raise MappingError(errors)
                yield _one(target, release, settings, started)
            except Interrupted:
                raise
            except PorterError as error:
                lock = output.lock_path(settings.locks, target, release)
                failed = LockState.FAILED
                yield Regenerated(
                    target, release, failed, lock, problems=error.problems, code=error.code
                )


def _one(target: str, name: str, settings: RegenerateSettings, started: float) -> Regenerated:
    """Port one tree to one target, and compare the port with its lock file. With `update`, write the lock file."""
    library = settings.library
    tree = settings.trees.find(name)
    rules = rule_cache.checked_rule_set(library, target, release_of(tree))
    rules = header_tree.fitted(rules, tree)
    overlays = store.read(library.overlays(target))
    with _place_for(settings.out) as place:
        folder = place / target / name
        with settings.progress(f"porting {name} to {target}") as progress:
            options = PortSettings(jobs=settings.jobs, progress=progress)
            ported = port(tree, rules, library.digest(target), folder, options, overlays=overlays)
        made = output.read(folder)
    summary = summarise(ported.manifest, rules)
    proven = known.read().proven("port")[-1]
    outdated = outdated_patches.reasons(tree, rules, (use.key for use in summary.broken), proven)
    problems = findings(summary, library, outdated) + without_budget(summary, library)
    problems += expired(summary.overlays, datetime.date.today())
    lock = output.lock_path(settings.locks, target, name)
    text = to_text(made.lock)
    state, drift = _compared(lock, made, text, unreadable_is_none=settings.update)
    updated = settings.update and state is not LockState.AS_LOCKED
    if updated:
        lock.parent.mkdir(parents=True, exist_ok=True)
        fs.replace_file(lock, text.encode())
    seconds = time.perf_counter() - started
    found = tuple(problems)
    return Regenerated(target, name, state, lock, made, drift, found, 0, seconds, updated)


@contextlib.contextmanager
def _place_for(out: Path | None) -> Iterator[Path]:
    """Context manager that returns the folder `out`, or a temporary folder if `out` is None."""
    if out:
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="porter-regenerate-") as work:
        yield Path(work)


def _compared(
    lock: Path, made: Output, text: str, *, unreadable_is_none: bool
) -> tuple[LockState, Drift | None]:
    """State of the lock file `lock` compared with the port `made`, and the drift; None if there is no drift.

    `text` is the text of the lock file that porter would write now. With `unreadable_is_none`, an unreadable lock file
    counts as missing.
    """
    if not lock.exists():
        return LockState.NO_LOCK, None
    try:
        drift = diff.compare(output.read(lock), made)
    except SourceError:
        if unreadable_is_none:
            return LockState.NO_LOCK, None
        raise
    if not drift.equal:
        return LockState.DRIFT, drift
    same = lock.read_bytes() == text.encode()
    return (LockState.AS_LOCKED if same else LockState.LAYOUT), None
