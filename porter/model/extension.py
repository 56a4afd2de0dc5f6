"""Result of building an extension of PyTorch for a target."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from porter.model.cuda_project import ByHand
from porter.model.manifest import Manifest
from porter.model.summary import Summary


class PythonLine(NamedTuple):
    """Line of Python code that mentions CUDA."""

    path: str
    """Path from the root of the package."""
    line: int
    text: str


class SharedFile(NamedTuple):
    """Shared library in a wheel."""

    path: str
    uses_device: bool
    """True if the library is linked with the backend or with the target's runtime."""


class BuiltExtension(NamedTuple):
    """Wheel of a package, with the report of the port."""

    package: str
    """Name and version, as in the file name of the wheel: `torch_scatter-2.1.2`."""
    target: str
    wheel: Path
    libraries: tuple[SharedFile, ...]
    python_lines: tuple[PythonLine, ...]
    manifest: Manifest
    summary: Summary
    by_hand: ByHand
    seconds: dict[str, float]

    def document(self) -> dict[str, Any]:
        """Plain data about the package, without the report of the port."""
        return {
            "package": self.package,
            "target": self.target,
            "wheel": self.wheel.name,
            "libraries": [one._asdict() for one in self.libraries],
            "python_lines": [one._asdict() for one in self.python_lines],
            "seconds": self.seconds,
        }
