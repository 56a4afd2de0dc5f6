"""Import of a vendor's changes of upstream's sources as overlays, from patches or from a fork of the source tree.

The upstream text before a change and the text after it are ported by the same rules. The difference of the two ported
texts is the overlay.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import regular_files, untrusted
from porter.base.errors import OverlayError, Problem, SourceError
from porter.model.overlay import Overlay
from porter.overlay import store
from porter.overlay.apply import apply, merge_one
from porter.port.file import check_text
from porter.port.overlay_work import About, TreePorter, applied, free_name, next_order
from porter.port.select import release_of

_FILE = re.compile(rb"^(?:\+\+\+|---) (?:[ab]/)?([^\t\n]+?)[ \t]*(?:\t.*)?\r?$", re.M)
PATCHES = (".patch", ".diff")


class UpstreamChange(NamedTuple):
    """Change of one upstream file."""

    path: str
    before: bytes
    after: bytes
    origin: str
    """Path of the patch with the change, or of the changed file in the fork."""


class Imported(NamedTuple):
    """Overlays that an import made, and problems of the changes that became no overlay."""

    saved: tuple[Overlay, ...]
    left: tuple[Problem, ...]
    """One problem for each skipped change: its file is not ported, or is missing or new in the fork, or the port
    already has the change."""
    failed: tuple[Problem, ...]
    """One problem for each patch that is no diff, and for each change that conflicts with the tree or an overlay."""


class Importer:
    """Imports changes for one tree and one target.

    `overlays` are the target's existing overlays. New overlays get the metadata `about` and are written to `folder`.
    """

    def __init__(
        self, porter: TreePorter, overlays: Sequence[Overlay], about: About, folder: Path
    ) -> None:
        self._porter = porter
        self._overlays = [*overlays]
        self._about = about
        self._folder = folder
        self._texts: dict[str, bytes] = {}
        """Maps an upstream path to the text of the file after the patches imported so far."""
        self._saved: list[Overlay] = []
        self._left: list[Problem] = []
        self._failed: list[Problem] = []

    def result(self) -> Imported:
        """Result of the imports so far."""
        return Imported(tuple(self._saved), tuple(self._left), tuple(self._failed))

    def patches(self, places: Sequence[Path]) -> None:
        """Import patches of upstream's text; each patch is applied to the result of the previous patches.

        Raises SourceError for an unreadable patch. Other failures are recorded in the result.
        """
        for place in places:
            try:
                raw = regular_files.read_bytes(place, untrusted.LARGEST)
            except OSError as error:
                raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None
            named = dict.fromkeys(name.decode("utf-8", "replace") for name in _FILE.findall(raw))
            named.pop("/dev/null", None)
            if not named:
                help = "give a patch made by `git diff` or `diff -u`, or the source tree of a fork"
                self._failed.append(Problem("is not a unified diff", str(place), help))
            for path in named:
                if path in self._porter.paths:
                    self._patched(place, path)
                else:
                    self._left.append(Problem(f"{path} is not ported", str(place)))

    def fork(self, fork: Path) -> None:
        """Import the changes of a fork: the differences between the source tree and the fork, in all ported files.

        Raises SourceError for an unreadable fork, and for a fork of another release.
        """
        if (release := release_of(fork)) != self._porter.rules.release:
            text = (
                f"is PyTorch {release}, but the source tree is PyTorch {self._porter.rules.release}"
            )
            raise SourceError(text, str(fork), "give the source tree on which the fork is based")
        for path in sorted(self._porter.paths):
            place = fork / path
            try:
                after = regular_files.read_bytes(place)
            except FileNotFoundError:
                self._left.append(Problem("is not in the fork", path))
                continue
            except OSError as error:
                raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None
            before = self._porter.upstream(path)
            if after != before:
                self._save(UpstreamChange(path, before, after, str(place)))
        for path in sorted(set(self._porter.selected(fork)) - self._porter.paths):
            self._left.append(
                Problem("is new in the fork; overlays only change existing files", path)
            )

    def _patched(self, place: Path, path: str) -> None:
        before = self._texts[path] if path in self._texts else self._porter.upstream(path)
        try:
            after = _git_apply(place, path, before)
        except ValueError as error:
            release = self._porter.rules.release
            text = f"does not apply to {path} of PyTorch {release}: {error}"
            self._failed.append(
                Problem(text, str(place), "give the source tree for which the patch was made")
            )
            return
        self._texts[path] = after
        self._save(UpstreamChange(path, before, after, str(place)))

    def _save(self, change: UpstreamChange) -> None:
        """Save a change as a new overlay, applied after the file's existing overlays, or record why it is not saved."""
        release = self._porter.rules.release
        same_file = [one for one in self._overlays if one.file == change.path]
        others = applied(same_file, release)
        try:
            check_text(change.after, change.origin)
            ported = self._porter.ported(change.path, change.before)
            below = apply(self._porter.ported(change.path), others, release).text
            overlay = Overlay(
                name=free_name(change.path, self._overlays),
                file=change.path,
                owner=self._about.owner,
                reason=self._about.reason or f"imported from {Path(change.origin).name}",
                expires=self._about.expires,
                release=release,
                order=next_order(others),
                base=ported,
                changed=self._porter.ported(change.path, change.after),
                digest="",
                place="",
                bounds=self._about.bounds,
            )
            merged = merge_one(below, overlay, release)
        except (SourceError, OverlayError) as error:
            self._failed += error.problems
            return
        if merged.conflicts:
            names = ", ".join(one.name for one in others)
            text = f"conflicts in {change.path} with the overlays {names}"
            self._failed.append(Problem(text, change.origin))
        elif merged.text == below:
            self._left.append(
                Problem(f"{change.path}: the port already has this change", change.origin)
            )
        else:
            store.write(self._folder, overlay._replace(base=below, changed=merged.text))
            made = store.read_one(self._folder / f"{overlay.name}{store.PATCH}")
            self._overlays.append(made)
            self._saved.append(made)


