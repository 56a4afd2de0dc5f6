"""Entry points of the driver: `simtcc`, and the programs in the folder `bin` of a toolkit."""

from __future__ import annotations

import sys
from pathlib import Path

from porter.base.errors import PorterError


def run(folder: str, gxx: bool) -> None:
    """Run the driver of a toolkit folder with the arguments of the process, and exit."""
    from porter.toolkit import driver, settings

    try:
        code = driver.main(settings.read(Path(folder)), sys.argv[1:], gxx=gxx)
    except PorterError as error:
        sys.stderr.write(f"{error}\n")
        code = error.code
    sys.exit(code)


def simtcc() -> None:
    """Run the driver for CUDA programs on target `simt`, with nvcc's command line, and exit.

    The first call builds libsimt.so in porter's cache, which takes minutes. `--version` builds nothing, because CMake
    waits at most 10 seconds for its output.
    """
    from porter.toolkit.cached_folder import made
    from porter.toolkit.inputs import Wanted

    try:
        if sys.argv[1:] in (["--version"], ["-V"]):
            sys.stdout.write(_version())
            return
        folder = made(Wanted("simt", release=_release()))
    except PorterError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.code)
    run(str(folder), False)


def _version() -> str:
    from porter.mapping import rule_cache
    from porter.mapping.library import MappingLibrary
    from porter.toolkit.nvcc_output import version_text

    rules = rule_cache.rule_set(MappingLibrary.find(()), "simt", _release())
    return version_text("simt", rules.profile.cuda_release)


def _release() -> str:
    from porter.release import known

    return known.read().proven("port")[-1]
