"""Remote file, read in blocks: the requested ranges, and the blocks that a later run reuses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from wheel_index import Index

from release_sources import remote_file
from release_sources.download import NoRangesError, Web
from release_sources.errors import FetchError
from release_sources.remote_file import RemoteFile

DATA = bytes(range(256)) * 4 + b"end"
BLOCK = 100


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    monkeypatch.setattr(remote_file, "BLOCK", BLOCK)
    monkeypatch.setenv("no_proxy", "*")
    folder = tmp_path / "index"
    folder.mkdir()
    (folder / "data.whl").write_bytes(DATA)
    with Index(folder).served() as served:
        yield served


def opened(index: Index, blocks: Path, size: int = len(DATA)) -> RemoteFile:
    url = index.url.replace("/simple", "/files/data.whl")
    return RemoteFile(Web(pause=0), url, size, blocks, lambda count: None)


def test_any_part_is_read_as_from_a_file(index: Index, tmp_path: Path) -> None:
    file = opened(index, tmp_path / "blocks")
    for begin, count in ((0, 1), (99, 2), (250, 300), (len(DATA) - 3, 10), (len(DATA), 1)):
        file.seek(begin)
        assert file.read(count) == DATA[begin : begin + count]
        assert file.tell() == min(begin + count, max(begin, len(DATA)))
    file.seek(-3, os.SEEK_END)
    assert file.read() == b"end"


def test_blocks_that_a_stopped_run_fetched_are_not_asked_for_again(
    index: Index, tmp_path: Path
) -> None:
    opened(index, tmp_path / "blocks").read(3 * BLOCK)
    (tmp_path / "blocks" / "00001.block").write_bytes(b"cut")
    index.requests.clear()
    again = opened(index, tmp_path / "blocks")
    assert again.read(4 * BLOCK) == DATA[: 4 * BLOCK]
    assert again.fetched == 2 * BLOCK
    asked = [request.partition("bytes=")[2] for request in index.requests]
    assert asked == ["0-0", "100-199", "300-399"]


def test_another_size_than_the_index_says(index: Index, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="is 1027 bytes long, but the package index states 5"):
        opened(index, tmp_path / "blocks", size=5)


def test_a_server_that_sends_whole_files_only(index: Index, tmp_path: Path) -> None:
    index.has_ranges = False
    with pytest.raises(NoRangesError):
        opened(index, tmp_path / "blocks")


def test_a_broken_answer_is_asked_for_again(index: Index, tmp_path: Path) -> None:
    file = opened(index, tmp_path / "blocks")
    index.cut_after = 0
    with pytest.raises(FetchError) as raised:
        file.read(BLOCK)
    assert "run this again" in raised.value.advice
    assert len([request for request in index.requests if "0-99" in request]) == 3
    assert not list((tmp_path / "blocks").iterdir())
    index.cut_after = None
    assert file.read(BLOCK) == DATA[:BLOCK]
