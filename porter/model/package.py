"""What a wheel is made of, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from porter.model.rules import Profile


class Preload(NamedTuple):
    """A library of another Python package that must be in the process before ours."""

    package: str
    """The package's import name."""
    library: str
    """Path inside of it."""


class Runtime(NamedTuple):
    """The vendor's runtime, as far as the wheel brings it along or asks for it; empty where it is installed anyway."""

    libraries: tuple[Path, ...] = ()
    """What the wheel holds of it, in the order of loading."""
    preload: tuple[Preload, ...] = ()
    requires: tuple[str, ...] = ()
    """Requirements of the wheel (PEP 508)."""
    plugin: Path | None = None
    """Plugin that the compiler loads for kernels; goes into the wheel's folder `plugin`."""


class PackageSpec(NamedTuple):
    """What a wheel is made for."""

    profile: Profile
    release: str
    """The version of torch whose kernels these are."""
    cxx11_abi: bool
    """`_GLIBCXX_USE_CXX11_ABI` of the torch that the libraries were compiled against."""
    runtime: Runtime = Runtime()
    licenses: tuple[Path, ...] = ()
    """Texts that go with the binaries: upstream's LICENSE and NOTICE."""
    headers: Mapping[str, Path] = {}
    """What kernels of the users' own are compiled with: name that a header is included by -> where it lies."""
    own_ops: Path | None = None
    """The folder of the Python package with the target's own operators; it becomes `torch_<target>.ops`."""

    @property
    def own_ops_files(self) -> tuple[Path, ...]:
        """All files of that package."""
        inside = self.own_ops.iterdir() if self.own_ops else ()
        return tuple(sorted(path for path in inside if path.is_file()))


class Libraries(NamedTuple):
    """What a build made, for one version of Python."""

    shared: tuple[Path, ...]
    """In the order of loading."""
    stub: Path
    """`_C.<abi>.so`."""
    interpreter: str
    """Tag of the interpreter: `cp311`."""
    abi: str
    """Tag of its ABI."""
    platform: str
    """`linux_x86_64`."""

    @property
    def tag(self) -> str:
        """The wheel's tag: `cp311-cp311-linux_x86_64`."""
        return f"{self.interpreter}-{self.abi}-{self.platform}"

    @property
    def python(self) -> str:
        """The version of Python, as a requirement: `==3.11.*`."""
        return f"=={self.interpreter[2]}.{self.interpreter[3:]}.*"


class Packaged(NamedTuple):
    """A finished package."""

    wheel: Path
    tree: Path
    """The unpacked wheel; on `sys.path` it works as if installed."""
    written: bool
    """Whether this run made it; otherwise nothing had changed."""
