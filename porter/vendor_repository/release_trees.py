"""Search for source trees and header trees of releases by name. The user gives a tree, or porter fetches it.

The name of a tree is its release, with `-headers` for a header tree: `2.6.0`, `2.14.1-headers`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.base import disk_cache, resources
from porter.base.errors import SourceError, UsageError
from porter.model.versions import version
from porter.port import header_tree
from porter.port.select import release_of

NAME = rf"\d{{1,6}}\.\d{{1,6}}(?:\.\d{{1,6}})?(?:{re.escape(header_tree.SUFFIX)})?"
"""Regular expression for the name of a source tree or header tree."""


EXAMPLE = f"for example 2.6.0, or 2.6.0{header_tree.SUFFIX} for a header tree"
HELP = f"write a release, {EXAMPLE}"


def is_name(text: str) -> bool:
    """Test whether a text is the name of a source tree or header tree."""
    return bool(re.fullmatch(NAME, text, re.ASCII))


def check_name(name: str) -> None:
    """Raise UsageError for a text that is not the name of a source tree or header tree."""
    if not is_name(name):
        raise UsageError(f"'{name}' is not a PyTorch release", help=HELP)


def sort_key(name: str) -> tuple[tuple[int, ...], bool]:
    """Sort key of a tree's name: by release, and a header tree after the source tree of the same release."""
    release = name.removesuffix(header_tree.SUFFIX)
    return version(release), release != name


@dataclass
class ReleaseTrees:
    """Search for source trees and header trees by name. A tree that was found is not searched again."""

    given: Mapping[str, Path] = field(default_factory=dict)
    """Maps a name to a tree on this machine that the user gave."""
    _found: dict[str, Path] = field(default_factory=dict)

    def find(self, name: str) -> Path:
        """Path of the tree with the given name: the tree that the user gave, else the tree in the cache.

        A tree that the cache lacks is fetched. Raises SourceError if the tree cannot be fetched, or if its content does
        not match the name.
        """
        if name not in self._found:
            tree = self.given.get(name) or _fetched(name)
            found = header_tree.named(tree, release_of(tree))
            header_tree.check_whole(tree)
            if found != name:
                raise SourceError(f"contains PyTorch {found}, not {name}", str(tree))
            self._found[name] = tree
        return self._found[name]


def cached(name: str) -> Path | None:
    """Path of the fetched tree with the given name; None if the cache lacks the tree."""
    place = disk_cache.folder() / "releases" / f"pytorch-{name}"
    return place if place.is_dir() else None


def fetch_program() -> Path:
    """Path of the program `fetch_release`, which fetches a release and prints the folder of the tree.

    The program does not import porter.
    """
    return resources.folder("build_scripts") / "fetch_release"


def fetch_command(name: str) -> list[str]:
    """Command that fetches the tree with the given name, shows progress on stderr, and prints the tree's folder."""
    release = name.removesuffix(header_tree.SUFFIX)
    source = ["--from", "wheel"] if release != name else []
    return [sys.executable, str(fetch_program()), release, *source]


def _fetched(name: str) -> Path:
    done = subprocess.run(fetch_command(name), stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        text = f"PyTorch {name} is not available; the lines above state the reason"
        raise SourceError(text, help=f"give an existing tree: --tree {name}=DIR")
    return Path(done.stdout.strip())
