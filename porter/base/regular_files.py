"""Reads regular files only: a named pipe, a device or a file without end would be waited for for ever."""

from __future__ import annotations

import codecs
import errno
import os
import stat

MOST = 1 << 30
"""Bytes of a file that porter reads at once. The largest source of PyTorch has some 400 kB."""
_KINDS = (
    (stat.S_ISDIR, "is a folder"),
    (stat.S_ISFIFO, "is a named pipe, not a file"),
    (stat.S_ISSOCK, "is a socket, not a file"),
    (stat.S_ISCHR, "is a device, not a file"),
    (stat.S_ISBLK, "is a device, not a file"),
)


def read_bytes(path: str | os.PathLike[str], most: int = MOST) -> bytes:
    """The bytes of a regular file.

    Raises OSError, with a reason as `strerror`, for a path that is no regular file, or one of more than `most` bytes.
    """
    # Without O_NONBLOCK a named pipe that nobody writes to is opened for ever.
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:
        raise OSError(errno.EINVAL, "the name holds a NUL character", str(path)) from None
    try:
        status = os.fstat(handle)
        for is_kind, text in _KINDS:
            if is_kind(status.st_mode):
                raise OSError(errno.EINVAL, text, str(path))
        if status.st_size > most:
            text = f"has {status.st_size} bytes; porter reads at most {most}"
            raise OSError(errno.EFBIG, text, str(path))
        with open(handle, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(handle)


def read_text(path: str | os.PathLike[str], most: int = MOST) -> str:
    """The text of a regular file of UTF-8. Raises OSError as `read_bytes` does, and UnicodeDecodeError."""
    return text_of(read_bytes(path, most))


def wide_encoding(raw: bytes) -> str:
    """`UTF-16` or `UTF-32` when bytes begin with such a byte order mark, else empty."""
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    return "UTF-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else ""


def text_of(raw: bytes) -> str:
    """Bytes of UTF-8 as text, with `\\n` for any line end. Raises UnicodeDecodeError."""
    text = raw.decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
