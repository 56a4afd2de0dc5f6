"""Isolated environment for the script `fetch_release`, and the source tree of an invented release, 9.9.9."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from repository import ROOT

SCRIPT = ROOT / "build_scripts" / "fetch_release"


class Machine:
    """Isolated environment with its own cache and its own programs on PATH; apt's programs fail."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.cache = root / "cache"
        self.bin = root / "bin"
        self.log = root / "commands.log"
        self.bin.mkdir()
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PORTER_"))},
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "PORTER_CACHE": str(self.cache),
        }
        for name in ("apt-get", "apt-cache", "apt-config"):
            self.program(name, "exit 100")

    @property
    def tree(self) -> Path:
        return self.cache / "releases" / "pytorch-9.9.9"

    def program(self, name: str, script: str) -> None:
        """Create a program that precedes all others on PATH. Each call of the program adds a line to `log`."""
        path = self.bin / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>{self.log}\n{textwrap.dedent(script)}\n')
        path.chmod(0o755)

    def start(self, *args: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(SCRIPT), *map(str, args)],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *args: str | Path) -> tuple[int, str, str]:
        process = self.start(*args)
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in err
        return process.returncode, out, err

    def left(self) -> list[str]:
        """Sorted names in the cache's folder of releases, without lock files."""
        found = (self.cache / "releases").glob("*")
        return sorted(path.name for path in found if path.suffix != ".lock")


def write_tree(root: Path, version: str = "9.9.9a0") -> Path:
    (root / "aten").mkdir(parents=True)
    (root / "version.txt").write_text(f"{version}\n")
    (root / "aten" / "CMakeLists.txt").write_text("# nothing\n")
    return root


def files(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): (
            str(path.readlink()) if path.is_symlink() else path.read_text("latin-1")
        )
        for path in root.rglob("*")
        if path.is_symlink() or path.is_file()
    }


AT_TAG = {
    "version.txt": "9.9.9a0\n",
    "aten/CMakeLists.txt": "# nothing\n",
    "link": "aten/CMakeLists.txt",
}
