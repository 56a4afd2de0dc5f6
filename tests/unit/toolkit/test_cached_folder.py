"""Toolkit folders in the cache: several drivers start at once, and files are cut off."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from porter.toolkit import cached_folder, folder, folder_contents
from porter.toolkit.inputs import Wanted

PROCESSES = 4


def test_processes_that_start_at_once_make_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path))
    monkeypatch.setenv("PORTER_SIMT_RUNTIME", str(tmp_path))  # no runtime is built
    begun = threading.Barrier(PROCESSES)
    fillings: list[Path] = []
    is_whole, fill = folder_contents.is_whole, folder._fill

    def first_look(place: Path) -> bool:
        """Every process sees that the folder is missing, before one of them makes it."""
        whole = is_whole(place)
        if not hasattr(looked, "once"):
            looked.once = True
            begun.wait(timeout=30)
        return whole

    def slow_fill(scratch: Path, *rest: object) -> None:
        fillings.append(scratch)
        fill(scratch, *rest)  # type: ignore[arg-type]
        time.sleep(0.2)

    looked = threading.local()
    monkeypatch.setattr(folder_contents, "is_whole", first_look)
    monkeypatch.setattr(folder, "_fill", slow_fill)
    wanted = Wanted("simt", release="2.6.0")
    with ThreadPoolExecutor(PROCESSES) as pool:
        made = list(pool.map(lambda _: cached_folder.made(wanted), range(PROCESSES)))
    assert len(set(made)) == 1
    assert len(fillings) == 1, "a process replaced the folder that others had begun to use"
    assert is_whole(made[0])
