"""The port stage: a source tree and a rule set in, `<out>/<target>/<release>/` out.

select -> decide what changed -> rewrite (many processes) -> manifest and reports -> swap in
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

import porter
from porter import fs
from porter.errors import Interrupted, SourceError
from porter.incremental import Touch
from porter.mapping import cache
from porter.model.manifest import Danger, Left, Manifest, PortedFile
from porter.model.port import Rewrite
from porter.model.rules import RuleSet
from porter.previous import Previous, stamp
from porter.previous import write as write_state
from porter.report import files as report
from porter.rewrite import Rewriter, ported_bytes
from porter.rules import paths
from porter.select import Selected, select

Progress = Callable[[int, int], None]
"""Called with files done and files to do."""

_CHUNK = 24
"""Files a worker takes at a time: enough that their hand-over costs nothing, few enough to share out well."""


@dataclass(frozen=True)
class Ported:
    """A finished port."""

    manifest: Manifest
    folder: Path
    written: int
    """Files written by this run."""
    unchanged: int
    """Files kept from the run before."""


@dataclass(frozen=True)
class _Job:
    path: str
    to: str
    reason: str
    path_hits: tuple[int, ...]


@dataclass
class _Work:
    """What workers share; inherited by fork, never sent."""

    tree: Path
    rewriter: Rewriter
    staging: Path | None
    keys: list[str]


_work: _Work | None = None


def port(
    tree: Path,
    rules: RuleSet,
    mappings: str,
    folder: Path,
    *,
    jobs: int = 1,
    dry_run: bool = False,
    force: bool = False,
    progress: Progress = lambda done, total: None,
) -> Ported:
    """Port the tree into `folder`, which changes at once when all is done (not at all when `dry_run`).

    Raises SourceError when the sources cannot be read or the folder cannot be written or holds foreign files,
    MappingError when files would collide, Interrupted on Ctrl-C.
    """
    started = time.time_ns()
    check_apart(tree, folder)
    fs.recover(folder)
    chosen = select(tree, rules.selection)
    moves, todo = _plan(chosen, rules)
    previous = Previous.read(folder)
    previous.check(folder, force=force)
    stale = _stale(todo, tree, folder, rules, previous)
    gone = previous.files.keys() - moves.keys()
    current = previous.whole and previous.digest == rules.digest
    if current and not stale and not gone and previous.manifest:
        return Ported(previous.manifest, folder, 0, len(todo))
    rewriter = Rewriter(rules, {**paths.spellings(moves.items()), **moves})
    work = _Work(tree, rewriter, None, [rule.key for rule in rules.rules])
    if dry_run:
        done = _rewrite(stale, work, jobs, progress)
        manifest = _manifest(rules, mappings, todo, done, previous)
        return Ported(manifest, folder, len(stale), len(todo) - len(stale))
    with fs.exclusive(folder) as staging:
        work.staging = staging / "src"
        for parent in {str(Path(job.to).parent) for job in todo}:
            (work.staging / parent).mkdir(parents=True, exist_ok=True)
        fresh = {job.path for job in stale}
        for job in todo:
            if job.path not in fresh:
                os.link(folder / "src" / job.to, work.staging / job.to)
        done = _rewrite(stale, work, jobs, progress)
        manifest = _manifest(rules, mappings, todo, done, previous)
        report.write(staging, manifest, rules)
        write_state(staging, manifest, rules.digest, tree, started)
        fs.swap_in(staging, folder)
    return Ported(manifest, folder, len(stale), len(todo) - len(stale))


def check_apart(tree: Path, folder: Path) -> None:
    """Raise SourceError when the output lies inside the source or the source inside the output."""
    source, out = tree.resolve(), folder.resolve()
    if out.is_relative_to(source):
        raise SourceError(
            "the output folder lies inside the source tree", str(folder), "choose another --out"
        )
    if source.is_relative_to(out):
        raise SourceError(
            "the source tree lies inside the output folder", str(folder), "choose another --out"
        )


def _plan(chosen: Iterable[Selected], rules: RuleSet) -> tuple[dict[str, str], list[_Job]]:
    moves: dict[str, str] = {}
    todo = []
    for file in chosen:
        new, hits = paths.renamed(file.path, rules)
        moves[file.path] = new
        todo.append(_Job(file.path, new, file.reason, tuple(hits)))
    paths.check(moves)
    return moves, todo


def _stale(
    todo: list[_Job], tree: Path, folder: Path, rules: RuleSet, previous: Previous
) -> list[_Job]:
    """The files that must be rewritten: new, changed upstream, missing in the port, or touched by a changed rule."""
    if not previous.whole:
        return todo
    touch: Touch | None = None
    if previous.digest != rules.digest:
        old = cache.read(previous.digest)
        if old is None or {job.path: job.to for job in todo} != previous.moves():
            return todo
        touch = Touch(old, rules)
        if touch.everything:
            return todo
    stale = []
    for job in todo:
        kept = previous.files.get(job.path)
        path = tree / job.path
        if (
            (
                kept is None
                or previous.moved(job.path, job.to)
                or not previous.is_current(job.path, path)
            )
            or previous.stamps[job.path][1] != stamp(folder / "src" / job.to)
            or (touch and touch.can(_read(path)))
        ):
            stale.append(job)
    return stale


def _rewrite(
    stale: list[_Job], work: _Work, jobs: int, progress: Progress
) -> dict[str, PortedFile]:
    """Rewrite files, in this process or in several, and write them where the work says."""
    global _work
    _work = work
    # Large files first, so that no worker is left alone with one at the end.
    by_size = sorted(stale, key=lambda job: -_size(work.tree / job.path))
    chunks = [
        by_size[i :: max(1, -(-len(by_size) // _CHUNK))] for i in range(-(-len(by_size) // _CHUNK))
    ]
    done: dict[str, PortedFile] = {}
    progress(0, len(stale))
    try:
        for results in _map(chunks, min(jobs, len(chunks))):
            done.update((file.path, file) for file in results)
            progress(len(done), len(stale))
    except KeyboardInterrupt:
        raise Interrupted("stopped; the port that was there is whole") from None
    finally:
        _work = None
    return done


def _map(chunks: list[list[_Job]], jobs: int) -> Iterable[list[PortedFile]]:
    if jobs <= 1:
        yield from map(_chunk, chunks)
        return
    context = multiprocessing.get_context("fork")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupt)
    try:
        yield from pool.map(_chunk, chunks)
    except BrokenProcessPool:
        raise SourceError("a worker process died", help="out of memory? try -j 1") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _chunk(jobs: list[_Job]) -> list[PortedFile]:
    assert _work
    return [_one(job, _work) for job in jobs]


def _one(job: _Job, work: _Work) -> PortedFile:
    raw = _read(work.tree / job.path)
    check_text(raw, job.path)
    made = work.rewriter.rewrite(job.path, raw)
    new = ported_bytes(made)
    if work.staging:
        place = work.staging / job.to
        try:
            place.write_bytes(new)
        except OSError as error:
            raise fs.cannot_write(error, place) from None
    return describe(job.path, job.to, job.reason, raw, new, made, job.path_hits, work.keys)


def describe(
    path: str,
    to: str,
    reason: str,
    raw: bytes,
    new: bytes,
    made: Rewrite,
    path_hits: Iterable[int],
    keys: list[str],
) -> PortedFile:
    """The manifest's entry for a rewritten file."""
    hits: dict[tuple[str, str], int] = {}
    for (rule, name), count in made.hits.items():
        hits[keys[rule], name] = hits.get((keys[rule], name), 0) + count
    for rule in path_hits:
        hits[keys[rule], ""] = hits.get((keys[rule], ""), 0) + 1
    return PortedFile(
        path=path,
        to=to,
        reason=reason,
        sha_in=hashlib.sha256(raw).hexdigest(),
        sha_out=hashlib.sha256(new).hexdigest(),
        edits=len(made.edits),
        hits=hits,
        residue=tuple(
            Left(
                item.reason,
                item.name,
                item.line,
                item.count,
                keys[item.rule] if item.rule >= 0 else "",
                item.note,
            )
            for item in made.residue
        ),
        hazards=tuple(Danger(h.name, h.line, h.count, keys[h.rule]) for h in made.hazards),
    )


def check_text(raw: bytes, path: str) -> None:
    """Raise SourceError for bytes that are no source text: UTF-16 or UTF-32, or with NUL bytes."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SourceError("is UTF-16 or UTF-32, not text with one byte per ASCII letter", path)
    if b"\0" in raw:
        raise SourceError("holds NUL bytes: not source text", path)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(path)) from None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _manifest(
    rules: RuleSet,
    mappings: str,
    todo: list[_Job],
    done: Mapping[str, PortedFile],
    previous: Previous,
) -> Manifest:
    files = {job.path: done.get(job.path) or previous.files[job.path] for job in todo}
    return Manifest(rules.target, rules.release, mappings, porter.__version__, files)
