"""Header trees of wheels: contents, and errors for a damaged index or wheel."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from machine import Machine, files
from wheel_index import TREE, Index, write_wheel

ABOUT = {"header_tree.json", "version.txt", "torch/version.py"}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with Index(tmp_path / "index").served() as served:
        yield served


@pytest.fixture
def machine(tmp_path: Path, index: Index) -> Machine:
    """Machine whose pip knows only the test's index."""
    machine = Machine(tmp_path)
    for name in [name for name in machine.env if name.startswith("PIP_")]:
        del machine.env[name]
    machine.env |= {"PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": index.url, "no_proxy": "*"}
    return machine


def headers_of(machine: Machine, release: str = "9.9.9") -> Path:
    return machine.cache / "releases" / f"pytorch-{release}-headers"


def test_the_tree_is_laid_out_as_sources(machine: Machine, index: Index) -> None:
    wheel = write_wheel(index.folder)
    code, out, err = machine.run("9.9.9", "--from", "wheel")
    tree = headers_of(machine)
    assert (code, out) == (0, f"{tree}\n"), err
    found = files(tree)
    assert {name: text for name, text in found.items() if name not in ABOUT} == TREE
    assert found["version.txt"] == "9.9.9\n"
    marker = json.loads(found["header_tree.json"])
    assert (marker["kind"], marker["release"], marker["wheel"]) == (
        "header tree",
        "9.9.9",
        wheel.name,
    )
    assert marker["sha256"] and marker["files"] == len(TREE) + 1
    assert machine.left() == ["pytorch-9.9.9-headers", "pytorch-9.9.9-headers.json"]


