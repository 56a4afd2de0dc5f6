"""The port stage: port a source tree with a rule set into `<out>/<target>/<release>/`.

Steps: select files, find changes, rewrite files in several processes, write the manifest and the reports, replace the
output folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import porter
from porter.base import fs
from porter.base.errors import Interrupted, OverlayError, Problem, SourceError
from porter.base.fork_pool import share_out
from porter.mapping import rule_cache
from porter.model.cuda_project import ByHand
from porter.model.manifest import Manifest
from porter.model.moved_header import MovedHeader
from porter.model.overlay import OverlaidFile, Overlay
from porter.model.plan import PortJob, PortPlan
from porter.model.ported import Ported
from porter.model.rules import RuleSet
from porter.model.summary import Summary
from porter.port import overlaid
from porter.port.select import SelectedFile, select
from porter.port.state import LATER, MANIFEST, REWRITTEN, FileStamp, PortCheck, PortState
from porter.port.state import write as write_state
from porter.report import cuda_project_report, port_report
from porter.rewrite.kinds import path as path_rules

# The modules that rewrite files load slowly, and most runs rewrite no file. Functions import these modules when needed.
if TYPE_CHECKING:
    from porter.mapping.sdk import Sdk
    from porter.port.file import PortedOne
    from porter.port.incremental import RuleChange
    from porter.port.overlaid import PlannedOverlays

FindMoved = Callable[[Manifest], tuple[MovedHeader, ...]]
Progress = Callable[[int, int], None]
"""Callback that gets the number of finished files and the total number of files to rewrite."""

_PIECE = 24
"""Number of files that a worker process takes at once. Larger pieces cause less overhead; smaller pieces keep all
workers busy at the end."""


class PortSettings(NamedTuple):
    """Settings of a run of the port stage, independent of the files to port."""

    jobs: int = 1
    """Number of processes."""
    dry_run: bool = False
    """If True, no files are written."""
    force: bool = False
    """If True, ported files that were changed by hand are overwritten."""
    progress: Progress = lambda done, total: None


DEFAULTS = PortSettings()


class ReportInputs(NamedTuple):
    """Data for a port's reports that the manifest does not contain."""

    sdk: Sdk | None = None
    """Headers of the vendor's SDK, as evidence for names."""
    by_hand: ByHand | None = None
    """Files that the user must port by hand; None for a port of PyTorch, whose report has no such section."""
    moved: FindMoved = lambda manifest: ()
    """Function that takes a port's manifest and returns the headers whose definitions upstream moved."""

    def write(self, folder: Path, manifest: Manifest, rules: RuleSet) -> Summary:
        """Write `report.json` and `report.md` into the folder of a port, and return their content."""
        if self.by_hand is None:
            moved = self.moved(manifest)
            return port_report.write(folder, manifest, rules, sdk=self.sdk, moved=moved)
        return cuda_project_report.write(
            folder, manifest, rules, by_hand=self.by_hand, sdk=self.sdk
        )


DEFAULT_REPORT = ReportInputs()


def port(
    tree: Path,
    rules: RuleSet,
    mappings: str,
    folder: Path,
    settings: PortSettings = DEFAULTS,
    report: ReportInputs = DEFAULT_REPORT,
    overlays: Sequence[Overlay] = (),
) -> Ported:
    """Port a PyTorch source tree into `folder`. The folder is replaced atomically at the end.

    With `dry_run`, the folder is not changed. `mappings` is the digest of the target's mappings.

    Raises SourceError when sources are unreadable, or when the folder is not writable or contains files that porter did
    not write; MappingError when two files would get the same path; OverlayError when overlays do not merge; Interrupted
    on Ctrl-C.
    """
    check_apart(tree, folder)
    check_alone(folder)
    plan = plan_of(select(tree, rules.selection), rules)
    planned = overlaid.plan(overlays, plan, tree, rules.release)
    return carry_out(tree, plan, rules, mappings, folder, settings, report, planned)


def carry_out(
    tree: Path,
    plan: PortPlan,
    rules: RuleSet,
    mappings: str,
    folder: Path,
    settings: PortSettings = DEFAULTS,
    report: ReportInputs = DEFAULT_REPORT,
    overlays: PlannedOverlays | None = None,
) -> Ported:
    """Port the files of a plan into `folder`. Raises the errors of `port`.

    `overlays` is None for a port that does not support overlays (samples, extensions, the backend's own sources).
    """
    if folder.is_symlink():
        # The target of the symbolic link is replaced, not the link.
        folder = Path(os.path.realpath(folder))
    step = _Step(tree, plan, rules, mappings, folder, settings, report, overlays)
    try:
        if settings.dry_run:
            return step.run(None)
        with fs.exclusive(folder) as staging:
            return step.run(staging)
    except KeyboardInterrupt:
        raise Interrupted("stopped; the previous port is intact") from None
    except OSError as error:
        raise fs.cannot_write(error, folder) from None


