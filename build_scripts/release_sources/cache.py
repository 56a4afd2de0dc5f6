"""Cache of fetched trees, in a folder outside the checkout. Every cached tree is complete.

    releases/pytorch-2.6.0         the tree
    releases/pytorch-2.6.0.json    its stamp: JSON with the release and the origin
    releases/.pytorch-2.6.0.lock   lock of the process that fetches the tree
    releases/pytorch-2.6.0-headers the header tree, from a wheel; it also has a stamp and a lock

A tree is created in a scratch folder in the folder `releases`, and moved to its final path at the end. Each run removes
the scratch folders of killed runs.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from release_sources import header_tree
from release_sources.archive import top_folder
from release_sources.errors import FetchError
from release_sources.source import Source, Tree, describe, find
from release_sources.terminal import say
from release_sources.wheel import Wheel


def bring(release: str, sources: Sequence[Source], cache: Path, any_source: bool) -> Tree:
    """Tree of a release in the cache. If the cache lacks it, it is fetched from the first source that has the release.

    If `any_source` is True, a cached tree from any source is accepted; otherwise only from one of `sources`. Raises
    FetchError if no source has the release, or if the fetched tree is unusable.
    """
    home = cache / "releases"
    name = folder_name(release, are_headers=any(source.kind == Wheel.kind for source in sources))
    final = home / name
    wanted = None if any_source else {(source.kind, source.origin) for source in sources}
    if tree := cached(final, wanted):
        return tree
    home.mkdir(parents=True, exist_ok=True)
    with locked(home / f".{name}.lock"):
        if tree := cached(
            final, wanted
        ):  # Another process has fetched the tree while this one waited for the lock.
            return tree
        if final.exists() and not stamp_of(final).exists():
            raise FetchError(
                f"{final} exists, but this program did not write it",
                f"move it away, or use it with --from-checkout {final}",
            )
        with scratch(home, name) as work:
            return _fetched(release, sources, work, final)


def cached(final: Path, wanted: set[tuple[str, str]] | None) -> Tree | None:
    """Tree at `final` if its stamp is valid and names one of the accepted sources; else None.

    `wanted` is the set of (kind, origin) of the accepted sources; None accepts any source.
    """
    try:
        fields = json.loads(stamp_of(final).read_text())
        schema = fields.pop("schema")
        tree = Tree(**{**fields, "path": str(final)})
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return None
    are_headers = tree.source == Wheel.kind
    if schema != 1 or final.name != folder_name(tree.release, are_headers):
        return None
    if are_headers and not header_tree.is_whole(final, tree.release):
        return None
    if wanted is not None and (tree.source, tree.origin) not in wanted:
        return None
    return tree if (final / "version.txt").is_file() else None


def folder_name(release: str, are_headers: bool) -> str:
    """Name of a tree's folder in the cache."""
    return f"pytorch-{release}-headers" if are_headers else f"pytorch-{release}"


def all_cached(cache: Path) -> Iterator[Tree]:
    """Yield all trees in the cache."""
    for stamp in (cache / "releases").glob("pytorch-*.json"):
        if tree := cached(stamp.with_suffix(""), None):
            yield tree


def stamp_of(final: Path) -> Path:
    """Path of the stamp (JSON about the origin) of the tree at `final`."""
    return final.with_name(f"{final.name}.json")


def _fetched(release: str, sources: Sequence[Source], work: Path, final: Path) -> Tree:
    source, offer = find(release, sources, work)
    say(f"fetching PyTorch {release}: {describe(source)} {offer.version} {offer.where}")
    digest = source.unpack(offer, work, work / "tree")
    root = top_folder(work / "tree")
    if not (root / "version.txt").is_file():
        raise FetchError(f"{describe(source)} {offer.version} is no PyTorch source tree")
    version = f"{offer.version} {offer.where}".strip()
    tree = Tree(release, source.kind, source.origin, version, digest, str(final))
    # The stamp is written before the tree is moved to its place, so that a tree always has a stamp of its own. A stamp
    # without a tree is ignored and overwritten.
    if final.exists():
        final.rename(work / "replaced")
    stamp = work / "stamp.json"
    stamp.write_text(json.dumps({"schema": 1, **dataclasses.asdict(tree)}, indent=1) + "\n")
    stamp.rename(stamp_of(final))
    root.rename(final)
    return tree


@contextlib.contextmanager
def scratch(home: Path, name: str) -> Iterator[Path]:
    """Context with a scratch folder on the disk of the cache. Scratch folders of killed runs are removed."""
    for left in home.glob(f".{name}.*.part"):
        shutil.rmtree(left)
    work = Path(tempfile.mkdtemp(prefix=f".{name}.", suffix=".part", dir=home))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Context in which this process holds a lock. A killed process leaves no lock: locks end with the process."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another fetch of the same release")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
