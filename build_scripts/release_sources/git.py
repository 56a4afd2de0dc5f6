"""Tags of PyTorch in a git repository: PyTorch's own repository, a mirror of it, or a local checkout."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from release_sources.archive import unpack
from release_sources.commands import environment, failed, output
from release_sources.errors import FetchError
from release_sources.source import Offer

UPSTREAM = "https://github.com/pytorch/pytorch.git"


@dataclass(frozen=True)
class Git:
    """Source of releases: the tags `v<release>` of a git repository. A local repository is not modified."""

    origin: str = UPSTREAM
    """URL or folder of the repository."""
    kind: str = "git"

    def offers(self, work: Path) -> list[Offer]:
        """All tags of final releases. Raises FetchError if the repository cannot be read."""
        listed = output(["git", "ls-remote", "--tags", "--refs", self.origin], timeout=30)
        tags = re.findall(r"refs/tags/(v\d+\.\d+\.\d+)$", listed, re.MULTILINE)
        return [Offer(tag[1:], tag) for tag in tags]

    def unpack(self, offer: Offer, work: Path, into: Path) -> str:
        """Write the files of the tag into `into`, without submodules. Returns `commit:<hash>`."""
        local = Path(self.origin).is_dir()
        repository = self.origin if local else self._clone(offer.version, work / "clone.git")
        tag = f"refs/tags/{offer.version}"
        commit = output(["git", "-C", repository, "rev-parse", f"{tag}^{{commit}}"]).strip()
        _unpack_commit(repository, commit, into)
        return f"commit:{commit}"

    def _clone(self, tag: str, into: Path) -> str:
        """Clone only the given tag. Returns the path of the clone."""
        # With these settings, git ends a connection that is idle for 30 s. A slow connection has no time limit.
        slow = ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30"]
        only = ["--depth=1", "--single-branch", f"--branch={tag}"]
        output(["git", *slow, "clone", "--quiet", "--bare", *only, self.origin, str(into)])
        return str(into)


def _unpack_commit(repository: str, commit: str, into: Path) -> None:
    argv = ["git", "-C", repository, "archive", "--format=tar", commit]
    with (
        tempfile.TemporaryFile() as words,
        subprocess.Popen(argv, env=environment(), stdout=subprocess.PIPE, stderr=words) as archive,
    ):
        assert archive.stdout
        try:
            unpack(archive.stdout, into)
        except FetchError:
            # An incomplete archive usually means that git failed. In this case, git's message states the reason.
            archive.stdout.close()
            if archive.wait() <= 0:
                raise
        if archive.wait():
            words.seek(0)
            raise failed(argv, archive.returncode, words.read().decode(errors="replace"))
