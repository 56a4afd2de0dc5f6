"""`porter abi` on header trees of real releases."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from release_trees import header_tree

from porter.cli.main import cli

pytestmark = [pytest.mark.slow, pytest.mark.release]


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
    context = changes["at::Context"]
    assert context["changes"][0] == "size 1136 -> 1144"
    assert "backend/csrc/Backend.h" in context["used_by"]
    guard = changes["c10::impl::DeviceGuardImplInterface"]
    assert "virtual getDeviceCapability(c10::Device) in slot 15 is new" in guard["changes"]
    # Another unit defines its first virtual function.
    assert "base c10::intrusive_ptr_target differs" in changes["c10::TensorImpl"]["changes"]
    # Its fields moved into a base, at the same offsets.
    assert "c10::ArrayRef<long int>" not in changes
    assert told["compared"] > 500


def test_a_source_tree_has_no_generated_headers(releases: dict[str, Path]) -> None:
    done = CliRunner().invoke(cli, ["abi", str(releases["2.6.0"])])
    assert "is not a header tree" in str(done.exception)
