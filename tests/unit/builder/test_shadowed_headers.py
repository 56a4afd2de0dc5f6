"""A new header of the port that precedes an installed one changes every compiler command."""

from __future__ import annotations

from pathlib import Path

from porter.builder import header_overrides


def test_the_macro_tells_which_headers_are_shadowed(tmp_path: Path) -> None:
    for name in ("c10/util/Half.h", "ATen/jit_macros.h"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    half = ["c10/util/Half.h"]
    both = [*half, "aten/src/ATen/jit_macros.h"]
    assert header_overrides.define(half, tmp_path) != header_overrides.define(both, tmp_path)
    assert header_overrides.define(both, tmp_path) == header_overrides.define(
        reversed(both), tmp_path
    )
    # What no installed header is named like, and what is no header, is of no concern.
    more = [*both, "c10/simt/SIMTStream.h", "aten/src/ATen/native/simt/AbsKernel.cu"]
    assert header_overrides.define(both, tmp_path) == header_overrides.define(more, tmp_path)
