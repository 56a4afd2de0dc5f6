"""`porter port` over an existing port, and on sources that cannot be ported."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from extension import EXTENSION, files, port_to_toy, write_extension
from workshop import Workshop, write_files

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `porter port` in its own folder, to `out`; returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def port(*args: str | Path) -> tuple[int, str, str]:
        code = port_to_toy(*args)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return port


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    return write_extension(tmp_path / "extension")


# -- running again


def test_running_again(run: Run, extension: Path) -> None:
    def figures() -> tuple[int, int]:
        counts = json.loads(run("extension", "--json")[1])["files"]
        return counts["written"], counts["unchanged"]

    assert figures() == (8, 0)
    assert figures() == (0, 8)
    (extension / "csrc/cuda_helpers.h").write_text("#pragma once\ncudaStream_t s;\n")
    assert figures() == (1, 7)
    assert "toyStream_t s;" in Path("out/toy/src/csrc/cuda_helpers.h").read_text()
    (extension / "setup.py").write_text("pass\n")
    assert figures() == (1, 7)
    assert Path("out/toy/src/setup.py").read_text() == "pass\n"


def test_a_new_header_changes_who_includes_it(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "project", {"a.cu": '#include "later.cuh"\n'})
    run("project")
    assert '"later.cuh"' in Path("out/toy/src/a.ty").read_text()
    write_files(tmp_path / "project", {"later.cuh": "\n"})
    run("project")
    assert '"later.tyh"' in Path("out/toy/src/a.ty").read_text()


def test_what_is_gone_goes(run: Run, extension: Path) -> None:
    run("extension")
    (extension / "csrc/bind.cpp").unlink()
    assert run("extension")[0] == 0
    assert not Path("out/toy/src/csrc/bind.cpp").exists()


def test_the_same_bytes_at_any_j_and_from_any_path(
    run: Run, extension: Path, tmp_path: Path
) -> None:
    for number in range(60):
        (extension / f"csrc/k{number}.cu").write_text(f"cudaStream_t s{number};\n")
    shutil.copytree(extension, tmp_path / "elsewhere" / "deep")
    run("extension", "-j", "1")
    run("elsewhere/deep", "-j", "4", "--out", "other")
    one, other = files(tmp_path / "out/toy"), files(tmp_path / "other/toy")
    del one[".state.json"], other[".state.json"]
    assert one == other


def test_a_dry_run_writes_nothing(run: Run, extension: Path) -> None:
    code, out, _ = run("extension", "--dry-run", "--json")
    data = json.loads(out)
    assert (code, data["dry_run"], data["files"]["written"]) == (0, True, 0)
    assert data["edits"] > 0
    assert not Path("out").exists()


def test_a_hand_edited_port_is_not_overwritten(run: Run, extension: Path) -> None:
    run("extension")
    place = Path("out/toy/src/setup.py")
    place.write_text("mended by hand\n")
    code, _, err = run("extension")
    assert code == 4
    assert "setup.py" in err
    assert place.read_text() == "mended by hand\n"
    assert run("extension", "--force")[0] == 0
    assert place.read_text() == EXTENSION["setup.py"]


# -- what cannot be


def test_what_is_not_there(run: Run) -> None:
    code, _, err = run("nowhere", "no.cu")
    assert code == 4
    assert "error: nowhere: no such file or folder" in err
    assert "error: no.cu: no such file or folder" in err


def test_a_folder_without_sources(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "docs", {"readme.md": "nothing of CUDA\n"})
    code, _, err = run("docs")
    assert code == 4
    assert "error: docs: holds no C, C++ or CUDA source" in err
    assert ".cuh" in err


def test_an_unknown_target(run: Run, extension: Path) -> None:
    code, _, err = run("extension", "-t", "toi")
    assert code == 2
    assert "help: did you mean 'toy'?" in err


def test_output_inside_the_input(run: Run, extension: Path) -> None:
    before = files(extension)
    code, _, err = run("extension", "--out", "extension/ported")
    assert code == 4
    assert "the output folder is inside the source tree" in err
    assert files(extension) == before


def test_input_inside_the_output(run: Run, extension: Path, tmp_path: Path) -> None:
    shutil.move(extension, tmp_path / "out" / "toy" / "x")
    code, _, err = run("out/toy/x")
    assert code == 4
    assert "the source tree is inside the output folder" in err
    assert (tmp_path / "out/toy/x/csrc/scale.cu").exists()


def test_an_output_folder_with_foreign_files(run: Run, extension: Path, tmp_path: Path) -> None:
    write_files(tmp_path, {"out/toy/thesis.txt": "years of work\n"})
    code, _, err = run("extension")
    assert code == 4
    assert "thesis.txt" in err
    assert (tmp_path / "out/toy/thesis.txt").read_text() == "years of work\n"


def test_two_files_of_one_name(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "project", {"a.cu": "\n", "a.ty": "\n", "b.cu": "\n", "b.ty": "\n"})
    code, _, err = run("project")
    assert code == 4
    for name in ("a", "b"):
        assert f"both become '{name}.ty'" in err
    assert run("project", "--keep-names")[0] == 0


def test_links_are_followed_within_the_project(run: Run, extension: Path) -> None:
    (extension / "link.cu").symlink_to("csrc/scale.cu")
    (extension / "headers").symlink_to("csrc/include")
    code, _, err = run("extension")
    assert (code, err) == (0, "")
    assert Path("out/toy/src/link.ty").read_text().count("toyStream_t") == 1
    assert Path("out/toy/src/headers/ext/math.tyh").is_file()
    assert not Path("out/toy/src/headers").is_symlink()


def test_links_that_lead_wrong_are_told_all_at_once(
    run: Run, extension: Path, tmp_path: Path
) -> None:
    write_files(tmp_path, {"secret/key.h": "\n"})
    (extension / "self.cu").symlink_to("self.cu")
    (extension / "gone.cu").symlink_to("nowhere.cu")
    (extension / "out.h").symlink_to(tmp_path / "secret/key.h")
    (extension / "outside").symlink_to(tmp_path / "secret")
    (extension / "csrc/up").symlink_to("..")
    code, _, err = run("extension")
    assert code == 4
    assert err.count("error: ") == 3
    for text in (
        "out.h: is a link that leaves the project",
        "outside: is a link that leaves the project",
        "csrc/up: is a link to a folder that contains the link",
    ):
        assert text in err
    assert "help: leave it out with --exclude 'csrc/up'" in err
    names = ("out.h", "outside", "csrc/up")
    code, _, err = run("extension", *(f"--exclude={name}" for name in names))
    assert code == 0
    assert err.splitlines() == [
        "warning: gone.cu is not ported: is a link that leads nowhere",
        "warning: self.cu is not ported: is a link that leads in a circle",
    ]
    report = Path("out/toy/report.md").read_text()
    assert "| gone.cu | is a link that leads nowhere |" in report.partition("## Left out")[2]


def test_two_folders_that_link_to_each_other(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "project", {"a/x.cu": "\n", "b/y.cu": "\n"})
    (tmp_path / "project/a/to_b").symlink_to("../b")
    (tmp_path / "project/b/to_a").symlink_to("../a")
    code, _, err = run("project")
    assert code == 4
    assert "is a link to a folder that contains the link" in err


def test_what_is_neither_file_nor_folder(run: Run, extension: Path) -> None:
    os.mkfifo(extension / "pipe.cu")
    with socket.socket(socket.AF_UNIX) as place:
        place.bind(str(extension / "s.h"))
        code, _, err = run("extension")
    assert code == 0
    assert err.count("is not ported: is neither a file nor a folder") == 2


def test_a_name_that_is_not_utf8(run: Run, extension: Path) -> None:
    Path(os.fsdecode(bytes(extension) + b"/k\xff.cu")).write_text("\n")
    code, _, err = run("extension")
    assert code == 4
    assert "its name is not UTF-8" in err


def test_an_unreadable_file(run: Run, extension: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def refuse(path: str | Path, *more: int) -> int:
        # Tests may run as root, who reads everything.
        if Path(path).name == "scale.cu":
            raise PermissionError(13, "Permission denied")
        return opened(path, *more)

    monkeypatch.setattr(os, "open", refuse)
    code, _, err = run("extension")
    assert code == 0
    (warned,) = err.splitlines()
    assert warned == "warning: csrc/scale.cu is not ported: cannot be read: Permission denied"
    assert not Path("out/toy/src/csrc/scale.ty").exists()
    report = json.loads(Path("out/toy/report.json").read_text())
    unread = {"path": "csrc/scale.cu", "reason": "cannot be read: Permission denied"}
    assert unread in report["skipped"] and report["files"]["ported"] > 0
    code, _, err = run("extension/csrc/scale.cu")  # the file that the user names
    assert code == 4 and "scale.cu: cannot be read: Permission denied" in err


def test_a_port_and_a_run_do_not_share_a_folder(run: Run, extension: Path) -> None:
    shop = Workshop(extension.parent / "shop")
    assert run("extension")[0] == 0
    assert shop.run("../out") == 4
    assert run("extension")[0] == 0
    shutil.rmtree("out")
    shop.port("../out")
    code, _, err = run("extension")
    assert code == 4
    assert "contains ports of PyTorch: 2.6.0" in err and "choose another --out" in err
