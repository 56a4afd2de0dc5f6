"""Read regular files within a size limit. Reading a named pipe or a device is an error: it could block for ever."""

from __future__ import annotations

import codecs
import errno
import os
import stat

MAX_BYTES = 1 << 30
"""Size limit of a file in bytes. The largest source of PyTorch has about 400 kB."""
_KINDS = (
    (stat.S_ISDIR, "is a folder"),
    (stat.S_ISFIFO, "is a named pipe, not a file"),
    (stat.S_ISSOCK, "is a socket, not a file"),
    (stat.S_ISCHR, "is a device, not a file"),
    (stat.S_ISBLK, "is a device, not a file"),
)


def read_bytes(path: str | os.PathLike[str], most: int = MAX_BYTES) -> bytes:
    """Content of a regular file.

    Raises OSError, with the reason as `strerror`, for a path that is missing or no regular file, and for a file of more
    than `most` bytes.
    """
    # Without O_NONBLOCK, opening a named pipe blocks until another process writes to the pipe.
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:
        raise OSError(errno.EINVAL, "the name contains a NUL character", str(path)) from None
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


def read_text(path: str | os.PathLike[str], most: int = MAX_BYTES) -> str:
    """Text of a regular UTF-8 file, with all line ends converted to `\\n`.

    Raises OSError as `read_bytes` does, and UnicodeDecodeError for text that is not UTF-8.
    """
    return text_of(read_bytes(path, most))


def wide_encoding(raw: bytes) -> str:
    """Encoding that a byte order mark at the beginning names: `UTF-16` or `UTF-32`; empty without such a mark."""
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    return "UTF-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else ""


def text_of(raw: bytes) -> str:
    """Decode UTF-8 and convert all line ends to `\\n`. Raises UnicodeDecodeError."""
    text = raw.decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
