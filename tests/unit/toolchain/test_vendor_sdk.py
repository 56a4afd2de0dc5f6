"""Use of a vendor's SDK for a build: its places, its version, and folders that are no such SDK."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.base.errors import BuildError
from porter.model.rules import Profile, SdkVersion, TargetBuild, VendorSdk
from porter.toolchain import vendor_sdk
from porter.toolchain.discovery import find_compiler

PROFILE = Profile(
    "acme",
    "a made-up target",
    "acme",
    "ACME",
    "Acme",
    "acme",
    compiler="acmecc",
    compiler_flags=("-std=c++17",),
    build=TargetBuild(link=("-lacme",)),
    sdk=VendorSdk(
        ("usr", "."),
        ("bin/acmecc", "llvm/bin/clang++"),
        ("-x", "acme", "--acme-path={root}"),
        ("-L{root}/lib",),
        SdkVersion("acme/version.h", ("ACME_MAJOR", "ACME_MINOR"), ("6.4",)),
    ),
)


def write_sdk(root: Path, minor: int = 4, compiler: str = "llvm/bin/clang++") -> None:
    header = root / "include/acme/version.h"
    header.parent.mkdir(parents=True)
    header.write_text(f"#define ACME_MAJOR 6\n  #  define ACME_MINOR {minor}\n")
    if compiler:
        (root / compiler).parent.mkdir(parents=True)
        (root / compiler).touch()


@pytest.mark.parametrize("root", ["usr", "."])
def test_profile_has_the_places_of_the_sdk(tmp_path: Path, root: str) -> None:
    write_sdk(tmp_path / root)
    found = vendor_sdk.apply(PROFILE, tmp_path)
    place = tmp_path / root
    assert found.compiler == str(place / "llvm/bin/clang++")
    assert found.compiler_flags == ("-std=c++17", "-x", "acme", f"--acme-path={place}")
    assert found.build.include == (str(place / "include"),)
    assert found.build.link == (f"-L{place}/lib", "-lacme")


def test_folder_without_headers(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"no header folder; expected usr/include or \./include"):
        vendor_sdk.apply(PROFILE, tmp_path)


def test_sdk_of_another_version(tmp_path: Path) -> None:
    write_sdk(tmp_path, minor=3)
    with pytest.raises(BuildError, match=r"the SDK has version 6\.3") as caught:
        vendor_sdk.apply(PROFILE, tmp_path)
    assert "use version 6.4 of the SDK for acme" in str(caught.value.problems[0].help)
    assert caught.value.code == 7


def test_headers_of_another_version(tmp_path: Path) -> None:
    """`porter mapping check --sdk` gets the folder of the SDK, or folders with headers."""
    write_sdk(tmp_path / "sdk" / "usr", minor=3)
    (tmp_path / "other").mkdir()
    include = tmp_path / "sdk/usr/include"
    folders = vendor_sdk.include_folders(PROFILE, [tmp_path / "sdk", include, tmp_path / "other"])
    assert folders == [include, include, tmp_path / "other"]
    with pytest.raises(BuildError, match=r"the SDK has version 6\.3"):
        vendor_sdk.check_versions(PROFILE, folders)
    vendor_sdk.check_versions(PROFILE, folders[2:])


def test_header_without_a_version(tmp_path: Path) -> None:
    write_sdk(tmp_path)
    (tmp_path / "include/acme/version.h").write_text("#define ACME_MAJOR 6\n")
    with pytest.raises(BuildError, match=r"the SDK has version 6\.\?"):
        vendor_sdk.apply(PROFILE, tmp_path)
    (tmp_path / "include/acme/version.h").unlink()
    with pytest.raises(BuildError, match="cannot be read"):
        vendor_sdk.apply(PROFILE, tmp_path)


def test_sdk_without_a_compiler(tmp_path: Path) -> None:
    write_sdk(tmp_path, compiler="")
    with pytest.raises(BuildError, match="the SDK has no compiler"):
        vendor_sdk.apply(PROFILE, tmp_path)


def test_profile_without_an_sdk(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="states no compiler of an SDK"):
        vendor_sdk.apply(PROFILE._replace(sdk=VendorSdk()), tmp_path)


def test_a_given_compiler_replaces_that_of_the_sdk_and_keeps_its_flags(tmp_path: Path) -> None:
    write_sdk(tmp_path)
    own = vendor_sdk.apply(PROFILE, tmp_path)
    given = vendor_sdk.apply(PROFILE, tmp_path, "clang++ -v")
    assert given.compiler == "clang++ -v" != own.compiler
    assert given._replace(compiler=own.compiler) == own


@pytest.mark.parametrize(("command", "told"), [("mcc-absent", "SDK"), ("", "apt install g++")])
def test_a_missing_compiler_is_answered_by_where_to_get_it(command: str, told: str) -> None:
    with pytest.raises(BuildError) as error:
        find_compiler(command)
    assert told in str(error.value.problems[0].help)
