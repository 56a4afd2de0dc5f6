"""Fetching a PyTorch release from Debian: mirrors of the machine, checksums, malicious archives."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import textwrap
from pathlib import Path

import pytest
from machine import AT_TAG, Machine, files

from release_sources import apt_sources, command_line
from release_sources.debian import Debian, upstream_release
from release_sources.errors import FetchError


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


# --- Debian: the machine's apt sources ---

ONE_LINE = """\
# deb http://commented.example.org/debian bookworm main
deb [arch=amd64 signed-by=/Keys/debian.gpg] http://mirror.example.org/debian bookworm main contrib
deb http://security.example.org/debian-security bookworm-security main  # not the archive
deb-src http://mirror.example.org/debian/ bookworm-updates main
deb https://vendor.example.org/apt bookworm stable
"""

DEB822 = """\
Types: deb
# a comment within a stanza
URIs: http://mirror.example.org/debian http://second.example.org/debian
Suites: bookworm bookworm-updates
Components: main
Check-Valid-Until: no
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mQINBF=
 -----END PGP PUBLIC KEY BLOCK-----

Types: deb
URIs: http://off.example.org/debian
Suites: bookworm
Components: main
Enabled: no
"""

BOOKWORM = {"ID": "debian", "VERSION_CODENAME": "bookworm"}


def write_sources(etc_apt: Path, **parts: str) -> None:
    (etc_apt / "sources.list.d").mkdir(parents=True, exist_ok=True)
    for name, text in parts.items():
        (etc_apt / "sources.list.d" / name.replace("_", ".")).write_text(text)


def test_one_line_sources(tmp_path: Path) -> None:
    write_sources(tmp_path, debian_list=ONE_LINE)
    stanzas = apt_sources.debian_stanzas(apt_sources.apt_entries(tmp_path), BOOKWORM)
    assert stanzas == [
        "Types: deb-src\n"
        "Uris: http://mirror.example.org/debian\n"
        "Suites: trixie bookworm sid\n"
        "Components: main\n"
        "Signed-By: /Keys/debian.gpg\n"
    ]


def test_deb822_sources(tmp_path: Path) -> None:
    write_sources(tmp_path, debian_sources=DEB822)
    first, second = apt_sources.debian_stanzas(apt_sources.apt_entries(tmp_path), BOOKWORM)
    assert "\nUris: http://mirror.example.org/debian\n" in first
    assert "\nUris: http://second.example.org/debian\n" in second
    key = DEB822[DEB822.index(" -----BEGIN") : DEB822.index("\n\nTypes")]
    assert f"Signed-By: \n{key}\n" in first
    assert "Check-Valid-Until: no\n" in first
    assert "off.example.org" not in first + second


def test_one_mirror_in_both_formats_is_asked_once(tmp_path: Path) -> None:
    write_sources(tmp_path, a_list=ONE_LINE, b_sources=DEB822)
    stanzas = apt_sources.debian_stanzas(apt_sources.apt_entries(tmp_path), BOOKWORM)
    assert sum("mirror.example.org" in stanza for stanza in stanzas) == 1


def test_suites_named_by_their_state(tmp_path: Path) -> None:
    (tmp_path / "sources.list").write_text("deb http://mirror.example.org/debian sid main\n")
    forky = {"ID": "debian", "VERSION_CODENAME": "forky"}
    (stanza,) = apt_sources.debian_stanzas(apt_sources.apt_entries(tmp_path), forky)
    assert "http://mirror.example.org/debian" in stanza


def test_keyring_is_debians_own_where_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring = tmp_path / "debian.gpg"
    keyring.touch()
    monkeypatch.setattr(apt_sources, "DEBIAN_KEYRING", keyring)
    (tmp_path / "sources.list").write_text("deb http://mirror.example.org/debian bookworm main\n")
    (stanza,) = apt_sources.debian_stanzas(apt_sources.apt_entries(tmp_path), BOOKWORM)
    assert f"Signed-By: {keyring}\n" in stanza


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ({"ID": "ubuntu", "PRETTY_NAME": "Ubuntu 24.04"}, "this machine is Ubuntu 24.04"),
        ({}, "of an unknown system"),
        ({"ID": "debian", "VERSION_CODENAME": "trixie"}, "serves Debian trixie"),
    ],
)
def test_machine_without_a_mirror_of_debian(
    tmp_path: Path, system: dict[str, str], message: str
) -> None:
    write_sources(tmp_path, debian_list=ONE_LINE)
    with pytest.raises(FetchError, match=message):
        apt_sources.debian_stanzas(apt_sources.apt_entries(tmp_path), system)


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("2.6.0+dfsg-7", "2.6.0"),
        ("1.13.1+dfsg-4", "1.13.1"),
        ("1:2.6.0-1~bpo12+1", "2.6.0"),
        ("2.0.1~rc1+dfsg-1", None),
    ],
)
def test_release_of_a_debian_version(version: str, release: str | None) -> None:
    assert upstream_release(version) == release


# --- Debian: fetching, with an apt that serves files of the test's own ---


def tarball(path: Path, *members: tuple[str, str | bytes, str]) -> Path:
    """Write an archive of (name, type, content or link target)."""
    with tarfile.open(path, "w:xz") as tar:
        for name, kind, content in members:
            member = tarfile.TarInfo(name)
            member.type = kind if isinstance(kind, bytes) else kind.encode()
            member.mode, member.uid = 0o600, 12345
            data = b""
            if member.isfile():
                data = content.encode()
                member.size = len(data)
            else:
                member.linkname = content
            tar.addfile(member, io.BytesIO(data))
    return path


WHOLE = (
    ("pytorch-v9.9.9/version.txt", tarfile.REGTYPE, "9.9.9a0\n"),
    ("pytorch-v9.9.9/aten/CMakeLists.txt", tarfile.REGTYPE, "# nothing\n"),
    ("pytorch-v9.9.9/link", tarfile.SYMTYPE, "aten/CMakeLists.txt"),
)


@pytest.fixture
def debian(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A Debian machine whose archive has PyTorch 9.9.9 in trixie, and 8.8.8 in sid."""
    write_sources(machine.root / "apt", debian_list=ONE_LINE)
    system = machine.root / "os-release"
    system.write_text('PRETTY_NAME="Debian"\nID=debian\nVERSION_CODENAME=bookworm\n')
    monkeypatch.setattr(apt_sources, "ETC_APT", machine.root / "apt")
    monkeypatch.setattr(apt_sources, "OS_RELEASE", system)
    for name, value in machine.env.items():
        monkeypatch.setenv(name, value)
    orig = tarball(machine.root / "pytorch_9.9.9+dfsg.orig.tar.xz", *WHOLE)
    serve(machine, orig)
    machine.program("apt-config", "echo 'APT::Update::Post-Invoke:: \"touch /hook\";'")
    machine.program(
        "apt-cache",
        """
        echo '   pytorch | 9.9.9+dfsg-7 | http://mirror.example.org/debian trixie/main Sources'
        echo '   pytorch | 8.8.8+dfsg-1 | http://mirror.example.org/debian sid/main Sources'
        """,
    )
    return machine