def test_only_parts_of_the_wheel_are_asked_for(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    assert machine.run("9.9.9", "--from", "wheel")[0] == 0
    assert all("bytes=" in request for request in index.requests if ".whl" in request)


def test_a_server_without_ranges_sends_the_whole_wheel(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    index.has_ranges = False
    code, _, err = machine.run("9.9.9", "--from", "wheel")
    assert code == 0, err
    assert "all of torch-9.9.9" in err
    assert machine.left() == ["pytorch-9.9.9-headers", "pytorch-9.9.9-headers.json"]


def test_a_second_run_asks_nobody(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    machine.run("9.9.9", "--from", "wheel")
    index.requests.clear()
    assert machine.run("9.9.9", "--from", "wheel")[:2] == (0, f"{headers_of(machine)}\n")
    assert not index.requests


def test_a_tree_that_lost_a_file_is_fetched_again(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    machine.run("9.9.9", "--from", "wheel")
    lost = headers_of(machine) / "torchgen" / "gen.py"
    lost.unlink()
    assert machine.run("9.9.9", "--from", "wheel")[0] == 0
    assert lost.is_file()


def test_sources_and_headers_of_a_release_lie_side_by_side(
    machine: Machine, index: Index, tmp_path: Path
) -> None:
    write_wheel(index.folder)
    machine.run("9.9.9", "--from", "wheel")
    shutil.copytree(headers_of(machine), machine.cache / "releases" / "pytorch-9.9.9")
    stamp = headers_of(machine).with_name("pytorch-9.9.9-headers.json")
    shutil.copy(stamp, stamp.with_name("pytorch-9.9.9.json"))
    # A header tree in the place of the sources is no source tree.
    code, _, err = machine.run("9.9.9", "--source", "debian")
    assert code == 4, err


def test_a_folder_serves_as_an_index(machine: Machine, index: Index) -> None:
    wheel = write_wheel(index.folder)
    machine.env |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(index.folder)}
    assert machine.run("9.9.9", "--from", "wheel")[0] == 0
    assert wheel.is_file()
    assert not index.requests


def test_a_relative_folder_serves_as_an_index(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    machine.env |= {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": os.path.relpath(index.folder, Path.cwd()),
    }
    code, _, err = machine.run("9.9.9", "--from", "wheel")
    assert code == 0, err


def test_a_file_url_with_a_page_serves_as_an_index(machine: Machine, index: Index) -> None:
    wheel = write_wheel(index.folder)
    page = index.folder / "simple" / "torch" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text(f'<a href="../../{wheel.name}">{wheel.name}</a>')
    machine.env["PIP_INDEX_URL"] = (index.folder / "simple").as_uri()
    assert machine.run("9.9.9", "--from", "wheel")[0] == 0


def test_the_newest_python_of_several_wheels(machine: Machine, index: Index) -> None:
    for python in ("cp39", "cp310", "cp314"):
        write_wheel(index.folder, tag=f"{python}-{python}-manylinux_2_28_x86_64")
    write_wheel(index.folder, tag="cp314-cp314t-manylinux_2_28_x86_64")
    machine.run("9.9.9", "--from", "wheel")
    marker = json.loads((headers_of(machine) / "header_tree.json").read_text())
    assert marker["wheel"] == "torch-9.9.9-cp314-cp314-manylinux_2_28_x86_64.whl"


def test_an_index_with_a_password(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    index.password = "s&cret"
    machine.env["PIP_INDEX_URL"] = index.url.replace("http://", "http://me:s%26cret@")
    code, _, err = machine.run("9.9.9", "--from", "wheel")
    assert code == 0, err


# --- what is wrong ---


def test_an_index_with_another_password(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    index.password = "s&cret"
    machine.env["PIP_INDEX_URL"] = index.url.replace("http://", "http://me:wr0ng@")
    refused(machine, "does not answer", "HTTP 401")
    assert "wr0ng" not in machine.run("9.9.9", "--from", "wheel")[2]


def refused(machine: Machine, *expected: str, release: str = "9.9.9") -> None:
    """Check that the command ends with code 4 and these texts, and that the cache contains no tree."""
    code, out, err = machine.run(release, "--from", "wheel")
    assert (code, out) == (4, ""), err
    for text in expected:
        assert text in err, err
    assert not headers_of(machine, release).exists()


def test_a_release_that_does_not_exist(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    refused(machine, "no source has PyTorch 8.8.8", "help: wheel", "has 9.9.9", release="8.8.8")


@pytest.mark.parametrize("platform", ["win_amd64", "macosx_11_0_arm64", "manylinux_2_28_aarch64"])
def test_a_wheel_of_another_platform(machine: Machine, index: Index, platform: str) -> None:
    write_wheel(index.folder, tag=f"cp312-cp312-{platform}")
    refused(machine, "no source has PyTorch 9.9.9", "help: wheel")


def test_a_wheel_without_headers(machine: Machine, index: Index) -> None:
    write_wheel(index.folder, without="c10/cuda")
    refused(machine, "has no c10/cuda/CUDAStream.h", "help: use a wheel with CUDA's headers")


def test_a_wheel_of_another_release_than_its_name(machine: Machine, index: Index) -> None:
    write_wheel(index.folder, inner="9.8.0")
    refused(machine, "its METADATA states 9.8.0", "help:")


def test_a_file_with_a_wrong_sum(machine: Machine, index: Index) -> None:
    write_wheel(index.folder, wrong_sum="torchgen/gen.py")
    refused(machine, "torchgen/gen.py is not the file that the wheel's RECORD names", "help:")
    assert machine.left() == []


def test_a_wheel_with_a_wrong_sum(machine: Machine, index: Index) -> None:
    wheel = write_wheel(index.folder)
    index.has_ranges = False
    index.sums[wheel.name] = "0" * 64
    refused(machine, "by the package index", "help: run this again")
    assert machine.left() == []


def test_a_file_that_is_no_wheel(machine: Machine, index: Index) -> None:
    write_wheel(index.folder).write_bytes(b"nothing" * 1000)
    refused(machine, "is not a complete wheel")


def test_a_download_that_breaks_off_goes_on_later(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    index.cut_after = 1
    refused(machine, ".whl", "help: run this again")
    index.cut_after = None
    assert machine.run("9.9.9", "--from", "wheel")[0] == 0
    assert machine.left() == ["pytorch-9.9.9-headers", "pytorch-9.9.9-headers.json"]


def test_a_tree_stays_when_its_renewal_fails(machine: Machine, index: Index) -> None:
    write_wheel(index.folder)
    machine.run("9.9.9", "--from", "wheel")
    (headers_of(machine) / "torchgen" / "gen.py").unlink()
    write_wheel(index.folder, wrong_sum="torchgen/gen.py")
    assert machine.run("9.9.9", "--from", "wheel")[0] == 4
    assert (headers_of(machine) / "version.txt").is_file()


def test_an_index_that_does_not_answer(machine: Machine) -> None:
    machine.env["PIP_INDEX_URL"] = "http://user:secret@127.0.0.1:9/simple"
    code, _, err = machine.run("9.9.9", "--from", "wheel")
    assert code == 4
    assert "does not answer" in err and "secret" not in err


def test_pip_is_not_there(machine: Machine) -> None:
    machine.env["PYTHONPATH"] = str(machine.root / "nopip")
    module = machine.root / "nopip" / "pip.py"
    module.parent.mkdir()
    module.write_text("raise ImportError\n")
    machine.env["PATH"] = str(machine.bin)
    code, _, err = machine.run("9.9.9", "--from", "wheel")
    assert code == 4
    assert "does not answer: pip is not on this machine; install it (Debian: " in err
