"""Trees that `porter upgrade` finds in the cache for the name of a release."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.upgrade import trees


def test_newest_patch_release_is_chosen_by_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porter.base.disk_cache.folder", lambda: tmp_path)
    for release in ("2.9.2", "2.9.10", "2.10.0"):
        (tmp_path / "releases" / f"pytorch-{release}-headers").mkdir(parents=True)
    (found,) = trees._candidates("2.9")
    assert found.name == "pytorch-2.9.10-headers"
