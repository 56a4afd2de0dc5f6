"""Upstream places in the compiler's output."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.toolchain.diagnostics import UpstreamLines, failure
from porter.toolchain.ninja import Failed

BUILD = Path("/src/op/build")
ROOTS = [(BUILD / "port/src", {"Fill.ty": "Fill.cu"}, "csrc/"), (Path("/src/out/src"), {}, "")]


@pytest.mark.parametrize(
    ("shown", "upstream"),
    [
        ("/src/op/build/port/src/Fill.ty", "csrc/Fill.cu"),
        # ccache with base_dir.
        ("port/src/Fill.ty", "csrc/Fill.cu"),
        ("../../out/src/a/Other.cu", "a/Other.cu"),
        ("/src/out/src/a/Other.cu", "a/Other.cu"),
        ("support/src/Fill.ty", "support/src/Fill.ty"),
    ],
)
def test_paths_relative_to_the_folder_of_the_build(shown: str, upstream: str) -> None:
    origins = UpstreamLines(ROOTS, BUILD)
    said = f"In file included from {shown}:3:\n{shown}:19:22: error: 'im' was not declared\n"
    assert origins.with_upstream_paths(said) == said.replace(shown, upstream)
    failed = Failed("Fill.o", "g++ -c", 1, said)
    place = failure(failed, None, origins).place
    assert place == (f"{upstream}:19" if upstream != shown else "Fill.o")