def patches_below(place: Path) -> Iterator[Path]:
    """Yield the given file; for a folder, all patch files in the folder and its subfolders, sorted."""
    if place.is_dir():
        found = (path for path in place.rglob("*") if path.name.endswith(PATCHES))
        yield from sorted(found)
    else:
        yield place


def _git_apply(patch: Path, path: str, text: bytes) -> bytes:
    """Text of the file `path` after `git apply` of a patch.

    Raises ValueError, with git's message, if the patch does not apply to the text or changes nothing, and SourceError
    if git cannot be run.
    """
    with tempfile.TemporaryDirectory(prefix="porter-patch-") as name:
        place = untrusted.within(Path(name), path)
        place.parent.mkdir(parents=True, exist_ok=True)
        # git must use only the given folder, and not a repository that contains the temporary folder.
        ceiling = {"GIT_CEILING_DIRECTORIES": os.path.dirname(name)}  # noqa: PTH120
        quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        said: list[str] = []
        for depth in ("-p1", "-p0"):
            place.write_bytes(text)
            command = ["git", "apply", depth, "--whitespace=nowarn", f"--include={path}"]
            try:
                done = subprocess.run(
                    [*command, str(patch.resolve())],
                    cwd=name,
                    env={**os.environ, **ceiling, **quiet},
                    capture_output=True,
                    check=False,
                )
            except OSError as error:
                help = "install git: patches are applied by `git apply`"
                raise SourceError(f"cannot be run: {error.strerror}", "git", help) from None
            made = place.read_bytes() if place.is_file() else b""
            if done.returncode == 0 and made != text:
                return made
            said += done.stderr.decode(errors="replace").strip().splitlines()
        raise ValueError(said[0].removeprefix("error: ") if said else "nothing changes")
