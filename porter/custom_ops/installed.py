"""Installed backend that custom operators are compiled against and run on. porter inspects it without importing it."""

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
    """Backend of a target that is installed in the environment of a PyTorch.

    Raises BuildError when there is no backend, or a backend without its headers.
    """
    name = f"torch_{profile.lower}"
    command = [torch.python, "-c", _ASK, name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    origin = done.stdout.strip()
    if done.returncode or not origin:
        help = f"build it with porter run --target {profile.target}, and install the wheel"
        raise BuildError(f"{name} is not installed for this interpreter", torch.python, help)
    package = Path(origin).parent
    include = package / "include"
    if not include.is_dir():
        help = "build the wheel again with this porter, and install it"
        raise BuildError(f"this {name} has no headers", str(package), help)
    plugin = package / "plugin" / PLUGIN
    return Against(torch, (include,), package / "lib", (package / "_build.py",), plugin)
