"""Sources of packages in archives, with and without the filters of newer versions of Python."""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

import pytest

from porter.base.errors import SourceError
from porter.toolkit import sdist


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
