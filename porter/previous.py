"""The port that is there already: whether it is whole, what of it is still current, what in it is not porter's.

Besides the manifest, which is the same on every machine, a port keeps `.state.json`: sizes and times of the files read
and written, so that an unchanged tree is recognised without reading it.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from porter.errors import Problem, SourceError
from porter.model import manifest as manifests
from porter.model.manifest import Manifest, PortedFile

MANIFEST = "manifest.json"
STATE = ".state.json"
OWN = {"src", MANIFEST, STATE, "report.json", "report.md"}
"""What the port stage writes into its folder."""


class Stamp(NamedTuple):
    """Enough of a file's status to see that it was changed."""

    size: int
    time: int
    """Modification time, ns."""


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file; None when it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return Stamp(status.st_size, status.st_mtime_ns)


@dataclass
class Previous:
    """A port as an earlier run left it; empty when there is none."""

    manifest: Manifest | None = None
    digest: str = ""
    """Of the rule set it was made with."""
    made: int = 0
    """When the state was written, ns: a file changed in the same moment may hide behind equal stamps."""
    stamps: dict[str, tuple[Stamp, Stamp]] = field(default_factory=dict)
    """Upstream path -> (stamp upstream, stamp in the port)."""

    @property
    def whole(self) -> bool:
        """Whether there is a port to build on."""
        return self.manifest is not None and bool(self.stamps)

    @property
    def files(self) -> dict[str, PortedFile]:
        """The files of the port by upstream path."""
        return dict(self.manifest.files) if self.manifest else {}

    def moves(self) -> dict[str, str]:
        """Upstream path -> ported path."""
        return {path: file.to for path, file in self.files.items()}

    def moved(self, path: str, to: str) -> bool:
        """Whether the file went elsewhere before."""
        return self.files[path].to != to

    @classmethod
    def read(cls, folder: Path) -> Previous:
        """The port in a folder. A port without a readable manifest counts as none."""
        try:
            manifest = manifests.from_json(json.loads((folder / MANIFEST).read_bytes()))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()
        try:
            state = json.loads((folder / STATE).read_bytes())
            stamps = {
                path: (Stamp(*both[:2]), Stamp(*both[2:])) for path, both in state["files"].items()
            }
            return cls(manifest, state["rules"], state["made"], stamps)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls(manifest)

    def is_current(self, path: str, upstream: Path) -> bool:
        """Whether the upstream file is the one that was ported."""
        now = stamp(upstream)
        return now is not None and now == self.stamps[path][0] and now.time < self.made

    def check(self, folder: Path, *, force: bool) -> None:
        """Raise SourceError when the folder holds what porter did not write, or what was changed since."""
        if not folder.exists():
            return
        if not folder.is_dir():
            raise SourceError("is a file, not an output folder", str(folder))
        problems = []
        foreign = (
            sorted(set(os.listdir(folder)) - OWN) if self.manifest else sorted(os.listdir(folder))
        )
        for name in foreign[:5]:
            problems.append(
                Problem("porter did not write this", str(folder / name), "choose another --out")
            )
        if not problems and not force:
            problems = self._changed(folder)
        if problems:
            raise SourceError(problems)

    def _changed(self, folder: Path) -> list[Problem]:
        ours = {file.to: path for path, file in self.files.items()}
        problems = []
        for parent, _, names in os.walk(folder / "src"):
            for name in names:
                place = Path(parent, name)
                path = ours.get(place.relative_to(folder / "src").as_posix())
                if path is None:
                    text = "porter did not write this"
                elif path in self.stamps and stamp(place) != self.stamps[path][1]:
                    text = "was changed after it was ported; the change would be lost"
                else:
                    continue
                help = "keep the change as a patch rule, or give --force to drop it"
                problems.append(Problem(text, str(place), help))
        return problems[:5]


def write(folder: Path, manifest: Manifest, digest: str, tree: Path, started: int) -> None:
    """Write the state and, last, the manifest of a port whose files lie in `folder`.

    `started` is the time, ns, at which the run began to read upstream files.
    """
    stamps = {
        path: [*(stamp(tree / path) or (0, 0)), *(stamp(folder / "src" / file.to) or (0, 0))]
        for path, file in manifest.files.items()
    }
    state = {"rules": digest, "made": started, "files": stamps}
    (folder / STATE).write_text(json.dumps(state, separators=(",", ":")), encoding="utf-8")
    text = manifests.to_text(manifest)
    (folder / MANIFEST).write_text(text, encoding="utf-8")
