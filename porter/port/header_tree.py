"""Header trees: the headers, torchgen and declarations of a wheel in the layout of a source tree.

`porter release fetch RELEASE-headers` makes a header tree; its root contains the marker `header_tree.json`.
"""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from porter.base import regular_files
from porter.base.errors import SourceError
from porter.model.rules import Rule, RuleSet

MARKER = "header_tree.json"
SUFFIX = "-headers"
"""Text that follows the release in the name of a header tree: `2.6.0-headers`."""
_AGAIN = "fetch it again: porter release fetch {}-headers"


class HeaderTree(NamedTuple):
    """Content of a header tree's marker: release, wheel and numbers of files."""

    release: str
    wheel: str
    """File name of the wheel from which the tree was made."""
    sha256: str
    """SHA-256 of the wheel; empty if the package index states none."""
    parts: dict[str, int]
    """Maps the name of a part (`aten`, `c10`, `torchgen`) to the number of files in the part."""
    python: str = ""
    """Range of Python versions that the wheel supports; empty if the marker does not state the range."""


def read(tree: Path) -> HeaderTree | None:
    """Marker of a header tree; None for a source tree. Raises SourceError for a damaged marker."""
    place = tree / MARKER
    try:
        if not stat.S_ISREG(place.stat().st_mode):
            raise SourceError("is not a regular file", str(place))
        data = json.loads(regular_files.read_text(place))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None
    except (ValueError, RecursionError):
        raise _damaged(place) from None
    try:
        python = data.get("metadata", {}).get("requires_python", "")
        marker = HeaderTree(data["release"], data["wheel"], data["sha256"], data["parts"], python)
        is_text = all(isinstance(value, str) for value in (*marker[:3], marker.python))
        if data["kind"] != "header tree" or not is_text or not _are_counts(marker.parts):
            raise _damaged(place)
    except (KeyError, TypeError, AttributeError):
        raise _damaged(place) from None
    return marker


def named(tree: Path, release: str) -> str:
    """Name of the folder of a tree's port: the release, followed by `-headers` for a header tree."""
    return release + SUFFIX if read(tree) else release


def check_release(tree: Path, release: str) -> None:
    """Raise SourceError if a header tree's marker and its version.txt name different releases."""
    marker = read(tree)
    if marker and marker.release != release:
        text = (
            f"is a mixture of two releases: {MARKER} says {marker.release}, version.txt {release}"
        )
        raise SourceError(text, str(tree), _AGAIN.format(marker.release))


def check_whole(tree: Path) -> None:
    """Raise SourceError if a header tree lacks files, or if torch/version.py and the marker state different releases.

    A tree without a marker passes.
    """
    marker = read(tree)
    if marker is None:
        return
    present = sum(len(files) for _, _, files in os.walk(tree))
    # The numbers of files in the marker include neither the marker nor version.txt.
    expected = sum(marker.parts.values()) + 2
    help = _AGAIN.format(marker.release)
    if present < expected:
        text = f"is incomplete: {present} of {expected} files exist"
        raise SourceError(text, str(tree), help)
    version = tree / "torch" / "version.py"
    if version.is_file():
        try:
            text = regular_files.read_text(version)
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", str(version)) from None
        except UnicodeDecodeError as error:
            raise SourceError(f"is not UTF-8: byte {error.start}", str(version), help) from None
        said = re.search(r"__version__(?:: str)? = '([0-9.]+)", text)
        if said and said[1] != marker.release:
            text = f"is a mixture of two releases: {MARKER} says {marker.release}, torch/version.py {said[1]}"
            raise SourceError(text, str(tree), help)


def require_sources(tree: Path) -> None:
    """Raise SourceError if the tree is a header tree: header trees lack the kernel sources that a package needs."""
    marker = read(tree)
    if marker:
        help = f"add --until build, or get the sources: porter release fetch {marker.release}"
        raise SourceError("is a header tree, which has no kernels to package", str(tree), help)


def fitted(rules: RuleSet, tree: Path) -> RuleSet:
    """Rule set with the numbers of hits that are expected in the given tree.

    The expected number of hits of a rule (`min_hits`) was counted in a whole source tree. For a header tree, hits are
    therefore expected only from patches whose file exists. For a source tree, the rule set is unchanged: if the file of
    a patch is missing, upstream has moved the file, and a finding tells the user to correct the patch.
    """
    if read(tree) is None:
        return rules

    def expects(rule: Rule) -> bool:
        return rule.kind == "patch" and (tree / rule.match).is_file()

    fitting = (rule if expects(rule) else rule._replace(min_hits=0) for rule in rules.rules)
    return rules._replace(rules=tuple(fitting))


def _are_counts(parts: object) -> bool:
    """Test whether `parts` is valid: a dictionary whose values are numbers of files."""
    return isinstance(parts, dict) and all(type(count) is int for count in parts.values())


def _damaged(place: Path) -> SourceError:
    help = _AGAIN.format("RELEASE")
    return SourceError("is damaged: it describes no header tree", str(place), help)
