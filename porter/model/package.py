"""Contents of a wheel, and the files that the package stage writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from porter.model.class_layout import TorchLayout
from porter.model.rules import Profile


class Preload(NamedTuple):
    """Library that must be loaded before the libraries of the wheel, and that a separate Python package contains."""

    package: str
    """Import name of the separate package."""
    library: str
    """Path of the library inside the separate package."""


class Runtime(NamedTuple):
    """Parts of the vendor's runtime that the wheel contains or requires; empty for a runtime installed separately."""

    libraries: tuple[Path, ...] = ()
    """Libraries of the runtime in the wheel, in the order of loading."""
    preload: tuple[Preload, ...] = ()
    requires: tuple[str, ...] = ()
    """Requirements of the wheel (PEP 508)."""
    plugin: Path | None = None
    """Compiler plugin for sources with kernels, copied to the wheel's folder `plugin`; None if there is none."""


class PackageSpec(NamedTuple):
    """Specification of a wheel."""

    profile: Profile
    release: str
    """PyTorch release that the libraries were compiled against."""
    cxx11_abi: bool
    """`_GLIBCXX_USE_CXX11_ABI` of the torch for which the libraries were compiled."""
    runtime: Runtime = Runtime()
    licenses: tuple[Path, ...] = ()
    """License files to distribute with the binaries: upstream's LICENSE and NOTICE."""
    headers: Mapping[str, Path] = {}
    """Headers for users' own kernels. Maps the name in an include directive to the path of the file."""
    own_ops: Path | None = None
    """Folder of the Python package with the target's own operators, which becomes `torch_<target>.ops` in the wheel.
    None if there are none."""
    layout: TorchLayout = TorchLayout()
    """Class layouts of the torch for which the libraries were compiled."""

    @property
    def own_ops_files(self) -> tuple[Path, ...]:
        """All files of the package with the target's own operators, sorted."""
        inside = self.own_ops.iterdir() if self.own_ops else ()
        return tuple(sorted(path for path in inside if path.is_file()))


class Libraries(NamedTuple):
    """Libraries of a build, for one version of Python."""

    shared: tuple[Path, ...]
    """Shared libraries in the order of loading."""
    stub: Path
    """Extension module `_C.<abi>.so`."""
    interpreter: str
    """Tag of the interpreter: `cp311`."""
    abi: str
    """Tag of the interpreter's ABI."""
    platform: str
    """Tag of the platform: `linux_x86_64`."""

    @property
    def tag(self) -> str:
        """Tag of the wheel: `cp311-cp311-linux_x86_64`."""
        return f"{self.interpreter}-{self.abi}-{self.platform}"

    @property
    def python(self) -> str:
        """Version specifier of Python: `==3.11.*`."""
        return f"=={self.interpreter[2]}.{self.interpreter[3:]}.*"


class Packaged(NamedTuple):
    """Wheel of the package stage, also in unpacked form."""

    wheel: Path
    tree: Path
    """Folder with the unpacked wheel, which can be put on `sys.path` instead of an installation."""
    written: bool
    """True when this run wrote the wheel; False when the wheel was up to date."""
