"""NVIDIA's wheels of CUDA 12.4, in pinned versions, and the headers in them."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mapping_tables.cuda_rules import RULES
from mapping_tables.errors import TableError


def download(to: Path) -> None:
    """Download the pinned wheels with pip. pip always downloads whole wheels."""
    wanted = [f"{project}=={version}" for project, version in RULES["pins"].items()]
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command = [*pip, "--platform", "manylinux2014_x86_64", "--dest", str(to), *wanted]
    # pip's output goes to stderr: stdout contains the answer only.
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode:
        help = (
            "correct the error that pip reports above, or use downloaded wheels with --wheels DIR"
        )
        raise TableError("pip could not download the pinned wheels", help)


def unpack(wheels: Path, to: Path) -> None:
    """Unpack only the headers of the pinned wheels. Raises TableError for a missing or broken wheel."""
    for project, version in RULES["pins"].items():
        found = sorted(wheels.glob(f"{project.replace('-', '_')}-{version}-*.whl"))
        if not found:
            help = f"pip download --no-deps --dest {wheels} {project}=={version}"
            raise TableError(f"no wheel of {project} {version} in {wheels}", help)
        try:
            with zipfile.ZipFile(found[0]) as wheel:
                wheel.extractall(to, [name for name in wheel.namelist() if "/include/" in name])
        except zipfile.BadZipFile as error:
            raise TableError(f"{found[0]}: {error}", "download it again") from None


class Headers:
    """Unpacked headers of all wheels. Raises TableError if a needed component is missing.

    `roots` maps a component to its include folder; `units` are the names of the translation units to read.
    """

    def __init__(self, roots: Mapping[str, Path], units: Sequence[str]) -> None:
        self.units = units
        self.roots = {component: path.resolve() for component, path in roots.items()}
        needed = {
            "cuda_nvcc"
        }  # This component contains `crt/`, whose headers the runtime's headers include.
        needed |= {
            glob.strip("!").split("/")[0]
            for title in units
            for glob in RULES["units"][title]["headers"]
        }
        if missing := sorted(needed - self.roots.keys()):
            help = "give the folder that contains nvidia/<component>/include"
            raise TableError(f"no headers of {', '.join(missing)}", help)

    @classmethod
    def under(cls, root: Path) -> Headers:
        """Headers in `<root>/nvidia/<component>/include` or `<root>/<component>/include`, for all translation units."""
        found = sorted((*root.glob("nvidia/*/include"), *root.glob("*/include")))
        return cls({path.parent.name: path for path in found}, tuple(RULES["units"]))

    def matching(self, globs: Iterable[str]) -> list[str]:
        """Headers that match the globs, as `component/path`, in the order of the globs. A `!` glob removes headers."""
        found: dict[str, None] = {}
        for glob in globs:
            component, _, pattern = glob.removeprefix("!").partition("/")
            for path in sorted(self.roots[component].glob(pattern)):
                header = f"{component}/{path.relative_to(self.roots[component]).as_posix()}"
                if glob.startswith("!"):
                    found.pop(header, None)
                elif path.is_file():
                    found[header] = None
        return list(found)

    def header_of_file(self, file: str) -> str | None:
        """Path of a file as `component/path`; None if the file is not in the wheels."""
        path = Path(file).resolve()
        for component, root in self.roots.items():
            if path.is_relative_to(root):
                return f"{component}/{path.relative_to(root).as_posix()}"
        return None
