"""Toolkit folders in porter's cache. The driver finds its folder here at every call, so this module imports little."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

from porter.base import disk_cache
from porter.base.fingerprint import Answer
from porter.base.fs import stamp
from porter.mapping.library import MappingLibrary
from porter.toolkit import folder_contents
from porter.toolkit.inputs import RUNTIME, Wanted, runtime_folder

_CODE = Answer(
    "toolkit",
    (
        *(
            "base",
            "builder",
            "cpp",
            "custom_ops",
            "mapping",
            "model",
            "overlay",
            "port",
            "regex",
            "register",
        ),
        *("report", "rewrite", "simt", "toolchain", "toolkit"),
    ),
)


def made(wanted: Wanted) -> Path:
    """Toolkit folder in porter's cache; it is made if it does not exist yet, or if files of it were cut off.

    The name of the folder depends on the mappings, on porter's code, and on the installed backend. Raises the errors
    of `target_settings.compute`, and SourceError if the cache cannot be written.
    """
    library = MappingLibrary.find(wanted.mappings)
    library.root_of(wanted.target)
    folder = disk_cache.folder() / "toolkit" / f"{wanted.target}-{_key(wanted, library)[:16]}"
    if folder_contents.is_whole(folder):
        return folder
    # Imported late: most calls find the folder.
    from porter.toolkit import folder as toolkit_folder

    toolkit_folder.write(folder, wanted, library)
    return folder


def _key(wanted: Wanted, library: MappingLibrary) -> str:
    parts = [
        library.digest(wanted.target),
        _CODE.code(),
        wanted.release,
        wanted.compiler,
        sys.executable,
    ]
    parts += [str(place) for place in wanted.mappings]
    if wanted.torch:
        name = f"torch_{wanted.target}"
        backend = sorted(wanted.torch.root.parent.glob(f"{name}/_build.py"))
        parts += [wanted.torch.python, stamp([wanted.torch.root / "version.py", *backend])]
    elif wanted.target == "simt":
        given = os.environ.get(RUNTIME)
        parts.append(os.path.realpath(given) if given else str(runtime_folder()))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
