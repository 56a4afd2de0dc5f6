"""Sources of releases: their offers, and asking one source after the other for a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from release_sources.errors import FetchError


@dataclass(frozen=True)
class Offer:
    """One release that a source has."""

    release: str
    version: str
    """The source's own name for it: a tag, or the version of a Debian package."""
    where: str = ""
    """The place within the source, such as a suite."""


@dataclass(frozen=True)
class Tree:
    """A whole source tree, and where it came from. It is also what a stamp records."""

    release: str
    source: str
    origin: str
    version: str
    digest: str
    path: str


class Source(Protocol):
    """Somewhere that releases come from. `work` is a scratch folder, the same in both calls."""

    @property
    def kind(self) -> str: ...

    @property
    def origin(self) -> str: ...

    def offers(self, work: Path) -> list[Offer]:
        """All that can be had here; FetchError when the source does not answer."""

    def unpack(self, offer: Offer, work: Path, into: Path) -> str:
        """Write the offered tree into the folder `into`; the digest of what it was made from."""


def find(release: str, sources: Sequence[Source], work: Path) -> tuple[Source, Offer]:
    """The first source that has the release; FetchError saying what each has instead."""
    heard: list[str] = []
    for source in sources:
        offers, silence = ask(source, work)
        for offer in offers:
            if offer.release == release:
                return source, offer
        names = ", ".join(sorted({offer.release for offer in offers}, key=numbers))
        heard.append(f"{describe(source)} {silence or 'has ' + (names or 'no releases')}")
    if heard:
        heard.append("a PyTorch checkout or tree that you have serves too: --from-checkout DIR")
    else:
        heard.append("without --from-checkout it is fetched from where it can be had")
    if all(source.kind != "wheel" for source in sources):
        heard.append("its headers alone, from a wheel: --from wheel")
    raise FetchError(f"PyTorch {release} cannot be had", "\n".join(heard))


def ask(source: Source, work: Path) -> tuple[list[Offer], str]:
    """Offer of a source, or the reason why the source does not answer."""
    try:
        return source.offers(work), ""
    except FetchError as error:
        return [], f"does not answer: {(error.advice or str(error)).splitlines()[0]}"


def describe(source: Source) -> str:
    """A source in messages: `git (https://example.org/pytorch.git)`."""
    return f"{source.kind} ({source.origin})"


def numbers(release: str) -> list[int]:
    """A release as numbers, by which it is sorted: 2.10.0 comes after 2.9.1."""
    return [int(part) for part in release.split(".")]
