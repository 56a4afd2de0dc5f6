"""Build contract of a port: everything that a build system must know to compile and link the ported sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class BuildContract(NamedTuple):
    """Flags, folders, libraries and new names of a port. Folders of the vendor's SDK contain `$NAME`: variables of the
    environment."""

    target: str
    release: str
    compiler: str
    device_flags: tuple[str, ...]
    """Flags of sources with device code; they include the target's main header first."""
    host_flags: tuple[str, ...]
    """Flags that follow `device_flags` for sources without device code."""
    include_dirs: tuple[str, ...]
    """Folders of headers of the vendor's SDK."""
    link: tuple[str, ...]
    """Linker arguments."""
    compat_header: str
    """Name of the header that defines the guard macros, in the folder of the contract."""
    macros: Mapping[str, str]
    """Maps a macro of CUDA to the macro that replaces it in the port."""
    values: Mapping[str, int]
    """Maps a guard macro to its value."""
    names: Mapping[str, str]
    """Maps names in files that the port copies (setup.py, CMakeLists.txt) to their names in the port."""
    files: Mapping[str, str]
    """Maps a file that the port renames to its new path; both paths begin at the root of the project."""
    libraries: tuple[str, ...]
    """Libraries of CUDA (`cublas`) whose counterparts `link`, or the output of `flags_command`, contains."""
    unsupported_libraries: Mapping[str, str]
    """Maps a library of CUDA without a counterpart to the reason."""
    flags_command: tuple[str, ...]
    """Command that prints further flags as JSON; empty if `device_flags` and `link` are complete."""

    def document(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {"schema": 1, **self._asdict()}
