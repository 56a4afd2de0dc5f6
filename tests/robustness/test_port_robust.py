"""Invalid input, full disks, interrupts and kills: each ends with an exit code and a message, and the existing
port stays intact.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from port_tree import (
    SOURCES,
    arguments,
    cold,
    command,
    ended,
    files,
    fork,
    left_over,
    make_tree,
    many,
    mount,
    port_of,
    powerless,
    run,
    seconds,
    unmount,
    write,
)

from porter.model.rules import Selection
from porter.port.select import SelectedFile, select
from porter.port.state import STATE

KILLS = 40


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "pytorch")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def port(tree: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Existing port."""
    assert run(tree, out) == 0
    capsys.readouterr()
    return port_of(out)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """Text on stderr; fails for a traceback."""
    text = capsys.readouterr().err
    assert "Traceback" not in text
    return text


# -- the source


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "nowhere", tmp_path / "out") == 4
    assert said(capsys) == (
        f"error: {tmp_path}/nowhere: no such folder\n"
        "  help: give the root of a PyTorch source tree\n"
    )


def test_a_folder_that_is_no_pytorch_tree(
    tree: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "c10/cuda/CUDAStream.h").unlink()
    (tree / "version.txt").unlink()
    (tree / "version.txt").mkdir()
    assert run(tree, out) == 4
    landmarks = "version.txt, c10/cuda/CUDAStream.h, aten/src/ATen/native/native_functions.yaml"
    assert said(capsys) == (
        f"error: {tree}: is not a PyTorch source tree\n"
        f"  help: looked for {landmarks}; missing: version.txt, c10/cuda/CUDAStream.h\n"
    )
    assert not out.exists()


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (b"devel\n", "'devel' is not a version"),
        (b"", "'' is not a version"),
        (b"\xff\xfe2\x00", "is not UTF-8: byte 0"),
    ],
)
def test_a_version_that_is_none(
    tree: Path, out: Path, capsys: pytest.CaptureFixture[str], version: bytes, message: str
) -> None:
    write(tree / "version.txt", version)
    assert run(tree, out) == 4
    assert said(capsys).startswith(f"error: {tree}/version.txt: {message}")


def test_an_unknown_release_is_ported_with_a_warning(
    tree: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tree / "version.txt", "2.99.1\n")
    assert run(tree, out) == 0
    assert said(capsys).startswith("warning: PyTorch 2.99.1 is not a known release")
    assert (out / "toy" / "2.99.1" / "manifest.json").is_file()


