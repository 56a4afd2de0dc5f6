"""Conversion of any exception to a message on stderr and an exit code."""

from __future__ import annotations

import errno
import os
import sys

import click

import porter
from porter.base.errors import PorterError, Problem, SourceError
from porter.base.printable import printable

TRACEBACK = "PORTER_TRACEBACK"
"""Environment variable: when it is set, internal errors are shown with their traceback."""
INTERNAL = 70
INTERRUPTED = 130
_HELP = {
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "give the real path: a symbolic link leads to itself",
    errno.EACCES: "choose a path with sufficient permissions",
    errno.EPERM: "choose a path with sufficient permissions",
    errno.EROFS: "choose a writable path",
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "choose another path: a file is in the place of a folder",
    errno.EISDIR: "choose another path: a folder is in the place of a file",
    errno.EEXIST: "choose another path",
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some space",
    errno.EFBIG: "choose a smaller file",
    errno.EIO: "check the disk",
    errno.ENXIO: "give a regular file",
    errno.ENODEV: "give a regular file",
    errno.EINVAL: "give a regular file or a folder",
    errno.ENOTEMPTY: "choose another path",
    errno.EBUSY: "choose another path",
    errno.ETXTBSY: "choose another path",
    errno.EXDEV: "choose paths on one file system",
    errno.ENOEXEC: "give a program for this machine",
    errno.E2BIG: "give shorter arguments",
    errno.EMFILE: "raise the limit of open files (ulimit -n), or use fewer processes (-j)",
    errno.ENFILE: "close other programs",
    errno.EAGAIN: "raise the limit of processes (ulimit -u), or use fewer (-j)",
    errno.ENOMEM: "close other programs, or use fewer processes (-j)",
}
"""Maps an errno to advice, for errors of the operating system that the machine or a path causes.

Errors with any other errno may be bugs of porter.
"""


def report_error(error: BaseException) -> int:
    """Write the error's message to stderr and return the exit code."""
    if isinstance(error, PorterError):
        return _say(str(error), error.code)
    if isinstance(error, click.ClickException):
        return _usage(error)
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return _say("error: interrupted", INTERRUPTED)
    if isinstance(error, MemoryError):
        help = "close other programs, use fewer processes (-j), or give smaller files"
        return _say(str(Problem("out of memory", help=help)), SourceError.code)
    if isinstance(error, OSError) and error.errno in _HELP:
        return _say(str(outside(error).problems[0]), SourceError.code)
    if isinstance(error, UnicodeEncodeError) and _is_half_of_a_pair(error):
        place = os.fsencode(error.object).decode(errors="backslashreplace")
        text = "a file name that is not UTF-8 cannot be written to a text file"
        return _say(str(Problem(text, place[:300], "rename the file or folder")), SourceError.code)
    return _internal(error)


def outside(error: OSError) -> SourceError:
    """SourceError with message, path and advice, for an error of the operating system with an errno in `_HELP`."""
    try:
        os.getcwd()  # noqa: PTH109  (Path.cwd calls the same function)
    except OSError:
        return SourceError("the current folder no longer exists", help="cd to another folder")
    place = error.filename if error.filename is not None else ""
    name = os.fsdecode(place) if isinstance(place, bytes | str) else str(place)
    shown = name if len(name) <= 300 else f"{name[:297]}..."
    return SourceError(error.strerror or str(error), shown, _HELP[error.errno or 0])


def _is_half_of_a_pair(error: UnicodeEncodeError) -> bool:
    return "\ud800" <= error.object[error.start] <= "\udfff"


def _usage(error: click.ClickException) -> int:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return _say(error.format_message(), 2)
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "porter"
    return _say(str(Problem(error.format_message(), help=f"run {path} --help")), 2)


def _internal(error: BaseException) -> int:
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if len(said) > 500:
        said = f"{said[:497]}..."
    if os.environ.get(TRACEBACK):
        import traceback

        _say("".join(traceback.format_exception(error)).rstrip(), INTERNAL)
        output = "these lines"
    else:
        output = f"its output with {TRACEBACK}=1"
    versions = f"porter {porter.__version__}, Python {sys.version.split()[0]}"
    help = f"report this bug in porter, with the command, {output} and the versions ({versions})"
    return _say(str(Problem(f"internal: {said}", help=help)), INTERNAL)


def _say(text: str, code: int) -> int:
    sys.stderr.write(f"{printable(text)}\n")
    return code