def serve(machine: Machine, orig: Path, dsc: str | None = None) -> None:
    """Make apt-get download this tarball, with a matching .dsc unless another is given."""
    digest = hashlib.sha256(orig.read_bytes()).hexdigest()
    fitting = textwrap.dedent(
        f"""\
        Source: pytorch
        Checksums-Sha1:
         0000 1 {orig.name}
        Checksums-Sha256:
         {digest} {orig.stat().st_size} {orig.name}
         {digest[::-1]} 216036 pytorch_9.9.9+dfsg-7.debian.tar.xz
        Files:
         0000 1 {orig.name}
        """
    )
    (machine.root / "the.dsc").write_text(dsc or fitting)
    machine.program(
        "apt-get",
        f"""
        grep -q mirror.example.org "$(dirname $APT_CONFIG)"/sources/*.sources || exit 100
        [[ "$*" != *--dsc-only* ]] || cp {machine.root}/the.dsc ./pytorch_9.9.9+dfsg-7.dsc
        [[ "$*" != *--tar-only* ]] || cp {orig} .
        """,
    )


def run_here(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = command_line.main("", list(args))
    out, err = capsys.readouterr()
    return code, out, err


def test_debian_source_package(debian: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run_here(capsys, "9.9.9")
    assert (code, out) == (0, f"{debian.tree}\n"), err
    assert files(debian.tree) == AT_TAG
    assert (debian.tree / "version.txt").stat().st_uid == os.getuid()
    stamp = json.loads(debian.tree.with_name("pytorch-9.9.9.json").read_text())
    orig = debian.root / "pytorch_9.9.9+dfsg.orig.tar.xz"
    assert stamp["digest"] == f"sha256:{hashlib.sha256(orig.read_bytes()).hexdigest()}"
    assert stamp["version"] == "9.9.9+dfsg-7 trixie"
    assert debian.left() == ["pytorch-9.9.9", "pytorch-9.9.9.json"]
    commands = debian.log.read_text()
    assert "debian.tar" not in commands
    debian.log.unlink()
    assert run_here(capsys, "9.9.9") == (0, f"{debian.tree}\n", "")
    assert not debian.log.exists()


def test_apt_runs_on_folders_of_its_own(
    debian: Machine,
) -> None:
    work = debian.root / "work"
    Debian().offers(work)
    settings = (work / "apt" / "apt.conf").read_text()
    assert f'Dir::State::lists "{work}/apt/lists/";' in settings
    assert 'Dir::State::status "/dev/null";' in settings
    assert 'Dir::Etc::parts "/dev/null";' in settings
    assert "Post-Invoke" not in settings


def test_debian_lists_what_it_has(debian: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_here(capsys, "--list", "--source", "debian", "--json")
    assert code == 0
    assert [row["release"] for row in json.loads(out)["releases"]] == ["8.8.8", "9.9.9"]
    code, _, err = run_here(capsys, "7.7.7", "--source", "debian")
    assert code == 4
    assert "error: no source has PyTorch 7.7.7\n  help: debian" in err
    assert "has 8.8.8, 9.9.9\n" in err


def test_tampered_tarball_is_refused(debian: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    orig = debian.root / "pytorch_9.9.9+dfsg.orig.tar.xz"
    good = (debian.root / "the.dsc").read_text()
    data = bytearray(orig.read_bytes())
    data[-1] ^= 1
    orig.write_bytes(data)
    serve(debian, orig, good)
    code, out, err = run_here(capsys, "9.9.9")
    assert (code, out) == (4, "")
    assert f"error: {orig.name} is not the file that Debian signed: its sha256 is " in err
    assert debian.left() == []

    orig.write_bytes(data[:-1])
    code, _, err = run_here(capsys, "9.9.9")
    assert code == 4
    assert f"its size is {len(data) - 1}, but its .dsc states {len(data)}" in err


@pytest.mark.parametrize(
    "dsc", ["Source: pytorch\n", "Checksums-Sha256:\n 00 5 ../evil.orig.tar.xz\n"]
)
def test_dsc_without_the_tarball_is_refused(
    debian: Machine, capsys: pytest.CaptureFixture[str], dsc: str
) -> None:
    serve(debian, debian.root / "pytorch_9.9.9+dfsg.orig.tar.xz", dsc)
    code, _, err = run_here(capsys, "9.9.9")
    assert code == 4
    assert "names no single upstream tarball" in err


@pytest.mark.parametrize(
    "members",
    [
        pytest.param([("../evil", tarfile.REGTYPE, "x")], id="dotdot"),
        pytest.param([("a/../../evil", tarfile.REGTYPE, "x")], id="dotdot-inside"),
        pytest.param([("ABSOLUTE/evil", tarfile.REGTYPE, "x")], id="absolute"),
        pytest.param([("t/l", tarfile.SYMTYPE, "../../evil")], id="link-out"),
        pytest.param([("t/l", tarfile.SYMTYPE, "/etc/passwd")], id="link-absolute"),
        pytest.param([("t/l", tarfile.LNKTYPE, "../the.dsc")], id="hard-link-out"),
        pytest.param(
            [("p/q/l", tarfile.SYMTYPE, "../.."), ("p/q/l/evil", tarfile.SYMTYPE, "../..")],
            id="link-through-link",
        ),
        pytest.param(
            [
                ("a", tarfile.SYMTYPE, "b"),
                ("b", tarfile.SYMTYPE, "a"),
                ("a/evil", tarfile.REGTYPE, "x"),
            ],
            id="loop-of-links",
        ),
        pytest.param([("t/dev", tarfile.CHRTYPE, "")], id="device"),
        pytest.param([("t/pipe", tarfile.FIFOTYPE, "")], id="pipe"),
    ],
)
def test_unsafe_archive_is_refused(
    debian: Machine,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    members: list[tuple[str, str | bytes, str]],
) -> None:
    # The check stands by itself: early 3.11 versions have no filter of tarfile's own.
    monkeypatch.delattr(tarfile, "data_filter", raising=False)
    named = [
        (n.replace("ABSOLUTE", str(debian.root)), kind, content) for n, kind, content in members
    ]
    serve(debian, tarball(debian.root / "pytorch_9.9.9+dfsg.orig.tar.xz", *WHOLE, *named))
    before = set(debian.root.iterdir()) | {debian.cache}
    code, out, err = run_here(capsys, "9.9.9")
    assert (code, out) == (4, "")
    assert "error: the archive " in err
    assert debian.left() == []
    assert set(debian.root.iterdir()) - {debian.log} == before - {debian.log}


def test_archive_of_something_else_is_refused(
    debian: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    other = [("other-1.0/setup.py", tarfile.REGTYPE, "")]
    serve(debian, tarball(debian.root / "pytorch_9.9.9+dfsg.orig.tar.xz", *other))
    code, _, err = run_here(capsys, "9.9.9")
    assert code == 4
    assert "is no PyTorch source tree" in err


def test_mirror_that_cannot_be_reached(debian: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    debian.program("apt-get", "echo 'E: Failed to fetch the index' >&2; exit 100")
    debian.program("apt-cache", "exit 0")
    debian.program("git", "echo 'fatal: Could not resolve host' >&2; exit 128")
    code, out, err = run_here(capsys, "9.9.9")
    assert (code, out) == (4, "")
    assert "debian (source package pytorch) does not answer: E: Failed to fetch the index\n" in err
    assert "does not answer: fatal: Could not resolve host\n" in err


def test_full_disk(
    debian: Machine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device", "version.txt")

    monkeypatch.setattr("release_sources.debian.unpack", full)
    code, _, err = run_here(capsys, "9.9.9")
    assert code == 4
    assert err.endswith(
        "error: version.txt: No space left on device\n"
        "  help: free about 200 MB for a release, or use another folder with --cache DIR\n"
    )
    assert debian.left() == []