def test_every_file_that_is_no_text_is_named(
    tree: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, data in {
        "A.cpp": "int a;".encode("utf-16"),
        "B.cpp": "int b;".encode("utf-32"),
        "C.cpp": b"int c;\0",
        "D.cpp": b"\xfe\xff\0i",
    }.items():
        write(tree / "c10/cuda" / name, data)
    assert run(tree, out, "-j", "2") == 4
    problem = (
        "error: {}/c10/cuda/{}: is {}; porter reads only UTF-8 and other ASCII-compatible encodings"
    )
    convert = "  help: convert it: iconv -f {} -t UTF-8"
    assert said(capsys).splitlines() == [
        problem.format(tree, "A.cpp", "UTF-16"),
        convert.format("UTF-16"),
        problem.format(tree, "B.cpp", "UTF-32"),
        convert.format("UTF-32"),
        f"error: {tree}/c10/cuda/C.cpp: contains NUL bytes: not source text",
        "  help: leave it out, or convert it",
        problem.format(tree, "D.cpp", "UTF-16"),
        convert.format("UTF-16"),
    ]
    assert left_over(out) == []


def test_bytes_that_are_no_utf8_are_kept(tree: Path, out: Path) -> None:
    every = bytes(code for code in range(1, 256) if chr(code) not in "\n\r\"'\\/#<")
    write(
        tree / "c10/cuda/Odd.cpp",
        b"// " + every + b"\ncudaMalloc(p);\t\xe9\xff cuda\xe9 \xc2\xa0\n",
    )
    assert run(tree, out) == 0
    # An identifier ends where a byte is that is none of ASCII's.
    assert (port_of(out) / "src/c10/toy/Odd.cpp").read_bytes() == (
        b"// " + every + b"\ntoyMalloc(p);\t\xe9\xff toy\xe9 \xc2\xa0\n"
    )


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
def test_line_ends_and_a_utf8_mark_are_kept(tree: Path, out: Path, mark: bytes, end: bytes) -> None:
    write(
        tree / "c10/cuda/Odd.cpp", mark + end.join([b"#include <cuda.h>", b"cudaMalloc(p);", b""])
    )
    assert run(tree, out) == 0
    assert (port_of(out) / "src/c10/toy/Odd.cpp").read_bytes() == (
        mark + end.join([b"#include <toy.h>", b"toyMalloc(p);", b""])
    )


def test_file_names_need_not_be_utf8(tree: Path, out: Path) -> None:
    name = os.fsdecode(b"Caf\xe9.cpp")
    write(
        tree / "c10/cuda" / name,
        "cudaNoSuchThing(); // unmapped, so that the report names the file\n",
    )
    assert run(tree, out) == 0
    assert run(tree, out) == 0
    assert (port_of(out) / "src/c10/toy" / name).is_file()


def test_a_file_that_may_not_be_read(tree: Path, out: Path) -> None:
    prefix = powerless()
    for name in ("CUDAFunctions.cpp", "CUDAStream.h"):
        (tree / "c10/cuda" / name).chmod(0)
    done = subprocess.run(
        [*prefix, *command(tree, out)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 4
    assert done.stderr.splitlines() == [
        f"error: {tree}/c10/cuda/{name}: cannot be read: Permission denied"
        for name in ("CUDAFunctions.cpp", "CUDAStream.h")
    ]


def test_a_folder_that_may_not_be_read(tree: Path, out: Path) -> None:
    prefix = powerless()
    (tree / "aten/src/ATen/native/sparse").chmod(0)
    done = subprocess.run(
        [*prefix, *command(tree, out)], capture_output=True, text=True, check=False
    )
    (tree / "aten/src/ATen/native/sparse").chmod(0o755)
    place = f"{tree}/aten/src/ATen/native/sparse"
    assert (done.returncode, done.stderr) == (
        4,
        f"error: {place}: cannot be read: Permission denied\n",
    )


def test_a_tree_that_may_not_be_searched(tree: Path, out: Path) -> None:
    prefix = powerless()
    inner = make_tree(tree / "closed" / "pytorch")
    inner.parent.chmod(0)
    done = subprocess.run(
        [*prefix, *command(inner, out)], capture_output=True, text=True, check=False
    )
    inner.parent.chmod(0o755)
    assert done.returncode == 4
    assert done.stderr == f"error: {inner}: cannot be read: Permission denied\n"


def test_a_file_that_goes_while_the_port_runs(
    tree: Path, out: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def select_then_lose(tree: Path, selection: Selection) -> list[SelectedFile]:
        found = select(tree, selection)
        (tree / "c10/cuda/CUDAFunctions.cpp").unlink()
        return found

    monkeypatch.setattr("porter.port.stage.select", select_then_lose)
    assert run(tree, out) == 4
    place = f"{tree}/c10/cuda/CUDAFunctions.cpp"
    assert said(capsys) == f"error: {place}: cannot be read: No such file or directory\n"


def test_links_in_circles_and_out_of_the_tree(
    tree: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "c10/cuda/loop").symlink_to("..")
    (tree / "c10/cuda/Self.h").symlink_to("Self.h")
    (tree / "c10/cuda/Out.h").symlink_to("/etc/hostname")
    assert run(tree, out) == 4
    assert said(capsys).splitlines() == [
        f"error: {tree}/c10/cuda/Out.h: is a link that leaves the source tree, to "
        + os.path.realpath("/etc/hostname"),
        f"error: {tree}/c10/cuda/Self.h: is a link that leads nowhere or in a circle",
        f"error: {tree}/c10/cuda/loop: is a link that leads in a circle",
    ]


# -- the output


def test_an_output_inside_the_source(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(tree)
    for out in (tree, tree / "build" / "out"):
        assert run(tree, out) == 4
        assert said(capsys) == (
            f"error: {port_of(out)}: the output folder is inside the source tree\n"
            "  help: choose another --out\n"
        )
    assert files(tree) == before


def test_an_output_that_a_link_leads_into_the_source(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link").symlink_to(tree / "c10")
    assert run(tree, tmp_path / "link") == 4
    assert "the output folder is inside the source tree" in said(capsys)


def test_a_source_inside_the_output(
    tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = make_tree(port_of(out) / "src" / "pytorch")
    assert run(tree, out) == 4
    assert said(capsys) == (
        f"error: {port_of(out)}: the source tree is inside the output folder\n"
        "  help: choose another --out\n"
    )
    assert (tree / "version.txt").is_file()


def test_links_in_a_circle_in_the_place_of_the_output(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert run(tree, tmp_path / "loop" / "out") == 4
    assert said(capsys).startswith("error: ")


@pytest.mark.parametrize("place", ["out", "out/toy", "out/toy/2.6.0"])
def test_a_file_in_the_place_of_the_output(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    write(tmp_path / place, "mine")
    assert run(tree, tmp_path / "out") == 4
    assert said(capsys).startswith(f"error: {tmp_path / place}: ")
    assert (tmp_path / place).read_text() == "mine"


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_an_output_with_files_of_others(
    tree: Path, out: Path, capsys: pytest.CaptureFixture[str], force: list[str]
) -> None:
    for name in ("a.txt", "folder/b.txt"):
        write(port_of(out) / name, "mine")
    assert run(tree, out, *force) == 4
    assert said(capsys) == "".join(
        f"error: {port_of(out)}/{name}: porter did not write this\n  help: choose another --out\n"
        for name in ("a.txt", "folder")
    )
    assert files(port_of(out)) == {"a.txt": b"mine", "folder/b.txt": b"mine"}


def test_results_of_later_commands_stay(tree: Path, out: Path) -> None:
    assert run(tree, out) == 0
    kept = ("build/a.o", "verify/results.jsonl", "distributed-tests/a.html", "check/recording/b.o")
    for name in kept:
        write(port_of(out) / name, "made")
    assert run(tree, out, "--force") == 0
    assert all((port_of(out) / name).read_text() == "made" for name in kept)


def test_many_files_of_others_are_counted(
    tree: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for index in range(12):
        write(port_of(out) / f"{index:02}.txt", "mine")
    assert run(tree, out) == 4
    lines = [line for line in said(capsys).splitlines() if line.startswith("error")]
    assert len(lines) == 6
    assert lines[-1] == "error: and 7 more"


def test_an_empty_output_folder_is_fine(tree: Path, out: Path) -> None:
    port_of(out).mkdir(parents=True)
    assert run(tree, out) == 0


@pytest.mark.parametrize("way", ["changed", "forced"])
def test_what_later_stages_made_stays(tree: Path, port: Path, out: Path, way: str) -> None:
    """Compiled objects take half an hour; a new port must keep them."""
    made_later = ("backend/src/a.cpp", "register/ops.json", "build/obj/a.o", "package/dist/a.whl")
    results = ("verify/results.jsonl", "device-tests/results.jsonl")
    for name in (*made_later, *results):
        write(port / name, name)
    # What a stage that was killed leaves is its own, too.
    for name in (".backend.lock", ".package.staging/a.whl", ".package.previous/a.whl"):
        write(port / name, name)
    made = (port / "build/obj/a.o").stat()
    write(tree / "c10/cuda/CUDAFunctions.cpp", "void f() { cudaMalloc(0, 1); }\n")
    assert run(tree, out, *(["--force"] if way == "forced" else [])) == 0
    for name in ("register/ops.json", *results):
        assert (port / name).read_text() == name
    again = (port / "build/obj/a.o").stat()
    assert (again.st_ino, again.st_mtime_ns) == (made.st_ino, made.st_mtime_ns)
    assert b"toyMalloc(0, 1)" in (port / "src/c10/toy/TOYFunctions.cpp").read_bytes()


def test_a_port_that_others_put_files_into(
    tree: Path, port: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(port / "src/c10/mine.cpp", "mine")
    (port / "src/c10/link.cpp").symlink_to("/etc/hostname")
    assert run(tree, out) == 4
    help = "keep the change as a patch rule, or give --force to discard it"
    told = said(capsys)
    for name in ("mine.cpp", "link.cpp"):
        assert f"error: {port}/src/c10/{name}: porter did not write this\n  help: {help}\n" in told
    assert run(tree, out, "--force") == 0
    assert not (port / "src/c10/mine.cpp").exists()


def test_a_file_that_was_changed_by_hand(
    tree: Path, port: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(port)
    place = port / "src/c10/toy/TOYFunctions.cpp"
    write(place, place.read_bytes() + b"// mine\n")
    assert run(tree, out) == 4
    assert said(capsys) == (
        f"error: {place}: was changed after it was ported; the change would be lost\n"
        "  help: keep the change: porter overlay save FILE --owner NAME --reason TEXT, or give --force to discard it\n"
    )
    assert place.read_bytes().endswith(b"// mine\n")
    assert run(tree, out, "--dry-run") == 4
    assert run(tree, out, "--force") == 0
    assert files(port) == before


def test_a_change_by_hand_that_keeps_the_size_is_seen(
    tree: Path, port: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The change is found also if it is made immediately after the run, before the file system's clock advances."""
    place = port / "src/c10/toy/TOYFunctions.cpp"
    write(place, place.read_bytes().replace(b"toyMalloc", b"toyMallok"))
    assert run(tree, out) == 4
    assert "was changed after it was ported" in said(capsys)


def test_a_link_in_the_place_of_a_ported_file(
    tree: Path, port: Path, out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = port / "src/c10/toy/TOYFunctions.cpp"
    place.rename(tmp_path / "elsewhere.cpp")
    place.symlink_to(tmp_path / "elsewhere.cpp")
    assert run(tree, out) == 4
    assert run(tree, out, "--force") == 0
    assert not place.is_symlink()


@pytest.mark.parametrize(
    "gone", ["src/c10/toy/TOYFunctions.cpp", "src/aten", "src", "report.json", "report.md", STATE]
)
def test_what_was_removed_comes_back(tree: Path, port: Path, out: Path, gone: str) -> None:
    before = files(port)
    if (port / gone).is_dir():
        shutil.rmtree(port / gone)
    else:
        (port / gone).unlink()
    assert run(tree, out) == 0
    assert files(port) == before
    assert (port / STATE).is_file()


def test_a_port_that_was_touched_or_copied_is_no_other(
    tree: Path, port: Path, out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in port.rglob("*"):
        os.utime(path)
    shutil.copytree(out, tmp_path / "copy")
    for place in (out, tmp_path / "copy"):
        assert run(tree, place, "--json") == 0
        assert json.loads(capsys.readouterr().out)["files"] == {
            "selected": 7,
            "written": 0,
            "unchanged": 7,
        }


@pytest.mark.parametrize("keep", [0, 1, 100, 0.5, 0.9, -2])
def test_a_manifest_that_was_cut_short(
    tree: Path, port: Path, out: Path, capsys: pytest.CaptureFixture[str], keep: float
) -> None:
    before = files(port)
    manifest = (port / "manifest.json").read_bytes()
    cut = int(keep * len(manifest)) if isinstance(keep, float) else keep
    write(port / "manifest.json", manifest[:cut])
    assert run(tree, out) == 4
    told = said(capsys)
    assert told.startswith(f"error: {port}/manifest.json: is not a readable manifest: ")
    assert "help: give --force to port again; changes made by hand are lost\n" in told
    assert run(tree, out, "--force") == 0
    assert files(port) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"schema": 1', b'"schema": 0'),
        (b'"schema": 1', b'"schema": [1]'),
        (b'"to":"', b'"ot":"'),
        (b'"to":"c10/', b'"to":"../'),
        (b'"edits":', b'"edits":"x","":'),
        (b'"files"', b'"liles"'),
        (b'"hits":[[', b'"hits":[[99999'),
        (b'"rules": [', b'"rules": {"a": ['),
        (b"{", b"["),
        (b"{", b"\xff{"),
        (b'"target": "toy"', b'"target": "toi"'),
    ],
)
def test_a_manifest_that_was_changed(
    tree: Path, port: Path, out: Path, capsys: pytest.CaptureFixture[str], old: bytes, new: bytes
) -> None:
    before = files(port)
    manifest = (port / "manifest.json").read_bytes()
    assert old in manifest
    write(port / "manifest.json", manifest.replace(old, new, 1))
    assert run(tree, out) == 4
    assert "manifest.json: is not a readable manifest: " in said(capsys)
    assert run(tree, out, "--force") == 0
    assert files(port) == before


def test_a_port_of_another_schema_says_which(
    tree: Path, port: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads((port / "manifest.json").read_bytes())
    write(port / "manifest.json", json.dumps({**data, "schema": 99}))
    assert run(tree, out) == 4
    assert "its schema is 99, and this porter's is 1" in said(capsys)


@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b"{}",
        b'{"schema": 1}',
        b'{"schema": 2, "files": [], "rules": "", "made": 0, "tree": "", "manifest": ""}',
        b"[" * 100_000,
    ],
)
def test_a_state_that_was_damaged_costs_a_full_run(
    tree: Path, port: Path, out: Path, state: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(port)
    manifest_of = json.loads((port / STATE).read_bytes())["manifest"].encode()
    write(port / STATE, state.replace(b'"manifest": ""', b'"manifest": "%s"' % manifest_of))
    assert run(tree, out, "--json") == 0
    assert json.loads(capsys.readouterr().out)["files"]["written"] == 7
    assert files(port) == before


def test_without_its_state_a_change_by_hand_is_still_seen(
    tree: Path, port: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (port / STATE).unlink()
    write(port / "src/c10/toy/TOYFunctions.cpp", "mine")
    assert run(tree, out) == 4
    assert "was changed after it was ported" in said(capsys)


def test_an_output_that_is_a_link_stays_one(tree: Path, out: Path, tmp_path: Path) -> None:
    (tmp_path / "large disk").mkdir()
    (out / "toy").mkdir(parents=True)
    port_of(out).symlink_to(tmp_path / "large disk")
    assert run(tree, out) == 0
    assert port_of(out).is_symlink()
    assert (tmp_path / "large disk" / "manifest.json").is_file()


def test_an_output_that_may_not_be_written(tree: Path, out: Path) -> None:
    prefix = powerless()
    (out / "toy").mkdir(parents=True)
    (out / "toy").chmod(0o555)
    done = subprocess.run(
        [*prefix, *command(tree, out)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 4
    assert done.stderr.startswith(f"error: {out}/toy/.2.6.0.lock: cannot be written: ")
    assert os.listdir(out / "toy") == []


def test_a_dry_run_writes_nothing(tree: Path, out: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert run(tree, out, "--dry-run") == 0
    assert sorted(tmp_path.rglob("*")) == before


# -- a disk that is full


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mount(place, "512k")
    yield place
    unmount(place)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_full_disk_leaves_the_port_whole(
    tree: Path, small_disk: Path, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    assert run(tree, small_disk) == 0
    before = files(port_of(small_disk))
    for path, text in many(90, "large").items():
        write(tree / path, text * 4)
    capsys.readouterr()
    assert run(tree, small_disk, "-j", jobs) == 4
    told = said(capsys)
    assert told.startswith(f"error: {small_disk}/toy/.2.6.0.staging/")
    assert told.endswith(
        ": cannot be written: No space left on device\n"
        "  help: free some space, or choose another --out\n"
    )
    assert files(port_of(small_disk)) == before
    assert left_over(small_disk) == []


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_limit_on_file_size_leaves_the_port_whole(
    tree: Path, port: Path, out: Path, jobs: str
) -> None:
    before = files(port)
    for path, text in many(60, "large").items():
        write(tree / path, text * 30)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = subprocess.run(
        command(tree, out, "-j", jobs),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    assert done.returncode == 4
    assert done.stderr.startswith(f"error: {out}/toy/.2.6.0.staging/src/")
    assert done.stderr.endswith(": cannot be written: File too large\n")
    assert files(port) == before
    assert left_over(out) == []


# -- two runs at once


def test_a_run_that_finds_another_says_so(
    tree: Path, port: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tree / "c10/cuda/New.cpp", "int a;")
    before = files(port)
    with (out / "toy" / ".2.6.0.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert run(tree, out) == 4
    assert said(capsys) == (
        f"error: {port}: another run is writing here\n"
        "  help: wait until it ends, or choose another --out\n"
    )
    assert files(port) == before


def test_runs_that_start_together_do_not_mix(tree: Path, tmp_path: Path, out: Path) -> None:
    other = make_tree(tmp_path / "other", {**SOURCES, **many(40, "other")})
    wanted = [cold(tree, tmp_path / "a"), cold(other, tmp_path / "b")]
    for _ in range(6):
        running = [
            subprocess.Popen(
                command(source, out, "-j", "2"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            for source in (tree, other, tree, other)
        ]
        told = [process.communicate()[1] for process in running]
        codes = [process.returncode for process in running]
        assert 0 in codes
        for code, text in zip(codes, told, strict=True):
            assert (code, text) == (0, "") or (code == 4 and "another run is writing here" in text)
        assert files(port_of(out)) in wanted
        assert left_over(out) == []


# -- interrupts and kills


def two_trees(tmp_path: Path) -> list[tuple[Path, dict[str, bytes]]]:
    """Two trees that share files, and the ports of them."""
    trees = [
        make_tree(tmp_path / name, {**SOURCES, **many(60, name), **many(30, "both")})
        for name in ("one", "other")
    ]
    return [(tree, cold(tree, tmp_path / "cold")) for tree in trees]


def test_ctrl_c_at_any_moment(tmp_path: Path, out: Path) -> None:
    trees = two_trees(tmp_path)
    (old, before), (new, after) = trees
    assert run(old, out) == 0
    given = arguments(new, out, "-j", "2", "--json")
    lasts = seconds(arguments(new, tmp_path / "timing", "-j", "2", "--json"))
    chance = random.Random(0)
    codes = []
    for _ in range(25):
        pid = fork(given)
        time.sleep(chance.uniform(0, lasts * 1.1))
        # As a terminal does: to every process of the group.
        os.killpg(pid, signal.SIGINT)
        codes.append(ended(pid))
        now = files(port_of(out))
        assert codes[-1] in (0, 130)
        assert now in (before, after)
        assert now == after or codes[-1] == 130
        assert left_over(out) == []
        assert run(old, out) == 0
    assert codes.count(130) >= 5


def test_ctrl_c_is_told_in_words(tmp_path: Path, out: Path) -> None:
    tree = make_tree(tmp_path / "one", many(400, "one"))
    process = subprocess.Popen(
        command(tree, out, "-j", "2"),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    staging = out / "toy" / ".2.6.0.staging"
    while not staging.exists() and process.poll() is None:
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGINT)
    told = process.communicate()[1]
    assert (process.returncode, told) == (
        130,
        "error: stopped; the previous port is intact\n",
    )
    assert left_over(out) == []
    assert not port_of(out).exists()


def test_kill_at_any_moment(tmp_path: Path, out: Path) -> None:
    """After a kill at any moment, one of the two ports is complete and unchanged, and the next run succeeds."""
    trees = two_trees(tmp_path)
    assert run(trees[0][0], out) == 0
    there = trees[0][1]
    lasts = seconds(arguments(trees[0][0], tmp_path / "timing", "-j", "2", "--json"))
    chance = random.Random(0)
    killed = 0
    for number in range(KILLS):
        tree, after = trees[(number + 1) % 2]
        pid = fork(arguments(tree, out, "-j", "2", "--json"))
        time.sleep(chance.uniform(0, lasts * 1.1))
        os.kill(pid, signal.SIGKILL)  # its workers are left to notice by themselves
        killed += ended(pid) == -signal.SIGKILL
        assert files(port_of(out)) in (there, after)
        unfinished = files(port_of(out)) == there
        # At once, while workers of the killed run may still be there.
        began = time.perf_counter()
        assert ended(fork(arguments(tree, out, "-j", "2", "--json"))) == 0
        if unfinished:
            # What a run takes now: the machine may have been busier before, and nothing be left to kill.
            lasts = min(lasts, time.perf_counter() - began)
        assert files(port_of(out)) == after
        assert left_over(out) == []
        there = after
    assert killed >= KILLS // 2


def test_a_killed_first_run_leaves_no_port(tmp_path: Path, out: Path) -> None:
    (tree, after), _ = two_trees(tmp_path)
    given = arguments(tree, out, "-j", "2", "--json")
    lasts = seconds(arguments(tree, tmp_path / "timing", "-j", "2", "--json"))
    chance = random.Random(1)
    for _ in range(10):
        pid = fork(given)
        time.sleep(chance.uniform(0, lasts))
        os.kill(pid, signal.SIGKILL)
        ended(pid)
        assert not port_of(out).exists() or files(port_of(out)) == after
        assert ended(fork(given)) == 0
        assert files(port_of(out)) == after
        shutil.rmtree(out)


def test_workers_of_a_killed_run_end_by_themselves(tmp_path: Path, out: Path) -> None:
    tree = make_tree(tmp_path / "one", many(400, "one"))
    process = subprocess.Popen(
        command(tree, out, "-j", "3"), stdout=subprocess.DEVNULL, start_new_session=True
    )
    while not (out / "toy" / ".2.6.0.staging" / "src").exists() and process.poll() is None:
        time.sleep(0.001)
    time.sleep(0.05)
    process.kill()
    process.wait()
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    raise AssertionError("workers are left")


def test_a_worker_that_is_killed_is_an_error(tmp_path: Path, out: Path) -> None:
    tree = make_tree(tmp_path / "one", many(400, "one"))
    process = subprocess.Popen(
        command(tree, out, "-j", "2"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.kill()
        pytest.skip("the kernel does not tell of children")
    while not (workers := children.read_text().split()) and process.poll() is None:
        time.sleep(0.001)
    os.kill(int(workers[0]), signal.SIGKILL)
    told = process.communicate()[1]
    assert (process.returncode, told) == (
        4,
        "error: a worker process died\n  help: out of memory? try -j 1\n",
    )
    assert left_over(out) == []