class _Step(NamedTuple):
    """Implementation of `carry_out`; the fields are the arguments of `carry_out`."""

    tree: Path
    plan: PortPlan
    rules: RuleSet
    mappings: str
    folder: Path
    settings: PortSettings
    report: ReportInputs
    overlays: PlannedOverlays | None

    def run(self, staging: Path | None) -> Ported:
        """Rewrite changed files into the folder `staging`, link unchanged files there, and replace the output folder.

        No file is written if `staging` is None.
        """
        started = time.time_ns()
        previous = PortState.read(self.folder)
        saved = self.overlays.saved if self.overlays else None
        present = previous.check(force=self.settings.force, saved=saved)
        kept = self._kept(previous, present.intact)
        stale = [job for job in self.plan.jobs if job.path not in kept]
        gone = previous.files.keys() - {job.path for job in self.plan.jobs}
        up_to_date = (
            previous.digest == self._digest
            and previous.is_complete()
            and overlaid.digests(previous.manifest) == self._overlays.digests()
            and not self._overlays.lost
        )
        if previous.manifest and up_to_date and present.clean and not stale and not gone:
            return Ported(previous.manifest, self.folder, 0, len(kept))
        if staging:
            for parent in {job.to.rpartition("/")[0] for job in self.plan.jobs}:
                (staging / "src" / parent).mkdir(parents=True, exist_ok=True)
            for path in kept:
                to = previous.files[path].to
                fs.link_or_copy(self.folder / "src" / to, staging / "src" / to)
        done = self._rewrite(stale, staging)
        if staging:
            self._keep_equal(done, previous, present, staging)
        manifest = self._manifest(done, previous)
        summary = None
        if staging:
            stamps = {path: (stamp, present.intact[path]) for path, stamp in kept.items()}
            stamps.update((path, (one.upstream, one.ported)) for path, one in done.items())
            summary = self.report.write(staging, manifest, self.rules)
            write_state(staging, manifest, self._digest, self.tree, started, stamps)
            fs.swap_in(staging, self.folder)
            self._keep_later_stages(staging)
        return Ported(manifest, self.folder, len(stale), len(kept), summary)

    def _keep_later_stages(self, old: Path) -> None:
        """Move the folders of later stages from the old to the new output folder, so that their objects stay usable."""
        for name in LATER:
            if os.path.lexists(old / name):
                (old / name).rename(self.folder / name)

    @property
    def _overlays(self) -> PlannedOverlays:
        return self.overlays or overlaid.NO_OVERLAYS

    @property
    def _digest(self) -> str:
        return f"{self.rules.digest} {self._code}"

    @property
    def _code(self) -> str:
        """Digest of porter's rewriting code and of the project's names."""
        code, names = REWRITTEN.code(), self.plan.names
        return hashlib.sha256(f"{code} {names.digest}".encode()).hexdigest() if names else code

    def _kept(self, previous: PortState, intact: Mapping[str, FileStamp]) -> dict[str, FileStamp]:
        """Maps the upstream path of each file that need not be ported again to the stamp of the upstream file.

        For these files, the upstream file and the ported file are unchanged, and no changed rule or overlay affects
        them.
        """
        # An added, removed or moved file changes the includes in other files, so all files are rewritten.
        moves = {path: file.to for path, file in previous.files.items()}
        if not previous.whole or {job.path: job.to for job in self.plan.jobs} != moves:
            return {}
        change = None
        if previous.digest != self._digest:
            change = self._rule_change(previous)
            if change is None or change.everything:
                return {}
        kept = {}
        made_with, wanted = overlaid.digests(previous.manifest), self._overlays.digests()
        for job in self.plan.jobs:
            place = f"{self.tree}/{job.path}"
            if job.path not in intact or made_with.get(job.path) != wanted.get(job.path):
                continue
            if change and not job.copied and change.can(job.path, place):
                continue
            if now := previous.current(job.path, place, exactly=job.copied):
                kept[job.path] = now
        return kept

    def _keep_equal(
        self, done: dict[str, PortedOne], previous: PortState, present: PortCheck, staging: Path
    ) -> None:
        """Replace each newly ported file by the file of the previous run if the two files are equal.

        The previous file has its old modification time, so that the compiled object stays up to date.
        """
        for path, one in done.items():
            before = previous.files.get(path)
            if not before or path not in present.intact:
                continue
            if (before.to, before.sha_out) == (one.file.to, one.file.sha_out):
                place = staging / "src" / before.to
                place.unlink()
                fs.link_or_copy(self.folder / "src" / before.to, place)
                done[path] = one._replace(ported=present.intact[path])

    def _rule_change(self, previous: PortState) -> RuleChange | None:
        """Rules that changed since the previous run, with a test whether they affect a file.

        None if the previous rules are unknown or porter's rewriting code has changed.
        """
        from porter.port.incremental import RuleChange

        made_with, _, code = previous.digest.partition(" ")
        old = rule_cache.read(made_with) if code == self._code else None
        return RuleChange(old, self.rules) if old else None

    def _rewrite(self, stale: list[PortJob], staging: Path | None) -> dict[str, PortedOne]:
        """Port the files `stale` in one or several processes. Returns the results by upstream path.

        Raises SourceError with the problems of all unreadable files, or else OverlayError with the problems of all
        overlays that do not merge.
        """
        from porter.port.file import FilePorter
        from porter.rewrite.rewriter import Rewriter

        work = FilePorter(
            self.tree,
            Rewriter(self.rules, self.plan.moved, self.plan.names),
            staging / "src" if staging else None,
            tuple(rule.key for rule in self.rules.rules),
            self._overlays.files,
        )
        # Large files come first. Otherwise, one worker might begin a large file at the end, when the others are idle.
        by_size = sorted(stale, key=lambda job: -_size(f"{self.tree}/{job.path}"))
        pieces = -(-len(by_size) // _PIECE)

        def one(piece: int) -> list[PortedOne | Problem | OverlayError]:
            return [work.carry_out(job) for job in by_size[piece::pieces]]

        done: dict[str, PortedOne] = {}
        problems: list[Problem] = []
        unmerged = [*self._overlays.lost]
        progress = self.settings.progress
        progress(0, len(stale))
        with contextlib.closing(share_out(pieces, one, self.settings.jobs)) as results:
            for result in results:
                for item in result:
                    if isinstance(item, Problem):
                        problems.append(item)
                    elif isinstance(item, OverlayError):
                        unmerged += item.problems
                    else:
                        done[item.file.path] = item
                progress(len(done) + len(problems), len(stale))
        if problems:
            raise SourceError(sorted(problems, key=lambda problem: problem.place))
        if unmerged:
            raise OverlayError(overlaid.for_message(unmerged))
        return done

    def _manifest(self, done: Mapping[str, PortedOne], previous: PortState) -> Manifest:
        files = {}
        for job in self.plan.jobs:
            file = done[job.path].file if job.path in done else previous.files[job.path]
            if file.reason != job.reason:
                file = file._replace(reason=job.reason)
            files[job.path] = file
        overlays: dict[str, OverlaidFile] = {**self._overlays.missing}
        for path in self._overlays.files:
            made = done[path].overlaid if path in done else previous.overlays[path]
            assert made, "the file was ported with its overlays"
            overlays[path] = made
        return Manifest(
            self.rules.target,
            self.rules.release,
            self.mappings,
            porter.__version__,
            files,
            overlays,
        )


def _size(place: str) -> int:
    try:
        return os.stat(place).st_size  # noqa: PTH116  (for strings)
    except OSError:
        return 0


def check_alone(folder: Path) -> None:
    """Raise SourceError for an output folder that lies inside another port or contains other ports.

    `porter port` writes to DIR/TARGET, and `porter run` to DIR/TARGET/RELEASE: the two commands need different DIRs.
    """
    above = Path(os.path.realpath(folder)).parent
    if (above / MANIFEST).is_file():
        text = f"is inside another port, {folder.parent}"
        raise SourceError(text, str(folder), "choose another --out")
    below = sorted(place.parent.name for place in folder.glob(f"*/{MANIFEST}"))
    # Two kinds of folders are not separate ports: `src`, in which a ported file may be called manifest.json, and the
    # folders of later stages, which contain ports of the backend's own sources and of custom operators.
    if ports := [name for name in below if name != "src" and name not in LATER]:
        text = f"contains ports of PyTorch: {', '.join(ports)}"
        raise SourceError(text, str(folder), "choose another --out")


def check_apart(tree: Path, folder: Path) -> None:
    """Raise SourceError if the output folder is inside the source tree, or the source tree inside the output folder."""
    # Path.resolve raises an error for circular symbolic links; os.path.realpath does not.
    source, out = Path(os.path.realpath(tree)), Path(os.path.realpath(folder))
    if out.is_relative_to(source):
        raise SourceError(
            "the output folder is inside the source tree", str(folder), "choose another --out"
        )
    if source.is_relative_to(out):
        raise SourceError(
            "the source tree is inside the output folder", str(folder), "choose another --out"
        )


def plan_of(chosen: Iterable[SelectedFile], rules: RuleSet) -> PortPlan:
    """Plan of a port of PyTorch. Raises MappingError if two files would get the same path or a path leaves the port."""
    moves: dict[str, str] = {}
    todo = []
    for file in chosen:
        new, hits = path_rules.renamed(file.path, rules)
        moves[file.path] = new
        todo.append(PortJob(file.path, new, file.reason, tuple(hits)))
    path_rules.check(moves)
    return PortPlan(tuple(todo), {**path_rules.spellings(moves.items()), **moves})
