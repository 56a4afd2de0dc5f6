"""Downloads over HTTP: pages, files, and parts of files by range requests."""

from __future__ import annotations

import base64
import http.client
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from release_sources.errors import FetchError

T = TypeVar("T")

_TIMEOUT = 60.0
"""Seconds without data after which a connection is closed."""
_ATTEMPTS = 3
_CHUNK = 1 << 20
_AGAIN = "run this again; the received data is reused"


class NoRangesError(Exception):
    """Raised when the server does not support range requests."""


class Web:
    """HTTP client with retries. Its messages never show a password in a URL.

    User and password in a URL are used for all URLs of the same host, as pip does, because the links in an index
    contain neither user nor password.
    """

    def __init__(self, certificates: str = "", pause: float = 1.0) -> None:
        context = ssl.create_default_context(cafile=certificates or None)
        self._opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context))
        self._pause = pause
        """Seconds to wait before the second attempt."""
        self._tokens: dict[str, str] = {}
        """Maps a host to the credentials in a URL that was opened on this host."""

    def page(self, url: str, accept: str) -> tuple[str, str, str] | None:
        """Content type, text and final URL of a page; None if the page does not exist (404)."""

        def read() -> tuple[str, str, str] | None:
            try:
                with self._open(url, {"Accept": accept}) as answer:
                    kind = answer.headers.get("Content-Type", "")
                    return kind, answer.read().decode("utf-8", "replace"), answer.geturl()
            except urllib.error.HTTPError as error:
                if error.code == 404:
                    return None
                raise

        return self._attempted(url, read)

    def part(self, url: str, begin: int, end: int) -> tuple[bytes, int]:
        """Bytes `begin` to `end` (exclusive) of a file, and the size of the whole file.

        Raises NoRangesError when the server sends whole files only.
        """

        def read() -> tuple[bytes, int]:
            with self._open(url, {"Range": f"bytes={begin}-{end - 1}"}) as answer:
                told = re.fullmatch(
                    r"bytes (\d+)-(\d+)/(\d+)", answer.headers.get("Content-Range", "")
                )
                if answer.status != 206 or not told or int(told[1]) != begin:
                    raise NoRangesError
                size = int(told[3])
                data: bytes = answer.read(end - begin)
                if len(data) != min(end, size) - begin:
                    raise http.client.IncompleteRead(data, min(end, size) - begin - len(data))
                return data, size

        return self._attempted(url, read)

    def whole(self, url: str, into: Path, progress: Callable[[int], None]) -> None:
        """Download a whole file. `progress` is called with the number of bytes received so far."""

        def read() -> None:
            count = 0
            with self._open(url, {}) as answer, into.open("wb") as file:
                wanted = int(answer.headers.get("Content-Length") or 0)
                while data := answer.read(_CHUNK):
                    file.write(data)
                    progress(count := count + len(data))
            if wanted and count != wanted:
                raise http.client.IncompleteRead(b"", wanted - count)

        self._attempted(url, read)

    def _open(self, url: str, headers: dict[str, str]) -> Any:
        parts = urllib.parse.urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        if parts.username is not None:
            user = urllib.parse.unquote(parts.username)
            words = f"{user}:{urllib.parse.unquote(parts.password or '')}"
            self._tokens[host] = base64.b64encode(words.encode()).decode()
        if host in self._tokens:
            headers = {**headers, "Authorization": f"Basic {self._tokens[host]}"}
        request = urllib.request.Request(without_user(url), headers=headers)
        return self._opener.open(request, timeout=_TIMEOUT)

    def _attempted(self, url: str, read: Callable[[], T]) -> T:
        shown = without_user(url)
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return read()
            except urllib.error.HTTPError as error:
                reason, final = f"HTTP {error.code} {error.reason}", error.code < 500
            except urllib.error.URLError as error:
                reason, final = str(error.reason), False
            except (http.client.HTTPException, TimeoutError, ConnectionError) as error:
                reason, final = str(error) or type(error).__name__, False
            if final or attempt == _ATTEMPTS:
                raise FetchError(f"{shown}: {reason}", _AGAIN) from None
            time.sleep(self._pause * attempt)
        raise AssertionError("unreachable")


def without_user(url: str) -> str:
    """URL without user and password."""
    parts = urllib.parse.urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
