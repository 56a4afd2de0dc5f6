"""A vendor's SDK for a build: its compiler, headers and flags, and the check of its version."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from porter.base.errors import BuildError
from porter.model.rules import Profile


def apply(profile: Profile, folder: Path, compiler: str | None = None) -> Profile:
    """Copy of a profile, with the SDK's compiler and with the SDK's flags, header and library folders added.

    `folder`: the SDK's folder. `compiler`: command that replaces the SDK's compiler.
    Raises BuildError when the SDK lacks headers or the compiler, or has a version that the profile does not accept.
    """
    sdk = profile.sdk
    if not sdk.compiler:
        help = f"add `sdk:` to {profile.target}/target.yaml (see docs/sdk.md)"
        raise BuildError(f"the profile of {profile.target} states no compiler of an SDK", help=help)
    # An absolute path, because the compiler runs in the build folder.
    folder = folder.absolute()
    roots = [root for name in sdk.roots if ((root := folder / name) / "include").is_dir()]
    if not roots:
        shown = " or ".join(f"{name}/include" for name in sdk.roots)
        help = "set --sdk to the SDK's folder, which build_scripts/fetch_sdk prints"
        raise BuildError(f"the SDK has no header folder; expected {shown}", str(folder), help)
    root = roots[0]
    check_version(profile, root / "include")
    compilers = [path for name in sdk.compiler if (path := root / name).is_file()]
    if not compiler and not compilers:
        text = f"the SDK has no compiler; expected {' or '.join(sdk.compiler)}"
        raise BuildError(text, str(root), "name a compiler with --compiler")
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


def include_folders(profile: Profile, folders: Sequence[Path]) -> list[Path]:
    """Folders from which a port includes headers: for the folder of a whole SDK, the SDK's `include`.

    A folder that contains no `include`, for example the SDK's `include` itself, stays.
    """
    return [
        next(
            (root for name in profile.sdk.roots if (root := folder / name / "include").is_dir()),
            folder,
        )
        for folder in folders
    ]


def check_versions(profile: Profile, folders: Sequence[Path]) -> None:
    """Check the version of an SDK by those of its include folders that contain the header with the version.

    Raises BuildError for a version that the profile does not accept.
    """
    header = profile.sdk.version.header
    for folder in folders:
        if header and (folder / header).is_file():
            check_version(profile, folder)


def check_version(profile: Profile, include: Path) -> None:
    """Raise BuildError if the SDK with the header folder `include` has a version that the profile does not accept."""
    wanted = profile.sdk.version
    if not wanted.header:
        return
    path = include / wanted.header
    try:
        text = path.read_text(errors="replace")
    except OSError as error:
        help = (
            f"set --sdk to an SDK for {profile.target}: this header states the version of the SDK"
        )
        raise BuildError(f"cannot be read: {error.strerror}", str(path), help) from None
    found = [
        re.search(rf"^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+(\d+)", text, re.M)
        for name in wanted.macros
    ]
    version = ".".join(match[1] if match else "?" for match in found)
    if version not in wanted.accepts:
        help = f"use version {' or '.join(wanted.accepts)} of the SDK for {profile.target}"
        raise BuildError(f"the SDK has version {version}", str(path), help)
