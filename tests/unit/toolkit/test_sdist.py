"""Sources of packages in archives, with and without the filters of newer versions of Python."""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

import pytest

from porter.base.errors import BuildError, SourceError
from porter.toolkit import sdist

FAILING_PIP = """#!/bin/sh
cat >&2 <<'END'
WARNING: Running pip as the 'root' user
  error: subprocess-exited-with-error
  ╰─> [1 lines of output]
      RuntimeError: no CUDA
      [end of output]
error: metadata-generation-failed
END
exit 1
"""


def _archive(place: Path, *names: str) -> str:
    with tarfile.open(place, "w:gz") as file:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 4
            file.addfile(member, io.BytesIO(b"text"))
    return str(place)


@pytest.fixture(params=["with filters", "without filters"], autouse=True)
def _filters(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without filters":
        monkeypatch.delattr(tarfile, "data_filter", raising=False)


def test_an_sdist_is_extracted(tmp_path: Path) -> None:
    given = _archive(tmp_path / "pack-1.0.tar.gz", "pack-1.0/setup.py", "pack-1.0/csrc/a.cu")
    root = sdist.unpack(given, tmp_path / "scratch", sys.executable, {})
    assert root == tmp_path / "scratch/source/pack-1.0"
    assert (root / "csrc/a.cu").read_text() == "text"


def test_an_archive_cannot_write_outside_its_folder(tmp_path: Path) -> None:
    given = _archive(tmp_path / "pack-1.0.tar.gz", "pack-1.0/setup.py", "../../escaped")
    with pytest.raises(SourceError, match=r"is no sdist: .*outside"):
        sdist.unpack(given, tmp_path / "scratch", sys.executable, {})
    assert not (tmp_path / "escaped").exists()


def test_a_file_that_is_no_archive_gives_a_message_of_one_line(tmp_path: Path) -> None:
    (tmp_path / "pack-1.0.tar.gz").write_text("text")
    with pytest.raises(SourceError) as caught:
        sdist.unpack(str(tmp_path / "pack-1.0.tar.gz"), tmp_path / "scratch", sys.executable, {})
    (problem,) = caught.value.problems
    assert problem.text == "is no sdist: file could not be opened successfully"


def test_an_option_of_pip_is_no_name_of_a_package(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is not the name of a package"):
        sdist.unpack("--version", tmp_path, "no interpreter is called", {})


def test_a_package_whose_setup_fails_while_pip_reads_its_version(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(FAILING_PIP)
    python.chmod(0o755)
    with pytest.raises(BuildError) as caught:
        sdist.unpack("pack", tmp_path / "scratch", str(python), {})
    (problem,) = caught.value.problems
    assert problem.text == "the package's own build failed\nRuntimeError: no CUDA"
    assert problem.place == "pack"
