"""Port of one file: read the upstream file, rewrite the text, write the ported file, and make the manifest entry."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from porter.base import fs, regular_files
from porter.base.errors import OverlayError, Problem, SourceError
from porter.model.manifest import FileHazard, FileResidue, PortedFile
from porter.model.overlay import OverlaidFile, Overlay
from porter.model.rewrite_result import Rewrite
from porter.overlay.apply import apply
from porter.port.state import FileStamp, ported_stamp, upstream_stamp
from porter.rewrite.rewriter import Rewriter, ported_bytes

if TYPE_CHECKING:
    from porter.model.plan import PortJob


class PortedOne(NamedTuple):
    """Manifest entry, stamps and overlays of one ported file."""

    file: PortedFile
    upstream: FileStamp
    ported: FileStamp
    """Stamp of the ported file; all zeros when no file was written."""
    overlaid: OverlaidFile | None = None
    """Overlays of the file with their status; None for a file without overlays."""


class FilePorter(NamedTuple):
    """Ports files one at a time. The fields are the data that all files of a port share."""

    tree: Path
    rewriter: Rewriter
    folder: Path | None
    """Staging folder for ported files, in which all subfolders already exist. None: no files are written."""
    keys: tuple[str, ...]
    """Key of each rule, in the order of the rule set."""
    overlays: Mapping[str, Sequence[Overlay]] = {}
    """Maps the upstream path of a file to the file's overlays."""

    def carry_out(self, job: PortJob) -> PortedOne | Problem | OverlayError:
        """Port one file.

        Returns a Problem if the file cannot be read or is not text, and an OverlayError if an overlay does not merge.
        In both cases, the other files of the port can still be ported. Raises SourceError if the ported file cannot be
        written, because the other files could not be written either.
        """
        place = f"{self.tree}/{job.path}"
        try:
            raw, status = _read(place)
            if not job.copied:
                check_text(raw, place)
        except SourceError as error:
            return error.problems[0]
        overlaid = None
        if job.copied:
            sha = hashlib.sha256(raw).hexdigest()
            file = PortedFile(job.path, job.to, job.reason, sha, sha, edits=0)
            written = self._write(job.to, raw, status.st_mode & 0o777)
        else:
            made = self.rewriter.rewrite(job.path, raw)
            new = ported_bytes(made)
            if overlays := self.overlays.get(job.path):
                try:
                    new, overlaid = apply(new, overlays, self.rewriter.rules.release)
                except OverlayError as error:
                    return error
            file = describe(job.path, job.to, job.reason, raw, new, made, job.path_hits, self.keys)
            written = self._write(job.to, new)
        return PortedOne(file, upstream_stamp(status), written, overlaid)

    def _write(self, to: str, data: bytes, mode: int | None = None) -> FileStamp:
        if not self.folder:
            return FileStamp(0, 0)
        place = f"{self.folder}/{to}"
        try:
            # os.open is faster than `open`, which makes further system calls for each file.
            file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
            try:
                left = data
                while left:
                    left = left[os.write(file, left) :]
                if mode is not None:
                    os.fchmod(file, mode)
                return ported_stamp(os.fstat(file))
            finally:
                os.close(file)
        except OSError as error:
            raise fs.cannot_write(error, Path(place)) from None


def describe(
    path: str,
    to: str,
    reason: str,
    raw: bytes,
    new: bytes,
    made: Rewrite,
    path_hits: Iterable[int],
    keys: tuple[str, ...],
) -> PortedFile:
    """Manifest entry of a ported file.

    `raw` is the upstream content, `made` the rewriter's result, and `new` the ported content. `path_hits` are the
    indexes of the rules that changed `path` to `to`. `keys` are the keys of all rules, in the order of the rule set.
    """
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
            FileResidue(
                item.reason,
                item.name,
                item.line,
                item.places,
                keys[item.rule] if item.rule >= 0 else "",
                item.note,
            )
            for item in made.residue
        ),
        hazards=tuple(FileHazard(h.name, h.line, h.places, keys[h.rule]) for h in made.hazards),
    )


def check_text(raw: bytes, place: str) -> None:
    """Raise SourceError if `raw`, the content of the file `place`, is UTF-16, is UTF-32 or contains NUL bytes."""
    if wide := regular_files.wide_encoding(raw):
        help = f"convert it: iconv -f {wide} -t UTF-8"
        text = f"is {wide}; porter reads only UTF-8 and other ASCII-compatible encodings"
        raise SourceError(text, place, help)
    if b"\0" in raw:
        raise SourceError(
            "contains NUL bytes: not source text", place, "leave it out, or convert it"
        )


def read(place: str) -> bytes:
    """Content of a file. Raises SourceError when the file is unreadable or has more than `MAX_BYTES` bytes."""
    return _read(place)[0]


def _read(place: str) -> tuple[bytes, os.stat_result]:
    try:
        with open(place, "rb", buffering=0) as file:  # noqa: PTH123  (for strings)
            # The status is read before the content, so that the next run notices a change made during the reading.
            status = os.fstat(file.fileno())
            if status.st_size > regular_files.MAX_BYTES:
                text = f"has {status.st_size} bytes; porter reads at most {regular_files.MAX_BYTES}"
                raise SourceError(text, place, "leave it out")
            return file.readall(), status
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place) from None
