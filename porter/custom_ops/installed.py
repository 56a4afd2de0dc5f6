"""Installed backend against which custom operators are compiled.

porter inspects the backend's files and does not import the backend.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from porter.base.errors import BuildError
from porter.custom_ops.build_steps import Against
from porter.model.rules import Profile
from porter.simt.compiler_plugin import PLUGIN
from porter.toolchain.discovery import Torch

_ASK = """
import importlib.util, sys
sys.path[:] = [place for place in sys.path if place]
found = importlib.util.find_spec(sys.argv[1])
print(found.origin if found and found.origin else "")
"""


def find(torch: Torch, profile: Profile) -> Against:
    """Backend of a target, installed in the same environment as `torch`.

    Raises BuildError when this backend is not installed, or when it contains no headers.
    """
    name = f"torch_{profile.lower}"
    command = [torch.python, "-c", _ASK, name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    origin = done.stdout.strip()
    if done.returncode or not origin:
        help = f"build the backend with porter run --target {profile.target}, and install its wheel"
        raise BuildError(f"{name} is not installed for this interpreter", torch.python, help)
    package = Path(origin).parent
    include = package / "include"
    if not include.is_dir():
        help = "build the wheel again with this version of porter, and install it"
        raise BuildError(f"the installed {name} contains no headers", str(package), help)
    plugin = package / "plugin" / PLUGIN
    return Against(torch, (include,), package / "lib", (package / "_build.py",), plugin)
