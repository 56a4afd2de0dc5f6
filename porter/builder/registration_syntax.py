"""Check that generated registrations compile against the headers of a release, without its libraries.

The compiler reads them (`-fsyntax-only`) with the port's headers first and the header tree's behind them, as a build
reads those of the installed PyTorch.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from porter.builder.flags import header_folders
from porter.model.build import BuildRules
from porter.model.rules import Profile
from porter.toolchain.discovery import find_compiler

_INSTALLED = ("torch/include", "aten/src", "", "torch/csrc/api/include")
"""Include folders of a header tree."""
_ERROR = re.compile(r"^[^\n]*\berror: [^\n]*", re.MULTILINE)
_STANDARD = "-std="


def check_registrations(
    folder: Path, tree: Path, profile: Profile, rules: BuildRules, standard: str
) -> dict[str, str]:
    """Name of each generated source in `folder/register` -> first error of the compiler; empty for none.

    `folder`: the port, with its registrations. `tree`: the header tree. `standard`: two digits of a C++ standard.
    Raises BuildError when there is no compiler.
    """
    compiler = find_compiler(profile.compiler)
    command = [
        *compiler.command,
        *(flag for flag in profile.compiler_flags if not flag.startswith(_STANDARD)),
        *profile.build.host_flags,
        f"{_STANDARD}c++{standard}",
        "-fsyntax-only",
        "-w",
        *(f"-D{macro}" for macro in (*rules.defines, *profile.build.defines, "NDEBUG")),
        f"-I{folder / 'backend' / 'src' / 'csrc'}",
        *(f"-I{place}" for place in header_folders(folder, profile)),
        *(word for place in _INSTALLED for word in ("-isystem", str(tree / place))),
    ]
    sources = sorted((folder / "register").glob("*.cpp"))
    return {source.name: _first_error([*command, str(source)], folder) for source in sources}


def _first_error(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if not done.returncode:
        return ""
    found = _ERROR.search(done.stderr)
    return (found[0] if found else done.stderr[-400:].strip()).replace(f"{folder}/", "")
