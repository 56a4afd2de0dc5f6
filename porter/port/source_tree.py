"""Files of a CUDA project. A file is ported, copied unchanged or left out; the reason is recorded.

>>> gather([Path("my_extension")]).root
PosixPath('/home/me/my_extension')

A single folder is the root of the project. For several paths, the root is the deepest folder that contains all of them,
so that relative includes between the files (`../include/x.cuh`) stay valid.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from porter.base import regular_files, untrusted
from porter.base.errors import Problem, SourceError
from porter.base.globs import matches
from porter.model.cuda_project import SOURCE_SUFFIXES, Project, ProjectFile, Skipped, is_source

OTHER = "not a C, C++ or CUDA source"
"""Reason for which a text file such as `setup.py` is copied unchanged: no rules exist for its language."""
_UNREAD_HELP = "convert the sources to UTF-8 or another ASCII-compatible encoding"
_VERSION_CONTROL = frozenset((".git", ".hg", ".svn"))


def gather(
    given: Sequence[Path], exclude: Sequence[str] = (), *, skip_unreadable: bool = False
) -> Project:
    """Collect the files of a project from the given paths; `exclude` are globs of paths to leave out.

    Symbolic links are followed. With `skip_unreadable`, files and folders that cannot be read are left out: they are in
    `Project.skipped`. These are files without permission to read, broken links, and paths that are neither a file nor a
    folder. A path in `given` is never left out.

    Raises SourceError, with all problems, for missing paths; for unreadable files that are not left out; for symbolic
    links that lead to a folder above them or leave the project; and for a project without a source.
    """
    places = _absolute(given)
    root = Path(os.path.commonpath([place if place.is_dir() else place.parent for place in places]))
    walk = _Walk(root, tuple(_real(place) for place in places), tuple(exclude))
    walk.may_skip = (
        (lambda place: place not in places) if skip_unreadable else (lambda place: False)
    )
    for place in places:
        if place.is_dir():
            walk.folder(place, (_real(place),))
        else:
            walk.file(place)
    if walk.problems:
        raise SourceError(walk.problems)
    files = tuple(walk.files[path] for path in sorted(walk.files))
    if all(file.why_copied for file in files):
        names = ", ".join(f".{suffix}" for suffix in sorted(SOURCE_SUFFIXES))
        shown = ", ".join(map(str, given))
        unread = [
            *(
                Problem(f.why_copied, str(root / f.path), _UNREAD_HELP)
                for f in files
                if f.is_unread_source
            ),
            *(
                Problem(one.reason, str(root / one.path))
                for one in walk.skipped
                if one.is_unreadable
            ),
        ]
        if unread:
            raise SourceError(unread)
        raise SourceError("holds no C, C++ or CUDA source", shown, f"looked for {names}")
    return Project(root, files, tuple(sorted(walk.skipped, key=lambda item: item.path)))


def _absolute(given: Sequence[Path]) -> list[Path]:
    missing = [
        Problem("no such file or folder", str(path)) for path in given if not os.path.lexists(path)
    ]
    if missing:
        raise SourceError(missing)
    # Path.resolve would replace a symbolic link by its target, but the port must use the name of the link.
    return [Path(os.path.abspath(path)) for path in given]  # noqa: PTH100


def _real(place: Path) -> Path:
    # Path.resolve would raise an error for circular links, which are reported later together with all other problems.
    return Path(os.path.realpath(place))


class _Walk:
    """Traversal of folders that collects files, skipped paths and problems."""

    def __init__(self, root: Path, bounds: tuple[Path, ...], exclude: tuple[str, ...]) -> None:
        self.root = root
        self.bounds = bounds
        """Real paths of the given files and folders; a symbolic link must stay inside one of them."""
        self.exclude = exclude
        self.files: dict[str, ProjectFile] = {}
        self.skipped: list[Skipped] = []
        self.may_skip: Callable[[Path], bool] = lambda place: False
        """Test whether an unreadable file or folder is left out; otherwise, it is a problem."""
        self.problems: list[Problem] = []

    def folder(self, folder: Path, above: tuple[Path, ...]) -> None:
        """Collect the content of a folder. `above` has the real paths of the folder and of the folders above it."""
        try:
            names = sorted(os.listdir(folder))
        except OSError as error:
            self.unreadable(folder, f"cannot be read: {error.strerror}")
            return
        for name in names:
            place = folder / name
            path = place.relative_to(self.root).as_posix()
            if name in _VERSION_CONTROL:
                self.skipped.append(Skipped(path, "version control"))
            elif matches(path, self.exclude):
                self.skipped.append(Skipped(path, "excluded by --exclude"))
            elif not place.is_dir():
                self.file(place)
            elif (real := _real(place)) in above:
                self.wrong(place, "is a link to a folder that contains the link")
            elif self.within(place, real):
                self.folder(place, (*above, real))

    def file(self, place: Path) -> None:
        """Record one file of the project, or a problem of the file."""
        path = place.relative_to(self.root).as_posix()
        try:
            path.encode()
            if untrusted.has_control(path):
                self.problems.append(
                    Problem("its name contains a control character", ascii(path), "rename it")
                )
                return
            real = place.resolve(strict=True)
            if not self.within(place, real):
                return
            if not stat.S_ISREG(real.stat().st_mode):
                self.unreadable(place, "is neither a file nor a folder")
                return
            self.files[path] = ProjectFile(path, _why_copied(place))
        except UnicodeEncodeError:
            shown = os.fsencode(place).decode(errors="backslashreplace")
            self.problems.append(Problem("its name is not UTF-8", shown, "rename it"))
        except RuntimeError:  # Path.resolve raises this error for ELOOP before Python 3.13.
            self.unreadable(place, "is a link that leads in a circle")
        except FileNotFoundError:
            self.unreadable(place, "is a link that leads nowhere")
        except OSError as error:
            circle = error.errno == errno.ELOOP
            text = (
                "is a link that leads in a circle"
                if circle
                else f"cannot be read: {error.strerror}"
            )
            self.unreadable(place, text)

    def within(self, place: Path, real: Path) -> bool:
        """Test whether a file or folder lies in the project; record a problem when it does not."""
        if any(real.is_relative_to(bound) for bound in self.bounds):
            return True
        self.wrong(place, f"is a link that leaves the project, to {real}")
        return False

    def unreadable(self, place: Path, text: str) -> None:
        """Leave out a file or folder that cannot be read, or record the problem."""
        if self.may_skip(place):
            path = place.relative_to(self.root).as_posix()
            self.skipped.append(Skipped(path, text, is_unreadable=True))
        else:
            self.wrong(place, text)

    def wrong(self, place: Path, text: str) -> None:
        """Record a problem of a path; the help line names the option that excludes the path."""
        path = place.relative_to(self.root).as_posix()
        self.problems.append(Problem(text, str(place), f"leave it out with --exclude '{path}'"))


def _why_copied(place: Path) -> str:
    if not is_source(place.name):
        with place.open("rb") as file:
            return "binary" if b"\0" in file.read(8192) else OTHER
    raw = regular_files.read_bytes(place)
    if wide := regular_files.wide_encoding(raw):
        return f"{wide}: convert it, iconv -f {wide} -t UTF-8"
    return "contains NUL bytes: not source text" if b"\0" in raw else ""
