"""Bringing a PyTorch release: every source, the cache, and what happens when something is wrong."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

GIT = shutil.which("git")
SCRIPT = Path(__file__).parent.parent / "build_scripts" / "fetch_release"


def load() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("fetch_release", str(SCRIPT))
    spec = importlib.util.spec_from_loader("fetch_release", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    sys.modules["fetch_release"] = module  # dataclasses look their module up
    write, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = write
    return module


fetch_release = load()


class Machine:
    """A machine of the test's own: its cache, its apt, its programs, and no network."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.cache = root / "cache"
        self.bin = root / "bin"
        self.log = root / "commands.log"
        self.bin.mkdir()
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PORTER_"))},
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "PORTER_CACHE": str(self.cache),
        }
        for name in ("apt-get", "apt-cache", "apt-config"):
            self.program(name, "exit 100")

    @property
    def tree(self) -> Path:
        return self.cache / "releases" / "pytorch-9.9.9"

    def program(self, name: str, script: str) -> None:
        """Put a program before all others on PATH; each call of it leaves a line in the log."""
        path = self.bin / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>{self.log}\n{textwrap.dedent(script)}\n')
        path.chmod(0o755)

    def start(self, *args: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(SCRIPT), *map(str, args)],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *args: str | Path) -> tuple[int, str, str]:
        process = self.start(*args)
        out, err = process.communicate(timeout=60)
        assert "Traceback" not in err
        return process.returncode, out, err

    def left(self) -> list[str]:
        """What lies in the cache, but for lock files."""
        found = (self.cache / "releases").glob("*")
        return sorted(path.name for path in found if path.suffix != ".lock")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def write_tree(root: Path, version: str = "9.9.9a0") -> Path:
    (root / "aten").mkdir(parents=True)
    (root / "version.txt").write_text(f"{version}\n")
    (root / "aten" / "CMakeLists.txt").write_text("# nothing\n")
    return root


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git checkout with the tag v9.9.9, whose working tree has gone on since."""
    root = write_tree(tmp_path / "pytorch")
    (root / "link").symlink_to("aten/CMakeLists.txt")

    def git(*args: str) -> None:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", "-C", root, *who, *args], check=True, capture_output=True)

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "release")
    git("tag", "v9.9.9")
    git("tag", "v9.9.10-rc1")
    (root / "version.txt").write_text("9.10.0a0\n")
    git("commit", "--quiet", "-a", "-m", "development")
    return root


def files(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): (
            str(path.readlink()) if path.is_symlink() else path.read_text("latin-1")
        )
        for path in root.rglob("*")
        if path.is_symlink() or path.is_file()
    }


AT_TAG = {
    "version.txt": "9.9.9a0\n",
    "aten/CMakeLists.txt": "# nothing\n",
    "link": "aten/CMakeLists.txt",
}


# --- git and checkouts ---


def test_git_tag_is_fetched_into_the_cache(machine: Machine, repository: Path) -> None:
    code, out, err = machine.run("9.9.9", "--git", f"file://{repository}")
    assert (code, out) == (0, f"{machine.tree}\n"), err
    assert files(machine.tree) == AT_TAG
    assert machine.left() == ["pytorch-9.9.9", "pytorch-9.9.9.json"]


def test_checkout_gives_its_tag_and_stays_as_it_is(machine: Machine, repository: Path) -> None:
    def state() -> str:
        argv = ["git", "-C", str(repository), "status", "--porcelain=v2", "--branch"]
        return subprocess.run(argv, check=True, capture_output=True, text=True).stdout

    before = state(), files(repository)
    code, out, _ = machine.run("v9.9.9", "--from-checkout", repository, "--json")
    assert code == 0
    tree = json.loads(out)
    assert tree["schema"] == 1
    assert (tree["release"], tree["source"], tree["version"]) == ("9.9.9", "checkout", "v9.9.9")
    assert tree["digest"].startswith("commit:")
    assert files(Path(tree["path"])) == AT_TAG
    assert (state(), files(repository)) == before


def test_run_from_a_git_hook(machine: Machine, repository: Path) -> None:
    machine.env["GIT_DIR"] = str(machine.root / "another" / ".git")
    assert machine.run("9.9.9", "--from-checkout", repository)[0] == 0
    assert files(machine.tree) == AT_TAG


def test_checkout_without_the_tag_is_used_where_it_stands(
    machine: Machine, repository: Path
) -> None:
    code, out, err = machine.run("9.10.0", "--from-checkout", repository)
    assert (code, out) == (0, f"{repository}\n")
    assert "no tag v9.10.0" in err


@pytest.mark.parametrize("version", ["9.9.9a0", "9.9.9", "9.9.9a0+git0123abc"])
def test_plain_tree_is_used_where_it_stands(machine: Machine, version: str) -> None:
    tree = write_tree(machine.root / "tree", version)
    assert machine.run("9.9.9", "--from-checkout", tree) == (0, f"{tree}\n", "")
    assert not machine.cache.exists()


def test_plain_tree_inside_another_checkout_is_plain(machine: Machine, repository: Path) -> None:
    tree = write_tree(repository / "third_party" / "other", "9.9.8")
    assert machine.run("9.9.8", "--from-checkout", tree)[:2] == (0, f"{tree}\n")
    assert machine.run("9.9.9", "--from-checkout", tree)[0] == 4


def test_a_release_whose_tag_forgot_version_txt(machine: Machine) -> None:
    tree = write_tree(machine.root / "tree", "1.13.0a0")
    assert machine.run("1.13.1", "--from-checkout", tree)[:2] == (0, f"{tree}\n")


def test_plain_tree_of_another_release_is_refused(machine: Machine) -> None:
    tree = write_tree(machine.root / "tree", "9.9.8a0")
    code, out, err = machine.run("9.9.9", "--from-checkout", tree)
    assert (code, out) == (4, "")
    assert f"{tree} holds PyTorch 9.9.8" in err
    assert "error: PyTorch 9.9.9 cannot be had\n  help: without --from-checkout" in err


def test_unknown_release_names_those_that_are_there(machine: Machine, repository: Path) -> None:
    code, out, err = machine.run("8.8.8", "--git", repository)
    assert (code, out) == (4, "")
    assert err.splitlines() == [
        "error: PyTorch 8.8.8 cannot be had",
        f"  help: git ({repository}) has 9.9.9",
        "        a PyTorch checkout or tree that you have serves too: --from-checkout DIR",
    ]


def test_repository_that_does_not_answer(machine: Machine) -> None:
    code, _, err = machine.run("9.9.9", "--git", machine.root / "nowhere")
    assert code == 4
    assert "does not answer: fatal: " in err
    assert machine.left() == []


def test_git_that_fails_half_way_is_quoted(machine: Machine, repository: Path) -> None:
    machine.program(
        "git",
        f"""
        [[ "$*" != *archive* ]] || {{ echo "fatal: bad object" >&2; exit 128; }}
        exec {GIT} "$@"
        """,
    )
    code, _, err = machine.run("9.9.9", "--git", repository)
    assert code == 4
    assert "  help: fatal: bad object\n" in err
    assert machine.left() == []


# --- the cache ---


def test_second_call_asks_nobody(machine: Machine, repository: Path) -> None:
    machine.run("9.9.9", "--git", repository)
    for name in ("git", "apt-get", "apt-cache", "apt-config"):
        machine.program(name, "exit 100")
    machine.log.unlink(missing_ok=True)
    assert machine.run("9.9.9") == (0, f"{machine.tree}\n", "")
    assert machine.run("9.9.9", "--git", repository) == (0, f"{machine.tree}\n", "")
    assert not machine.log.exists()


def test_a_named_source_is_not_answered_with_another_ones_tree(
    machine: Machine, repository: Path
) -> None:
    machine.run("9.9.9", "--git", f"file://{repository}")
    _, out, err = machine.run("9.9.9", "--from-checkout", repository, "--json")
    assert "fetching" in err
    assert json.loads(out)["source"] == "checkout"
    assert machine.left() == ["pytorch-9.9.9", "pytorch-9.9.9.json"]


@pytest.mark.parametrize("stamp", ["", "{", "[]", '{"schema": 1}', '{"schema": 2}'])
def test_tree_under_a_broken_stamp_is_fetched_again(
    machine: Machine, repository: Path, stamp: str
) -> None:
    machine.run("9.9.9", "--git", repository)
    machine.tree.with_name("pytorch-9.9.9.json").write_text(stamp)
    (machine.tree / "link").unlink()
    assert machine.run("9.9.9", "--git", repository)[0] == 0
    assert files(machine.tree) == AT_TAG


def test_folder_that_is_not_ours_is_left_alone(machine: Machine, repository: Path) -> None:
    mine = write_tree(machine.tree) / "mine.txt"
    mine.write_text("precious")
    code, _, err = machine.run("9.9.9", "--git", repository)
    assert code == 4
    assert "was not put there by this program" in err
    assert mine.read_text() == "precious"


def test_killed_while_unpacking_leaves_no_tree(machine: Machine, repository: Path) -> None:
    machine.program(
        "git",
        f"""
        [[ "$*" == *archive* ]] || exec {GIT} "$@"
        {GIT} "$@" | head -c 3000
        touch {machine.root}/halfway
        exec sleep 10
        """,
    )
    process = machine.start("9.9.9", "--git", repository)
    wait_for(lambda: (machine.root / "halfway").exists())
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    process.communicate()
    assert not machine.tree.exists()

    (machine.bin / "git").unlink()
    assert machine.run("9.9.9", "--git", repository)[0] == 0
    assert files(machine.tree) == AT_TAG
    assert not list((machine.cache / "releases").glob(".*.part"))


def test_interrupted(machine: Machine) -> None:
    machine.program("git", f"touch {machine.root}/asked; exec sleep 60")
    process = machine.start("9.9.9", "--source", "git")
    wait_for(lambda: (machine.root / "asked").exists())
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "interrupted\n")
    assert process.returncode == 130
    assert not list((machine.cache / "releases").glob(".*.part"))


def test_concurrent_fetches_share_one(machine: Machine, repository: Path) -> None:
    processes = [machine.start("9.9.9", "--git", repository) for _ in range(4)]
    ends = [process.communicate(timeout=60) for process in processes]
    assert [out for out, _ in ends] == [f"{machine.tree}\n"] * 4
    assert sum("fetching" in err for _, err in ends) == 1
    assert files(machine.tree) == AT_TAG


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


# --- usage ---


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "which release?"),
        (["2.6"], "'2.6' is not a release such as 2.6.0"),
        (["../../x"], "is not a release"),
        (["2.6.0", "--from-checkout", "/no/such"], "no such folder"),
        (["2.6.0", "--source", "checkout"], "needs --from-checkout"),
        (["2.6.0", "--source", "debian", "--git", "x"], "exclude each other"),
        (["2.6.0", "--cache", SCRIPT.parent], "inside the checkout of this project"),
    ],
)
def test_usage_errors(machine: Machine, args: list[str | Path], message: str) -> None:
    code, out, err = machine.run(*args)
    assert (code, out) == (2, "")
    assert message in err
    assert "\n  help: " in err


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
    stanzas = fetch_release.debian_stanzas(fetch_release.apt_entries(tmp_path), BOOKWORM)
    assert stanzas == [
        "Types: deb-src\n"
        "Uris: http://mirror.example.org/debian\n"
        "Suites: trixie bookworm sid\n"
        "Components: main\n"
        "Signed-By: /Keys/debian.gpg\n"
    ]


def test_deb822_sources(tmp_path: Path) -> None:
    write_sources(tmp_path, debian_sources=DEB822)
    first, second = fetch_release.debian_stanzas(fetch_release.apt_entries(tmp_path), BOOKWORM)
    assert "\nUris: http://mirror.example.org/debian\n" in first
    assert "\nUris: http://second.example.org/debian\n" in second
    key = DEB822[DEB822.index(" -----BEGIN") : DEB822.index("\n\nTypes")]
    assert f"Signed-By: \n{key}\n" in first
    assert "Check-Valid-Until: no\n" in first
    assert "off.example.org" not in first + second


def test_one_mirror_in_both_formats_is_asked_once(tmp_path: Path) -> None:
    write_sources(tmp_path, a_list=ONE_LINE, b_sources=DEB822)
    stanzas = fetch_release.debian_stanzas(fetch_release.apt_entries(tmp_path), BOOKWORM)
    assert sum("mirror.example.org" in stanza for stanza in stanzas) == 1


def test_suites_named_by_their_state(tmp_path: Path) -> None:
    (tmp_path / "sources.list").write_text("deb http://mirror.example.org/debian sid main\n")
    forky = {"ID": "debian", "VERSION_CODENAME": "forky"}
    (stanza,) = fetch_release.debian_stanzas(fetch_release.apt_entries(tmp_path), forky)
    assert "http://mirror.example.org/debian" in stanza


def test_keyring_is_debians_own_where_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring = tmp_path / "debian.gpg"
    keyring.touch()
    monkeypatch.setattr(fetch_release, "DEBIAN_KEYRING", keyring)
    (tmp_path / "sources.list").write_text("deb http://mirror.example.org/debian bookworm main\n")
    (stanza,) = fetch_release.debian_stanzas(fetch_release.apt_entries(tmp_path), BOOKWORM)
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
    with pytest.raises(fetch_release.FetchError, match=message):
        fetch_release.debian_stanzas(fetch_release.apt_entries(tmp_path), system)


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
    assert fetch_release.upstream_release(version) == release


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
    monkeypatch.setattr(fetch_release, "ETC_APT", machine.root / "apt")
    monkeypatch.setattr(fetch_release, "OS_RELEASE", system)
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
    """Have apt-get bring this tarball, under a .dsc that fits it unless another is given."""
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
    code = fetch_release.main(list(args))
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
    fetch_release.Debian().offers(work)
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
    assert "error: PyTorch 7.7.7 cannot be had\n  help: debian" in err
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
    assert f"its size is {len(data) - 1}, its .dsc says {len(data)}" in err


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

    monkeypatch.setattr(fetch_release, "unpack", full)
    code, _, err = run_here(capsys, "9.9.9")
    assert code == 4
    assert err.endswith(
        "error: version.txt: No space left on device\n"
        "  help: a release takes some 200 MB; --cache DIR puts it elsewhere\n"
    )
    assert debian.left() == []
