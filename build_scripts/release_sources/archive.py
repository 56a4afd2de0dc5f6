"""Safe unpacking of archives: no file is written outside the target folder."""

from __future__ import annotations

import lzma
import os
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from release_sources.errors import FetchError


def unpack(archive: IO[bytes], into: Path) -> None:
    """Write a tar stream, compressed or not, into the new folder `into`.

    Raises FetchError for an incomplete archive and for unsafe members.
    """
    into.mkdir()
    try:
        with tarfile.open(fileobj=archive, mode="r|*") as tar:
            # Python 3.11.4 and later have this filter. In older versions, the checks of `checked` suffice.
            tar.extraction_filter = getattr(tarfile, "data_filter", None)
            tar.extractall(into, members=checked(tar, into))
    except (tarfile.TarError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise FetchError(f"the archive cannot be unpacked: {error}") from error


def checked(members: Iterable[tarfile.TarInfo], into: Path) -> Iterator[tarfile.TarInfo]:
    """Yield the members of the archive, each checked just before it is written.

    Paths are resolved on disk, not as text, because an earlier member may be a link that leads outside the folder.
    Raises FetchError for an unsafe member.
    """
    root = into.resolve()
    for member in members:
        ends = [Path(member.name)]
        if member.issym():
            ends.append(ends[0].parent / member.linkname)
        elif member.islnk():
            ends.append(Path(member.linkname))
        elif not (member.isfile() or member.isdir()):
            raise FetchError(f"the archive contains {member.name!r}, which is a device or a pipe")
        if ".." in ends[0].parts or not all(is_inside(root, end) for end in ends):
            raise FetchError(
                f"the archive contains {member.name!r}, which leads outside its folder"
            )
        # The owner in the archive is not used. Files must be writable, so that they can be removed later.
        member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
        member.mode = member.mode & 0o755 | (0o755 if member.isdir() else 0o644)
        yield member


def is_inside(root: Path, end: Path) -> bool:
    """Test whether a path relative to `root` is still inside `root` after all links are followed."""
    try:
        return (root / end).resolve().is_relative_to(root)
    except (RuntimeError, ValueError):  # The links form a cycle, or the name is invalid for a file.
        return False


def top_folder(tree: Path) -> Path:
    """Top folder of an unpacked tarball, if it is the only file there; else the folder `tree` itself."""
    inside = list(tree.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else tree
