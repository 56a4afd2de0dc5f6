"""Settings of a toolkit folder: the facts of a target that the driver needs, stored as JSON.

The driver reads this file at every call, instead of the mappings and of PyTorch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from porter.base import regular_files
from porter.base.errors import SourceError

FILE = "toolkit.json"
_FORMAT = 1


class ToolkitSettings(NamedTuple):
    """Facts of a target for the driver."""

    target: str
    release: str
    """PyTorch release whose rules apply."""
    cuda: str
    """Release of CUDA to which the target corresponds: `12.4`."""
    compiler: tuple[str, ...]
    """Command of the target's compiler."""
    folder: str = ""
    """Toolkit folder."""
    mappings: tuple[str, ...] = ()
    """Folders with a vendor's mappings, in the order of `--mappings`."""
    torch: bool = False
    """True for a toolkit that compiles extensions of PyTorch."""
    flags: tuple[str, ...] = ()
    """Flags of every C++ and CUDA source, before the user's options."""
    host_flags: tuple[str, ...] = ()
    """Additional flags of sources without device code (`.cpp`)."""
    device_flags: tuple[str, ...] = ()
    """Additional flags of sources with device code (`.cu`)."""
    optimise: tuple[str, ...] = ()
    """Flags that replace `-O2` and `-O3` for sources with device code; empty: the user's flags stay."""
    link: tuple[str, ...] = ()
    """Linker arguments for the target's runtime."""
    torch_link: tuple[str, ...] = ()
    """Linker arguments for the libraries of the backend."""
    libraries: tuple[str, ...] = ()
    """Names of the CUDA libraries whose counterparts `link` contains."""
    unsupported: Mapping[str, str] = {}
    """Maps the name of a CUDA library without a counterpart to the reason."""
    outside: tuple[str, ...] = ()
    """Folders whose headers are not ported."""
    suffixes: Mapping[str, str] = {}
    """Maps the suffix of a source to the suffix that the target's compiler needs, without dots."""


def write_text(settings: ToolkitSettings) -> str:
    """Text of the settings file."""
    return json.dumps({"format": _FORMAT, **settings._asdict()}, indent=1) + "\n"


def read(folder: Path) -> ToolkitSettings:
    """Settings of a toolkit folder. Raises SourceError if the file is missing or damaged."""
    place = folder / FILE
    help = "make the folder again: porter toolkit"
    try:
        data: dict[str, Any] = json.loads(regular_files.read_bytes(place))
        if data.pop("format") != _FORMAT:
            raise SourceError("was written by another version of porter", str(place), help)
        for name, value in data.items():
            if isinstance(value, list):
                data[name] = tuple(value)
        return ToolkitSettings(**data)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(place), help) from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise SourceError("is damaged", str(place), help) from None
