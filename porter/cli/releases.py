"""The PyTorch releases that porter knows."""

from __future__ import annotations

import re

from porter.base.errors import UsageError
from porter.cli import console

KNOWN_RELEASES = ("1.13.1", "2.6.0")
"""Releases whose ports are held by lock files."""


def check_release(release: str) -> None:
    """Raise UsageError for what is no version; warn of a release that porter does not know."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6}){0,3}", release):
        raise UsageError(
            f"'{release}' is not a PyTorch version", help="for example --release 2.6.0"
        )
    if release not in KNOWN_RELEASES:
        known = ", ".join(KNOWN_RELEASES)
        console.warn(f"PyTorch {release} is not a release porter knows ({known})")
