"""ccache as the launcher of a compiler, and its settings with which a build finds the results of another checkout."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


def environment(folder: Path) -> dict[str, str]:
    """Environment variables for a build in `folder`. Variables that the user has set are left out.

    ccache makes the paths below the working directory relative (`base_dir`), and compares the contents of compilers and
    plugins instead of their times (`compiler_check`); see ccache's manual, "Compiling in different directories". The
    working directory is not compared (`hash_dir`): in debug information, an object from the cache has the folder of the
    build that compiled it.
    """
    here, folder = Path.cwd(), folder.absolute()
    settings = {
        "CCACHE_BASEDIR": str(here if folder.is_relative_to(here) else folder.parent),
        "CCACHE_COMPILERCHECK": "content",
        "CCACHE_NOHASHDIR": "true",
    }
    return {name: value for name, value in settings.items() if name not in os.environ}


def is_used(launcher: Sequence[str]) -> bool:
    """Test whether a launcher is ccache."""
    return any(Path(word).name == "ccache" for word in launcher)
