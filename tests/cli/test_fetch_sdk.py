"""Bringing an SDK from packages of Debian: the table, an apt of the test's own, the cache, failures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from machine import Machine

from porter.base import elf
from release_sources import apt_sources
from release_sources.errors import UsageError
from sdk_sources import cache, command_line, debian_packages, stubs, table

ENTRY = """\
[acme]
summary = "a made-up SDK"
headers = ["acme/runtime.h"]
skip = ["./usr/share/doc", "./usr/lib/*/acme"]
[acme.packages]
sid = ["acme-dev"]
bookworm = ["acme-cc"]
[acme.links]
"usr/lib/acme/lib" = ["libacme.so.1"]
"""
DEBIAN = """\
Types: deb
URIs: http://mirror.example.org/debian
Suites: bookworm
Components: main
"""
APT_GET = """\
if [[ " $* " == *" download "* ]]; then
  for wanted in "$@"; do case $wanted in */*) echo "$wanted" >"${wanted%/*}_1.deb";; esac; done
fi
"""
DPKG_DEB = """\
case $1 in
  --show) name=$(basename "$3" _1.deb); printf '%s 1.0-2' "$name";;
  --fsys-tarfile) case $(basename "$2") in
    acme-dev*) files="usr/include/acme/runtime.h usr/share/doc/acme/copyright";;
    acme-cc*) files="usr/lib/x86_64-linux-gnu/libacme.so.1 usr/lib/x86_64-linux-gnu/acme/kernels.co";;
    *) exit 2;;
  esac
  folder=$(mktemp -d)
  for file in $files; do mkdir -p "$folder/$(dirname $file)"; echo >"$folder/$file"; done
  tar -C "$folder" -c .;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path)
    (tmp_path / "sdks.toml").write_text(ENTRY)
    (tmp_path / "apt/sources.list.d").mkdir(parents=True)
    (tmp_path / "apt/sources.list.d/debian.sources").write_text(DEBIAN)
    (tmp_path / "os-release").write_text("ID=debian\nVERSION_CODENAME=bookworm\n")
    machine.program("apt-get", APT_GET)
    machine.program("apt-config", "true")
    machine.program("dpkg-deb", DPKG_DEB)
    monkeypatch.setattr(apt_sources, "ETC_APT", tmp_path / "apt")
    monkeypatch.setattr(apt_sources, "OS_RELEASE", tmp_path / "os-release")
    read = table.read
    monkeypatch.setattr(table, "read", lambda: read(tmp_path / "sdks.toml"))
    monkeypatch.setenv("PATH", machine.env["PATH"])
    monkeypatch.setenv("PORTER_CACHE", machine.env["PORTER_CACHE"])
    return machine


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = command_line.main("Fetches an SDK.", args)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_every_entry_of_the_table_is_complete() -> None:
    sdks = table.read()
    assert "rocm" in sdks
    for sdk in sdks.values():
        assert sdk.summary and all(sdk.packages.values())
    assert sdks["rocm"].headers


def test_sdk_is_unpacked_once(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    folder = machine.cache / "sdks/acme"
    assert run(capsys, "acme")[:2] == (0, f"{folder}\n")
    assert (folder / "usr/include/acme/runtime.h").is_file()
    assert (folder / "usr/lib/acme/lib/libacme.so.1").is_file()
    assert not list(folder.rglob("copyright")) and not list(folder.rglob("kernels.co"))
    machine.log.unlink()
    code, out, _ = run(capsys, "acme", "--json")
    packages = {one["name"]: one for one in json.loads(out)["packages"]}
    assert code == 0
    assert packages["acme-dev"]["suite"] == "sid"
    assert packages["acme-cc"]["version"] == "1.0-2"
    assert len(packages["acme-dev"]["sha256"]) == 64
    assert not machine.log.exists(), "the cached SDK needs no program"


def test_changed_entry_is_fetched_again(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "acme")
    (machine.root / "sdks.toml").write_text(ENTRY.replace("a made-up", "another"))
    machine.log.unlink()
    assert run(capsys, "acme")[0] == 0
    assert "apt-get" in machine.log.read_text()


def test_sdk_without_its_headers_is_no_sdk(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "acme")
    (machine.cache / "sdks/acme/usr/include/acme/runtime.h").unlink()
    assert cache.cached(table.read()["acme"], machine.cache / "sdks/acme") is None
    (machine.root / "sdks.toml").write_text(ENTRY.replace("runtime.h", "absent.h"))
    code, out, err = run(capsys, "acme")
    assert (code, out) == (4, "")
    assert "the packages of acme lack acme/absent.h" in err


def test_unavailable_package(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.program(
        "apt-get",
        '[[ " $* " != *" download "* ]] || { echo "E: no acme-dev" >&2; exit 100; }',
    )
    code, _, err = run(capsys, "acme")
    assert code == 4 and "E: no acme-dev" in err
    assert not (machine.cache / "sdks/acme").exists()


def test_damaged_package(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    machine.program("dpkg-deb", DPKG_DEB.replace("tar -C", "echo text; exit 1; tar -C"))
    code, _, err = run(capsys, "acme")
    assert code == 4 and "acme-dev_1.deb cannot be unpacked" in err
    assert not (machine.cache / "sdks/acme").exists()


def test_missing_library(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    (machine.root / "sdks.toml").write_text(ENTRY.replace("libacme.so.1", "libother.so.1"))
    code, _, err = run(capsys, "acme")
    assert code == 4 and "no package of acme contains libother.so.1" in err


def test_unknown_name(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "acne")
    assert code == UsageError.code and "known: acme" in err
    assert run(capsys)[0] == 2
    assert run(capsys, "--list")[1] == "acme     a made-up SDK\n"


def test_foreign_folder_is_left_alone(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    (machine.cache / "sdks/acme").mkdir(parents=True)
    code, _, err = run(capsys, "acme")
    assert code == 4 and "this program did not write it" in err


def test_machine_without_dpkg(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(debian_packages.shutil, "which", lambda name: None)
    code, _, err = run(capsys, "acme")
    assert code == 4 and "apt-get is not on this machine" in err


def test_stub_defines_the_functions_that_the_headers_declare(tmp_path: Path) -> None:
    headers = tmp_path / "acme"
    headers.mkdir()
    text = (
        "acme_status acme_gemm(int n);\nacme_status acme_axpy (int n);\nint other(acme_type x);\n"
    )
    (headers / "acme.h").write_text(text)
    names = stubs.declared(headers, "acme_")
    assert names == ["acme_axpy", "acme_gemm"]
    library = tmp_path / "libacme.so.1"
    stubs.write(library, names)
    assert {"acme_axpy", "acme_gemm"} <= elf.read(library).defined
