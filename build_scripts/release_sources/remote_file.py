"""Seekable file over HTTP. Each block is fetched when it is read, and stored on disk for later runs."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from release_sources.download import Web, without_user
from release_sources.errors import FetchError

BLOCK = 4 << 20
"""Size of a request in bytes. A wheel stores its headers close together, so that few blocks contain all headers."""
_IN_MEMORY = 8
"""Number of blocks that are kept in memory."""


class RemoteFile(io.RawIOBase):
    """File read by range requests.

    Args:
        folder: folder in which the blocks are stored.
        size: size in bytes that the package index states; 0 if unknown.
        progress: function that is called with the number of bytes that this run has fetched.
        block: size of a request in bytes; 0 for `BLOCK`.

    Raises NoRangesError if the server does not support range requests, and FetchError.
    """

    def __init__(
        self,
        web: Web,
        url: str,
        size: int,
        folder: Path,
        progress: Callable[[int], None],
        block: int = 0,
    ) -> None:
        self._size_of_block = block or BLOCK
        self._web, self._url, self._folder, self._progress = web, url, folder, progress
        self._position = 0
        self.fetched = 0
        """Number of bytes that this run has fetched."""
        self._recent: OrderedDict[int, bytes] = OrderedDict()
        folder.mkdir(parents=True, exist_ok=True)
        _, self._size = web.part(url, 0, 1)
        if size and size != self._size:
            text = f"is {self._size} bytes long, but the package index states {size}"
            raise FetchError(f"{without_user(url)}: {text}")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if base + offset < 0:
            raise OSError("seek before the beginning of the file")
        self._position = base + offset
        return self._position

    def read(self, count: int | None = -1) -> bytes:
        left = max(self._size - self._position, 0)
        wanted = left if count is None or count < 0 else min(count, left)
        parts: list[bytes] = []
        while wanted:
            number, offset = divmod(self._position, self._size_of_block)
            part = self._block(number)[offset : offset + wanted]
            parts.append(part)
            self._position += len(part)
            wanted -= len(part)
        return b"".join(parts)

    def _block(self, number: int) -> bytes:
        if number in self._recent:
            self._recent.move_to_end(number)
            return self._recent[number]
        begin = number * self._size_of_block
        end = min(begin + self._size_of_block, self._size)
        place = self._folder / f"{number:05}.block"
        data = place.read_bytes() if place.is_file() else b""
        if len(data) != end - begin:
            data, _ = self._web.part(self._url, begin, end)
            part = place.with_suffix(".part")
            part.write_bytes(data)
            part.rename(place)
            self.fetched += len(data)
            self._progress(self.fetched)
        self._recent[number] = data
        if len(self._recent) > _IN_MEMORY:
            self._recent.popitem(last=False)
        return data
