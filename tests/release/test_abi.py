"""`porter abi` on header trees of real releases."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from release_trees import named_releases

from porter.cli.main import cli

pytestmark = [pytest.mark.slow, pytest.mark.release]


def header_tree(release: str) -> Path:
    """Header tree of a release beside the trees of PORTER_TEST_RELEASES; skips without one."""
    for tree in named_releases().values():
        place = tree.parent / f"pytorch-{release}-headers"
        if place.is_dir():
            return place
    return pytest.skip(f"no header tree: build_scripts/fetch_release {release} --from wheel")


@pytest.fixture(scope="module")
def result() -> Result:
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    trees = [str(header_tree(release)) for release in ("2.9.1", "2.10.0")]
    return CliRunner().invoke(cli, ["abi", *trees, "--json"], standalone_mode=False)


def test_classes_that_changed_their_layout_are_found(result: Result) -> None:
    assert result.return_value == 1
    told = json.loads(result.stdout)
    changes = {change["class"]: change for change in told["changes"]}
    logger = changes["c10::MessageLogger"]
    assert logger["changes"][0] == "size 408 -> 400"
    assert "backend/csrc/Memory.cpp" in logger["used_by"]
    guard = changes["c10::impl::DeviceGuardImplInterface"]
    assert "virtual getDeviceCapability(c10::Device) in slot 15 is new" in guard["changes"]
    # Another unit defines its first virtual function.
    assert "base c10::intrusive_ptr_target differs" in changes["c10::TensorImpl"]["changes"]
    # Its fields moved into a base, at the same offsets.
    assert "c10::ArrayRef<long int>" not in changes
    assert told["compared"] > 500


def test_a_tree_without_generated_headers_is_an_error(tmp_path: Path) -> None:
    tree = header_tree("2.10.0")
    (tmp_path / "torch").mkdir()
    shutil.copy(tree / "torch" / "version.py", tmp_path / "torch" / "version.py")
    done = CliRunner().invoke(cli, ["abi", str(tmp_path)])
    assert "lacks the headers that PyTorch's build makes" in str(done.exception)
