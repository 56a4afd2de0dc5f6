"""Files of one project in a package index. The index is JSON (PEP 691), HTML (PEP 503) or a folder."""

from __future__ import annotations

import html.parser
import json
import re
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from release_sources.download import Web
from release_sources.errors import FetchError
from release_sources.pip_settings import PipSettings

_ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"


@dataclass(frozen=True)
class WheelFile:
    """Wheel in a package index, with the fields of its file name."""

    name: str
    url: str
    version: str
    """Version including the local part: `2.6.0+cpu`."""
    build: int
    """Build number; 0 if the file name has none."""
    python: str
    """Python tag: `cp312`."""
    abi: str
    platform: str
    sha256: str = ""
    size: int = 0
    """Size in bytes; 0 if the index does not state the size."""

    @property
    def release(self) -> str:
        return self.version.partition("+")[0]

    @property
    def is_local(self) -> bool:
        return self.url.startswith("file:")


def wheels(project: str, settings: PipSettings, web: Web) -> list[WheelFile]:
    """All wheels of a project in all locations that pip searches.

    A location without the project contributes no wheels. Raises FetchError if no location can be read.
    """
    pages = [f"{index.rstrip('/')}/{project}/" for index in settings.indexes]
    found: list[WheelFile] = []
    failures: list[str] = []
    for location in (*pages, *settings.find_links):
        try:
            links = list(_links(location, web))
        except FetchError as error:
            failures.append(str(error))
            continue
        found += [wheel for wheel in map(_wheel, links) if wheel and wheel.name.startswith(project)]
    if failures and not found:
        raise FetchError(failures[0], "\n".join(failures))
    return found


@dataclass(frozen=True)
class _Link:
    name: str
    url: str
    sha256: str = ""
    size: int = 0
    yanked: bool = False


def _links(location: str, web: Web) -> Iterator[_Link]:
    folder = _folder(location)
    if folder is not None:
        page = folder / "index.html"
        if page.is_file():
            yield from _html_links(page.read_text(errors="replace"), page.as_uri())
        elif folder.is_dir():
            for path in sorted(folder.glob("*.whl")):
                yield _Link(path.name, path.absolute().as_uri(), size=path.stat().st_size)
        return
    page_text = web.page(location, _ACCEPT)
    if page_text is None:
        return
    kind, text, base = page_text
    yield from _json_links(text, base) if "json" in kind else _html_links(text, base)


def _folder(location: str) -> Path | None:
    """Folder that a location denotes, as a path or a `file:` URL; None for a web URL."""
    parts = urllib.parse.urlsplit(location)
    if parts.scheme == "file":
        return Path(urllib.parse.unquote(parts.path))
    return None if parts.scheme in ("http", "https") else Path(location)


def _json_links(text: str, base: str) -> Iterator[_Link]:
    try:
        for entry in json.loads(text)["files"]:
            yield _Link(
                entry["filename"],
                urllib.parse.urljoin(base, entry["url"]),
                entry["hashes"].get("sha256", ""),
                entry.get("size") or 0,
                bool(entry.get("yanked")),
            )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FetchError(f"the page of the package index cannot be read: {error!r}") from None


class _Anchors(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found.append({name: value or "" for name, value in attrs})


def _html_links(text: str, base: str) -> Iterator[_Link]:
    anchors = _Anchors()
    anchors.feed(text)
    for anchor in anchors.found:
        url, _, fragment = urllib.parse.urljoin(base, anchor.get("href", "")).partition("#")
        name = urllib.parse.unquote(urllib.parse.urlsplit(url).path.rpartition("/")[2])
        sha256 = re.search(r"sha256=([0-9a-f]{64})", fragment)
        yield _Link(name, url, sha256[1] if sha256 else "", yanked="data-yanked" in anchor)


def _wheel(link: _Link) -> WheelFile | None:
    """Wheel to which a link leads; None for any other file, and for a yanked wheel."""
    fields = link.name.removesuffix(".whl").split("-")
    if not link.name.endswith(".whl") or len(fields) not in (5, 6) or link.yanked:
        return None
    build = re.match(r"\d+", fields[2]) if len(fields) == 6 else None
    python, abi, platform = fields[-3:]
    return WheelFile(
        link.name,
        link.url,
        fields[1],
        int(build[0]) if build else 0,
        python,
        abi,
        platform,
        link.sha256,
        link.size,
    )
