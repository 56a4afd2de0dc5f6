"""`porter release prove` on header trees of real wheels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from release_trees import header_tree

from porter.cli.release import release as command

MOVED = {
    "2.8.0": set(),
    "2.9.1": {"macros/Macros.h", "util/BFloat16.h", "util/Half.h"},
    "2.14.1": {
        *("macros/Macros.h", "util/BFloat16.h", "util/Half.h", "util/NumericUtils.h"),
        *(
            "core/TensorAccessor.h",
            "musa/Atomic.h",
            "musa/KernelUtils.h",
            "musa/detail/ROCmMacros.h",
        ),
    },
}
"""Release -> headers of torch/headeronly in a port of the release to musa."""
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("release", MOVED)
def test_a_release_ports_and_registers_with_no_name_left(release: str, tmp_path: Path) -> None:
    tree = header_tree(release)
    words = ["prove", release, "--target", "musa", "--tree", f"{release}={tree}", "--json"]
    done = CliRunner().invoke(command, [*words, "--out", str(tmp_path)])
    (proof,) = json.loads(done.stdout)["proofs"]
    assert proof["problems"] == []
    assert (proof["unmapped"], proof["ambiguous"]) == (0, 0)
    assert proof["registered"] > 0.9 * proof["operators"] > 1000
    headeronly = tmp_path / f"musa/{release}-headers/src/torch/headeronly"
    found = {str(path.relative_to(headeronly)) for path in headeronly.rglob("*.h")}
    assert found == MOVED[release]
