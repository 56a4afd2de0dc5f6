"""A vendor's SDK for a build: its compiler, headers and flags, and the check of its version."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from porter.base.errors import BuildError
from porter.model.rules import Profile


def apply(profile: Profile, folder: Path, compiler: str | None = None) -> Profile:
    """Profile whose compiler, flags, header folders and library folders are those of the SDK in `folder`.

    `compiler`: command that replaces the SDK's compiler.
    Raises BuildError when the SDK lacks headers or the compiler, or has a version that the profile does not accept.
    """
    sdk = profile.sdk
    if not sdk.compiler:
        help = f"add `sdk:` to {profile.target}/target.yaml: docs/sdk.md"
        raise BuildError(f"the profile of {profile.target} states no compiler of an SDK", help=help)
    # The compiler runs in the build folder.
    folder = folder.absolute()
    roots = [root for name in sdk.roots if ((root := folder / name) / "include").is_dir()]
    if not roots:
        shown = ", ".join(f"{name}/include" for name in sdk.roots)
        help = "give --sdk the SDK's folder; build_scripts/fetch_sdk prints it"
        raise BuildError(f"no folder of headers: {shown}", str(folder), help)
    root = roots[0]
    _check_version(profile, root / "include")
    compilers = [path for name in sdk.compiler if (path := root / name).is_file()]
    if not compiler and not compilers:
        help = f"the profile looks for {', '.join(sdk.compiler)}"
        raise BuildError("the SDK has no compiler", str(root), help)
    build = profile.build
    return profile._replace(
        compiler=compiler or shlex.quote(str(compilers[0])),
        compiler_flags=(*profile.compiler_flags, *_in_root(sdk.flags, root)),
        build=build._replace(
            include=(*build.include, str(root / "include")),
            link=(*_in_root(sdk.link, root), *build.link),
        ),
    )


def _in_root(flags: Sequence[str], root: Path) -> tuple[str, ...]:
    return tuple(flag.replace("{root}", str(root)) for flag in flags)


def _check_version(profile: Profile, include: Path) -> None:
    wanted = profile.sdk.version
    if not wanted.header:
        return
    path = include / wanted.header
    try:
        text = path.read_text(errors="replace")
    except OSError as error:
        help = f"the version of the SDK for {profile.target} is read from this header"
        raise BuildError(f"cannot be read: {error.strerror}", str(path), help) from None
    found = [
        re.search(rf"^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+(\d+)", text, re.M)
        for name in wanted.macros
    ]
    version = ".".join(match[1] if match else "?" for match in found)
    if version not in wanted.accepts:
        help = f"{profile.target} needs {' or '.join(wanted.accepts)}"
        raise BuildError(f"the SDK has version {version}", str(path), help)
