"""Runs a Python program that was written for CUDA: `python -m torch_<target>.as_cuda script.py` or `-m module`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

_USAGE = f"usage: python -m {__package__} (SCRIPT | -m MODULE) [ARGUMENTS]"


def main(arguments: list[str]) -> int:
    """Run the program as `__main__`. Returns 2 for wrong arguments; SystemExit of the program is not caught."""
    if arguments and arguments[0] in ("-h", "--help"):
        print(f"{_USAGE}\n\nRuns a Python program that was written for CUDA on this device.")
        return 0
    if arguments[:1] == ["-m"] and len(arguments) > 1:
        sys.argv = arguments[1:]
        try:
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        except ImportError as error:
            # ImportErrors of runpy itself have no `name`; an ImportError in the program has a name.
            if error.name is not None:
                raise
            return _fail(f"the module cannot be run: {error}")
        return 0
    if not arguments or arguments[0].startswith("-"):
        return _fail(f"a script or a module is missing\n  help: {_USAGE}")
    script = Path(arguments[0])
    if not script.exists():
        return _fail(f"{script} does not exist\n  help: {_USAGE}")
    sys.argv = arguments
    # As with `python SCRIPT`, the folder of the script replaces the folder of this module.
    folder = str(script.resolve().parent)
    sys.path[:1] = [] if sys.flags.safe_path else [folder]
    runpy.run_path(str(script), run_name="__main__")
    return 0


def _fail(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
