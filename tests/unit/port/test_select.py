"""Selected files, and errors for invalid trees."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from port_tree import SOURCES, make_tree, write

from porter.base.errors import SourceError
from porter.model.rules import Exclusion, Folder, Origin, Selection
from porter.port.select import SelectedFile, release_of, select

_HERE = Origin("selection.yaml", 1)


def selection(
    *folders: str, suffixes: tuple[str, ...] = ("cu", "cpp", "h"), exclude: str = ""
) -> Selection:
    """Selection of these folders, each with its own reason."""
    return Selection(
        tuple(Folder(folder, suffixes, f"why {folder}", _HERE) for folder in folders),
        (Exclusion(exclude, "not wanted", _HERE),) if exclude else (),
    )


def paths(tree: Path, chosen: Selection) -> list[str]:
    return [file.path for file in select(tree, chosen)]


def problems(tree: Path, chosen: Selection) -> list[str]:
    with pytest.raises(SourceError) as caught:
        select(tree, chosen)
    return [f"{Path(p.place).relative_to(tree)}: {p.text}" for p in caught.value.problems]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "pytorch")


def test_files_are_chosen_by_folder_and_suffix_and_sorted(tree: Path) -> None:
    assert select(tree, selection("c10/cuda", "aten/src/ATen/native/cuda")) == [
        SelectedFile("aten/src/ATen/native/cuda/Fill.cu", "why aten/src/ATen/native/cuda"),
        SelectedFile("c10/cuda/CUDAFunctions.cpp", "why c10/cuda"),
        SelectedFile("c10/cuda/CUDAStream.h", "why c10/cuda"),
    ]


def test_the_suffix_is_all_that_follows_the_first_dot(tree: Path) -> None:
    write(tree / "c10/cuda/Made.h.in", "")
    assert "c10/cuda/Made.h.in" not in paths(tree, selection("c10/cuda"))
    assert "c10/cuda/Made.h.in" in paths(tree, selection("c10/cuda", suffixes=("h.in",)))


def test_the_first_folder_gives_the_reason(tree: Path) -> None:
    chosen = select(tree, selection("aten/src/ATen/native/cuda", "aten/src/ATen"))
    assert {file.reason for file in chosen if file.path.endswith("Fill.cu")} == {
        "why aten/src/ATen/native/cuda"
    }
    assert len(chosen) == len({file.path for file in chosen})


def test_excluded_files_and_folders_are_left_out(tree: Path) -> None:
    write(tree / "c10/cuda/test/CUDATest.cpp", "")
    assert paths(tree, selection("c10/cuda", exclude="c10/cuda/test/**")) == [
        "c10/cuda/CUDAFunctions.cpp",
        "c10/cuda/CUDAStream.h",
    ]


def test_a_folder_the_release_lacks_is_passed_over(tree: Path) -> None:
    assert len(paths(tree, selection("c10/cuda", "c10/not/here"))) == 2


def test_a_folder_may_name_its_files(tree: Path) -> None:
    named = ("CUDAStream.h", "impl/Gone.h", "CUDAFunctions.cpp", "more/Deep.h")
    folder = Folder("c10/cuda", ("h", "cpp"), "named", _HERE, named)
    write(tree / "c10/cuda/Other.h", "")
    write(tree / "c10/cuda/more/Deep.h", "")
    chosen = ["c10/cuda/CUDAFunctions.cpp", "c10/cuda/CUDAStream.h", "c10/cuda/more/Deep.h"]
    assert paths(tree, Selection((folder,))) == chosen
    assert [path for path in [*chosen, "c10/cuda/Other.h"] if not folder.holds(path)] == [
        "c10/cuda/Other.h"
    ]


def test_a_named_file_must_be_one_and_stay_in_the_tree(tree: Path, tmp_path: Path) -> None:
    write(tmp_path / "elsewhere.h", "")
    (tree / "c10/cuda/Link.h").symlink_to(tmp_path / "elsewhere.h")
    (tree / "c10/cuda/Folder.h").mkdir()
    folder = Folder("c10/cuda", ("h",), "named", _HERE, ("Link.h", "Folder.h"))
    assert problems(tree, Selection((folder,))) == [
        f"c10/cuda/Link.h: is a link that leaves the source tree, to {tmp_path / 'elsewhere.h'}",
        "c10/cuda/Folder.h: is not a regular file",
    ]


def test_a_selection_that_finds_nothing_is_an_error(tree: Path) -> None:
    with pytest.raises(SourceError, match="the selection matches no file in this tree"):
        select(tree, selection("c10/not/here"))


def test_links_inside_the_tree_are_followed(tree: Path) -> None:
    (tree / "c10/cuda/Again.cpp").symlink_to("CUDAFunctions.cpp")
    (tree / "c10/cuda/folder").symlink_to(tree / "aten/src/ATen/cuda")
    assert paths(tree, selection("c10/cuda")) == [
        "c10/cuda/Again.cpp",
        "c10/cuda/CUDAFunctions.cpp",
        "c10/cuda/CUDAStream.h",
        "c10/cuda/folder/CUDAContext.h",
    ]


def test_the_tree_itself_may_be_a_link(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tree)
    assert paths(tmp_path / "link", selection("c10/cuda")) == paths(tree, selection("c10/cuda"))


def test_links_that_leave_the_tree_are_refused(tree: Path, tmp_path: Path) -> None:
    write(tmp_path / "pytorch-beside/Other.cpp", "")
    (tree / "c10/cuda/Out.cpp").symlink_to(tmp_path / "pytorch-beside/Other.cpp")
    (tree / "c10/cuda/out").symlink_to("../../../pytorch-beside")
    assert problems(tree, selection("c10/cuda")) == [
        "c10/cuda/Out.cpp: is a link that leaves the source tree, "
        f"to {tmp_path}/pytorch-beside/Other.cpp",
        f"c10/cuda/out: is a link that leaves the source tree, to {tmp_path}/pytorch-beside",
    ]


def test_links_in_a_circle_are_refused(tree: Path) -> None:
    (tree / "c10/cuda/Self.cpp").symlink_to("Self.cpp")
    (tree / "c10/cuda/One.cpp").symlink_to("Two.cpp")
    (tree / "c10/cuda/Two.cpp").symlink_to("One.cpp")
    (tree / "c10/cuda/self").symlink_to("self")
    (tree / "c10/cuda/up").symlink_to("..")
    (tree / "c10/cuda/here").symlink_to(".")
    assert problems(tree, selection("c10/cuda")) == [
        "c10/cuda/One.cpp: is a link that leads nowhere or in a circle",
        "c10/cuda/Self.cpp: is a link that leads nowhere or in a circle",
        "c10/cuda/Two.cpp: is a link that leads nowhere or in a circle",
        "c10/cuda/here: is a link that leads in a circle",
        "c10/cuda/self: is a link that leads nowhere or in a circle",
        "c10/cuda/up: is a link that leads in a circle",
    ]


def test_only_links_that_could_matter_are_looked_at(tree: Path) -> None:
    (tree / "c10/cuda/notes.txt").symlink_to("nowhere.txt")
    (tree / "c10/cuda/data.json").symlink_to("/etc/hostname")
    assert len(paths(tree, selection("c10/cuda"))) == 2


def test_a_pipe_is_refused_and_not_waited_for(tree: Path) -> None:
    os.mkfifo(tree / "c10/cuda/Odd.cpp")
    assert problems(tree, selection("c10/cuda")) == ["c10/cuda/Odd.cpp: is not a regular file"]


def test_a_device_is_refused_and_not_read(tree: Path) -> None:
    (tree / "c10/cuda/Odd.cpp").symlink_to("/dev/zero")
    assert problems(tree, selection("c10/cuda")) == [
        "c10/cuda/Odd.cpp: is a link that leaves the source tree, to /dev/zero"
    ]


def test_a_folder_with_the_name_of_a_source_is_a_folder(tree: Path) -> None:
    write(tree / "c10/cuda/Odd.cpp/Inside.cpp", "")
    assert "c10/cuda/Odd.cpp/Inside.cpp" in paths(tree, selection("c10/cuda"))


def test_a_file_in_the_place_of_a_folder_cannot_be_read(tree: Path) -> None:
    chosen = selection("c10/cuda/CUDAStream.h", "c10/cuda")
    assert problems(tree, chosen) == ["c10/cuda/CUDAStream.h: cannot be read: Not a directory"]


@pytest.mark.parametrize(
    ("text", "release"),
    [("2.6.0a0\n", "2.6.0"), ("1.13.0a0", "1.13.1"), ("2.13.0", "2.13.0"), (" 2.7 \n", "2.7")],
)
def test_the_release_is_read_from_version_txt(tree: Path, text: str, release: str) -> None:
    write(tree / "version.txt", text)
    assert release_of(tree) == release


@pytest.mark.release
def test_the_release_of_a_real_tree(releases: dict[str, Path]) -> None:
    assert {release: release_of(tree) for release, tree in releases.items()} == {
        release: release for release in releases
    }


@pytest.mark.release
def test_find_finds_the_same_files_in_a_real_tree(release_tree: Path) -> None:
    chosen = selection("c10/cuda", "aten/src/ATen/native/cuda")
    folders = [folder.folder for folder in chosen.folders]
    listed = subprocess.run(
        ["find", *folders, "-type", "f", "-regex", r".*/[^./]*\.\(cu\|cpp\|h\)"],
        cwd=release_tree,
        capture_output=True,
        text=True,
        check=True,
    )
    assert paths(release_tree, chosen) == sorted(listed.stdout.split())


def test_the_small_tree_is_what_the_other_tests_think(tree: Path) -> None:
    assert all((tree / path).is_file() for path in SOURCES)
