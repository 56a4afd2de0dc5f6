"""Interface of the sources of releases, and search for a release in several sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from release_sources.errors import FetchError


@dataclass(frozen=True)
class Offer:
    """A release that a source can provide."""

    release: str
    version: str
    """Name of the release in the source: a tag, or the version of a Debian package."""
    where: str = ""
    """Part of the source, for example a suite of Debian; may be empty."""


@dataclass(frozen=True)
class Tree:
    """Complete tree of a release, with facts about its origin."""

    release: str
    source: str
    origin: str
    version: str
    digest: str
    path: str


class Source(Protocol):
    """Interface of a source of releases. `offers` and `unpack` must get the same scratch folder `work`."""

    @property
    def kind(self) -> str: ...

    @property
    def origin(self) -> str: ...

    def offers(self, work: Path) -> list[Offer]:
        """List of the releases that the source provides. Raises FetchError if the source cannot be read."""

    def unpack(self, offer: Offer, work: Path, into: Path) -> str:
        """Write the tree of a release into the folder `into`. Returns a digest such as `commit:<hash>`."""


def find(release: str, sources: Sequence[Source], work: Path) -> tuple[Source, Offer]:
    """First source that provides the release, with the source's offer.

    Raises FetchError, with the offers of all sources, if no source provides the release.
    """
    heard: list[str] = []
    for source in sources:
        offers, silence = ask(source, work)
        for offer in offers:
            if offer.release == release:
                return source, offer
        names = ", ".join(sorted({offer.release for offer in offers}, key=numbers))
        heard.append(f"{describe(source)} {silence or 'has ' + (names or 'no releases')}")
    if heard:
        heard.append("to use a local checkout or source tree: --from-checkout DIR")
    else:
        heard.append("to search the other sources: omit --from-checkout")
    if all(source.kind != "wheel" for source in sources):
        heard.append("to fetch only the headers, from a wheel: --from wheel")
    raise FetchError(f"no source has PyTorch {release}", "\n".join(heard))


def ask(source: Source, work: Path) -> tuple[list[Offer], str]:
    """Ask a source for its releases: (offers, empty text), or (no offers, reason why the source cannot be read)."""
    try:
        return source.offers(work), ""
    except FetchError as error:
        return [], f"does not answer: {(error.advice or str(error)).splitlines()[0]}"


def describe(source: Source) -> str:
    """Description of a source in messages: `git (https://example.org/pytorch.git)`."""
    return f"{source.kind} ({source.origin})"


def numbers(release: str) -> list[int]:
    """Numbers of a release as a sort key, so that 2.10.0 comes after 2.9.1."""
    return [int(part) for part in release.split(".")]
