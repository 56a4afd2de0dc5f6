"""Cache of SDKs, in a folder outside the checkout. Every cached SDK is complete.

sdks/rocm        the SDK, with its headers in usr/include
sdks/rocm.json   stamp of the SDK: JSON with the packages, their versions and checksums
sdks/.rocm.lock  lock of the process that fetches the SDK
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from release_sources.cache import locked, scratch, stamp_of
from release_sources.errors import FetchError
from sdk_sources import debian_packages, stubs
from sdk_sources.table import Sdk

Stamp = dict[str, Any]


def bring(sdk: Sdk, cache: Path) -> Stamp:
    """Stamp of an SDK in the cache. If necessary, the SDK is fetched. Raises FetchError if the SDK is not available."""
    home = cache / "sdks"
    final = home / sdk.name
    if stamp := cached(sdk, final):
        return stamp
    home.mkdir(parents=True, exist_ok=True)
    with locked(home / f".{sdk.name}.lock"):
        if stamp := cached(
            sdk, final
        ):  # Another process has fetched the SDK while this one waited for the lock.
            return stamp
        if final.exists() and not stamp_of(final).exists():
            raise FetchError(f"{final} exists, but this program did not write it", "move it away")
        with scratch(home, sdk.name) as work:
            return _fetched(sdk, work, final)


def cached(sdk: Sdk, final: Path) -> Stamp | None:
    """Stamp of the SDK at `final`; None if the SDK is incomplete, or if its entry in the table has changed."""
    try:
        stamp = json.loads(stamp_of(final).read_text())
        as_asked = stamp["schema"] == 1 and stamp["entry"] == sdk.digest
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not as_asked or sdk.missing_headers(final):
        return None
    return {**stamp, "path": str(final)}


def _fetched(sdk: Sdk, work: Path, final: Path) -> Stamp:
    tree = work / "tree"
    tree.mkdir()
    packages = debian_packages.unpack(sdk, work, tree)
    if missing := sdk.missing_headers(tree):
        raise FetchError(f"the packages of {sdk.name} lack {', '.join(missing)}")
    debian_packages.link(sdk, tree)
    stubs.make(sdk, tree)
    stamp: Stamp = {
        "schema": 1,
        "name": sdk.name,
        "path": str(final),
        "entry": sdk.digest,
        "packages": [asdict(package) for package in packages],
    }
    # The stamp is written first. A stamp without its tree does not count as an SDK, and is overwritten later.
    if final.exists():
        final.rename(work / "replaced")
    written = work / "stamp.json"
    written.write_text(json.dumps(stamp, indent=1) + "\n")
    written.rename(stamp_of(final))
    tree.rename(final)
    return stamp
